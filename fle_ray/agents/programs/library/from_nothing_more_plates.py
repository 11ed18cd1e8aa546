# while packs are made and used, plates for the rest
until(Prototype.IronPlate, 350)
until(Prototype.CopperPlate, 150)
stoke(200)
craft_item(Prototype.AssemblingMachine1, 6)
craft_item(Prototype.Inserter, 12)
for _ in range(15):
    if get_research_progress(Technology.LogisticsSciencePack) == []:
        break
    round_trip()
assert get_research_progress(Technology.LogisticsSciencePack) == [], get_research_progress()
