# A workshop that works into chests for a while, and is struck again when there is enough to build from. Needs basics.


def _unit(x, edge, furnaces, chest):
    """Upwards from a drill at the top edge of a field: furnaces one after the other, then a chest."""
    built = [put(Prototype.ElectricMiningDrill, x, edge + 1, Direction.UP), pole(x + 1, edge + 3)]
    y = edge - 2
    for furnace in furnaces:
        built += [put(furnace, x, y), put(Prototype.Inserter, x, y - 2, Direction.UP), pole(x + 1, y - 2)]
        y -= 4
    built.append(put(chest, x, y + 1))
    return built


def workshop(iron=4, steel=2, copper=2, bricks=1, chest=Prototype.WoodenChest):
    """Drills and furnaces that fill chests, one chest a unit. Returns {material: [what each unit is built of]}, but for
    the poles between the fields: they go where later factories leave room.
    """
    electric = Prototype.ElectricFurnace
    units = {"iron": [], "steel": [], "copper": [], "bricks": []}
    for number in range(iron):
        units["iron"].append(_unit(16.5 + 3 * number, 70.5, [electric], chest))
    for number in range(steel):
        units["steel"].append(_unit(16.5 + 3 * (iron + number), 70.5, [electric, electric], chest))
    for number in range(copper):
        units["copper"].append(_unit(-48.5 - 3 * number, 70.5, [electric], chest))
    for number in range(bricks):
        x = -48.5 - 3 * number
        furnace = put(Prototype.StoneFurnace, x, 22)
        insert_item(Prototype.Coal, furnace, 50)
        units["bricks"].append([
            furnace,
            put(Prototype.ElectricMiningDrill, x, 19.5, Direction.DOWN),
            put(Prototype.Inserter, x, 23.5, Direction.DOWN),
            pole(x + 1, 23.5),
            put(chest, x, 24.5),
        ])
    first = get_entity(Prototype.MediumElectricPole, at(17.5, 66.5))
    power_from(first, (14.5, 68.5), (-45.5, 68.5), (-47.5, 66.5), (-46.5, 62.5), (-46.5, 26.5), (-47.5, 23.5))
    return units


def strike(things):
    """Pick up all that was built, with what it holds: an entity, a list, or units by material."""
    if isinstance(things, dict):
        things = list(things.values())
    if isinstance(things, list):
        for thing in things:
            strike(thing)
    else:
        pickup_entity(things)


def fetch(prototype, units, count):
    """`count` of an item out of the chests of some units."""
    for unit in units:
        held = get_entity(Prototype.WoodenChest, unit[-1].position).inventory[prototype]
        if min(held, count) > 0:
            count -= extract_item(prototype, unit[-1], min(held, count))
    assert count == 0, f"{count} {prototype.value[0]} missing"


def put_by(prototype, unit, x, y):
    """What a unit's chest still holds into a new chest at (x, y), out of the way of what is to come."""
    rest = get_entity(Prototype.WoodenChest, unit[-1].position).inventory[prototype]
    store = put(Prototype.WoodenChest, x, y)
    while rest:
        moved = extract_item(prototype, unit[-1], min(rest, 200))
        store = insert_item(prototype, store, moved)
        rest -= moved


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
