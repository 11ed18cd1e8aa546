# include: from_nothing_burner_drills
