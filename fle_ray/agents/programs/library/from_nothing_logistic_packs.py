# machines for logistic science packs, in the yard beside the lab
machine(Prototype.LogisticsSciencePack, 12, 0)
machine(Prototype.Inserter, 16, 0)
machine(Prototype.ElectronicCircuit, 20, 0)
machine(Prototype.TransportBelt, 12, 4)
machine(Prototype.IronGearWheel, 16, 4)
machine(Prototype.CopperCable, 20, 4)
for dx, dy, way in (
    (10, 0, Direction.LEFT), (14, 0, Direction.LEFT), (18, 0, Direction.LEFT), (14, 4, Direction.LEFT),
    (12, 2, Direction.UP), (16, 2, Direction.UP), (20, 2, Direction.UP),
):
    arm(dx, dy, way)
for column, below in ((16, False), (20, False), (12, True), (16, True), (20, True)):
    store(column, below)
until(Prototype.IronPlate, 800)
until(Prototype.CopperPlate, 260)
for column, below, plate, count in (
    (16, False, Prototype.IronPlate, 90), (20, False, Prototype.IronPlate, 90), (12, True, Prototype.IronPlate, 60),
    (16, True, Prototype.IronPlate, 240), (20, True, Prototype.CopperPlate, 130), (0, False, Prototype.IronPlate, 240),
    (4, False, Prototype.CopperPlate, 120),
):
    fill(column, plate, count, below)
stoke(300)
set_research(Technology.Logistics)
round_trip()
for kind in (Prototype.AssemblingMachine1, Prototype.Lab):
    for entity in get_entities({kind}):
        print(entity.name, entity.position, entity.status, entity.warnings)
