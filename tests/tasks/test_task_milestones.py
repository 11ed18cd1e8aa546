"""Achievements: hands apart from machines, on cumulative counters."""

from __future__ import annotations

from fle_ray.game.contracts import Flows
from fle_ray.tasks import Milestone, achievements, new_milestones


def test_production_is_split_into_hands_and_machines():
    before = Flows(produced={"iron-ore": 10}, harvested={"iron-ore": 4})
    after = Flows(produced={"iron-ore": 25, "iron-plate": 3}, harvested={"iron-ore": 9}, crafted={"iron-plate": 3})
    made = achievements(before, after)
    assert made.static == {"iron-ore": 5, "iron-plate": 3}
    assert made.dynamic == {"iron-ore": 10}


def test_the_same_hand_craft_twice_counts_twice():
    first = Flows(produced={"pipe": 1}, crafted={"pipe": 1})
    second = Flows(produced={"pipe": 2}, crafted={"pipe": 2})
    assert achievements(Flows(), first).static == achievements(first, second).static == {"pipe": 1}


def test_nothing_made_is_nothing_achieved():
    flows = Flows(produced={"pipe": 1}, crafted={"pipe": 1})
    assert achievements(flows, flows).as_dict() == {"static": {}, "dynamic": {}}


def test_a_milestone_is_the_first_time_and_only_that():
    by_hand = Flows(produced={"pipe": 2}, crafted={"pipe": 2})
    both = Flows(produced={"pipe": 5, "coal": 1}, crafted={"pipe": 2})
    assert new_milestones(Flows(), by_hand) == (Milestone("pipe", "hand"),)
    assert new_milestones(by_hand, both) == (Milestone("coal", "machine"), Milestone("pipe", "machine"))
    assert new_milestones(both, both) == ()
