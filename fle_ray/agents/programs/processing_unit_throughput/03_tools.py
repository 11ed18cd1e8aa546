# strike the workshop bit by bit, and make of it by hand what the factory needs beside what is there; a step has 20
# minutes of game time, so this takes several
for unit in ("steel", "bricks"):
    strike(units[unit])
strike([units["copper"].pop(), units["iron"].pop(), plastic_inserter])
extract_item(Prototype.PlasticBar, plastic_chest, 240)
print(materials())
craft_item(Prototype.ElectricFurnace, 12)
