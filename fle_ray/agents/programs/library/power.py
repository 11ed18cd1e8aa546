# Steam power: a pump on the shore, boilers, engines in a row away from the water.


def steam_plant(shore, engines=2, coal=50):
    """A pump near `shore`, a boiler, and engines in a line away from the water; returns the engines."""
    move_to(shore)
    pump = place_entity(Prototype.OffshorePump, Direction.RIGHT, shore)
    land = pump.connection_points[0]
    away = 1 if land.x > pump.position.x else -1
    ahead = Direction.RIGHT if away > 0 else Direction.LEFT
    x, y = pump.position.x + away * 5, pump.position.y
    move_to(Position(x=x, y=y - 3))
    boiler = place_entity(Prototype.Boiler, ahead, Position(x=x, y=y))
    insert_item(Prototype.Coal, boiler, coal)
    connect_entities(pump, boiler, Prototype.Pipe)
    made = []
    last = boiler
    for number in range(engines):
        x = boiler.position.x + away * (6 + 7 * number)
        move_to(Position(x=x, y=y - 3))
        engine = place_entity(Prototype.SteamEngine, ahead, Position(x=x, y=boiler.position.y))
        connect_entities(last, engine, Prototype.Pipe)
        made.append(engine)
        last = engine
    return made
