# what automation 2 needs: steel processing


def research(technology):
    """Set a research and keep the machines going until it is known."""
    if get_research_progress(technology) == []:
        return
    set_research(technology)
    for _ in range(8):
        round_trip()
        stoke(200)
        if get_research_progress(technology) == []:
            break
    print(technology, get_research_progress(technology))


research(Technology.Logistics)
research(Technology.SteelProcessing)
