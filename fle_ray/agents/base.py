"""A base class with the defaults that most agents want. It is a convenience: any class with the five methods of
`fle_ray.agents.contract.Agent` is an agent.
"""

from __future__ import annotations

import random

from fle_ray.agents.contract import AgentStart, Completion, Observation, Outcome, Policy

__all__ = ["BaseAgent"]


class BaseAgent:
    """Remembers its start, takes one try a step, accepts every state. Subclasses write `act`.

    Attributes:
        start: what the episode began with, from `reset` on.
        reads_fields: whether it looks at `fields` of observations. False spares sending them to an agent in another
            process, which then finds none.
    """

    start: AgentStart
    reads_fields: bool = True

    def reset(self, start: AgentStart) -> None:
        """Begin an episode."""
        self.start = start

    def act(self, observation: Observation) -> Policy:
        """The next program."""
        raise NotImplementedError(f"{type(self).__name__} must define act(observation).")

    def observe(self, policy: Policy, outcome: Outcome) -> None:
        """Told what became of the program; nothing is done with it here."""

    def check_step_completion(self, outcome: Outcome) -> Completion:
        """The state is kept, and the order of turns decides who is next."""
        return Completion()

    def end(self, reason: str) -> None:
        """Told that the episode is over; nothing is done about it here."""

    def rng(self, observation: Observation) -> random.Random:
        """A generator for this step: the same for the same seed, trial, agent and step, and for nothing else.

        Drawing from it rather than from one that lives on makes an agent resumable without saving a state.
        """
        start = self.start
        return random.Random(f"{start.seed}/{start.trial}/{start.agent_idx}/{observation.step}")
