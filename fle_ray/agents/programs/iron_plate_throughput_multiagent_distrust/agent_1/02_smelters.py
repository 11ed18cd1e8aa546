# include: smelter
theirs = len(get_entities({Prototype.StoneFurnace}))
furnaces = build_smelters(3, nearest(Resource.IronOre))
print(send_message(f"You had {theirs} furnaces, I add {len(furnaces)}.", recipient=0))
