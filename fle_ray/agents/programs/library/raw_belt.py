# A column of machines between belts, handing on by inserters what they make. Needs basics and solids.
#
#    x:  RAW_X        +1        +3       +5       +6     +7
#        raw belt  inserters  machines  inserters  near   far
#
# The raw belt carries iron on its right lane (copper on its left) up from the fields. Machines stand four tiles apart;
# in each gap is a pole and maybe an inserter from one machine to the next. Up to two more belts run on the other side:
# inserters reach the near one, long-handed inserters the far one, or a chest beyond the raw belt.

RAW_X = 4.5
LEVEL_0 = 61.5
COLUMN_X, NEAR_X, FAR_X = RAW_X + 3, RAW_X + 6, RAW_X + 7
FIRST_IRON, LAST_COPPER = 16.5, -48.5  # the smelting units next to the raw belt


def raw_belt(iron_units, copper_units=0, top=30.5):
    """Smelting units on the top edges of the fields, their plates on one belt up to `top`. Returns their belt's row."""
    row = smelting_units(FIRST_IRON, iron_units, 70)
    belt((FIRST_IRON + 3 * iron_units - 2, row), (RAW_X + 1, row))
    if copper_units:
        first = LAST_COPPER - 3 * (copper_units - 1)
        smelting_units(first, copper_units, 70)
        belt((first - 1, row), (RAW_X - 1, row))
    belt((RAW_X, row), (RAW_X, top))
    return row


def level_y(level):
    """Centre of the machine at a level; level 0 is the lowest."""
    return LEVEL_0 - 4 * level


def machine_at(level, recipe, raw=False, prototype=Prototype.AssemblingMachine2):
    """A machine in the column; `raw`: it takes from the raw belt."""
    y = level_y(level)
    pole(COLUMN_X + 1, y - 2)
    built = set_entity_recipe(put(prototype, COLUMN_X, y), recipe)
    if raw:
        put(Prototype.Inserter, RAW_X + 1, y, Direction.RIGHT)
    return built


def hand_up(level):
    """An inserter from the machine at `level` into the one above it."""
    put(Prototype.Inserter, COLUMN_X, level_y(level) - 2, Direction.UP)


def hand_down(level):
    """An inserter from the machine at `level` into the one below it."""
    put(Prototype.Inserter, COLUMN_X, level_y(level) + 2, Direction.DOWN)


def take_near(level):
    put(Prototype.Inserter, NEAR_X - 1, level_y(level), Direction.LEFT)


def take_far(level):
    put(Prototype.LongHandedInserter, NEAR_X - 1, level_y(level), Direction.LEFT)


def give_near(level):
    put(Prototype.Inserter, NEAR_X - 1, level_y(level), Direction.RIGHT)


def chest_near(level):
    """A chest where the near belt would run."""
    give_near(level)
    put(Prototype.WoodenChest, NEAR_X, level_y(level))


def chest_over(level):
    """A chest beyond the raw belt, filled by a long-handed inserter."""
    put(Prototype.LongHandedInserter, RAW_X + 1, level_y(level) + 1, Direction.LEFT)
    put(Prototype.WoodenChest, RAW_X - 1, level_y(level) + 1)


def steel_makers(row, columns):
    """Furnaces above the iron row that make steel; returns the row of their output, where a belt belongs."""
    machines_above(row, columns, Prototype.ElectricFurnace, chest=None)
    return row - 6
