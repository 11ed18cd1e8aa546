# Steam power that feeds itself: boilers between the north pond and the coal field, coal on a belt.


def coal_plant(stacks=1, drills=2):
    """`stacks` boilers with two engines each, a pump, coal drills and a belt past the boilers.

    Boilers stand at (2.5 + 4k, 9) and put steam straight up into engines at (2.5 + 4k, 5.5) and (2.5 + 4k, 0.5).
    Returns the engines.
    """
    move_to(Position(x=-8, y=9.5))
    pump = place_entity(Prototype.OffshorePump, Direction.RIGHT, Position(x=-10.5, y=9.5))
    engines = []
    for number in range(stacks):
        x = 2.5 + 4 * number
        move_to(Position(x=x - 3, y=8))
        boiler = place_entity(Prototype.Boiler, Direction.UP, Position(x=x, y=9))
        insert_item(Prototype.Coal, boiler, 10)
        for y in (5.5, 0.5):
            engines.append(place_entity(Prototype.SteamEngine, Direction.UP, Position(x=x, y=y)))
        if number == 0:
            connect_entities(pump, boiler, connection_type=Prototype.Pipe)
        else:
            place_entity(Prototype.Pipe, Direction.UP, Position(x=x - 2, y=9.5))
        feeder = place_entity(Prototype.BurnerInserter, Direction.UP, Position(x=x, y=10.5))
        insert_item(Prototype.Coal, feeder, 2)
    move_to(Position(x=12, y=4))
    made = [
        place_entity(Prototype.ElectricMiningDrill, Direction.LEFT, Position(x=16.5, y=-2.5 + 3 * number))
        for number in range(drills)
    ]
    connect_entities(
        Position(x=14.5, y=-3.5),
        Position(x=14.5, y=11.5),
        Position(x=1.5, y=11.5),
        connection_type=Prototype.TransportBelt,
    )
    last = engines[0]
    for drill in made:
        spot = Position(x=13.5, y=drill.position.y)
        last = connect_entities(last, spot, connection_type=Prototype.MediumElectricPole)
    return engines
