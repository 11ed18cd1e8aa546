"""Run by an interpreter that has FLE: its gym environment plays a program on a served world and judges it.

Usage: python fle_gym.py PORT PROGRAM. Prints one JSON line of what it saw.
"""

import json
import os
import sys
from pathlib import Path

os.environ["FACTORIO_SERVER_ADDRESS"] = "localhost"
os.environ["FACTORIO_SERVER_PORT"] = sys.argv[1]

import fle.env.gym_env.registry  # noqa: E402, F401 - registers the environments
import gym  # noqa: E402
from fle.env.gym_env.action import Action  # noqa: E402

env = gym.make("iron_plate_throughput", run_idx=0, disable_env_checker=True)
env.unwrapped.instance_speed = 1000  # how fast it sleeps
start = env.unwrapped.task.starting_game_state
observation, _ = env.reset(options={"game_state": start})
code = Path(sys.argv[2]).read_text(encoding="utf-8")
after, reward, terminated, _, info = env.step(Action(agent_idx=0, code=code))

# go back to the state in which that step left the world, and wait: the game goes on from there
_, waited, *_ = env.step(Action(agent_idx=0, code="sleep(60)", game_state=info["output_game_state"]))
# go back to the start: there is nothing
empty, again, *_ = env.step(Action(agent_idx=0, code="print(len(get_entities()))", game_state=start))
print(
    json.dumps(
        {
            "inventory": {entry["type"]: int(entry["quantity"]) for entry in observation["inventory"]},
            "output": after["raw_text"],
            "reward": reward,
            "terminated": terminated,
            "ticks": int(info["ticks"]),
            "score": float(info["production_score"]),
            "achievements": info["achievements"],
            "entities": len(after["entities"]),
            "researched": sum(t["researched"] for t in after["research"]["technologies"]),
            "reward a minute later": waited,
            "entities at the start": empty["raw_text"],
            "reward at the start": again,
        }
    )
)
env.unwrapped.instance.rcon_client.close()
