"""How `connect_entities` works: what is at the ends, where the line runs, what has to be laid.

Everything is planned first, on a sketch over the map, and only then laid: a plan that does not come off changes
nothing. `ends` says what a waypoint is, `route` finds ways over tiles and under them, one module a kind (`belts`,
`pipes`, `poles`, `walls`) turns both into pieces, `laying` builds them.
"""
