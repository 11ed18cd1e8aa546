# A column of machines between belts. Needs basics.
#
#     x - 4   x - 3   x - 2       x        x + 2      x + 3   x + 4
#     far     near    inserters   machine  inserters  near    far
#
# Machines stand four tiles apart, level 0 at the bottom. In each gap there is a pole, and room for two inserters from
# machine to machine. Beside each machine there is room for three inserters a side, towards belts or chests.


class Column:
    def __init__(self, x, bottom):
        self.x, self.bottom = x, bottom
        self.arms = {}

    def y(self, level):
        return self.bottom - 4 * level

    def machine(self, level, recipe, prototype=Prototype.AssemblingMachine2, facing=Direction.UP):
        y = self.y(level)
        there = get_entity(Prototype.MediumElectricPole, at(self.x + 1, y - 2))
        if there is None or there.position.distance(at(self.x + 1, y - 2)) > 0:
            pole(self.x + 1, y - 2)
        self.arms[level] = {-1: 0, 1: 0}
        return set_entity_recipe(put(prototype, self.x, y, facing), recipe)

    def _arm(self, level, side, outwards, far, inserter, item):
        number = self.arms[level][side]
        self.arms[level][side] += 1
        if inserter is None:
            inserter = Prototype.LongHandedInserter if far else Prototype.Inserter
        facing = Direction.RIGHT if (side > 0) == outwards else Direction.LEFT
        y = self.y(level) + (0, 1, -1)[number]
        made = put(inserter, self.x + 2 * side, y, facing)
        if item is not None:
            set_entity_recipe(made, item)
        return y

    def take(self, level, side, far=False, inserter=None, item=None):
        """From a belt; side -1 is left, 1 is right."""
        return self._arm(level, side, False, far, inserter, item)

    def give(self, level, side, far=False, inserter=None):
        return self._arm(level, side, True, far, inserter, None)

    def chest(self, level, side, far=False, prototype=Prototype.WoodenChest):
        y = self.give(level, side, far)
        return put(prototype, self.x + (4 if far else 3) * side, y)

    def up(self, level, inserter=Prototype.Inserter, second=False):
        """From the machine at `level` to the one above it."""
        put(inserter, self.x - second, self.y(level) - 2, Direction.UP)

    def down(self, level, inserter=Prototype.Inserter, second=False):
        put(inserter, self.x - second, self.y(level) + 2, Direction.DOWN)


def steel_units(first_x, count, field_y, up=True):
    """Drills side by side, each into a furnace of iron and that into one of steel; returns the row for their belt."""
    out = -1 if up else 1
    facing = Direction.UP if up else Direction.DOWN
    edge = field_y + 0.5
    for number in range(count):
        x = first_x + 3 * number
        put(Prototype.ElectricMiningDrill, x, edge - out, facing)
        for step in (2, 6):
            put(Prototype.ElectricFurnace, x, edge + step * out)
            put(Prototype.Inserter, x, edge + (step + 2) * out, facing)
            if number % 2 == 0:
                pole(x + 1, edge + (step + 2) * out)
        if number % 2 == 0:
            pole(x + 1, edge - 3 * out)
    return edge + 9 * out
