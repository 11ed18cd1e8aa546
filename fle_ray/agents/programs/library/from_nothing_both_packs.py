# automation 2 takes both packs
research(Technology.Automation2)
assert get_research_progress(Technology.Automation2) == []
print(score())
