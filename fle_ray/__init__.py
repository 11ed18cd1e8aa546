"""fle_ray: agents play Factorio by writing programs; every step becomes data."""

__version__ = "0.1.0"
