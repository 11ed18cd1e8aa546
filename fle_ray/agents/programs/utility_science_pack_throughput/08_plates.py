# include: solids
# include: lanes
# include: column
# copper from three rows, iron from two, steel from one
strike([p for p in get_entities({Prototype.MediumElectricPole}) if p.position.distance(at(-45.5, 68.5)) < 1])
smelting_units(-72.5, 10, 70)
smelting_units(-72.5, 10, 79)
smelting_units(-60.5, 5, 88)
smelting_units(16.5, 7, 70)
smelting_units(16.5, 4, 79)
steel_units(16.5, 7, 92)
# copper and iron for circuits, on a belt that goes south at x = -33.5
lane((-33.5, 71.5), (-33.5, 97.5))
lane((-73.5, 74.5), (-34.5, 74.5))
lane((35.5, 65.5), (14.5, 65.5), (14.5, 66.5), (-31.5, 66.5), (-31.5, 72.5), (-32.5, 72.5))
# iron and steel for engines, at x = -36.5
lane((11.5, 74.5), (8.5, 74.5), (8.5, 68.5), (-36.5, 68.5), (-36.5, 44.5))
# copper and iron for advanced circuits, batteries and acid, at x = -19.5; the mouth of an underground belt takes from
# its sides what comes in the lane away from its hood, so both change lanes at a tile that comes straight from behind
lane((-19.5, 67.5), (-19.5, 33.5))
lane((-61.5, 83.5), (-42.5, 83.5), (-42.5, 67.5), (-20.5, 67.5))
put(Prototype.TransportBelt, -43.5, 67.5, Direction.RIGHT)
lane((26.5, 74.5), (13.5, 74.5))
put(Prototype.Splitter, 12.5, 74, Direction.LEFT)
lane((11.5, 73.5), (11.5, 67.5), (-18.5, 67.5))
put(Prototype.TransportBelt, 12.5, 67.5, Direction.LEFT)
# steel: three quarters to the structures, an eighth to the engines' belt, an eighth to the circuits' belt
lane((35.5, 83.5), (15.5, 83.5))
put(Prototype.Splitter, 14.5, 83, Direction.LEFT)
put(Prototype.TransportBelt, 13.5, 83.5, Direction.LEFT)
put(Prototype.Splitter, 12.5, 83, Direction.LEFT)
put(Prototype.TransportBelt, 11.5, 83.5, Direction.LEFT)
put(Prototype.Splitter, 10.5, 84, Direction.LEFT)
lane((9.5, 83.5), (9.5, 75.5))
# copper and steel for structures, at x = 4.5
lane((-73.5, 65.5), (4.5, 65.5), (4.5, 40.5))
lane((13.5, 82.5), (13.5, 64.5), (5.5, 64.5))
lane((11.5, 82.5), (11.5, 80.5), (12.5, 80.5))
