"""Looking around: resources, patches, recipes, positions; nothing is changed."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "survey of all resources",
        "nothing",
        '''
        # Step 1: Let me first understand my surroundings
        resources_to_check = [
            ("Coal", Resource.Coal),
            ("Iron Ore", Resource.IronOre),
            ("Copper Ore", Resource.CopperOre),
            ("Stone", Resource.Stone),
            ("Crude Oil", Resource.CrudeOil),
            ("Water", Resource.Water),
        ]
        resource_positions = {}
        for resource_name, resource in resources_to_check:
            try:
                pos = nearest(resource)
                resource_positions[resource_name] = pos
                print(f"{resource_name} found at {pos}")
            except Exception as e:
                print(f"Could not find {resource_name}: {e}")

        # Uranium should not be there
        try:
            uranium = nearest(Resource.UraniumOre)
            print("uranium!", uranium)
        except Exception as e:
            print(f"No uranium: {e}")
        assert len(resource_positions) == 6
        assert resource_positions["Coal"].is_close(Position(x=15.5, y=-0.5))
        ''',
        outcome=Outcome(
            tick=0,
            says=(
                "Coal found at x=15.5 y=-0.5",
                "Iron Ore found at x=15.5 y=70.5",
                "Copper Ore found at x=-46.5 y=70.5",
                "Stone found at x=-46.5 y=-0.5",
                "Crude Oil found at x=17.5 y=40.5",
                "Water found at x=-12.0 y=0.0",
                "No uranium: Could not find nearest uranium-ore",
            ),
        ),
    ),
    Case(
        "sizes of the patches",
        "nothing",
        '''
        def describe_patch(resource):
            """Return the size, width and height of the patch nearest to me"""
            location = nearest(resource)
            patch = get_resource_patch(resource, location, radius=10)
            box = patch.bounding_box
            return patch.size, box.width(), box.height()

        summary = {}
        for resource in (Resource.Coal, Resource.IronOre, Resource.CopperOre, Resource.Stone):
            size, width, height = describe_patch(resource)
            summary[resource[0]] = size
            print(resource[0], size, width, height)
        biggest = max(summary, key=summary.get)
        print("the biggest patch is", biggest)
        ''',
        # fields of 24 x 25, 24 x 26, 25 x 26 and 25 x 25 - 1 tiles of 10,000
        outcome=Outcome(
            tick=0,
            says=(
                "('coal', 6000000, 24.0, 25.0)",
                "('iron-ore', 6240000, 24.0, 26.0)",
                "('copper-ore', 6500000, 25.0, 26.0)",
                "('stone', 6240000, 25.0, 25.0)",
                "('the biggest patch is', 'copper-ore')",
            ),
        ),
    ),
    Case(
        "raw materials by recursion",
        "suite",
        '''
        # Let me write a helper which breaks any item down into raw plates
        RAW = {"iron-plate", "copper-plate", "coal", "stone", "steel-plate"}

        def raw_cost(item_name, amount=1.0, totals=None):
            if totals is None:
                totals = {}
            if item_name in RAW:
                totals[item_name] = totals.get(item_name, 0) + amount
                return totals
            recipe = get_prototype_recipe(prototype_by_name[item_name])
            produced = [p.count for p in recipe.products if p.name == item_name][0]
            for ingredient in recipe.ingredients:
                raw_cost(ingredient.name, amount * ingredient.count / produced, totals)
            return totals

        for item in [Prototype.ElectronicCircuit, Prototype.Lab, Prototype.ElectricMiningDrill]:
            costs = raw_cost(item.value[0])
            print(item.value[0], sorted(costs.items()))
        ''',
        # circuit: 1 iron + 3 cables of half a copper. Lab: 10 circuits (10, 15), 10 gears (20), 4 belts of 1.5 iron.
        # Drill: 3 circuits (3, 4.5), 5 gears (10), 10 plates.
        outcome=Outcome(
            tick=0,
            says=(
                "('electronic-circuit', [('copper-plate', 1.5), ('iron-plate', 1.0)])",
                "('lab', [('copper-plate', 15.0), ('iron-plate', 36.0)])",
                "('electric-mining-drill', [('copper-plate', 4.5), ('iron-plate', 23.0)])",
            ),
        ),
    ),
    Case(
        "inventory report",
        "suite",
        '''
        inventory = inspect_inventory()
        print("Current inventory:", inventory)
        # check for the things I need for power
        needed = {Prototype.Boiler: 1, Prototype.SteamEngine: 1, Prototype.OffshorePump: 1, Prototype.Pipe: 5}
        missing = {}
        for prototype, count in needed.items():
            available = inventory.get(prototype, 0)
            if available < count:
                missing[prototype.value[0]] = count - available
        print("Missing:", missing)
        total_items = sum(inventory.values())
        print("kinds", len(inventory), "items", total_items)
        assert Prototype.Coal in inventory
        assert inventory[Prototype.Lab] == 0
        ''',
        # 50*3 + 2 + 3 + 1 + 1 + 9 + 50 + 1 + 32 + 15 + 1 + 10 + 10 + 10
        outcome=Outcome(
            tick=0,
            says=("iron-chest=2", "('Missing:', {'offshore-pump': 1})", "('kinds', 16, 'items', 295)"),
        ),
    ),
    Case(
        "where could a drill stand",
        "suite",
        '''
        # find placements for different drills on every ore
        placements = []
        for resource in [Resource.IronOre, Resource.CopperOre, Resource.Coal, Resource.Stone]:
            for drill in [Prototype.BurnerMiningDrill, Prototype.ElectricMiningDrill]:
                box = BuildingBox(width=drill.WIDTH, height=drill.HEIGHT)
                area = nearest_buildable(drill, box, nearest(resource))
                placements.append((resource[0], drill.name, area.center, area.width(), area.height()))
        for entry in placements:
            print(entry)
        try:
            nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=40, height=40), nearest(Resource.Coal))
        except Exception as e:
            print("as expected:", e)
        ''',
        # the boxes begin at the nearest ore's centre, on ore all over as the fields are 24 tiles wide at least;
        # at (-46.5, ...) they would stick out to the east: the spiral then goes on to the west
        outcome=Outcome(
            tick=0,
            says=(
                "('iron-ore', 'BurnerMiningDrill', Position(x=16.5, y=71.5), 2.0, 2.0)",
                "('iron-ore', 'ElectricMiningDrill', Position(x=17.0, y=72.0), 3.0, 3.0)",
                "('coal', 'BurnerMiningDrill', Position(x=16.5, y=0.5), 2.0, 2.0)",
                "as expected:",
                "no viable place for burner-mining-drill",
            ),
        ),
    ),
    Case(
        "geometry with positions",
        "suite",
        '''
        import math
        home = Position(x=0, y=0)
        coal = nearest(Resource.Coal)
        iron = nearest(Resource.IronOre)
        print(round(home.distance(coal), 3), round(math.dist((0, 0), (iron.x, iron.y)), 3))
        corner = coal.up(2).right(3)
        print(corner, coal.below(1), coal - home)
        box = Position(x=1, y=2).to_bounding_box(Position(x=5, y=8))
        print(box.width(), box.height(), box.center)
        # positions closer than a tile count as equal, which is handy for entities
        print(coal == Position(x=15.2, y=-0.9), coal == Position(x=17, y=-0.5))
        assert coal in [Position(x=15.0, y=0.0)]
        ''',
        outcome=Outcome(
            tick=0,
            says=(
                "(15.508, 72.184)",
                "(Position(x=18.5, y=-2.5), Position(x=15.5, y=0.5), Position(x=15.5, y=-0.5))",
                "(4.0, 6.0, Position(x=3.0, y=5.0))",
                "(True, False)",
            ),
        ),
    ),
    Case(
        "research questions when everything is known",
        "suite",
        '''
        technologies = [Technology.Automation, Technology.Logistics, Technology.SteelProcessing]
        remaining = {}
        for tech in technologies:
            remaining[tech.value] = get_research_progress(tech)
        print(remaining)
        assert all(r == [] for r in remaining.values())
        try:
            set_research(Technology.Automation)
        except Exception as error:
            print("cannot research:", error)
        try:
            get_research_progress()
        except Exception as error:
            print("nothing running:", error)
        ''',
        outcome=Outcome(
            tick=0,
            says=(
                "{'automation': [], 'logistics': [], 'steel-processing': []}",
                "cannot research:",
                "already researched",
                "nothing running:",
            ),
        ),
    ),
]
