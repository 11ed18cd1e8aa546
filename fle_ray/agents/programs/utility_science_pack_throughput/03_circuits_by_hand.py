# out of the workshop while it works on: advanced circuits by hand, as many as one program has time for
sleep(120)
iron, copper = units["iron"], units["copper"]


def circuits_by_hand(number):
    fetch(Prototype.CopperPlate, copper, 5 * number)
    fetch(Prototype.IronPlate, iron, 2 * number)
    extract_item(Prototype.PlasticBar, plastic_chest, 2 * number)
    craft_item(Prototype.AdvancedCircuit, number)
    print(materials())


circuits_by_hand(100)
