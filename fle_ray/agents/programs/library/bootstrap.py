# The first iron, from burner drills and stone furnaces set up for a while; what is built from it by hand. Needs basics.

# iron plates in one, intermediates included; a boiler is made of a furnace and pipes that are carried
IRON_IN = {Prototype.SteamEngine: 31, Prototype.LongHandedInserter: 3, Prototype.Boiler: 0}


def gather_iron(count, pairs=8):
    """Iron plates into the inventory, at least `count`; everything is picked up again."""
    made = []
    for number in range(pairs):
        x = 17 + 2 * number
        drill = put(Prototype.BurnerMiningDrill, x, 71, Direction.UP)
        furnace = put(Prototype.StoneFurnace, x, 69)
        insert_item(Prototype.Coal, drill, 5)
        insert_item(Prototype.Coal, furnace, 5)
        made.append((drill, furnace))

    def smelted():
        return sum(get_entity(Prototype.StoneFurnace, f.position).furnace_result[Prototype.IronPlate] for _, f in made)

    for _ in range(60):
        if smelted() >= count:
            break
        sleep(5)
    assert smelted() >= count, f"only {smelted()} of {count} plates after five minutes"
    for drill, furnace in made:
        pickup_entity(drill)
        pickup_entity(furnace)


def craft_by_hand(wanted):
    """Craft {prototype: number} by hand, after gathering the iron for it."""
    gather_iron(sum(IRON_IN[prototype] * number for prototype, number in wanted.items()))
    for prototype, number in wanted.items():
        craft_item(prototype, number)
    bag = inspect_inventory()
    print("crafted:", {prototype.value[0]: bag[prototype] for prototype in wanted})
