# include: science_yard
# include: from_nothing_lab
