craft_up_to({Prototype.Inserter: 120, Prototype.LongHandedInserter: 9, Prototype.TransportBelt: 900})
more_steam(3, 10, 3, 7)
print(materials())
