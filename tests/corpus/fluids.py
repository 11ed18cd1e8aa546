"""Pipes, pumps, oil."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "pumps on every shore",
        "lab",
        '''
        water = nearest(Resource.Water)
        lake = get_resource_patch(Resource.Water, water, radius=40)
        print(lake.bounding_box.left_top, lake.bounding_box.right_bottom)
        box = lake.bounding_box
        spots = {
            "right": Position(x=box.right_bottom.x, y=box.center.y),
            "top": Position(x=box.center.x, y=box.left_top.y),
        }
        for side, spot in spots.items():
            move_to(spot)
            pump = place_entity(Prototype.OffshorePump, position=spot)
            print(side, pump.direction, len(pump.connection_points))
        ''',
        # the pond covers columns -22 to -12 and rows -3 to 20
        outcome=Outcome(
            built={"offshore-pump": 2},
            says=(
                "(Position(x=-22.0, y=-3.0), Position(x=-11.0, y=21.0))",
                "('right', Direction.RIGHT, 1)",
                "('top', Direction.UP, 1)",
            ),
        ),
    ),
    Case(
        "a dry pipe and a wet one",
        "lab",
        '''
        dry = connect_entities(Position(x=2, y=-3), Position(x=6, y=-3), connection_type=Prototype.Pipe)
        print(len(dry.pipes), dry.status)
        assert dry.status == EntityStatus.EMPTY
        ''',
        '''
        water = nearest(Resource.Water)
        move_to(water)
        pump = place_entity(Prototype.OffshorePump, position=water)
        assert pump.status == EntityStatus.NOT_CONNECTED, pump.status
        tank = place_entity_next_to(Prototype.StorageTank, pump.position, Direction.RIGHT, spacing=4)
        wet = connect_entities(pump, tank, connection_type=Prototype.Pipe)
        sleep(10)
        wet = get_entity(Prototype.PipeGroup, wet.position)
        tank = get_entity(Prototype.StorageTank, tank.position)
        print(wet.status, wet.pipes[0].fluid, tank.fluid_box)
        assert tank.fluid_box[0]["name"] == "water"
        assert wet.pipes[0].contents > 0
        pump = get_entity(Prototype.OffshorePump, pump.position)
        print(pump.status)
        ''',
        outcome=Outcome(built={"storage-tank": 1, "offshore-pump": 1}, says=("'water'", "EntityStatus.WORKING")),
    ),
    Case(
        "crude oil into a tank",
        "lab",
        '''
        well = nearest(Resource.CrudeOil)
        print("well", well)
        move_to(well)
        jack = place_entity(Prototype.PumpJack, Direction.UP, well)
        print(jack.resources, jack.connection_points, jack.warnings)
        try:
            place_entity(Prototype.PumpJack, Direction.UP, well.left(4))
        except Exception as e:
            print("no oil there:", e)
        ''',
        '''
        tank = place_entity_next_to(Prototype.StorageTank, jack.position, Direction.UP, spacing=4)
        pipes = connect_entities(jack, tank, connection_type=Prototype.Pipe)
        print(len(pipes.pipes), pipes.status)
        sleep(5)
        jack = get_entity(Prototype.PumpJack, jack.position)
        print(jack.status, jack.warnings)
        assert jack.status in (EntityStatus.NO_POWER, EntityStatus.NOT_PLUGGED_IN_ELECTRIC_NETWORK)
        ''',
        outcome=Outcome(built={"pumpjack": 1, "storage-tank": 1}, says=("not connected to power network",)),
    ),
    Case(
        "an oil refinery gets its recipe",
        "lab",
        '''
        move_to(Position(x=0, y=30))
        refinery = place_entity(Prototype.OilRefinery, Direction.UP, Position(x=0.5, y=38.5))
        print("before:", refinery.status, refinery.input_connection_points)
        refinery = set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
        print("inputs", [(p.x, p.y, p.type) for p in refinery.input_connection_points])
        print("outputs", [(p.x, p.y, p.type) for p in refinery.output_connection_points])
        plant = place_entity(Prototype.ChemicalPlant, Direction.UP, Position(x=-6.5, y=36.5))
        plant = set_entity_recipe(plant, Prototype.PlasticBar)
        print(plant.recipe.name, [(i.name, i.count) for i in plant.recipe.ingredients])
        try:
            set_entity_recipe(plant, RecipeName.BasicOilProcessing)
        except Exception as e:
            print("wrong machine:", e)
        ''',
        # facing north the refinery takes crude oil at (+1, +3) and gives petroleum gas at (+2, -3)
        outcome=Outcome(
            built={"oil-refinery": 1, "chemical-plant": 1},
            says=(
                "('inputs', [(1.5, 41.5, 'crude-oil')])",
                "('outputs', [(2.5, 35.5, 'petroleum-gas')])",
                "plastic-bar",
                "wrong machine:",
                "Could not set recipe: chemical-plant cannot make basic-oil-processing",
            ),
        ),
    ),
    Case(
        "how many pipes for that",
        "suite",
        '''
        a, b = Position(x=0, y=1), Position(x=2, y=4)
        need = get_connection_amount(a, b, Prototype.Pipe)
        have = inspect_inventory()[Prototype.Pipe]
        print(f"need {need}, have {have}")
        if need <= have:
            group = connect_entities(a, b, connection_type=Prototype.Pipe)
            print(len(group.pipes), "pipes laid")
        left = inspect_inventory()[Prototype.Pipe]
        assert left == have - need
        pickup_entity(group)
        assert inspect_inventory()[Prototype.Pipe] == have
        ''',
        # two steps along and three down: six pieces
        outcome=Outcome(have={"pipe": 15}, built={"pipe": 0}, says=("need 6, have 15", "(6, 'pipes laid')")),
    ),
]
