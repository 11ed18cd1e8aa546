circuits_by_hand(100)
