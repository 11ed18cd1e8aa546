# include: solids
# include: lanes
# include: column
# steel from two rows of ten and three more onto one belt, iron from the bottom row, copper from two rows, bricks and
# stone from the north
strike(get_entity(Prototype.MediumElectricPole, at(14.5, 68.5)))
steel_units(13.5, 10, 70)
steel_units(13.5, 10, 83)
steel_units(34.5, 3, 95, up=False)
smelting_units(16.5, 6, 95, up=False)
smelting_units(-63.5, 6, 70)
smelting_units(-63.5, 6, 79)
smelting_units(-66.5, 4, 20, up=False)
for number in range(3):
    put(Prototype.ElectricMiningDrill, -54.5 + 3 * number, 19.5, Direction.DOWN)
pole(-53.5, 22.5)
pole(-49.5, 22.5)
# bricks and stone, each on its lane, to x = 1.5
lane((-67.5, 25.5), (-43.5, 25.5), (-43.5, 21.5), (1.5, 21.5), (1.5, 62.5))
lane((-55.5, 21.5), (-44.5, 21.5), (-44.5, 24.5))
# steel: half to the rails' belt at x = 7.5, half north and west
lane((41.5, 61.5), (10.5, 61.5))
lane((41.5, 74.5), (10.5, 74.5), (10.5, 62.5))
lane((41.5, 104.5), (11.5, 104.5), (11.5, 75.5))
put(Prototype.Splitter, 9.5, 62, Direction.LEFT)
lane((7.5, 65.5), (7.5, 52.5))
put(Prototype.TransportBelt, 8.5, 62.5, Direction.LEFT)
pole(-1.5, 23.5)
lane((8.5, 61.5), (8.5, 23.5), (-4.5, 23.5))
# copper to two belts that go north
lane((-64.5, 65.5), (-44.5, 65.5), (-44.5, 69.5), (-29.5, 69.5), (-29.5, 24.5))
lane((-64.5, 74.5), (-45.5, 74.5), (-45.5, 70.5), (-15.5, 70.5), (-15.5, 28.5))
# iron: a part to the rails' belt, of the rest half to each of the two
lane((32.5, 100.5), (9.5, 100.5), (9.5, 67.5), (4.5, 67.5))
put(Prototype.Splitter, 3.5, 67, Direction.LEFT)
lane((2.5, 66.5), (2.5, 64.5), (6.5, 64.5))
lane((2.5, 67.5), (-11.5, 67.5))
put(Prototype.Splitter, -12.5, 67, Direction.LEFT)
lane((-13.5, 66.5), (-14.5, 66.5))
lane((-13.5, 67.5), (-28.5, 67.5))
