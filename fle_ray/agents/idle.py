"""An agent that does nothing: the floor that every other one is compared with."""

from __future__ import annotations

from fle_ray.agents.base import BaseAgent
from fle_ray.agents.contract import Observation, Policy

__all__ = ["IdleAgent"]


class IdleAgent(BaseAgent):
    """Answers every observation with a program that does nothing."""

    def act(self, observation: Observation) -> Policy:
        return Policy("pass")
