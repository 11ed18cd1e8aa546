# a pumpjack on the nearest well, a tank for the oil, poles from the engine
well = nearest(Resource.CrudeOil)
move_to(well)
jack = place_entity(Prototype.PumpJack, Direction.DOWN, well)
spot = nearest_buildable(Prototype.StorageTank, BuildingBox(width=5, height=5), Position(x=jack.position.x - 8, y=jack.position.y + 4)).center
move_to(spot)
tank = place_entity(Prototype.StorageTank, Direction.UP, spot)
connect_entities(jack, tank, Prototype.Pipe)
connect_entities(engines[0], jack, Prototype.MediumElectricPole)
sleep(10)
print(get_entity(Prototype.PumpJack, jack.position))
print(get_entity(Prototype.StorageTank, tank.position))
print(get_entity(Prototype.SteamEngine, engines[0].position))
