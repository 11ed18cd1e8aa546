"""What there is: value types, prototype data, prices, and the contracts of worlds and instances. No behaviour, no I/O."""
