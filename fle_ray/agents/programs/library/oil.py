# Oil: pumpjacks on wells side by side, a refinery, tanks; everything stands between the east oil field and the lake.


def pumpjacks(count, engine):
    """`count` pumpjacks on the left column of the east field, all on one pipe at x = 14.5, powered."""
    made = []
    for number in range(count):
        well = Position(x=17.5, y=40.5 + 3 * number)
        move_to(Position(x=well.x - 4, y=well.y))
        jack = place_entity(Prototype.PumpJack, Direction.LEFT, well)
        connect_entities(jack, Position(x=13.5, y=well.y + 1), connection_type=Prototype.Pipe)
        made.append(jack)
    if count > 1:
        connect_entities(
            Position(x=13.5, y=41.5), Position(x=13.5, y=38.5 + 3 * count), connection_type=Prototype.Pipe
        )
    last = engine
    for jack in made:
        last = connect_entities(last, Position(x=15.5, y=jack.position.y - 1), connection_type=Prototype.MediumElectricPole)
    return made
