# include: smelter
furnaces = build_smelters(3, nearest(Resource.IronOre))
print(send_message(f"Mine stand too, from {furnaces[0].position} to {furnaces[-1].position}.", recipient=0))
