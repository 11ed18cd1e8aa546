"""A cluster of two nodes on one machine, by Ray's own test kit: the loss of a node loses and repeats nothing."""

from __future__ import annotations

import os
import secrets
import threading
import time

import pytest

from tests.experiment.kit import run, steps_without_times, table
from tests.experiment.test_ray import by_identity, without_ids
from tests.experiment.test_run import PLATE, modelled

pytestmark = [pytest.mark.ray, pytest.mark.slow]


def test_a_run_survives_the_loss_of_a_node(tmp_path, monkeypatch):
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    import ray
    from ray.cluster_utils import Cluster

    ray.shutdown()
    asked = tmp_path / "asked"
    agent = modelled(programs=["x = 1", "x = x + 1\nsleep(x)"], pause_s=0.2)
    options = {"tasks": PLATE, "seeds": [0, 1], "runner": {"max_steps": 15}}
    assert run(tmp_path / "calm", **options, agent={**agent, "asked": None}) == 0

    small = {"num_cpus": 1, "object_store_memory": 100_000_000}
    cluster = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
    try:
        doomed = cluster.add_node(**small)
        cluster.wait_for_nodes()

        def lose_the_node():
            while not asked.exists() or asked.read_text().count("\n") < 10:
                time.sleep(0.02)
            cluster.remove_node(doomed, allow_graceful=False)

        losing = threading.Thread(target=lose_the_node)
        losing.start()
        code = run(
            tmp_path / "hit",
            tasks=PLATE,
            seeds=[0, 1],
            agent={**agent, "asked": str(asked)},
            runner={"backend": "ray", "address": cluster.address, "instances": 2, "max_steps": 15},
        )
        losing.join()
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert code == 0
    hit, calm = (by_identity(without_ids(steps_without_times(tmp_path / where))) for where in ("hit", "calm"))
    assert hit == calm
    assert sorted(e["kind"] for e in table(tmp_path / "hit", "events")) == ["engine_failed", "resumed"]
    assert asked.read_text().count("\n") <= 31  # at most the reply that died with the node is asked for again
