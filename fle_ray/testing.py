"""A test kit that every instance passes: the simulator's, a server's, and anything a user plugs in.

Subclass `InstanceContract` in a test module, give it `make_instance`, and let pytest collect it:

    class TestMyGame(InstanceContract):
        def make_instance(self):
            return MyGame()

Each rule is one sentence, used in the assertion that checks it. An engine whose snapshots are not exact sets
`exact = False`; the rules that need exactness are then skipped, and pytest says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fle_ray.errors import ConfigError, InstanceClosed, SnapshotError, StepLimit, ToolError
from fle_ray.game.contracts import Instance, Start
from fle_ray.game.values import Direction, Position, Prototype, Resource

__all__ = ["InstanceContract"]

START = Start(
    scenario="lab",
    inventory={"coal": 50, "burner-mining-drill": 3, "stone-furnace": 3, "wooden-chest": 3, "iron-plate": 20},
)


class InstanceContract:
    """The rules of `fle_ray.game.contracts.Instance`, as tests.

    Attributes:
        exact: snapshots hold everything, so that equal calls after a restore give equal digests.
    """

    exact = True

    def make_instance(self) -> Instance:
        """A new instance; override this."""
        raise NotImplementedError("give your test class a make_instance() that returns a new instance")

    # -- helpers ------------------------------------------------------------------------------------------

    def started(self, start: Start = START) -> Instance:
        instance = self.make_instance()
        instance.reset(start)
        return instance

    def build(self, instance: Instance) -> None:
        """A drill on iron ore over a furnace, both fuelled: something that changes by itself."""
        ore = instance.call(0, "nearest", (Resource.IronOre,))
        instance.call(0, "move_to", (ore,))
        drill = instance.call(0, "place_entity", (Prototype.BurnerMiningDrill, Direction.DOWN, ore))
        furnace = instance.call(
            0, "place_entity_next_to", (Prototype.StoneFurnace, drill.position, Direction.DOWN), {"spacing": 0}
        )
        for machine in (drill, furnace):
            instance.call(0, "insert_item", (Prototype.Coal, machine, 5))

    def go_on(self, instance: Instance) -> Iterator[str]:
        """Digests along some calls."""
        for _ in range(3):
            instance.call(0, "sleep", (7,))
            yield instance.digest()
        instance.call(0, "craft_item", (Prototype.IronGearWheel, 2))
        yield instance.digest()

    def needs_exact(self) -> None:
        if not self.exact:
            import pytest

            pytest.skip("this engine's snapshots are not exact")

    # -- rules --------------------------------------------------------------------------------------------

    def test_it_is_an_instance(self) -> None:
        assert isinstance(self.started(), Instance), "an instance has every member of the contract"

    def test_a_reset_gives_the_asked_inventory_and_tick_zero(self) -> None:
        instance = self.started()
        assert instance.inventory(0) == dict(sorted(START.inventory.items())), "every agent starts with the inventory"
        assert instance.tick == 0, "time is counted from the reset"
        assert instance.flows().produced == {}, "nothing has been made at the start"

    def test_advance_runs_that_many_ticks(self) -> None:
        instance = self.started()
        instance.advance(123)
        assert instance.tick == 123, "advance(n) runs n ticks"

    def test_restoring_and_the_same_calls_give_the_same_digests(self) -> None:
        self.needs_exact()
        instance = self.started()
        self.build(instance)
        instance.advance(500)
        state = instance.snapshot()
        first = list(self.go_on(instance))
        instance.restore(state)
        assert list(self.go_on(instance)) == first, "restore(snapshot()) and the same calls give the same digests"

    def test_a_snapshot_can_be_taken_up_by_another_instance(self) -> None:
        self.needs_exact()
        instance, other = self.started(), self.started()
        self.build(instance)
        instance.advance(500)
        other.restore(instance.snapshot())
        assert other.digest() == instance.digest(), "a snapshot holds the whole state"
        assert list(self.go_on(other)) == list(self.go_on(instance)), "and everything needed to go on"

    def test_looking_changes_nothing(self) -> None:
        instance = self.started()
        self.build(instance)
        instance.advance(100)
        before = instance.digest()
        instance.entities(0), instance.flows(), instance.score(), instance.inventory(0), instance.positions()
        instance.research(), instance.messages(), instance.snapshot()
        assert instance.digest() == before, "looking changes nothing"

    def test_a_fork_goes_its_own_way(self) -> None:
        self.needs_exact()
        instance = self.started()
        self.build(instance)
        copy = instance.fork()
        before = instance.digest()
        assert copy.digest() == before, "a fork is equal at first"
        copy.advance(1000)
        assert instance.digest() == before, "what a fork does leaves the original alone"

    def test_reset_after_use_equals_a_fresh_instance(self) -> None:
        self.needs_exact()
        used, fresh = self.started(), self.started()
        self.build(used)
        used.advance(1000)
        used.reset(START)
        assert used.digest() == fresh.digest(), "reset() on a used instance equals a fresh one"

    def test_a_closed_instance_says_so(self) -> None:
        instance = self.started()
        instance.close()
        for use in (
            lambda: instance.tick,
            lambda: instance.call(0, "score"),
            lambda: instance.snapshot(),
            lambda: instance.reset(START),
        ):
            assert _raises(InstanceClosed, use), "after close() every use raises InstanceClosed"

    def test_a_damaged_snapshot_is_refused_and_changes_nothing(self) -> None:
        instance = self.started()
        before = instance.digest()
        state = instance.snapshot()
        for damaged in (b"", b"nonsense", state[: len(state) // 2], state[:10] + bytes([state[10] ^ 1]) + state[11:]):
            assert _raises(SnapshotError, lambda damaged=damaged: instance.restore(damaged)), "damage raises SnapshotError"
        assert instance.digest() == before, "a refused snapshot changes nothing"

    def test_a_refused_call_is_a_tool_error_and_changes_nothing(self) -> None:
        instance = self.started()
        before = instance.digest()
        far = Position(x=200, y=200)
        call = ("place_entity", (Prototype.WoodenChest, Direction.UP, far))
        assert _raises(ToolError, lambda: instance.call(0, *call)), "what the game refuses is a ToolError"
        assert _raises(ToolError, lambda: instance.call(0, "no_such_tool")), "an unknown tool is a ToolError"
        assert instance.digest() == before, "a refused call changes nothing"

    def test_tool_calls_stop_at_the_tick_limit(self) -> None:
        instance = self.started()
        instance.tick_limit = 100
        assert _raises(StepLimit, lambda: instance.call(0, "sleep", (10,))), "a call past the limit raises StepLimit"
        assert instance.tick == 100, "and the world stands at the limit"
        instance.advance(50)
        assert instance.tick == 150, "advance() is not subject to it"

    def test_an_unknown_scenario_or_item_is_a_config_error(self) -> None:
        instance = self.started()
        assert _raises(ConfigError, lambda: instance.reset(Start(scenario="no-such"))), "scenarios are looked up"
        assert _raises(ConfigError, lambda: instance.reset(Start(inventory={"no-such": 1}))), "items are looked up"

    def test_agents_have_characters_and_inventories_of_their_own(self) -> None:
        instance = self.started(Start(scenario="lab", inventory={"coal": 5}, agents=2))
        instance.call(1, "move_to", (Position(x=5, y=5),))
        assert instance.positions()[0] == (0, 0), "one agent's walk moves no other"
        assert instance.positions()[1] != (0, 2), "and moves that one"
        assert instance.inventory(0) == instance.inventory(1) == {"coal": 5}, "each has the inventory"


def _raises(kind: type[BaseException], use: Any) -> bool:
    try:
        use()
    except kind:
        return True
    return False
