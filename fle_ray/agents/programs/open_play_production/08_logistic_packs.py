# include: from_nothing_logistic_packs
