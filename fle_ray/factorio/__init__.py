"""The RCON face: the simulator served to FLE's own Python client. See docs/factorio.md."""
