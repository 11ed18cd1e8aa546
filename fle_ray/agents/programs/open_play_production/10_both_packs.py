# include: from_nothing_both_packs
