# include: from_nothing_more_drills
