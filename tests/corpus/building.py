"""Placing, finding, turning and picking up; chests and furnaces."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "a furnace that smelts",
        "suite",
        '''
        # gather some ore first
        ore = nearest(Resource.IronOre)
        move_to(ore)
        harvest_resource(ore, 20)
        furnace = place_entity(Prototype.StoneFurnace, direction=Direction.UP, position=ore.left(3))
        print(f"placed furnace {furnace}")
        furnace = insert_item(Prototype.Coal, furnace, quantity=5)
        furnace = insert_item(Prototype.IronOre, furnace, quantity=20)
        assert furnace.furnace_source[Prototype.IronOre] == 20
        sleep(70)
        furnace = get_entity(Prototype.StoneFurnace, furnace.position)
        print(furnace.furnace_result)
        plates = extract_item(Prototype.IronPlate, furnace, 20)
        assert plates == 20, f"expected 20 plates but got {plates}"
        ''',
        # walk 482, 20 ore, 70 s; 20 plates take 64 s
        outcome=Outcome(
            have={"iron-plate": 70, "stone-furnace": 8, "coal": 45},
            tick=482 + 1200 + 4200,
            says=("name='stone-furnace'", "out of fuel", "(Inventory(iron-plate=20),)"),
        ),
    ),
    Case(
        "waiting in a loop",
        "suite",
        '''
        move_to(nearest(Resource.CopperOre))
        harvest_resource(nearest(Resource.CopperOre), 5)
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, nearest(Resource.CopperOre).up(3))
        insert_item(Prototype.Coal, furnace, 2)
        insert_item(Prototype.CopperOre, furnace, 5)
        waited = 0
        while True:
            furnace = get_entity(Prototype.StoneFurnace, furnace.position)
            done = furnace.furnace_result.get(Prototype.CopperPlate, 0)
            if done >= 5:
                break
            sleep(1)
            waited += 1
            if waited > 60:
                raise Exception("furnace too slow")
        print("waited", waited, "seconds for", done, "plates")
        ''',
        # 5 * 3.2 = 16 s, and one tick in which the furnace heats up: the 17th second it is
        outcome=Outcome(says=("('waited', 17, 'seconds for', 5, 'plates')",)),
    ),
    Case(
        "chests around a furnace",
        "lab",
        '''
        move_to(Position(x=0, y=0))
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=4, y=4))
        chests = {}
        for direction in [Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT]:
            chest = place_entity_next_to(
                Prototype.WoodenChest,
                reference_position=furnace.position,
                direction=direction,
                spacing=1,
            )
            chests[direction.name] = chest
            print(direction, chest.position)
        assert len(get_entities({Prototype.WoodenChest})) == 4
        ''',
        # the furnace covers 3 to 5; one tile free: centres at 1.5 or 6.5, and the tile after its middle
        outcome=Outcome(
            built={"wooden-chest": 4, "stone-furnace": 1},
            have={"wooden-chest": 6},
            tick=0,
            holds={(4.5, 1.5): {}, (6.5, 4.5): {}, (4.5, 6.5): {}, (1.5, 4.5): {}},
        ),
    ),
    Case(
        "place, fail, move, place again",
        "suite",
        '''
        target = Position(x=30, y=40)
        placed = None
        for attempt in range(3):
            try:
                placed = place_entity(Prototype.IronChest, Direction.UP, target)
                print("placed on attempt", attempt + 1)
                break
            except Exception as e:
                print(f"Attempt {attempt + 1} failed: {e}")
                if "too far" in str(e):
                    move_to(target)
        assert placed is not None
        assert placed.position == target
        ''',
        # 50 tiles: ceil(333.3)
        outcome=Outcome(
            built={"iron-chest": 1},
            tick=334,
            says=("Attempt 1 failed: Could not place iron-chest at (30, 40), the target is too far", "attempt", "2"),
        ),
    ),
    Case(
        "everything back into the bag",
        "suite",
        '''
        positions = [Position(x=x, y=3) for x in range(-6, 7, 3)]
        before = inspect_inventory()
        for i, p in enumerate(positions):
            kind = Prototype.StoneFurnace if i % 2 == 0 else Prototype.SmallElectricPole
            place_entity(kind, Direction.UP, p)
        print(len(get_entities()), "things")
        # clean up
        for thing in get_entities():
            if hasattr(thing, "poles"):
                for pole in thing.poles:
                    pickup_entity(pole)
            else:
                pickup_entity(thing)
        after = inspect_inventory()
        assert get_entities() == []
        assert before[Prototype.StoneFurnace] == after[Prototype.StoneFurnace]
        assert before == after, (before, after)
        ''',
        outcome=Outcome(built={"stone-furnace": 0, "small-electric-pole": 0}, have={"stone-furnace": 9}, tick=0),
    ),
    Case(
        "storing and taking out",
        "suite",
        '''
        chest = place_entity(Prototype.IronChest, position=Position(x=2, y=2))
        stored = {Prototype.Coal: 30, Prototype.IronPlate: 20, Prototype.CopperPlate: 50}
        for item, amount in stored.items():
            chest = insert_item(item, chest, amount)
        print(chest)
        contents = inspect_inventory(chest)
        for item, amount in stored.items():
            assert contents[item] == amount, f"{item}: {contents[item]} != {amount}"
        taken = 0
        taken += extract_item(Prototype.Coal, chest, 10)
        taken += extract_item(Prototype.Coal, chest.position, 10)
        taken += extract_item(Prototype.Coal, chest, 1000)
        print("took", taken)
        try:
            extract_item(Prototype.Coal, chest, 1)
        except Exception as e:
            print("empty:", e)
        ''',
        outcome=Outcome(
            have={"coal": 50, "iron-plate": 30, "copper-plate": 0},
            holds={(2.5, 2.5): {"iron-plate": 20, "copper-plate": 50}},
            says=(
                "Inventory(coal=30, iron-plate=20, copper-plate=50)",
                "('took', 30)",
                "empty:",
                "Could not extract coal from iron-chest at (2.5, 2.5)",
            ),
        ),
    ),
    Case(
        "scanning for a free spot",
        "suite",
        '''
        # block some of the spots
        for x in range(1, 4):
            place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=x * 2, y=2))
        free = []
        for x in range(0, 9):
            spot = Position(x=x + 0.5, y=2.5)
            if can_place_entity(Prototype.IronChest, Direction.UP, spot):
                free.append(spot.x)
        print("free spots:", free)
        assert not can_place_entity(Prototype.Lab, Direction.UP, Position(x=0, y=5)), "I have no lab"
        assert not can_place_entity(Prototype.IronChest, Direction.UP, Position(x=50, y=5)), "too far"
        ''',
        # furnaces cover x = 1 to 7
        outcome=Outcome(tick=0, built={"stone-furnace": 3}, says=("('free spots:', [0.5, 7.5, 8.5])",)),
    ),
    Case(
        "drills in a row on coal",
        "bare",
        '''
        coal = nearest(Resource.Coal)
        area = nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=6, height=2), coal)
        print("area", area.left_top, area.right_bottom)
        move_to(area.center)
        drills = []
        for i in range(3):
            position = Position(x=area.left_top.x + 1 + 2 * i, y=area.left_top.y + 1)
            drill = place_entity(Prototype.BurnerMiningDrill, Direction.UP, position)
            drill = insert_item(Prototype.Coal, drill, 3)
            drills.append(drill)
            print(drill.position, drill.resources[0].count)
        assert len(get_entities({Prototype.BurnerMiningDrill})) == 3
        ''',
        # the box begins at (15.5, -0.5): centres (16.5, 0.5) ... snap to (17, 1), (19, 1), (21, 1); 4 tiles each
        outcome=Outcome(
            built={"burner-mining-drill": 3},
            have={"burner-mining-drill": 0, "coal": 41},
            holds={(17, 1): {"coal": 3}, (19, 1): {"coal": 3}, (21, 1): {"coal": 3}},
            says=("(Position(x=17.0, y=1.0), 40000)", "(Position(x=21.0, y=1.0), 40000)"),
        ),
    ),
    Case(
        "upgrading a furnace by hand",
        "suite",
        '''
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=3, y=3))
        furnace = insert_item(Prototype.Coal, furnace, 10)
        # oops, wrong place. pick it up: the coal should come back as well
        pickup_entity(furnace)
        assert inspect_inventory()[Prototype.Coal] == 50
        assert get_entity(Prototype.StoneFurnace, Position(x=3, y=3)) is None
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, Position(x=6, y=3))
        try:
            pickup_entity(Prototype.StoneFurnace, Position(x=3, y=3))
        except Exception as e:
            print("nothing there:", e)
        ''',
        outcome=Outcome(
            have={"coal": 50, "stone-furnace": 8},
            holds={(6, 3): {}},
            says=("nothing there:", "Could not pickup: there is no stone-furnace at (3, 3)"),
        ),
    ),
    Case(
        "turning a drill",
        "bare",
        '''
        coal = nearest(Resource.Coal)
        move_to(coal)
        drill = place_entity(Prototype.BurnerMiningDrill, Direction.UP, Position(x=18, y=3))
        drops = {}
        for d in [Direction.UP, Direction.RIGHT, Direction.DOWN, Direction.LEFT]:
            drill = rotate_entity(drill, d)
            drops[d.name] = drill.drop_position
            assert drill.direction == d
        print(drops)
        above, below = drops["UP"], drops["DOWN"]
        left, right = drops["LEFT"], drops["RIGHT"]
        assert above.y < 2 and below.y > 4 and left.x < 17 and right.x > 19
        chest = place_entity(Prototype.IronChest, Direction.UP, left)
        try:
            rotate_entity(chest, Direction.RIGHT)
        except Exception as e:
            print(e)
        ''',
        outcome=Outcome(built={"iron-chest": 1, "burner-mining-drill": 1}, says=("Could not rotate iron-chest",)),
    ),
    Case(
        "walls as a group",
        "everything known",
        '''
        # bricks need a furnace, a wall needs five bricks: 50 stone
        stone = nearest(Resource.Stone)
        move_to(stone)
        harvest_resource(stone, 5 + 20)
        craft_item(Prototype.StoneFurnace)
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, stone.up(6))
        ''',
        '''
        move_to(nearest(Resource.Coal))
        harvest_resource(nearest(Resource.Coal), 2)
        move_to(furnace.position)
        insert_item(Prototype.Coal, furnace, 2)
        insert_item(Prototype.Stone, furnace, 20)
        sleep(33)
        print(extract_item(Prototype.StoneBrick, furnace, 10))
        craft_item("stone-wall", 2)
        ''',
        '''
        here = move_to(furnace.position.up(4))
        for i in range(2):
            place_entity(Prototype.StoneWall, Direction.UP, here.left(3 + i))
        walls = [g for g in get_entities() if g.name == "wall-group"]
        print(len(walls), len(walls[0].entities))
        pickup_entity(walls[0])
        print(inspect_inventory())
        ''',
        # 10 bricks of two stone, 3.2 s each
        outcome=Outcome(
            have={"stone-wall": 2, "stone-brick": 0, "stone": 0},
            built={"stone-wall": 0, "stone-furnace": 1},
            says=("(1, 2)", "stone-wall=2"),
        ),
    ),
]
