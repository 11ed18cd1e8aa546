print(fuel_up(), "furnaces got coal")
stand = get_entities({Prototype.StoneFurnace})
print(send_message(f"I count {len(stand)} furnaces. Thank you.", recipient=1))
