# include: basics
# include: settler
# include: from_nothing_by_hand
