# machines, inserters, belts; what is left over is put by, and the workshop is struck
attic = put(Prototype.WoodenChest, 55.5, 36.5)
for spare in (Prototype.BurnerMiningDrill, Prototype.StoneFurnace, Prototype.CopperOre):
    if inspect_inventory()[spare]:
        attic = insert_item(spare, attic, inspect_inventory()[spare])
fetch(Prototype.CopperPlate, copper, 600)
for number, unit in enumerate(copper):
    put_by(Prototype.CopperPlate, unit, 55.5, 38.5 + 2 * number)
strike(copper)
fetch(Prototype.IronPlate, iron, 1000)
craft_up_to({Prototype.AssemblingMachine2: 40})
print(materials())
