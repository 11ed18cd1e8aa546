"""Programs that fail: what is said, and what was done before stays done."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "an assertion with a message",
        "suite",
        '''
        chest = place_entity(Prototype.IronChest, position=Position(x=2, y=2))
        insert_item(Prototype.Coal, chest, 10)
        print("about to check")
        assert chest.inventory[Prototype.Coal] == 10, f"chest holds {chest.inventory}, expected 10 coal"
        print("never reached")
        ''',
        # `chest` is the value from before the insert
        outcome=Outcome(
            error="exception",
            type="AssertionError",
            message="chest holds Inventory(), expected 10 coal",
            built={"iron-chest": 1},
            holds={(2.5, 2.5): {"coal": 10}},
            says=("3: ('about to check',)", "AssertionError: chest holds"),
        ),
    ),
    Case(
        "a mistyped tool",
        "suite",
        '''
        position = nearest(Resource.Coal)
        move_too(position)
        ''',
        outcome=Outcome(error="exception", type="NameError", message="move_too", tick=0, says=("move_to",)),
    ),
    Case(
        "a mistyped prototype",
        "suite",
        '''
        place_entity(Prototype.StoneFurnance, Direction.UP, Position(x=2, y=2))
        ''',
        outcome=Outcome(error="exception", type="AttributeError", message="StoneFurnace", built={"stone-furnace": 0}),
    ),
    Case(
        "not Python",
        "suite",
        '''
        place_entity(Prototype.IronChest, position=Position(x=2, y=2))
        for i in range(3)
            print(i)
        ''',
        outcome=Outcome(error="syntax", built={"iron-chest": 0}, tick=0),
    ),
    Case(
        "too few arguments",
        "suite",
        '''
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=2, y=2))
        insert_item(Prototype.Coal)
        ''',
        outcome=Outcome(error="exception", type="TypeError", message="target", built={"stone-furnace": 1}),
    ),
    Case(
        "a tuple where a Position is needed",
        "suite",
        '''
        try:
            place_entity_next_to(Prototype.IronChest, (0, 0), Direction.RIGHT)
        except AssertionError as e:
            print("assertion:", e)
        try:
            pickup_entity(Prototype.IronChest)
        except ValueError as e:
            print("value:", e)
        try:
            get_prototype_recipe(Prototype.PetroleumGas)
        except (ValueError, AssertionError) as e:
            print("not this")
        except Exception as e:
            print("plain:", e)
        ''',
        outcome=Outcome(tick=0, says=("assertion:", "must be a Position", "value:", "plain:", "basic-oil-processing")),
    ),
    Case(
        "division by zero after some work",
        "suite",
        '''
        craft_item(Prototype.IronGearWheel, 3)
        rate = 10 / (inspect_inventory()[Prototype.Lab])
        craft_item(Prototype.IronGearWheel, 3)
        ''',
        outcome=Outcome(
            error="exception",
            type="ZeroDivisionError",
            message="division by zero",
            have={"iron-gear-wheel": 3},
            tick=90,
        ),
    ),
    Case(
        "variables from before an error stay",
        "suite",
        '''
        spot = Position(x=4, y=4)
        try:
            count = 0
            for item in [Prototype.Coal, "not a prototype"]:
                count += 1
                chest = place_entity(item, Direction.UP, spot)
        except Exception as error:
            message = str(error)
        ''',
        '''
        print(spot, count, message)
        raise RuntimeError("giving up here")
        ''',
        outcome=Outcome(
            error="exception",
            type="RuntimeError",
            message="giving up here",
            tick=0,
            says=("(Position(x=4.0, y=4.0), 1, ", "coal is an item that cannot be placed"),
        ),
    ),
    Case(
        "an error inside a helper names its line",
        "suite",
        '''
        def build_line(prototype, n):
            for i in range(n):
                place_entity(prototype, Direction.UP, Position(x=2 * i, y=3))

        build_line(Prototype.IronChest, 3)
        ''',
        # two chests are there, the third is missing
        outcome=Outcome(
            error="exception",
            type="Exception",
            message="no iron-chest in your inventory",
            built={"iron-chest": 2},
            says=("place_entity(prototype, Direction.UP, Position(x=2 * i, y=3))",),
        ),
    ),
    Case(
        "finally runs, the error goes on",
        "suite",
        '''
        chest = place_entity(Prototype.IronChest, position=Position(x=2, y=2))
        try:
            try:
                insert_item(Prototype.Lab, chest, 1)
            except Exception as inner:
                raise ValueError("no lab to store") from inner
            finally:
                pickup_entity(chest)
                print("cleaned up")
        except ValueError as outer:
            print(outer, "|", outer.__cause__)
            raise
        ''',
        outcome=Outcome(
            error="exception",
            type="ValueError",
            message="no lab to store",
            have={"iron-chest": 2},
            says=("cleaned up", "Could not insert: there is no lab in your inventory"),
        ),
    ),
    Case(
        "names of tools are protected",
        "suite",
        '''
        print("before")
        score = 5
        ''',
        outcome=Outcome(error="exception", type="NameError", message="score", says=("before",)),
    ),
    Case(
        "waiting for what never comes",
        "suite",
        '''
        chest = place_entity(Prototype.IronChest, position=Position(x=2, y=2))
        while inspect_inventory(chest).get(Prototype.IronPlate, 0) < 10:
            print("still waiting...")
            sleep(60)
        ''',
        # a step has 72,000 ticks
        outcome=Outcome(error="tick_limit", tick=72_000, built={"iron-chest": 1}, says=("still waiting...",)),
    ),
    Case(
        "asking without end",
        "suite",
        '''
        n = 0
        while True:
            n += 1
            inspect_inventory()
        ''',
        outcome=Outcome(error="call_limit", tick=0),
    ),
    Case(
        "launching without a silo",
        "suite",
        '''
        try:
            silo = launch_rocket(Position(x=0, y=0))
        except Exception as e:
            print("no rocket today:", e)
        silos = get_entities({Prototype.RocketSilo})
        print(len(silos))
        launch_rocket(silos[0])
        ''',
        outcome=Outcome(
            error="exception", type="IndexError", says=("no rocket today:", "Could not launch", "(0,)"), tick=0
        ),
    ),
]
