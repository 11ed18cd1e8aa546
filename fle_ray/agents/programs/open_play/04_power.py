# include: from_nothing_power
