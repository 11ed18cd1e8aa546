# An oil yard between the coal field and the east wells: pumpjacks on the top row of wells, refineries above them,
# chemical plants above those, below the coal field's edge. Needs basics.
#
#    y 21.5  coal belt          the plants take coal from it
#    y 24.5  chemical plants    their fluids come from below
#    y 27.5  gas
#    y 31.5  refineries
#    y 38.5  crude oil
#    y 40.5  pumpjacks

COAL_BELT, PLANTS, GAS, REFINERIES, CRUDE, JACKS = 21.5, 24.5, 27.5, 31.5, 38.5, 40.5


laid = set()


def pipes(*corners):
    """Pipes tile by tile through these corners, joining what is beside them; tiles laid by this before are left."""
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] or corners, strict=False):
        steps = int(max(abs(x1 - x0), abs(y1 - y0)))
        for step in range(steps + 1):
            tile = (x0 + (x1 - x0) * step / max(steps, 1), y0 + (y1 - y0) * step / max(steps, 1))
            if tile not in laid:
                put(Prototype.Pipe, *tile)
                laid.add(tile)


def pipe_below(x0, x1, y):
    """A pipe from (x0, y) east to (x1, y) underground, open at both ends."""
    put(Prototype.UndergroundPipe, x0, y, Direction.RIGHT)
    put(Prototype.UndergroundPipe, x1, y, Direction.LEFT)


def pipe_down(x, y0, y1):
    """A pipe from (x, y0) south to (x, y1) underground, open at both ends."""
    put(Prototype.UndergroundPipe, x, y0, Direction.DOWN)
    put(Prototype.UndergroundPipe, x, y1, Direction.UP)


def refinery_x(number):
    return 19.5 + 7 * number


def oil_yard(jacks, refineries, recipe=RecipeName.BasicOilProcessing):
    """Pumpjacks side by side, refineries, one pipe of crude oil below them and one of gas above."""
    for number in range(jacks):
        x = 17.5 + 3 * number
        put(Prototype.PumpJack, x, JACKS, Direction.UP)
        if number % 2 == 0:
            pole(x, CRUDE - 1)
    made = [set_entity_recipe(put(Prototype.OilRefinery, refinery_x(n), REFINERIES), recipe) for n in range(refineries)]
    pipes((18.5, CRUDE), (max(15.5 + 3 * jacks, refinery_x(refineries - 1) + 1), CRUDE))
    pipes((15.5, GAS), (refinery_x(refineries - 1) + 2, GAS))
    for number in range(refineries):
        x = refinery_x(number)
        pipes((x + 1, REFINERIES + 3), (x + 1, CRUDE))
        pipes((x + 2, REFINERIES - 3), (x + 2, GAS))
        pole(x + 3, REFINERIES)
    return made


def coal_line(drills=2, x=17.5):
    """Coal on a belt past the plants, from drills on the lower edge of the field, which begin at `x`."""
    for number in range(drills):
        put(Prototype.ElectricMiningDrill, x + 3 * number, COAL_BELT - 2, Direction.DOWN)
    for number in range(0, drills, 2):
        pole(x + 3 * number + 1, COAL_BELT + 1)
    belt((x + 3 * drills - 2, COAL_BELT), (x - 2, COAL_BELT))


def plastic_plant(x=17.5):
    """A plant below the coal line; puts plastic down at (x - 3, 24.5)."""
    made = set_entity_recipe(put(Prototype.ChemicalPlant, x, PLANTS), Prototype.PlasticBar)
    put(Prototype.Inserter, x, COAL_BELT + 1, Direction.DOWN)
    put(Prototype.Inserter, x - 2, PLANTS, Direction.LEFT)
    pole(x - 2, PLANTS - 1)
    gas_to(made)
    return made


def spare_chest(x=17.5, chest=Prototype.WoodenChest):
    """A chest on the right of a plant, filled until its inserter is picked up. Returns inserter and chest."""
    pole(x + 2, PLANTS - 1)
    return put(Prototype.Inserter, x + 2, PLANTS, Direction.RIGHT), put(chest, x + 3, PLANTS)


def gas_to(plant):
    """A pipe from the plant's gas input down to the gas pipe."""
    entry = next(point for point in plant.input_connection_points if point.type == "petroleum-gas")
    x = entry.x if entry.x % 1 else entry.x - 0.5
    pipes((x, GAS - 1), (x, GAS))
