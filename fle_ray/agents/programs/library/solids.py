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
