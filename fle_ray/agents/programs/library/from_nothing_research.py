# both packs are used: automation 2 needs steel processing and logistic science packs
for technology in (Technology.Logistics, Technology.SteelProcessing, Technology.Automation2):
    if get_research_progress(technology) == []:
        continue
    set_research(technology)
    for _ in range(8):
        round_trip()
        stoke(200)
        if get_research_progress(technology) == []:
            break
    print(technology, get_research_progress(technology))
lab = get_entity(Prototype.Lab, yard_at(8, 0))
print(lab.status, lab.lab_input, score())
