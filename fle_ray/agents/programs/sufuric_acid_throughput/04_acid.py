# sulfur straight up into the acid plant; iron plates on a belt from the field, acid into a tank
# include: solids
acid = put(Prototype.ChemicalPlant, 6.5, 24.5, Direction.RIGHT)
acid = set_entity_recipe(acid, RecipeName.SulfuricAcid)
print(acid.input_connection_points, acid.output_connection_points)
put(Prototype.Inserter, 6.5, 26.5, Direction.UP)
row = smelting_units(16.5, 1, 70)
belt((18.5, row), (11.5, row), (11.5, 22.5), (6.5, 22.5))
