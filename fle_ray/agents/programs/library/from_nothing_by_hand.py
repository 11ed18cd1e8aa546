# wood, stone and coal by hand, the first iron from four furnaces
character = at(0, 0)
gather(Resource.Wood, Prototype.Wood, 40)
gather(Resource.Stone, Prototype.Stone, 90)
gather(Resource.Coal, Prototype.Coal, 50)
gather(Resource.IronOre, Prototype.IronOre, 60)
craft_item(Prototype.StoneFurnace, 4)
spot = nearest_buildable(Prototype.StoneFurnace, BuildingBox(width=8, height=2), nearest(Resource.IronOre))
walk(spot.center)
first = [
    place_entity(Prototype.StoneFurnace, Direction.UP, at(spot.left_top.x + 1 + 2 * n, spot.left_top.y + 1))
    for n in range(4)
]
for furnace in first:
    insert_item(Prototype.Coal, furnace, 3)
    insert_item(Prototype.IronOre, furnace, 15)
sleep(52)
for furnace in first:
    pickup_entity(furnace)
report()
