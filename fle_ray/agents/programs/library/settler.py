# From nothing: gathering by hand, burner drills into furnaces or chests, refuelling and collecting on foot.
# Needs basics.

drills, furnaces, chests = [], [], []


def have(prototype):
    return inspect_inventory()[prototype]


def gather(resource, prototype, count):
    """Harvest by hand until the inventory holds `count`."""
    while (missing := count - have(prototype)) > 0:
        move_to(nearest(resource))
        harvest_resource(nearest(resource), missing)


def reach(position, near=8):
    if position.distance(character) > near:
        walk(position)


def walk(position):
    global character
    character = move_to(position)


def miner(resource, target):
    """A burner drill on the ore, dropping down into a furnace or a chest that stands below it."""
    walk(nearest(resource))
    place = nearest_buildable(Prototype.BurnerMiningDrill, BuildingBox(width=2, height=4), nearest(resource))
    walk(place.center)
    drill = place_entity(
        Prototype.BurnerMiningDrill, Direction.DOWN, at(place.left_top.x + 1, place.left_top.y + 1)
    )
    if target == Prototype.StoneFurnace:
        below = place_entity(target, Direction.UP, at(place.left_top.x + 1, place.left_top.y + 3))
        furnaces.append((below.position, resource))
        insert_item(Prototype.Coal, below, 3)
    else:
        drop = drill.drop_position
        below = place_entity(target, Direction.UP, at(drop.x // 1 + 0.5, drop.y // 1 + 0.5))
        chests.append((below.position, resource))
    drills.append(drill.position)
    insert_item(Prototype.Coal, drill, 3)
    return below


def miners(resource, target, count):
    gather(Resource.Coal, Prototype.Coal, 6 * count)
    for _ in range(count):
        craft_item(Prototype.BurnerMiningDrill, 1)
        if have(target) < 1:
            craft_item(target, 1)
        miner(resource, target)


def take(prototype, kind, position, most=1000):
    """Out of a furnace or chest, as long as the inventory holds less than `most`."""
    count = most - have(prototype)
    if count <= 0:
        return
    entity = get_entity(kind, position)
    held = entity.furnace_result if kind == Prototype.StoneFurnace else entity.inventory
    if held[prototype]:
        reach(position)
        extract_item(prototype, position, min(count, held[prototype]))


def collect():
    """All coal, stone and plates from chests and furnaces."""
    for position, resource in chests:
        take(Prototype.Coal if resource == Resource.Coal else Prototype.Stone, Prototype.WoodenChest, position, 400)
    for position, resource in furnaces:
        plate = Prototype.IronPlate if resource == Resource.IronOre else Prototype.CopperPlate
        take(plate, Prototype.StoneFurnace, position)


def refuel(drill=10, furnace=8):
    """Coal into every drill and furnace, up to these numbers."""
    gather(Resource.Coal, Prototype.Coal, 30)
    for places, kind, level in (
        (drills, Prototype.BurnerMiningDrill, drill),
        ([position for position, _ in furnaces], Prototype.StoneFurnace, furnace),
    ):
        for position in places:
            missing = level - get_entity(kind, position).fuel.get(Prototype.Coal, 0)
            if missing <= 0:
                continue
            gather(Resource.Coal, Prototype.Coal, missing)
            reach_fuel(kind, position, missing)


def reach_fuel(kind, position, count):
    walk(position)
    insert_item(Prototype.Coal, get_entity(kind, position), count)


def round_trip(seconds=60):
    """Let the machines work, then collect and refuel."""
    sleep(seconds)
    collect()
    refuel()
    report()


def report():
    bag = inspect_inventory()
    print({p.value[0]: bag[p] for p in (Prototype.Coal, Prototype.Stone, Prototype.IronPlate, Prototype.CopperPlate)})


def until(prototype, count, most=20):
    """Round trips until the inventory holds `count`."""
    for _ in range(most):
        if have(prototype) >= count:
            return
        round_trip()
    assert have(prototype) >= count, f"only {have(prototype)} of {count} {prototype.value[0]}"


def stoke(count):
    """Coal into the chest that feeds the boiler, up to `count`."""
    held = get_entity(Prototype.WoodenChest, bunker.position).inventory[Prototype.Coal]
    if held >= count:
        return
    for position, resource in chests:
        if resource == Resource.Coal:
            take(Prototype.Coal, Prototype.WoodenChest, position, 400)
    gather(Resource.Coal, Prototype.Coal, count - held)
    walk(bunker.position)
    insert_item(Prototype.Coal, get_entity(Prototype.WoodenChest, bunker.position), count - held)
