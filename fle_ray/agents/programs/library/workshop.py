# A workshop that works into chests for a while, and is struck again when there is enough to build from. Needs basics.


def _unit(x, edge, furnaces, chest, built):
    """Upwards from a drill at the top edge of a field: furnaces one after the other, then a chest."""
    built.append(put(Prototype.ElectricMiningDrill, x, edge + 1, Direction.UP))
    y = edge - 2
    for furnace in furnaces:
        built.append(put(furnace, x, y))
        built.append(put(Prototype.Inserter, x, y - 2, Direction.UP))
        built.append(pole(x + 1, y - 2))
        if furnace == Prototype.StoneFurnace:
            insert_item(Prototype.Coal, built[-3], 40)
        y -= 4
    built.append(pole(x + 1, edge + 3))
    built.append(put(chest, x, y + 1))


def workshop(iron=4, steel=2, copper=2, bricks=1, chest=Prototype.WoodenChest):
    """Drills and furnaces that fill chests: one chest a unit. Returns what was built, but for the poles between fields:
    they go where later factories leave room.
    """
    built = []
    electric = Prototype.ElectricFurnace
    for number in range(iron):
        _unit(16.5 + 3 * number, 70.5, [electric], chest, built)
    for number in range(steel):
        _unit(16.5 + 3 * (iron + number), 70.5, [electric, electric], chest, built)
    for number in range(copper):
        _unit(-48.5 - 3 * number, 70.5, [electric], chest, built)
    for number in range(bricks):
        x = -48.5 - 3 * number
        built.append(put(Prototype.ElectricMiningDrill, x, 19.5, Direction.DOWN))
        built.append(put(Prototype.StoneFurnace, x, 22))
        insert_item(Prototype.Coal, built[-1], 40)
        built.append(put(Prototype.Inserter, x, 23.5, Direction.DOWN))
        built.append(pole(x + 1, 23.5))
        built.append(put(chest, x, 24.5))
    first = get_entity(Prototype.MediumElectricPole, at(17.5, 66.5))
    power_from(first, (13.5, 69.5), (-45.5, 69.5), (-47.5, 66.5), (-46.5, 62.5), (-46.5, 26.5), (-47.5, 23.5))
    return built


def strike(built):
    """Pick up all that was built, with what it holds."""
    for entity in built:
        if entity is not None:
            pickup_entity(entity)


def stock(*prototypes):
    bag = inspect_inventory()
    return {prototype.value[0]: bag[prototype] for prototype in prototypes}


def materials():
    return stock(
        Prototype.IronPlate, Prototype.CopperPlate, Prototype.SteelPlate, Prototype.StoneBrick, Prototype.PlasticBar
    )


def craft_up_to(wanted):
    """Craft by hand until the inventory holds {prototype: number}, in this order."""
    for prototype, number in wanted.items():
        missing = number - inspect_inventory()[prototype]
        if missing > 0:
            craft_item(prototype, missing)
