"""Crafting by hand: chains, surplus, what cannot be made."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "cables for circuits",
        "suite",
        '''
        # electronic circuits need copper cables and iron plates
        print(f"Before: {inspect_inventory()}")
        crafted = craft_item(Prototype.CopperCable, 20)
        print(f"Crafted {crafted} cables")
        circuits = craft_item(Prototype.ElectronicCircuit, 5)
        print(f"Crafted {circuits} circuits")
        after = inspect_inventory()
        assert after[Prototype.ElectronicCircuit] == 5
        assert after[Prototype.CopperCable] == 20 - 15
        ''',
        # 10 crafts of cable, 5 of circuits, 30 ticks each
        outcome=Outcome(
            have={"copper-plate": 40, "copper-cable": 5, "iron-plate": 45, "electronic-circuit": 5}, tick=300 + 150
        ),
    ),
    Case(
        "a lab in one go",
        "suite",
        '''
        # Try to craft a lab directly, the game should craft the intermediates
        try:
            craft_item(Prototype.Lab, 1)
            print("Lab crafted!")
        except Exception as e:
            print(f"Could not craft lab: {e}")
        inv = inspect_inventory()
        print(inv[Prototype.Lab], inv[Prototype.IronPlate], inv[Prototype.CopperPlate])
        ''',
        # the 50 belts in the inventory serve for the 4 a lab takes:
        # 10 circuits (10 iron, 15 copper) and 10 gears (20 iron)
        outcome=Outcome(
            have={"lab": 1, "iron-plate": 20, "copper-plate": 35, "transport-belt": 46},
            tick=15 * 30 + 10 * 30 + 10 * 30 + 120,
            says=("Lab crafted!", "(1, 20, 35)"),
        ),
    ),
    Case(
        "as many pipes as possible",
        "suite",
        '''
        crafted = 0
        while True:
            try:
                crafted += craft_item(Prototype.Pipe, 10)
            except Exception as e:
                print(f"stopped after {crafted}: {e}")
                break
        print(inspect_inventory()[Prototype.Pipe])
        ''',
        # 50 plates: five times ten pipes, of 30 ticks each
        outcome=Outcome(
            have={"pipe": 65, "iron-plate": 0},
            tick=50 * 30,
            says=("stopped after 50: Failed to craft 10x pipe because of missing ingredients: iron-plate x10", "(65,)"),
        ),
    ),
    Case(
        "what hands cannot make",
        "suite",
        '''
        impossible = [Prototype.IronPlate, Prototype.SteelPlate, Prototype.PlasticBar]
        impossible += [Prototype.EngineUnit, Prototype.Coal]
        reasons = {}
        for item in impossible:
            try:
                craft_item(item, 1)
                reasons[item.name] = "worked?!"
            except Exception as e:
                reasons[item.name] = str(e)
        for name, reason in reasons.items():
            print(name, "->", reason)
        assert "worked?!" not in reasons.values()
        ''',
        outcome=Outcome(
            tick=0,
            have={"iron-plate": 50, "coal": 50},
            says=(
                "smelting cannot be done by hand",
                "smelting cannot be done by hand",
                "chemistry cannot be done by hand",
                "advanced-crafting cannot be done by hand",
                "raw resource",
            ),
        ),
    ),
    Case(
        "planning a batch from what there is",
        "suite",
        '''
        def max_craftable(prototype):
            recipe = get_prototype_recipe(prototype)
            inv = inspect_inventory()
            return min(int(inv.get(i.name, 0) // i.count) for i in recipe.ingredients)

        gears = max_craftable(Prototype.IronGearWheel)
        print("gears possible:", gears)
        craft_item(Prototype.IronGearWheel, gears)
        print("belts possible:", max_craftable(Prototype.TransportBelt))
        inv = inspect_inventory()
        print(inv)
        assert inv[Prototype.IronGearWheel] == gears
        ''',
        # 50 plates make 25 gears; no plate is left for belts
        outcome=Outcome(
            have={"iron-gear-wheel": 25, "iron-plate": 0},
            tick=25 * 30,
            says=("('gears possible:', 25)", "('belts possible:', 0)"),
        ),
    ),
    Case(
        "a burner drill from the ground up",
        "nothing",
        '''
        # No items at all. First stone for a furnace
        move_to(nearest(Resource.Stone))
        harvest_resource(nearest(Resource.Stone), 10)
        craft_item(Prototype.StoneFurnace, 1)
        stone_left = inspect_inventory()[Prototype.Stone]
        print("stone left", stone_left)
        ''',
        '''
        # now coal and iron
        move_to(nearest(Resource.Coal))
        harvest_resource(nearest(Resource.Coal), 5)
        move_to(nearest(Resource.IronOre))
        harvest_resource(nearest(Resource.IronOre), 9)
        furnace = place_entity(Prototype.StoneFurnace, Direction.UP, nearest(Resource.IronOre).left(4))
        furnace = insert_item(Prototype.Coal, furnace, 5)
        furnace = insert_item(Prototype.IronOre, furnace, 9)
        sleep(30)
        plates = extract_item(Prototype.IronPlate, furnace, 9)
        print("plates", plates)
        ''',
        '''
        # 9 plates and 5 stone: 3 gears, a furnace, 3 plates
        try:
            craft_item(Prototype.BurnerMiningDrill, 1)
        except Exception as error:
            print("failed", error)
        print(inspect_inventory())
        assert inspect_inventory()[Prototype.BurnerMiningDrill] == 1
        ''',
        # 9 plates take 28.8 s
        outcome=Outcome(
            have={"burner-mining-drill": 1, "iron-plate": 0, "stone": 0, "stone-furnace": 0},
            built={"stone-furnace": 1},
            holds={(11.5, 70.5): {"coal": 4}},  # one coal is burning: 28.8 s at 90 kW are 2.6 MJ of 4
        ),
    ),
    Case(
        "an unknown recipe",
        "bare",
        '''
        # I want a better drill
        try:
            craft_item(Prototype.ElectricMiningDrill, 1)
        except Exception as e:
            print(e)
        try:
            craft_item(Prototype.AssemblingMachine1, 1)
        except Exception as e:
            print(e)
        # what can I research then?
        print(get_research_progress(Technology.Automation))
        print(set_research(Technology.Automation))
        ''',
        outcome=Outcome(
            tick=0,
            says=(
                "research electric-mining-drill first",
                "research automation first",
                "Ingredient(name='automation-science-pack', count=10",
            ),
        ),
    ),
]
