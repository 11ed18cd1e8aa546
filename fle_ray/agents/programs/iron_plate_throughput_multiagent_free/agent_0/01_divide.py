# Propose who builds what.
ore = nearest(Resource.IronOre)
print(inspect_inventory())
print(send_message(f"I build four smelters at {ore}. Build three more beside mine once you see them."))
