"""The world: the parts of the simulator put together, and the few verbs that act on them.

A world holds a calendar, a map, statistics, a force, the networks and the entities; each rule lives in the
module of the thing it is about. The verbs here are the primitives of the `World` contract (place, remove, find,
advance, snapshot) and the bench face for rigs (ore, build, belt, character ...), where reach, inventory and
research do not stand in the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from typing import Any, Protocol

from fle_ray.errors import FleRayError, SnapshotError, UnknownName
from fle_ray.game.prototypes import GameData, load
from fle_ray.sim import placing
from fle_ray.sim.belts import Belts, Source
from fle_ray.sim.character import Character
from fle_ray.sim.core import Calendar
from fle_ray.sim.entity import Entity
from fle_ray.sim.fluids import Fluids
from fle_ray.sim.force import Force
from fle_ray.sim.ground import GroundItem, pile_at
from fle_ray.sim.heat import Heat
from fle_ray.sim.kinds import kind_of
from fle_ray.sim.line import Drain
from fle_ray.sim.map import Box, Map, Natural, Resource, square_ring
from fle_ray.sim.orbit import Orbit
from fle_ray.sim.power import Power
from fle_ray.sim.research import ResearchQueue
from fle_ray.sim.scenarios import terrain
from fle_ray.sim.state import copied, digest_of, pack, unpack
from fle_ray.sim.statistics import Statistics

__all__ = ["World"]

_SPILL_STEP = 88 / 256  # spilled items lie on a grid of this step (FactorioGym probe)
_SPILL_RINGS = 16


class System(Protocol):
    """State that belongs to no single entity (an electric network, a fluid segment, a belt line ...).

    Entities enter and leave it in `connect` and `gone`; `load` is called after all entities have connected.
    """

    def save(self) -> Any: ...

    def load(self, state: Any) -> None: ...


class World:
    """One simulated world.

    Args:
        scenario: "empty" (endless flat land), "lab" or "open". Raises UnknownName for another.
        seed: makes the map of "open"; changes nothing in the others.

    Attributes:
        entities: creation number -> entity, in order of creation.
        characters: one per agent.
    """

    def __init__(self, scenario: str = "empty", seed: int = 0) -> None:
        self.scenario = scenario
        self.seed = terrain(scenario, seed).seed  # 0 where the seed changes nothing
        self.data: GameData = load()
        self.stacks = {name: item.stack_size for name, item in self.data.items.items()}
        self.calendar = Calendar()
        self.statistics = Statistics()
        self.force = Force(self.data)
        self.map = Map(terrain(scenario, seed), self.data)
        self.entities: dict[int, Entity] = {}
        self.characters: list[Character] = []
        self.beacons: list[Any] = []  # every beacon on the map, for machines that are built near one
        self.systems: dict[str, System] = {}  # networks and the like, by name, in the order they are saved
        self.research_queue = ResearchQueue(self)
        self.systems["research"] = self.research_queue
        self.orbit = self.systems["orbit"] = Orbit(self)
        self.restoring = False  # entities are put back as they were: connecting changes nothing
        self.heat = self.systems["heat"] = Heat(self)
        self.fluids = self.systems["fluids"] = Fluids(self)
        self.power_grid = self.systems["power"] = Power(self)  # after the fluids, which generators draw from
        self.power_grid.always_day = scenario != "empty"  # as FLE sets it
        self.belts = self.systems["belts"] = Belts(self)
        self._last_number = 0
        self._last_order = 0

    # -- time ---------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """Ticks that have run."""
        return self.calendar.tick

    def advance(self, ticks: int) -> None:
        """Run `ticks` ticks, >= 0. Raises ValueError when negative."""
        if ticks < 0:
            raise ValueError(f"ticks must not be negative, got {ticks}")
        self.calendar.run(self.calendar.tick + int(ticks))

    # -- building -----------------------------------------------------------------------------------------

    def place(
        self,
        name: str,
        position: tuple[float, float],
        direction: int = 0,
        *,
        ignore_characters: bool = False,
        **options: Any,
    ) -> Entity:
        """Build an entity, snapped to the grid.

        Args:
            direction: the engine's own (an inserter's faces its pickup side, a drill's its drop).
            ignore_characters: characters do not stand in the way.
            options: settings, as `Entity.configure` takes them (recipe, modules, filter ...).

        Raises:
            UnknownName: no such entity. CannotPlace: the game refuses. Unsupported: a setting it does not have.
        """
        prototype = self.data.entity(name)
        where = placing.snap(prototype, position, direction)
        placing.check(self, prototype, where, direction, ignore_characters=ignore_characters)
        return self._add(prototype, where, direction, options)

    build = place

    def place_belts(self, things: Iterable[tuple[str, tuple[float, float], int, dict[str, Any]]]) -> list[Entity]:
        """Build belts as `place` does (name, position, direction, options), all or none, joined up once.

        For long lines: one by one each would take the whole line apart again. Characters do not stand in the way.
        Raises as `place` does; nothing stands then, but the creation numbers are used up.
        """
        added: list[Entity] = []
        try:
            with self.belts.together():
                for name, position, direction, options in things:
                    prototype = self.data.entity(name)
                    where = placing.snap(prototype, position, direction)
                    placing.check(self, prototype, where, direction, ignore_characters=True)
                    added.append(self._enter(prototype, where, direction, options))
        except FleRayError:
            for entity in reversed(added):
                self.remove(entity)
            raise
        for entity in added:
            entity.built()
            self._tell_watchers(entity.box, besides=entity)
        return added

    def _add(self, prototype: Any, where: tuple[float, float], direction: int, options: dict[str, Any]) -> Entity:
        entity = self._enter(prototype, where, direction, options)
        entity.built()
        self._tell_watchers(entity.box, besides=entity)
        return entity

    def _enter(self, prototype: Any, where: tuple[float, float], direction: int, options: dict[str, Any]) -> Entity:
        """Put a new entity on the map, linked up but not acting yet."""
        entity = kind_of(prototype)(self, prototype, self._last_number + 1, where[0], where[1], direction)
        if options:
            entity.configure(**options)
        self._last_number = entity.number
        self.entities[entity.number] = entity
        self.map.occupy(entity)
        entity.connect()
        return entity

    def remove(self, entity: Entity) -> dict[str, int]:
        """Take an entity off the map; returns the items it held (not the entity's own item)."""
        entity.settle(self.tick)
        held = entity.clear()
        entity.gone()
        entity.removed = True
        self.calendar.cancel(entity)
        del self.entities[entity.number]
        self.map.vacate(entity)
        self._tell_watchers(entity.box)
        return held

    def mine(self, entity: Entity) -> dict[str, int]:
        """Remove an entity as mining does: what it held, then itself."""
        held = self.remove(entity)
        if entity.prototype.minable is not None:
            for product in entity.prototype.minable.products:
                held[product.name] = held.get(product.name, 0) + int(product.amount)
        return held

    def rotate(self, entity: Entity, direction: int) -> None:
        """Turn an entity in its place. Raises CannotPlace when it does not fit that way."""
        placing.check(
            self, entity.prototype, entity.position, direction, ignore_characters=True, ignore=entity
        )
        before = entity.box
        self.map.vacate(entity)
        entity.rotate(direction)
        self.map.occupy(entity)
        self._tell_watchers(before, besides=entity)
        self._tell_watchers(entity.box, besides=entity)

    def _tell_watchers(self, box: Box, besides: Entity | None = None) -> None:
        for watcher in self.map.watchers(box):
            if watcher is not besides:
                watcher.retarget()

    def next_order(self) -> int:
        """The next place at the end of the inserters' update list."""
        self._last_order += 1
        return self._last_order

    # -- finding ------------------------------------------------------------------------------------------

    def find(self, box: Box, name: str | None = None) -> list[Entity]:
        """Entities whose collision box overlaps a box, by creation number; ground items included."""
        found = [
            thing
            for thing in self.map.things_in(box)
            if isinstance(thing, Entity) and (name is None or thing.name == name)
        ]
        found.sort(key=lambda e: e.number)
        return found

    def entity_at(self, point: tuple[float, float], besides: Entity | None = None) -> Entity | None:
        """The entity (no ground item) standing on the tile of a point, None for none."""
        for thing in self.map.standing_on(floor(point[0]), floor(point[1])):
            if thing is besides or not isinstance(thing, Entity) or isinstance(thing, GroundItem):
                continue
            left, top, right, bottom = thing.area
            if left <= point[0] < right and top <= point[1] < bottom:
                return thing
        return None

    def selected(self, point: tuple[float, float]) -> Entity | Natural | Resource | None:
        """What a player mines at a point: an entity, tree or rock first, else the resource under it."""
        thing = self.map.at(*point)
        if thing is not None:
            return thing
        return self.map.resource_at(floor(point[0]), floor(point[1]))

    # -- things on the ground -------------------------------------------------------------------------------

    def drop_on_ground(self, item: str, point: tuple[float, float]) -> GroundItem:
        """Lay one item on the ground at a point, whatever lies there."""
        prototype = self.data.entity("item-on-ground")
        where = (floor(point[0] * 256) / 256, floor(point[1] * 256) / 256)
        return self._add(prototype, where, 0, {"item": item})  # type: ignore[return-value]

    def spill(self, item: str, point: tuple[float, float]) -> None:
        """Lay one item on the ground near a point, at the first free spot of rings round it."""
        for ring in range(_SPILL_RINGS + 1):
            for dx, dy in square_ring(ring):
                x, y = point[0] + dx * _SPILL_STEP, point[1] + dy * _SPILL_STEP
                if pile_at(self, x, y) is None and self.entity_at((x, y)) is None:
                    if not self.map.is_water(floor(x), floor(y)):
                        self.drop_on_ground(item, (x, y))
                        return

    def harvest(self, natural: Natural) -> dict[str, int]:
        """Fell a tree or break a rock; returns what it gives and counts it as mined by hand."""
        found: dict[str, int] = {}
        for product in natural.prototype.minable.products:
            amount = int(product.amount)
            found[product.name] = found.get(product.name, 0) + amount
            self.statistics.mined_by_hand(product.name, amount)
        self.map.fell(natural)
        return found

    def piles_on(self, tile: tuple[int, int]) -> list[GroundItem]:
        """Items on the ground whose middle lies on a tile, by creation number."""
        piles = [
            thing
            for thing in self.map.standing_on(*tile)
            if isinstance(thing, GroundItem) and (floor(thing.x), floor(thing.y)) == tile
        ]
        return sorted(piles, key=lambda pile: pile.number)

    # -- belts under characters -------------------------------------------------------------------------------

    def carries(self, character: Character) -> bool:
        """Whether a belt carries the character."""
        return hasattr(self._floor_under(character), "carry")

    def carry(self, character: Character) -> None:
        """Let the belt under a character carry it for a tick."""
        belt = self._floor_under(character)
        if hasattr(belt, "carry"):
            belt.carry(character)

    def _floor_under(self, character: Character) -> Entity | None:
        return self.entity_at(character.position)

    # -- the bench face -----------------------------------------------------------------------------------------

    def ore(self, name: str, box: Box, amount: int = 10_000) -> None:
        """Lay a resource on every tile of a box (right and bottom edge exclusive), `amount` each."""
        for tx in range(floor(box[0]), floor(box[2])):
            for ty in range(floor(box[1]), floor(box[3])):
                self.map.put_resource(name, (tx, ty), amount)

    def well(self, position: tuple[float, float], amount: int = 300_000) -> None:
        """An oil well; 300,000 is a yield of 100 %."""
        self.map.put_resource("crude-oil", (floor(position[0]), floor(position[1])), amount)

    def water(self, box: Box) -> None:
        """Turn the tiles of a box (right and bottom edge exclusive) into water."""
        for tx in range(floor(box[0]), floor(box[2])):
            for ty in range(floor(box[1]), floor(box[3])):
                self.map.set_tile(tx, ty, "water")

    def fluid_source(self, fluid: str, position: tuple[float, float], temperature: float | None = None) -> Entity:
        """A pipe that gives a fluid without end, at the fluid's default temperature when None."""
        return self.build("pipe", position, endless=fluid, temperature=temperature)

    def power(self, position: tuple[float, float]) -> Entity:
        """A medium pole that feeds its network without end."""
        return self.build("medium-electric-pole", position, endless=True)

    @property
    def always_day(self) -> bool:
        """Whether the sun stands still at noon: so in "lab" and "open", as FLE sets it. May be set."""
        return self.power_grid.always_day

    @always_day.setter
    def always_day(self, value: bool) -> None:
        self.power_grid.always_day = value

    def belt(self, corners: Iterable[tuple[float, float]], name: str = "transport-belt") -> list[Entity]:
        """Belts through these corners, each facing along the line; returns them from start to end."""
        points = [(floor(x) + 0.5, floor(y) + 0.5) for x, y in corners]
        tiles: list[tuple[tuple[float, float], int]] = []
        for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
            if (x0 != x1) == (y0 != y1):
                raise ValueError(f"a belt runs along an axis, not from ({x0}, {y0}) to ({x1}, {y1})")
            direction = (4 if x1 > x0 else 12) if x1 != x0 else (8 if y1 > y0 else 0)
            dx, dy = (x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)
            for k in range(int(abs(x1 - x0) + abs(y1 - y0))):
                tiles.append(((x0 + dx * k, y0 + dy * k), direction))
            last = ((x1, y1), direction)
        tiles.append(last)
        return [self.build(name, where, direction) for where, direction in tiles]

    def source(self, item: str, position: tuple[float, float], lane: int) -> Source:
        """Feed lane 1 or 2 of the belt at a position with an item, as fast as it takes it; `given` counts them."""
        self.data.item(item)
        return self.belts.add_source(item, (floor(position[0]), floor(position[1])), lane - 1)

    def sink(self, position: tuple[float, float]) -> Drain:
        """Take away what arrives at the end of the belt at a position; `count` and `taken` tell what."""
        return self.belts.add_drain((floor(position[0]), floor(position[1])))

    def character(self, index: int) -> Character:
        """Character number `index`, made at (0, 2 * index) when it is not there yet."""
        while len(self.characters) <= index:
            self.characters.append(Character(self, len(self.characters)))
        return self.characters[index]

    def research(self, name: str) -> None:
        """Make a technology known, "all" for every one."""
        if name == "all":
            self.force.learn_all()
        else:
            self.force.learn(name)
        self.inform()

    def inform(self) -> None:
        """Tell everyone that the force's knowledge has changed."""
        self.research_queue.informed()
        for character in self.characters:
            character.informed()
        for entity in self.entities.values():
            entity.informed()

    def start_research(self, name: str) -> None:
        """Let labs work on a technology; its prerequisites are taken as known. Raises UnknownName, CannotResearch."""
        for prerequisite in self.data.technology(name).prerequisites:
            self.research(prerequisite)
        self.research_queue.start(name)

    @property
    def produced(self) -> dict[str, float]:
        """Item or fluid -> amount made since the start, by machines and hands."""
        return self.statistics.flows().produced

    @property
    def consumed(self) -> dict[str, float]:
        """Item or fluid -> amount used since the start, by machines and hands."""
        return self.statistics.flows().consumed

    # -- state ----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """The whole state as plain JSON values, one form for one state."""
        entities = []
        for entity in self.entities.values():
            saved = entity.save()
            entities.append(
                [entity.name, entity.number, entity.x, entity.y, entity.direction, entity.due, entity.order, saved]
            )
        return {
            "scenario": self.scenario,
            "seed": self.seed,
            "tick": self.tick,
            "numbers": [self._last_number, self._last_order],
            "map": self.map.save(),
            "statistics": self.statistics.save(),
            "force": self.force.save(),
            "characters": [c.save() for c in self.characters],
            "systems": {name: system.save() for name, system in self.systems.items()},
            "entities": entities,
        }

    def snapshot(self) -> bytes:
        """Everything needed to go on exactly, as bytes."""
        return pack(self.state())

    def digest(self) -> str:
        """32 hex digits; equal digests mean equal worlds."""
        return digest_of(self.state())

    @classmethod
    def restore(cls, snapshot: bytes) -> World:
        """The world of a snapshot. Raises SnapshotError when it is damaged or of another version."""
        return cls.from_state(unpack(snapshot))

    def fork(self) -> World:
        """An independent copy."""
        return World.from_state(copied(self.state()))

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> World:
        """The world of a plain state, which it takes over. Raises SnapshotError when it describes none."""
        try:
            return cls._build(state)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, UnknownName) as error:
            raise SnapshotError(f"This snapshot does not describe a world: {error!r}.") from error

    @classmethod
    def _build(cls, state: dict[str, Any]) -> World:
        world = cls(state["scenario"], state["seed"])
        world.calendar.tick = state["tick"]
        world._last_number, world._last_order = state["numbers"]
        world.map.load(state["map"])
        world.statistics.load(state["statistics"])
        world.force.load(state["force"])
        for saved in state["characters"]:
            world.character(len(world.characters)).load(saved)
        for name, number, x, y, direction, due, order, saved in state["entities"]:
            prototype = world.data.entity(name)
            entity = kind_of(prototype)(world, prototype, number, x, y, direction)
            entity.load(saved)
            entity.order = order
            world.entities[number] = entity
            world.map.occupy(entity)
            if due:
                world.calendar.schedule(entity, due)
        world.restoring = True
        for entity in world.entities.values():
            entity.connect()
        for name, system in world.systems.items():
            system.load(state["systems"][name])
        world.restoring = False
        return world
