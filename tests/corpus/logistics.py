"""Belts, inserters and chests."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "an inserter between two chests",
        "suite",
        '''
        source_chest = place_entity(Prototype.IronChest, Direction.UP, Position(x=1, y=3))
        inserter = place_entity_next_to(
            Prototype.BurnerInserter, source_chest.position, direction=Direction.RIGHT, spacing=0
        )
        target_chest = place_entity_next_to(Prototype.IronChest, inserter.position, Direction.RIGHT)
        print("picks up at", inserter.pickup_position, "drops at", inserter.drop_position)
        assert inserter.pickup_position == source_chest.position
        assert inserter.drop_position == target_chest.position
        insert_item(Prototype.CopperPlate, source_chest, 12)
        insert_item(Prototype.Coal, inserter, 2)
        sleep(40)
        print("arrived:", inspect_inventory(target_chest))
        ''',
        # twelve plates at more than half a plate a second
        outcome=Outcome(
            holds={(1.5, 3.5): {}, (3.5, 3.5): {"copper-plate": 12}},
            built={"burner-inserter": 1},
            says=("Inventory(copper-plate=12)",),
        ),
    ),
    Case(
        "turning an inserter round",
        "suite",
        '''
        left = place_entity(Prototype.IronChest, Direction.UP, Position(x=1, y=3))
        inserter = place_entity(Prototype.BurnerInserter, Direction.RIGHT, Position(x=2, y=3))
        right = place_entity(Prototype.IronChest, Direction.UP, Position(x=3, y=3))
        insert_item(Prototype.Coal, inserter, 2)
        insert_item(Prototype.IronPlate, left, 6)
        sleep(20)
        print(inspect_inventory(left), inspect_inventory(right))
        # and now back again
        inserter = rotate_entity(inserter, Direction.LEFT)
        assert inserter.drop_position == left.position
        sleep(20)
        ''',
        outcome=Outcome(
            holds={(1.5, 3.5): {"iron-plate": 6}, (3.5, 3.5): {}}, says=("(Inventory(), Inventory(iron-plate=6))",)
        ),
    ),
    Case(
        "a belt laid by hand",
        "suite",
        '''
        belts = []
        for i in range(6):
            belt = place_entity(Prototype.TransportBelt, Direction.RIGHT, Position(x=1 + i, y=2))
            belts.append(belt)
        groups = get_entities({Prototype.BeltGroup})
        assert len(groups) == 1, f"expected one group but got {len(groups)}"
        group = groups[0]
        print(len(group.belts), group.inputs[0].position, group.outputs[0].position, group.status)
        group = insert_item(Prototype.IronPlate, group, 5)
        print(group.inventory)
        sleep(10)
        group = get_entity(Prototype.BeltGroup, belts[-1].position)
        print("after", group.inventory, group.belts[-1].inventory["left"] + group.belts[-1].inventory["right"])
        ''',
        # 6 tiles at 1.875 tiles a second: after ten seconds all five lie at the end, four on a lane of the last tile
        outcome=Outcome(
            have={"iron-plate": 45, "transport-belt": 44},
            says=(
                "(6, Position(x=1.5, y=2.5), Position(x=6.5, y=2.5), EntityStatus.EMPTY)",
                "(Inventory(iron-plate=5),)",
                "('after', Inventory(iron-plate=5)",
            ),
        ),
    ),
    Case(
        "connecting two points by belts",
        "suite",
        '''
        start = Position(x=2, y=4)
        end = Position(x=12, y=4)
        required = get_connection_amount(start, end, connection_type=Prototype.TransportBelt)
        print("need", required)
        plan = connect_entities(start, end, connection_type=Prototype.TransportBelt, dry_run=True)
        assert plan["number_of_entities_required"] == required
        assert plan["number_of_entities_available"] == inspect_inventory()[Prototype.TransportBelt]
        group = connect_entities(start, end, connection_type=Prototype.TransportBelt)
        print(len(group.belts), group.inputs[0].position, group.outputs[0].position)
        # doing it twice must not cost anything
        again = connect_entities(start, end, connection_type=Prototype.TransportBelt)
        assert inspect_inventory()[Prototype.TransportBelt] == 50 - required
        ''',
        # a line of length 10 has 11 pieces
        outcome=Outcome(
            have={"transport-belt": 39},
            built={"transport-belt": 11},
            says=("('need', 11)", "(11, Position(x=2.5, y=4.5), Position(x=12.5, y=4.5))"),
        ),
    ),
    Case(
        "not enough belts",
        "suite",
        '''
        try:
            connect_entities(Position(x=0, y=30), Position(x=80, y=30), connection_type=Prototype.TransportBelt)
        except Exception as e:
            print("Error:", e)
        # maybe with faster ones as well?
        inv = inspect_inventory()
        belt_types = (Prototype.TransportBelt, Prototype.FastTransportBelt, Prototype.ExpressTransportBelt)
        total = sum(inv[p] for p in belt_types)
        print("all belts:", total)
        ''',
        outcome=Outcome(
            have={"transport-belt": 50},
            built={"transport-belt": 0},
            tick=0,
            says=("Failed to connect", "not enough", "required 81", "available 50", "('all belts:', 70)"),
        ),
    ),
    Case(
        "a belt from a drill to a chest",
        "bare",
        '''
        # 1. the drill
        coal_pos = nearest(Resource.Coal)
        move_to(coal_pos)
        drill = place_entity(Prototype.BurnerMiningDrill, Direction.LEFT, Position(x=17, y=1))
        drill = insert_item(Prototype.Coal, drill, 5)
        print(f"Drill at {drill.position} drops at {drill.drop_position}")
        ''',
        '''
        # 2. the chest, and an inserter that puts coal into it
        chest = place_entity(Prototype.IronChest, Direction.UP, Position(x=8, y=1))
        inserter = place_entity_next_to(Prototype.BurnerInserter, chest.position, Direction.RIGHT)
        inserter = rotate_entity(inserter, Direction.LEFT)
        inserter = insert_item(Prototype.Coal, inserter, 1)
        assert inserter.drop_position == chest.position
        ''',
        '''
        # 3. the belt
        belt = connect_entities(drill, inserter, connection_type=Prototype.TransportBelt)
        print(belt)
        sleep(120)
        got = inspect_inventory(chest)[Prototype.Coal]
        print(f"{got} coal in the chest after two minutes")
        assert 20 <= got <= 30, got
        ''',
        # a coal every 4 s, 30 in 120 s; a handful is under way, and the inserter may feed itself
        outcome=Outcome(built={"burner-inserter": 1, "burner-mining-drill": 1}, says=("BeltGroup(inputs=[",)),
    ),
    Case(
        "filling a belt until it is full",
        "suite",
        '''
        line = None
        for i in range(4):
            place_entity(Prototype.TransportBelt, Direction.DOWN, Position(x=3, y=1 + i))
        (line,) = get_entities({Prototype.BeltGroup})
        line = insert_item(Prototype.Coal, line, 50)
        on_belt = line.inventory[Prototype.Coal]
        print("on the belt:", on_belt)
        assert inspect_inventory()[Prototype.Coal] == 50 - on_belt
        try:
            insert_item(Prototype.Coal, line, 1)
        except Exception as e:
            print("full:", e)
        taken = extract_item(Prototype.Coal, line, 100)
        print("took back", taken)
        assert taken == on_belt
        ''',
        # four tiles with two lanes of four
        outcome=Outcome(
            have={"coal": 50},
            says=("('on the belt:', 32)", "full:", "Could not insert: failed to insert coal into the belts", "32)"),
        ),
    ),
    Case(
        "belts round a corner",
        "suite",
        '''
        waypoints = [Position(x=2, y=2), Position(x=8, y=2), Position(x=8, y=7)]
        group = connect_entities(*waypoints, connection_type=Prototype.TransportBelt)
        directions = {}
        for belt in group.belts:
            directions[belt.direction.name] = directions.get(belt.direction.name, 0) + 1
        print(len(group.belts), directions)
        insert_item(Prototype.CopperPlate, group, 4)
        sleep(15)
        end = get_entity(Prototype.TransportBelt, Position(x=8.5, y=7.5))
        lanes = end.inventory["left"] + end.inventory["right"]
        print("at the end:", lanes)
        ''',
        # 7 tiles along and 5 more down; the corner faces down
        outcome=Outcome(
            have={"transport-belt": 38, "copper-plate": 46},
            says=("(12, {'RIGHT': 6, 'DOWN': 6})", "('at the end:', Inventory(copper-plate=4))"),
        ),
    ),
    Case(
        "picking up a belt with what is on it",
        "suite",
        '''
        group = connect_entities(Position(x=2, y=2), Position(x=6, y=2), connection_type=Prototype.TransportBelt)
        insert_item(Prototype.IronPlate, group, 10)
        before = inspect_inventory()
        assert pickup_entity(get_entity(Prototype.BeltGroup, Position(x=2, y=2)))
        after = inspect_inventory()
        print(after[Prototype.TransportBelt] - before[Prototype.TransportBelt], after[Prototype.IronPlate])
        assert get_entities({Prototype.TransportBelt}) == []
        ''',
        outcome=Outcome(have={"transport-belt": 50, "iron-plate": 50}, says=("(5, 50)",)),
    ),
    Case(
        "below a wall of furnaces",
        "lab",
        '''
        for y in range(-6, 7, 2):
            place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=6, y=y))
        print(len(get_entities({Prototype.StoneFurnace})), "furnaces in the way")
        line = connect_entities(
            Position(x=2, y=0),
            Position(x=10, y=0),
            connection_type={Prototype.TransportBelt, Prototype.UndergroundBelt},
        )
        kinds = sorted({belt.name for belt in line.belts})
        print(kinds)
        print(line.outputs[0].position)
        ''',
        # furnaces cover x = 5 to 7
        outcome=Outcome(
            built={"stone-furnace": 7, "underground-belt": 2},
            have={"underground-belt": 98},
            says=(
                "(7, 'furnaces in the way')",
                "(['transport-belt', 'underground-belt'],)",
                "(Position(x=10.5, y=0.5),)",
            ),
        ),
    ),
    Case(
        "a filter on an inserter",
        "lab",
        '''
        mixed = place_entity(Prototype.WoodenChest, Direction.UP, Position(x=1, y=3))
        inserter = place_entity(Prototype.BurnerInserter, Direction.RIGHT, Position(x=2, y=3))
        only_pipes = place_entity(Prototype.WoodenChest, Direction.UP, Position(x=3, y=3))
        inserter = set_entity_recipe(inserter, Prototype.Pipe)
        print("filter:", inserter.filter)
        insert_item(Prototype.Pipe, mixed, 5)
        insert_item(Prototype.WoodenChest, mixed, 3)
        insert_item(Prototype.Coal, inserter, 1)
        sleep(30)
        print(inspect_inventory(only_pipes), inspect_inventory(mixed))
        ''',
        outcome=Outcome(
            holds={(1.5, 3.5): {"wooden-chest": 3}, (3.5, 3.5): {"pipe": 5}},
            says=("('filter:', 'pipe')", "(Inventory(pipe=5), Inventory(wooden-chest=3))"),
        ),
    ),
]
