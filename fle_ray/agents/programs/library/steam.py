# Steam power for large factories: up to ten boilers with two engines each between the north pond and the coal field,
# along one belt of coal. Needs basics.
#
# Boiler n of the north row stands at (-5.5 + 4n, 9) with its engines above; the south row is its mirror image below the
# belt at y = 11.5. Every stack makes 1.8 MW and burns 27 coal a minute.

COAL_ROW = 11.5


def stack(number):
    """Boiler, feeder and two engines; number 0..4 in the north row, 5..9 in the south row. Returns the engines."""
    x = -5.5 + 4 * (number % 5)
    north = number < 5
    out = -1 if north else 1
    facing = Direction.UP if north else Direction.DOWN
    water = COAL_ROW + 2 * out
    boiler = put(Prototype.Boiler, x, COAL_ROW + 2.5 * out, facing)
    insert_item(Prototype.Coal, boiler, 5)
    put(Prototype.Pipe, x - 2, water)
    engines = [put(Prototype.SteamEngine, x, COAL_ROW + (6 + 5 * place) * out, facing) for place in (0, 1)]
    feeder = put(Prototype.BurnerInserter, x, COAL_ROW + out, facing)
    insert_item(Prototype.Coal, feeder, 2)
    pole(x + 2, COAL_ROW + 8 * out)
    if number == 5:
        for y in range(-1, 3):
            put(Prototype.Pipe, -8.5, COAL_ROW + y)
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
