# Steam power for large factories: boilers with two engines each between the north pond and the coal field, along two
# belts of coal. Needs basics.
#
# Stacks 0..4 stand above the belt at y = 11.5, 5..9 are their mirror image below it; 10..19 stand above a second belt,
# at y = -4.5. The first stack of a row is at x = -5.5, the others every four tiles. A stack makes 1.8 MW of 27 coal a
# minute.

COAL_ROW, UPPER_ROW = 11.5, -4.5


def stack(number):
    """Boiler, feeder and two engines. Returns the engines."""
    x = -5.5 + 4 * (number % 5 if number < 10 else number - 10)
    row = COAL_ROW if number < 10 else UPPER_ROW
    out = 1 if 5 <= number < 10 else -1
    facing = Direction.UP if out < 0 else Direction.DOWN
    boiler = put(Prototype.Boiler, x, row + 2.5 * out, facing)
    insert_item(Prototype.Coal, boiler, 5)
    put(Prototype.Pipe, x - 2, row + 2 * out)
    engines = [put(Prototype.SteamEngine, x, row + (6 + 5 * place) * out, facing) for place in (0, 1)]
    feeder = put(Prototype.BurnerInserter, x, row + out, facing)
    insert_item(Prototype.Coal, feeder, 2)
    pole(x + 2, row + 8 * out)
    if number in (5, 10):  # water for a new row
        water = COAL_ROW - 2
        for step in range(1, 5 if number == 5 else 17):
            put(Prototype.Pipe, -8.5, water + (step if number == 5 else -step))
    return engines


def coal_drills(first, last):
    """Drills `first`..`last` - 1 on the left edge of the coal field; the first five are above the belt's corner."""
    for number in range(first, last):
        y = -2.5 + 3 * number
        put(Prototype.ElectricMiningDrill, 16.5, y, Direction.LEFT)


def steam_plant(stacks, drills=3):
    """A pump, coal, and the first stacks. Returns one engine."""
    put(Prototype.OffshorePump, -10.5, COAL_ROW - 2, Direction.RIGHT)
    pipe((-9.5, COAL_ROW - 2), (-8.5, COAL_ROW - 2))
    engines = [engine for number in range(stacks) for engine in stack(number)]
    belt((14.5, -3.5), (14.5, COAL_ROW), (-6.5, COAL_ROW))
    coal_drills(0, drills)
    for number in range(7):
        pole(13.5, -2.5 + 3 * number)
    one_network(engines[0])
    return engines[0]


def more_steam(first, last, drills_first, drills_last):
    """Stacks `first`..`last` - 1 and coal drills besides."""
    if drills_last > 5:
        belt((14.5, 3 * drills_last - 4.5), (14.5, COAL_ROW + 1))
    coal_drills(drills_first, drills_last)
    for number in range(first, last):
        stack(number)


def upper_steam(count, drills):
    """The first `count` stacks of the second belt, and drills on the top edge of the coal field."""
    belt((18.5 + 3 * drills, UPPER_ROW), (-6.5, UPPER_ROW))
    for number in range(drills):
        put(Prototype.ElectricMiningDrill, 19.5 + 3 * number, UPPER_ROW + 2, Direction.UP)
        if number % 2 == 0:
            pole(19.5 + 3 * number, UPPER_ROW + 4)
    for number in range(count):
        stack(10 + number)
