# Propose who builds what.
ore = nearest(Resource.IronOre)
print(send_message(f"I build four smelters at {ore}. Build three more, please, and tell me where."))
