# include: smelter
furnaces = build_smelters(4, nearest(Resource.IronOre))
print(send_message(f"My four furnaces stand, the last at {furnaces[-1].position}.", recipient=1))
