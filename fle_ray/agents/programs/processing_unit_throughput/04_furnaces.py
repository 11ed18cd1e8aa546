craft_item(Prototype.ElectricFurnace, 11)
strike([units["copper"], units["iron"].pop()])
print(materials())
