# A refinery on basic oil at (6.5, 38.5), its gas coming out at the top; needs basics and pumpjacks.


def gas_refinery(jacks, engine):
    refinery = put(Prototype.OilRefinery, 6.5, 38.5)
    refinery = set_entity_recipe(refinery, RecipeName.BasicOilProcessing)
    pipe(jacks[0], refinery)
    power_from(engine, (2.5, 38.5))
    return get_entity(Prototype.OilRefinery, refinery.position)


def plant(recipe, x, y):
    """A chemical plant with its fluid inputs on the lower side."""
    made = put(Prototype.ChemicalPlant, x, y, Direction.UP)
    return set_entity_recipe(made, recipe)


def out_to_chest(x, y, chest=Prototype.WoodenChest):
    """An inserter at (x, y) going up into a chest."""
    put(Prototype.Inserter, x, y, Direction.UP)
    put(chest, x, y - 1)
    pole(x + 1, y)


def water_pump(y=17.5):
    """A second pump on the north pond's east shore."""
    return put(Prototype.OffshorePump, -10.5, y, Direction.RIGHT)
