"""Times the value types and their codec: import, construction, encode, decode, JSON.

Run: python scripts/bench_values.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fle_ray.game.codec import decode, encode  # noqa: E402
from fle_ray.game.values import (  # noqa: E402
    BurnerMiningDrill,
    Dimensions,
    Ingredient,
    Inventory,
    Position,
    Prototype,
    TileDimensions,
)

IMPORT = (
    "import time, sys; sys.path.insert(0, {root!r}); import fle_ray; begin = time.perf_counter(); "
    "import fle_ray.game.values; print((time.perf_counter() - begin) * 1e3)"
)


def microseconds(call: Callable[[], object], rounds: int = 5000) -> float:
    """Mean wall time of one call."""
    call()
    begin = time.perf_counter()
    for _ in range(rounds):
        call()
    return (time.perf_counter() - begin) / rounds * 1e6


def drill() -> BurnerMiningDrill:
    return BurnerMiningDrill(
        name="burner-mining-drill",
        position=Position(1, 2),
        energy=1,
        health=200,
        id=3,
        type="mining-drill",
        prototype=Prototype.BurnerMiningDrill,
        fuel=Inventory(coal=3),
        drop_position=Position(0, 1),
        resources=[Ingredient(name="coal", count=300)],
        warnings=["out of fuel"],
        dimensions=Dimensions(width=1.4, height=1.4),
        tile_dimensions=TileDimensions(tile_width=2, tile_height=2),
        remaining_fuel=3,
    )


def main() -> None:
    runs = [
        float(
            subprocess.run(
                [sys.executable, "-s", "-S", "-P", "-c", IMPORT.format(root=str(ROOT))],
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, "PYTHONPATH": ""},
            ).stdout
        )
        for _ in range(6)
    ]
    entity = drill()
    plain = encode(entity)
    text = json.dumps(plain)
    print(f"import fle_ray.game.values   {min(runs[1:]):8.1f} ms")
    for name, call in {
        "Position(x=1.0, y=2.0)": lambda: Position(x=1.0, y=2.0),
        "build a drill": drill,
        "encode it": lambda: encode(entity),
        "decode it": lambda: decode(plain),
        f"its JSON, {len(text)} bytes": lambda: json.loads(json.dumps(plain)),
    }.items():
        print(f"{name:<28} {microseconds(call):8.1f} us")


if __name__ == "__main__":
    main()
