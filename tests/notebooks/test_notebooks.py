"""Every notebook runs from top to bottom on the data that scripts/make_data.py makes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

PROJECT = Path(__file__).parents[2]
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def folder_with_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder laid out as the project is after make_data.py: data/ beside notebooks/."""
    root = tmp_path_factory.mktemp("project")
    (root / "notebooks").mkdir()
    done = subprocess.run(
        [sys.executable, str(PROJECT / "scripts" / "make_data.py"), "--root", str(root / "data")],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return root


def executed(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> nbformat.NotebookNode:
    from jupyter_client.manager import AsyncKernelManager

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]))
    monkeypatch.setenv("IPYTHONDIR", str(folder / ".ipython"))
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as sockets:  # a socket's path must be short
        manager = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=f"{sockets}/kernel")
        where = {"metadata": {"path": str(folder / "notebooks")}}
        try:
            return nbclient.NotebookClient(notebook, km=manager, timeout=120, resources=where).execute()
        finally:
            manager.context.destroy(linger=0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Unclosed socket")  # of the kernel manager, which closes them when collected
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_something(path: Path, folder_with_data: Path, monkeypatch: pytest.MonkeyPatch):
    notebook = executed(path, folder_with_data, monkeypatch)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    errors = [output for output in outputs if output.output_type == "error"]
    assert not errors
    complaints = [o["text"] for o in outputs if o.output_type == "stream" and o["name"] == "stderr"]
    assert complaints == []
    assert any("image/png" in output.get("data", {}) for output in outputs), "no picture was drawn"


def test_the_first_notebook_needs_nothing_of_ours():
    code = "\n".join(
        cell.source for cell in nbformat.read(NOTEBOOKS[0], as_version=4).cells if cell.cell_type == "code"
    )
    assert NOTEBOOKS[0].stem == "01_first_look"
    assert "import pandas" in code
    assert "import fle_ray" not in code and "from fle_ray" not in code


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_a_question_and_is_kept_without_output(path: Path):
    notebook = nbformat.read(path, as_version=4)
    title = notebook.cells[0].source.splitlines()[0]
    assert title.startswith("# ") and title.endswith("?")
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
