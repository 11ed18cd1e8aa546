# Building blocks for solid items: smelting units on the edge of a field.

def smelting_units(first_x, count, field_y, up=True, furnace=Prototype.ElectricFurnace):
    """`count` drills side by side on the edge row of a field, each into a furnace of its own.

    The drills' outer row is `field_y` (a tile row of the field); furnaces stand outside. Returns the row where the
    inserters put the plates down: lay a belt there.
    """
    out = -1 if up else 1
    facing = Direction.UP if up else Direction.DOWN
    edge = field_y + 0.5
    for number in range(count):
        x = first_x + 3 * number
        put(Prototype.ElectricMiningDrill, x, edge - out, facing)
        put(furnace, x, edge + 2 * out, facing)
        put(Prototype.Inserter, x, edge + 4 * out, facing)
        if number % 2 == 0:
            pole(x + 1, edge + 4 * out)
            pole(x + 1, edge - 3 * out)
    return edge + 5 * out


def machines_above(row, columns, machine, recipe=None, chest=Prototype.WoodenChest):
    """Machines above a belt at `row`, one at each x: an inserter from the belt, one on top into a chest."""
    made = []
    for x in columns:
        built = put(machine, x, row - 3)
        if recipe is not None:
            built = set_entity_recipe(built, recipe)
        put(Prototype.Inserter, x, row - 1, Direction.UP)
        put(Prototype.Inserter, x, row - 5, Direction.UP)
        if chest is not None:
            put(chest, x, row - 6)
        pole(x + 1, row - 1)
        pole(x + 1, row - 5)
        made.append(built)
    return made


def power_units(engine, row, first_x, count):
    """Poles from an engine to a line of smelting units above a field."""
    power_from(engine, (first_x + 1, row + 1), (first_x + 1, row + 8))
    first = get_entity(Prototype.MediumElectricPole, at(first_x + 1, row + 1))
    for number in range(2, count, 2):
        power_from(first, (first_x + 1 + 3 * number, row + 1))
