# a lab, powered; ten packs by hand for automation
until(Prototype.IronPlate, 100)
until(Prototype.CopperPlate, 50)
box = nearest_buildable(Prototype.Lab, BuildingBox(width=29, height=18), at(0, 0))
yard = at(box.left_top.x + 4.5, box.left_top.y + 7.5)
craft_item(Prototype.Lab, 1)
stand(Prototype.Lab, 8, 0)
gather(Resource.Wood, Prototype.Wood, 20)
craft_item(Prototype.SmallElectricPole, 20)
poles((2, -2), (8, -2), (14, -2), (18, -2), (14, 2), (18, 2), (14, 6), (18, 6))
edges = [(-3, -2), (23, -2), (8, -6), (14, 9)]
poles(*edges)
gate = min((yard_at(*edge) for edge in edges), key=lambda place: place.distance(engine.position))
connect_entities(
    engine, get_entity(Prototype.SmallElectricPole, gate), connection_type=Prototype.SmallElectricPole
)
sleep(2)
craft_item(Prototype.AutomationSciencePack, 10)
walk(yard_at(6, -2))
lab = insert_item(Prototype.AutomationSciencePack, get_entity(Prototype.Lab, yard_at(8, 0)), 10)
set_research(Technology.Automation)
print(lab.status, lab.warnings)
round_trip(110)
assert get_research_progress(Technology.Automation) == [], get_entity(Prototype.Lab, yard_at(8, 0)).warnings
