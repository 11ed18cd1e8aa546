# include: from_nothing_automation_packs
