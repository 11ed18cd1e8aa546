"""Who plays: the contract of agents, agents of ours, and how they are found. See docs/agents.md."""

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import Agent, AgentStart, Completion, Conversing, Observation, Outcome, Policy
from fle_ray.agents.registry import agent_names, find_agent, make_agent

__all__ = [
    "Agent",
    "AgentStart",
    "BaseAgent",
    "Completion",
    "Conversing",
    "Observation",
    "Outcome",
    "Policy",
    "agent_names",
    "find_agent",
    "make_agent",
]
