"""Finished files at a URL: `dataset.parts_root`, from the run to resuming and reading it."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import time

import pytest

from fle_ray.dataset import open_run, open_runs
from fle_ray.errors import ConfigError, StorageError
from tests.experiment.kit import RUN_ID, run, table

TASKS = ["iron_ore_throughput", "iron_plate_throughput"]


@pytest.fixture
def memory():
    """fsspec's file system in memory, emptied afterwards; the URL of a folder in it."""
    fsspec = pytest.importorskip("fsspec")
    yield "memory://bucket/data"
    fsspec.filesystem("memory").store.clear()


def broken_at_first(tmp_path):
    """An agent whose model's service fails once, at the second step."""
    return {"name": "modelled", "_target_": "tests.fakes.ModelAgent", "down_at": 1, "once": str(tmp_path / "up")}


def what_was_played(root):
    columns = ("episode_id", "program_id", "step", "code", "output", "value", "digest", "produced", "total_tokens")
    return sorted(repr([row[name] for name in columns]) for row in table(root, "steps"))


def lifecycle(tmp_path, root, url):
    """A run with finished files below `root` (a URL, perhaps with a query): owed, resumed, read from both places."""
    agent = broken_at_first(tmp_path)
    assert run(tmp_path / "here", tasks=TASKS, agent=agent, dataset={"parts_root": root}) == 3
    assert not (tmp_path / "here" / "test" / RUN_ID / "steps").exists()
    assert sorted(open_run(url).progress()["state"]) == ["complete", "owed"]
    assert run(tmp_path / "here", tasks=TASKS, agent=agent, dataset={"parts_root": root}) == 0
    # The same steps as a run with local files, whether opened at the URL or at the run's own folder.
    assert run(tmp_path / "local", tasks=TASKS, agent=agent) == 0
    played = open_run(url)
    assert played.manifests[RUN_ID]["status"] == "complete" and list(played.progress()["state"]) == ["complete"] * 2
    assert what_was_played(tmp_path / "here") == what_was_played(tmp_path / "local")
    assert len(what_was_played(tmp_path / "here")) == 8
    assert len(played.steps()) == 8 and list(played.steps(where=[("step", "==", 3)])["agent_step"]) == [3, 3]
    assert len(played.sql("select * from episodes where status = 'ended'").fetchall()) == 2
    # Nothing is left to play, and nothing is played again.
    assert run(tmp_path / "here", tasks=TASKS, agent=agent, dataset={"parts_root": root}) == 0
    assert len(open_run(url).steps()) == 8


def test_a_run_with_its_files_in_memory_is_played_resumed_and_read(tmp_path, memory):
    lifecycle(tmp_path, memory, f"{memory}/test/{RUN_ID}")
    assert open_runs(memory, where={"name": "test"}).run_ids == [RUN_ID]


def test_a_folder_elsewhere_is_read_through_the_runs_own_folder_too(tmp_path):
    assert run(tmp_path / "here", dataset={"parts_root": str(tmp_path / "there")}) == 0
    assert len(table(tmp_path / "here", "steps")) == 2
    assert open_run(tmp_path / "there" / "test" / RUN_ID).manifests[RUN_ID]["status"] == "complete"


def test_the_words_at_the_runs_end_open_files_that_are_elsewhere(tmp_path, memory):
    from rich.console import Console

    from fle_ray.experiment.run import Invocation, run_experiment
    from tests.experiment.kit import config

    said = io.StringIO()
    wanted = config(tmp_path, dataset={"parts_root": memory}, runner={"progress": "plain"})
    run_experiment(wanted, Invocation(), console=Console(file=said, width=200))
    lines = said.getvalue().partition("to open it:")[2]
    names: dict = {}
    exec("\n".join(line.strip() for line in lines.splitlines()), names)
    assert len(names["episodes"]) == 1 and len(names["steps"]) == 2


def test_a_run_cannot_go_on_with_its_files_elsewhere(tmp_path, memory):
    run(tmp_path, dataset={"parts_root": memory})
    with pytest.raises(ConfigError, match="has its finished files at memory://bucket/data/test/r1"):
        run(tmp_path)
    with pytest.raises(ConfigError, match="Give the same, or another run.id"):
        run(tmp_path, dataset={"parts_root": str(tmp_path / "there")})


def test_a_snapshot_asked_for_at_the_url_is_said_to_be_in_the_local_folder(tmp_path, memory):
    run(tmp_path, dataset={"parts_root": memory})
    address = table(tmp_path, "steps")[-1]["world_state"]
    assert open_run(tmp_path / "test" / RUN_ID).state(address)
    with pytest.raises(StorageError, match="snapshots stay in the run's local folder"):
        open_run(f"{memory}/test/{RUN_ID}").state(address)


def test_a_password_in_the_url_is_written_down_nowhere(tmp_path, memory):
    from fle_ray.config import redacted

    assert redacted({"parts_root": "s3://me:hunter2@bucket/x?region=eu"}) == {
        "parts_root": "s3://<redacted>@bucket/x?region=eu"
    }
    assert redacted("mail a@b, see s3://bucket/a@b") == "mail a@b, see s3://bucket/a@b"


# ---- an object store


@pytest.fixture(scope="module")
def object_store():
    """The port of a local S3 (moto's server), with an empty bucket named `bucket`."""
    pytest.importorskip("moto", reason="moto is not installed: pip install 'moto[server]'")
    pytest.importorskip("flask", reason="moto's server needs flask: pip install 'moto[server]'")
    import pyarrow.fs as pafs

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    keys = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_EC2_METADATA_DISABLED": "true"}
    before = dict(os.environ)
    os.environ.update(keys)
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < deadline, "moto's server did not start"
                time.sleep(0.2)
        store = pafs.S3FileSystem(
            endpoint_override=f"127.0.0.1:{port}", scheme="http", region="us-east-1", allow_bucket_creation=True
        )
        store.create_dir("bucket")
        yield port
    finally:
        server.terminate()
        server.wait(10)
        os.environ.clear()
        os.environ.update(before)


@pytest.mark.slow
def test_a_run_with_its_files_in_an_object_store_is_played_resumed_and_read(tmp_path, object_store):
    query = f"?scheme=http&endpoint_override=127.0.0.1%3A{object_store}&region=us-east-1"
    lifecycle(tmp_path, f"s3://bucket/data{query}", f"s3://bucket/data/test/{RUN_ID}{query}")
    assert open_runs(f"s3://bucket/data{query}").run_ids == [RUN_ID]
    manifest = json.loads((tmp_path / "here" / "test" / RUN_ID / "manifest.json").read_text())
    assert manifest["parts_root"] == f"s3://bucket/data/test/{RUN_ID}{query}"


@pytest.mark.slow
def test_fsspecs_s3_works_as_well(tmp_path, object_store, monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{object_store}")
    import pyarrow.fs as pafs

    from fle_ray.dataset.location import Location
    from fle_ray.dataset.writer import RunWriter
    from tests.dataset.samples import a_step, an_episode

    handler = pafs.PyFileSystem(pafs.FSSpecHandler(fsspec.filesystem("s3")))
    place = Location(handler, "bucket/by_fsspec/run-1", None)
    with RunWriter(tmp_path / "run-1", parts_root=place) as writer:
        writer.append(a_step(0))
        writer.finish_episode(an_episode(steps=1))
    assert len(open_run(place).steps()) == 1
