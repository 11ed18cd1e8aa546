# Is what the other one says true?
stand = get_entities({Prototype.StoneFurnace})
print(len(stand), "furnaces,", fuel_up(), "without coal")
print(send_message(f"I count {len(stand)} furnaces: you did as you said.", recipient=1))
