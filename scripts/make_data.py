"""Make a small dataset to look at: `python scripts/make_data.py [--root data] [--tasks a,b]`.

Plays the same tasks and seeds with four agents that need no model, one run each, and one sweep:

    <root>/demo/scripted   reference programs, for as many tasks as they know
    <root>/demo/idle       does nothing
    <root>/demo/random     small harmless programs in random order
    <root>/demo/clumsy     the pieces of a mine in random order, so that some work and many fail
    <root>/sweep/steps-*   clumsy again, with 4, 8, 16 and 32 steps

The notebooks in notebooks/ read it. Runs that are complete are left as they are, so a second call costs seconds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

TASKS = ("iron_ore_throughput", "iron_plate_throughput", "electronic_circuit_throughput")
SEEDS = (0, 1, 2)
MAX_STEPS = 12

# Each assumes what an earlier one may or may not have done.
CLUMSY_PROGRAMS = (
    "ore = nearest(Resource.IronOre)\nmove_to(ore)\nprint(ore)",
    "print(get_entities())",
    "ore = nearest(Resource.IronOre)\nmove_to(ore)\n"
    "drill = place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, ore)\nprint(drill.drop_position)",
    "drill = insert_item(Prototype.Coal, drill, 20)\nprint(drill.status)",
    "chest = place_entity(Prototype.WoodenChest, Direction.UP, drill.drop_position)",
    "furnace = place_entity_next_to(Prototype.StoneFurnace, drill.position, Direction.DOWN, spacing=0)\n"
    "furnace = insert_item(Prototype.Coal, furnace, 20)",
    "sleep(15)\nprint(extract_item(Prototype.IronOre, chest, 5))",
    "place_entity(Prototype.BurnerMiningDrill, Direction.DOWN, nearest(Resource.CopperOre))",
    "for drill in get_entities({Prototype.BurnerMiningDrill}\n    print(drill)",
    "plates = inspect_inventory()[Prototype.IronPlate]\nassert plates > 0, f'{plates} plates'",
)


def launch(root: Path, configurations: Path, *words: str, sweep: bool = False) -> None:
    """One call of the launcher, in a process of its own; raises CalledProcessError when it fails."""
    flags = ["--config-dir", str(configurations), *(["-m"] if sweep else [])]
    settings = ["runner=serial", "dataset.states=all", f"run.root={root}"]
    command = [sys.executable, "-m", "fle_ray.launch", *flags, "+experiment=lab_play", *settings, *words]
    package = str(Path(__file__).resolve().parent.parent)
    paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths})


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a small dataset for the notebooks and the report.")
    parser.add_argument("--root", type=Path, default=Path("data"), help="folder of all runs; data by default")
    parser.add_argument("--tasks", default=",".join(TASKS), help="names of tasks, with commas between")
    chosen = parser.parse_args()
    tasks = f"tasks=[{chosen.tasks}]"
    seeds = f"seeds={list(SEEDS)}"
    with tempfile.TemporaryDirectory() as folder:
        configurations = Path(folder)
        (configurations / "agent").mkdir()
        (configurations / "agent" / "clumsy.yaml").write_text(
            yaml.safe_dump(
                {"name": "clumsy", "_target_": "fle_ray.agents.random.RandomAgent", "programs": list(CLUMSY_PROGRAMS)}
            )
        )
        for agent in ("scripted", "idle", "random", "clumsy"):
            named = ("name=demo", f"run.id={agent}", f"agent={agent}")
            launch(chosen.root, configurations, *named, tasks, seeds, f"runner.max_steps={MAX_STEPS}")
        launch(
            chosen.root,
            configurations,
            *(
                "name=sweep",
                "run.id=steps",
                "agent=clumsy",
                f"tasks=[{','.join(TASKS[:2])}]",
                f"seeds={list(range(8))}",
            ),
            "runner.max_steps=4,8,16,32",
            sweep=True,
        )


if __name__ == "__main__":
    main()
