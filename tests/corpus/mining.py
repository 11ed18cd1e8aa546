"""Walking and mining by hand."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

# (15.5, -0.5) is 15.508 tiles from the origin: ceil(15.508 / 0.15) = 104 ticks
TO_COAL = 104
# (15.5, 70.5) is 72.184 tiles away: ceil(481.2)
TO_IRON = 482

CASES = [
    Case(
        "ten coal",
        "nothing",
        '''
        # Move to the coal patch and gather some fuel
        coal_position = nearest(Resource.Coal)
        print(f"Moving to coal at {coal_position}")
        move_to(coal_position)
        harvested = harvest_resource(coal_position, 10)
        print(f"Harvested {harvested} coal")
        assert inspect_inventory()[Prototype.Coal] == 10, "not enough coal"
        ''',
        outcome=Outcome(
            have={"coal": 10},
            tick=TO_COAL + 600,
            place=(15.5, -0.5),
            says=("('Moving to coal at x=15.5 y=-0.5',)", "('Harvested 10 coal',)"),
        ),
    ),
    Case(
        "gathering in small bites until there is enough",
        "nothing",
        '''
        target = 23
        move_to(nearest(Resource.Coal))
        attempts = 0
        while inspect_inventory().get(Prototype.Coal, 0) < target:
            attempts += 1
            got = harvest_resource(nearest(Resource.Coal), 5)
            print(f"attempt {attempts}: +{got}, total {inspect_inventory()[Prototype.Coal]}")
            if attempts > 20:
                print("giving up")
                break
        ''',
        # five bites of five
        outcome=Outcome(have={"coal": 25}, tick=TO_COAL + 25 * 60, says=("attempt 5: +5, total 25",)),
    ),
    Case(
        "too far away, then closer",
        "nothing",
        '''
        iron_position = nearest(Resource.IronOre)
        try:
            harvest_resource(iron_position, 5)
            print("unexpected")
        except Exception as e:
            print(f"Failed to harvest: {e}")
            print("Moving closer...")
            move_to(iron_position)
            print(harvest_resource(iron_position, 5))
        ''',
        outcome=Outcome(
            have={"iron-ore": 5},
            tick=TO_IRON + 300,
            says=("Failed to harvest: Could not harvest. Nothing within reach", "Moving closer...", "(5,)"),
        ),
    ),
    Case(
        "a shopping list of resources",
        "nothing",
        '''
        def gather(resource, amount):
            """Walk to a resource and harvest `amount` of it."""
            position = nearest(resource)
            move_to(position)
            total = 0
            while total < amount:
                total += harvest_resource(position, min(10, amount - total))
            return total

        shopping_list = {
            "coal": (Resource.Coal, 15),
            "iron": (Resource.IronOre, 20),
            "copper": (Resource.CopperOre, 12),
        }
        for label, (resource, amount) in shopping_list.items():
            print(label, gather(resource, amount))
        print(inspect_inventory())
        ''',
        outcome=Outcome(
            have={"coal": 15, "iron-ore": 20, "copper-ore": 12},
            place=(-46.5, 70.5),
            says=("('coal', 15)", "('iron', 20)", "('copper', 12)", "coal=15"),
        ),
    ),
    Case(
        "wood comes by the tree",
        "nothing",
        '''
        tree = nearest(Resource.Wood)
        print("nearest tree", tree)
        move_to(tree)
        wood = harvest_resource(nearest(Resource.Wood), 10, radius=10)
        print("wood:", wood)
        # trees give 4 each, so 10 means three trees
        assert wood >= 10
        chests = wood // 2
        craft_item(Prototype.WoodenChest, 2)
        print(inspect_inventory())
        ''',
        # three trees of four; two chests of two wood each
        outcome=Outcome(have={"wood": 8, "wooden-chest": 2}, says=("('wood:', 12)", "wood=8")),
    ),
    Case(
        "stone for furnaces, round the pond",
        "nothing",
        '''
        stone_pos = nearest(Resource.Stone)
        arrived = move_to(stone_pos)
        print("arrived", arrived, "distance", arrived.distance(stone_pos))
        stone_needed = 3 * 5
        harvest_resource(stone_pos, stone_needed)
        craft_item(Prototype.StoneFurnace, 3)
        inventory = inspect_inventory()
        assert inventory[Prototype.StoneFurnace] == 3
        assert inventory.get(Prototype.Stone, 0) == 0
        ''',
        outcome=Outcome(have={"stone": 0, "stone-furnace": 3}, place=(-46.5, -0.5), says=("'distance', 0.0)",)),
    ),
    Case(
        "a patch gets smaller",
        "nothing",
        '''
        coal = nearest(Resource.Coal)
        before = get_resource_patch(Resource.Coal, coal).size
        move_to(coal)
        harvest_resource(coal, 30)
        after = get_resource_patch(Resource.Coal, coal).size
        print(before, after, before - after)
        assert before - after == 30
        ''',
        outcome=Outcome(have={"coal": 30}, tick=TO_COAL + 1800, says=("(6000000, 5999970, 30)",)),
    ),
    Case(
        "walking a square",
        "suite",
        '''
        start = move_to(Position(x=0, y=0))
        path_points = [Position(x=6, y=0), Position(x=6, y=6), Position(x=0, y=6), Position(x=0, y=0)]
        for i, point in enumerate(path_points):
            reached = move_to(point)
            print(f"corner {i}: {reached}")
            assert reached.is_close(point, tolerance=1)
        ''',
        # four sides of 6 / 0.15 = 40 ticks
        outcome=Outcome(tick=160, place=(0, 0), says=("corner 0: x=6.0 y=0.0", "corner 3: x=0.0 y=0.0")),
    ),
    Case(
        "a target in the water",
        "suite",
        '''
        water = nearest(Resource.Water)
        lake = get_resource_patch(Resource.Water, water, radius=30)
        middle = lake.bounding_box.center
        print("lake centre", middle)
        reached = move_to(middle)
        # of course I cannot stand on the water
        print(reached.distance(middle) > 3)
        try:
            move_to(Position(x=5000, y=5000))
        except Exception as e:
            print("no path:", e)
        ''',
        outcome=Outcome(says=("(True,)", "no path:", "Could not get path to (5000, 5000)")),
    ),
]
