# Building blocks for solid items: smelting units on the edge of a field, machines side by side, chests.

WAYS = {Direction.UP: (0, -1), Direction.RIGHT: (1, 0), Direction.DOWN: (0, 1), Direction.LEFT: (-1, 0)}


def at(x, y):
    return Position(x=x, y=y)


def put(prototype, x, y, direction=Direction.UP):
    """Walk in reach of a place and build there."""
    here = at(x, y)
    try:
        return place_entity(prototype, direction, here)
    except Exception as reason:
        if "too far" not in str(reason):
            raise
    move_to(at(x + 1, y + 4))
    return place_entity(prototype, direction, here)


def belt(*corners):
    """A belt through these corners, (x, y) each."""
    return connect_entities(*[at(x, y) for x, y in corners], connection_type=Prototype.TransportBelt)


def pole(x, y):
    return put(Prototype.MediumElectricPole, x, y)


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


def power_from(engine, *places):
    """Poles from an engine to each place in turn."""
    last = engine
    for x, y in places:
        last = connect_entities(last, at(x, y), connection_type=Prototype.MediumElectricPole)
    return last


def show_faults():
    """Print every machine that is not at work, and why."""
    for entity in get_entities():
        if str(entity.status).split(".")[-1] not in ("WORKING", "NORMAL", "FULL_OUTPUT", "EMPTY"):
            print(entity.name, entity.position, entity.status, getattr(entity, "warnings", ""))
