# include: from_nothing_research
