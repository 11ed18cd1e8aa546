# Machines that make automation and logistic science packs beside a lab, from plates in chests.
# Needs basics and settler.
#
#   gear - packs - LAB - logistic - inserter - circuit     hand on sideways
#                         belt    -  gear      cable       hand on upwards and to the left
#
# Machines stand four tiles apart; each with a chest of plates has it three tiles outside of its centre.


def yard_at(dx, dy):
    return at(yard.x + dx, yard.y + dy)


def stand(prototype, dx, dy, direction=Direction.UP):
    place = yard_at(dx, dy)
    reach(place, 7)
    return place_entity(prototype, direction, place)


def arm(dx, dy, direction):
    return stand(Prototype.Inserter, dx, dy, direction)


def machine(recipe, dx, dy):
    return set_entity_recipe(stand(Prototype.AssemblingMachine1, dx, dy), recipe)


def store(dx, below=False):
    """A chest and an inserter into the machine of column dx, above or below."""
    y, facing = (6, Direction.UP) if below else (-2, Direction.DOWN)
    arm(dx, y, facing)
    return stand(Prototype.WoodenChest, dx, y + 1 if below else y - 1)


def fill(dx, plate, count, below=False):
    place = yard_at(dx, 7 if below else -3)
    reach(place)
    insert_item(plate, get_entity(Prototype.WoodenChest, place), count)


def poles(*places):
    for dx, dy in places:
        stand(Prototype.SmallElectricPole, dx, dy)
