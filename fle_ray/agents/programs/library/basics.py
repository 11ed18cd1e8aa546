# Small helpers: build out of reach, belts, poles and pipes between points, what is at fault.

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


def pipe(*ends):
    """Pipes through these ends: entities, or (x, y) pairs."""
    return connect_entities(*[at(*e) if isinstance(e, tuple) else e for e in ends], connection_type=Prototype.Pipe)


def tunnel(*ends):
    """The same, going below what is in the way."""
    return connect_entities(
        *[at(*e) if isinstance(e, tuple) else e for e in ends],
        connection_type={Prototype.Pipe, Prototype.UndergroundPipe},
    )


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


def one_network(engine):
    """Join every pole into the network of an engine, by poles between the nearest two."""
    while True:
        poles = get_entities({Prototype.MediumElectricPole})
        mine = min(poles, key=lambda p: p.position.distance(engine.position)).electrical_id
        inside = [p.position for p in poles if p.electrical_id == mine]
        outside = [p.position for p in poles if p.electrical_id != mine]
        if not outside:
            return len(inside)
        a, b = min(((a, b) for a in inside for b in outside), key=lambda ab: ab[0].distance(ab[1]))
        connect_entities(a, b, connection_type=Prototype.MediumElectricPole)
