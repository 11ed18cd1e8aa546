ore = nearest(Resource.IronOre)
print(send_message(f"I build four smelters at {ore} and shall count yours.", recipient=1))
