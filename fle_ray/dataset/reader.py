"""Reading runs: finished parts and live journals alike, several runs and schema versions together."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from fle_ray.dataset.journal import JournalContent, read_journal
from fle_ray.dataset.layout import JOURNAL, RUN_STEM, STATES
from fle_ray.dataset.location import Location, locate
from fle_ray.dataset.records import TABLES
from fle_ray.dataset.rows import Row, flow_rows, table_of
from fle_ray.dataset.schema import schema, table_columns
from fle_ray.dataset.states import StateStore
from fle_ray.dataset.swap import old_name
from fle_ray.errors import ConfigError, StorageError, UnknownName

if TYPE_CHECKING:
    import duckdb
    import pandas as pd

__all__ = ["RunData", "open_run", "open_runs"]

Where = ds.Expression | Sequence[Any]


def open_run(path: str | Path) -> RunData:
    """Open one run by its folder or URL. Costs no more than a look at the folder; rows are read when asked for.

    Raises:
        ConfigError: there is no run.
    """
    where = locate(path)
    if not _is_run(where):
        raise ConfigError(
            f"There is no run at {path}: none of manifest.json, steps/, episodes/, journal/ is there. "
            "Give <root>/<experiment>/<run_id>, or use open_runs(<root>)."
        )
    return RunData([_Run(where)])


def open_runs(
    root: str | Path | Iterable[str | Path],
    where: Mapping[str, Any] | Callable[[Mapping[str, Any]], bool] | None = None,
) -> RunData:
    """Open the runs under a root (or a list of roots and runs) as one.

    Args:
        root: `<root>`, `<root>/<experiment>` or a run itself; a path, a URL, or several of them.
        where: which runs: a function of the manifest, or a mapping of manifest key (dots go deeper) to a value,
            a pattern such as "lab_*", or a list of either.

    Raises:
        ConfigError: no run is there, or none that fits `where`.
    """
    roots = [root] if isinstance(root, (str, Path, Location)) else list(root)
    found = [_Run(place) for one in roots for place in _find_runs(locate(one), depth=2)]
    if not found:
        raise ConfigError(f"There are no runs under {', '.join(map(str, roots))}.")
    chosen = [run for run in found if where is None or _fits(run.manifest, where)]
    if not chosen:
        raise ConfigError(f"None of the {len(found)} runs under {', '.join(map(str, roots))} fits {where!r}.")
    return RunData(chosen)


class RunData:
    """One or several runs, read as tables.

    Each of `steps`, `episodes`, `calls`, `messages`, `flows`, `events` is a method that returns a pandas frame:

        run = open_run("data/lab_play/my_run")
        run.episodes(["task", "success", "value"])
        run.steps(where=[("task", "==", "iron_plate_throughput"), ("error_kind", "!=", None)])
        run.sql("select task, avg(success::int) from episodes group by task")

    Every call looks at the disk anew, so a live run grows from call to call. Rows of open journals are there too;
    a step is there once it is acknowledged.
    """

    def __init__(self, runs: Sequence[_Run]) -> None:
        self._runs = list(runs)

    def __repr__(self) -> str:
        ids = [run.run_id for run in self._runs]
        shown = ", ".join(ids[:3]) + (f", ... {len(ids) - 3} more" if len(ids) > 3 else "")
        return f"RunData({shown})"

    @property
    def run_ids(self) -> list[str]:
        """Ids of the runs, in the order of their folders."""
        return [run.run_id for run in self._runs]

    @property
    def manifests(self) -> dict[str, dict[str, Any]]:
        """run_id -> its manifest; empty for a run that has none yet."""
        return {run.run_id: run.manifest for run in self._runs}

    def dataset(self, table: str) -> ds.Dataset:
        """A table as a lazy Arrow dataset, as it is on disk now. Raises UnknownName, StorageError."""
        viewed, target = self._viewed(table)
        return _dataset(table, viewed, target)

    def _viewed(self, table: str) -> tuple[list[tuple[_Run, _View]], pa.Schema]:
        """What of a table is on disk, run by run, and the schema of all of it."""
        table_columns(table)
        viewed = [(run, run.view(table)) for run in self._runs]
        return viewed, _unified(table, [view for _, view in viewed])

    def arrow(self, table: str, columns: Sequence[str] | None = None, where: Where | None = None) -> pa.Table:
        """Rows of a table.

        Args:
            table: its name.
            columns: which ones; all when left out. Only these are read.
            where: which rows, as a pyarrow expression or as pandas' list of (column, operator, value); files
                and row groups that cannot hold any are not read.

        Raises:
            UnknownName: no such table or column.
            StorageError: a file is damaged, or kept being replaced while it was read.
        """
        (rows,) = self._read(table, columns, where, lambda: [self.dataset(table)])
        return rows

    def _of_each_run(self, table: str, columns: Sequence[str] | None, where: Where | None) -> list[pa.Table]:
        """Rows of a table, run by run; otherwise as `arrow`."""

        def datasets() -> list[ds.Dataset]:
            viewed, target = self._viewed(table)
            return [_dataset(table, [one], target) for one in viewed]

        return self._read(table, columns, where, datasets)

    def _read(
        self,
        table: str,
        columns: Sequence[str] | None,
        where: Where | None,
        datasets: Callable[[], list[ds.Dataset]],
    ) -> list[pa.Table]:
        """The rows of datasets of the same schema, which are made anew when files were replaced."""
        condition = _condition(where)
        asked = list(columns) if columns is not None else None
        for _ in range(5):
            found = datasets()
            for column in asked or ():
                if column not in found[0].schema.names:
                    raise UnknownName(f"column of {table}", column, found[0].schema.names)
            try:
                return [data.to_table(columns=asked, filter=condition) for data in found]
            except FileNotFoundError:  # compacted since the folder was listed: list it again
                continue
            except (pa.ArrowInvalid, OSError) as error:
                if "No match for FieldRef" in str(error):
                    raise ConfigError(f"Cannot filter {table} by {where!r}: {error}") from error
                raise StorageError(
                    f"Cannot read {table}: {error}. Find the damaged file with "
                    "`python -m fle_ray.dataset verify <run>`."
                ) from error
        raise StorageError(f"The files of {table} kept being replaced while they were read. Read again.")

    def table(
        self,
        table: str,
        columns: Sequence[str] | None = None,
        where: Where | None = None,
        *,
        swept: bool = False,
    ) -> pd.DataFrame:
        """Rows of a table as a pandas frame, maps as dicts; otherwise as `arrow`.

        Args:
            swept: adds what the runs' sweeps varied, a column a setting, as in `swept`. A setting that has the name
                of one of the table's columns, such as `agent`, is added as `agent_swept`.
        """
        if not swept:
            return self.arrow(table, columns, where).to_pandas(maps_as_pydicts="strict")
        import pandas as pd

        settings = self.swept().drop(columns=["run_id", "sweep_id"])
        tables = self._of_each_run(table, columns, where)
        runs = [number for number, rows in enumerate(tables) for _ in range(len(rows))]
        rows = pa.concat_tables(tables).to_pandas(maps_as_pydicts="strict")
        own = {*schema(table).names, *rows.columns}
        taken = {name: f"{name}_swept" for name in settings.columns if name in own}
        return pd.concat([rows, settings.rename(columns=taken).iloc[runs].reset_index(drop=True)], axis=1)

    def swept(self) -> pd.DataFrame:
        """One row a run: run_id, sweep_id, and a column for each setting that the sweeps varied, e.g. `agent` or
        `runner.max_steps`. Null where a run was no job of a sweep, or its sweep did not vary the setting.
        """
        import pandas as pd

        manifests = [(run.run_id, run.manifest) for run in self._runs]
        rows = [
            {"run_id": run_id, "sweep_id": manifest.get("sweep_id"), **(manifest.get("swept") or {})}
            for run_id, manifest in manifests
        ]
        return pd.DataFrame(rows)

    def steps(
        self, columns: Sequence[str] | None = None, where: Where | None = None, *, swept: bool = False
    ) -> pd.DataFrame:
        """One row a step; see `table`."""
        return self.table("steps", columns, where, swept=swept)

    def episodes(
        self, columns: Sequence[str] | None = None, where: Where | None = None, *, swept: bool = False
    ) -> pd.DataFrame:
        """One row a closed episode; see `table`. `progress` has the open and owed ones too."""
        return self.table("episodes", columns, where, swept=swept)

    def calls(self, columns: Sequence[str] | None = None, where: Where | None = None) -> pd.DataFrame:
        """One row a tool call; see `table`."""
        return self.table("calls", columns, where)

    def messages(self, columns: Sequence[str] | None = None, where: Where | None = None) -> pd.DataFrame:
        """One row a message of a conversation; see `table`."""
        return self.table("messages", columns, where)

    def flows(self, columns: Sequence[str] | None = None, where: Where | None = None) -> pd.DataFrame:
        """One row an item that flowed in a step; see `table`."""
        return self.table("flows", columns, where)

    def events(self, columns: Sequence[str] | None = None, where: Where | None = None) -> pd.DataFrame:
        """One row an event; see `table`."""
        return self.table("events", columns, where)

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Ask DuckDB; the tables go by their names. Filters and columns are pushed down to the files.

        Returns:
            A relation: `.df()` for pandas, `.fetchall()` for tuples, or just look at it.

        Raises:
            ConfigError: duckdb is not installed.
            duckdb.Error: the query is wrong.
        """
        try:
            import duckdb
        except ImportError:
            raise ConfigError("RunData.sql needs DuckDB, which is not installed: pip install duckdb.") from None
        connection = duckdb.connect()
        for table in TABLES:
            connection.register(table, self.dataset(table))
        return connection.sql(query)

    def progress(self) -> pd.DataFrame:
        """One row an episode that was planned, begun or closed, so that denominators can be seen.

        Columns: run_id, episode_id, task, agent, seed, trial, state, status, steps. `state` is complete, owed
        (closed with an error status), in_progress (or left behind by a run that died) or unstarted; planned
        episodes are those that the manifest lists under `plan`.
        """
        import pandas as pd

        identity = ["run_id", "episode_id", "task", "agent", "seed", "trial"]
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        for run in self._runs:
            run_id = run.run_id  # read from the manifest every time it is asked for
            for planned in run.manifest.get("plan") or ():
                known = planned if isinstance(planned, Mapping) else {"episode_id": planned}
                row = {name: known.get(name) for name in identity} | {"run_id": run_id}
                rows[run_id, row["episode_id"]] = row | {"state": "unstarted", "status": None, "steps": 0}
        closed = self.arrow("episodes", [*identity, "status", "steps"]).to_pylist()
        for row in closed:
            state = "complete" if row["status"] == "ended" else "owed"
            rows[row["run_id"], row["episode_id"]] = row | {"state": state}
        done = {key for key, row in rows.items() if row["state"] == "complete"}
        open_journals = {
            (run.run_id, content.header["episode_id"])
            for run in self._runs
            for content in run.journals()
            if content.header and content.end is None and content.header["episode_id"] != RUN_STEM
        }
        for row in self.arrow("steps", identity).group_by(identity).aggregate([([], "count_all")]).to_pylist():
            key = (row["run_id"], row["episode_id"])
            count = row.pop("count_all")
            if key in done:
                continue
            if key not in rows or rows[key]["state"] == "unstarted" or key in open_journals:
                rows[key] = row | {"state": "in_progress", "status": None, "steps": count}
        for key in open_journals - rows.keys():
            rows[key] = dict.fromkeys(identity) | {
                "run_id": key[0],
                "episode_id": key[1],
                "state": "in_progress",
                "status": None,
                "steps": 0,
            }
        frame = pd.DataFrame(rows.values(), columns=[*identity, "state", "status", "steps"])
        return frame.sort_values(["run_id", "task", "agent", "seed", "trial", "episode_id"], ignore_index=True)

    def state(self, address: str) -> bytes:
        """A snapshot by its address (`world_state` or `session_state` of a step).

        Never unpickle the bytes of a session: they came from an agent's program.

        Raises:
            StorageError: no run here has it, or it is damaged.
        """
        for run in self._runs:
            if run.where.local is not None and address in (store := StateStore(run.where.local / STATES)):
                return store.get(address)
        if any(run.where.local is None for run in self._runs):
            raise StorageError(
                f"{self!r} has no state {address}: snapshots stay in the run's local folder. Open that one."
            )
        raise StorageError(f"None of {self!r} has state {address}. It was not kept (dataset.states).")


@dataclass
class _View:
    """A table of one run at one moment."""

    files: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    schema: pa.Schema | None = None


class _Run:
    """A run at the place that was opened.

    Attributes:
        where: that place; its journals and states are there.
    """

    def __init__(self, where: Location) -> None:
        self.where = where
        self._parts: Location | None = None

    @property
    def parts(self) -> Location:
        """Where its finished files are: the same place, or the one that the manifest names as `parts_root`."""
        if self._parts is None:
            manifest = self.manifest
            elsewhere = manifest.get("parts_root")
            if not manifest:
                return self.where  # it may get one yet
            self._parts = locate(elsewhere) if elsewhere and self.where.local is not None else self.where
        return self._parts

    @property
    def run_id(self) -> str:
        return str(self.manifest.get("run_id") or self.where.name)

    @property
    def manifest(self) -> dict[str, Any]:
        place = self.where / "manifest.json"
        try:
            return json.loads(place.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise StorageError(f"{place} is not JSON: {error}. Take it from a copy, or delete it.") from error

    def journals(self) -> list[JournalContent]:
        """The open journals, read now."""
        out = []
        for name in (self.where / JOURNAL).names() if self.where.local is not None else ():
            if name.endswith(".jsonl"):
                try:
                    out.append(read_journal(self.where.local / JOURNAL / name))  # type: ignore[operator]
                except FileNotFoundError:
                    continue  # it became parts in this moment; they are listed after this
        return out

    def view(self, table: str) -> _View:
        """Files and journal rows of a table, each row once.

        A journal's rows count while its part of the same stem is not visible. Journals are read before parts are
        listed; one that vanished meanwhile has become a part (or part of a compacted file), so the parts are
        listed again without it.
        """
        journals = self.journals()
        while True:
            folder, stems = self._stems(table)
            gone = [content for content in journals if not content.path.exists()]
            if not gone:
                break
            journals = [content for content in journals if content not in gone]
        rows: list[Row] = []
        replaced: set[str] = set()
        for content in journals:
            if table == "episodes":
                if content.end is not None:
                    rows.append(content.end)
                    replaced.add(content.end["episode_id"])
            elif content.path.name.removesuffix(".jsonl") not in stems:
                own = content.rows
                rows.extend(flow_rows(own["steps"]) if table == "flows" else own[table])
        files = [f"{folder.path}/{stem}.parquet" for stem in stems if stem not in replaced]
        return _View(files, rows, self._schema(files[0]) if files else None)

    def _stems(self, table: str) -> tuple[Location, list[str]]:
        """A table's folder and the stems of its finished files."""
        parts = self.parts
        for folder in (parts / table, parts / old_name(table), parts / table):
            names = folder.names()
            if names:
                break
        return folder, [n.removesuffix(".parquet") for n in names if n.endswith(".parquet") and n[0] != "."]

    def _schema(self, file: str) -> pa.Schema:
        """A run keeps the schema version it began with, so one file speaks for all."""
        try:
            with self.parts.filesystem.open_input_file(file) as source:
                return pq.read_schema(source)
        except (pa.ArrowInvalid, OSError) as error:
            raise StorageError(
                f"Cannot read {file}: {error}. Check the run with `python -m fle_ray.dataset verify`."
            ) from error


def _is_run(where: Location) -> bool:
    if "manifest.json" in where.names():
        return True
    return not {"steps", "episodes", JOURNAL}.isdisjoint(where.folders())


def _find_runs(where: Location, depth: int) -> list[Location]:
    if _is_run(where):
        return [where]
    if depth == 0:
        return []
    return [run for name in where.folders() if name[0] not in "._" for run in _find_runs(where / name, depth - 1)]


def _fits(manifest: Mapping[str, Any], where: Any) -> bool:
    if callable(where):
        return bool(where(manifest))
    for key, wanted in where.items():
        value: Any = manifest
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        options = wanted if isinstance(wanted, (list, tuple, set)) else [wanted]
        if not any(
            value == option
            or (isinstance(option, str) and isinstance(value, str) and fnmatch.fnmatchcase(value, option))
            for option in options
        ):
            return False
    return True


def _dataset(table: str, viewed: Sequence[tuple[_Run, _View]], target: pa.Schema) -> ds.Dataset:
    """What runs have of a table as a lazy dataset of the schema `target`."""
    children: list[ds.Dataset] = []
    for run, view in viewed:
        if view.files:
            children.append(
                ds.FileSystemDataset.from_paths(
                    view.files,
                    schema=target,
                    format=ds.ParquetFileFormat(),
                    filesystem=run.parts.filesystem,
                )
            )
    live = [row for _, view in viewed for row in view.rows]
    if live or not children:
        children.append(ds.dataset(_widened(table_of(table, live), target)))
    return children[0] if len(children) == 1 else ds.UnionDataset(target, children)


def _unified(table: str, views: Sequence[_View]) -> pa.Schema:
    """Today's schema, and after it the columns that only files of other versions have."""
    schemas = [schema(table)]
    for view in views:
        if view.schema is not None and not any(view.schema.equals(known) for known in schemas):
            schemas.append(view.schema)
    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        raise StorageError(
            f"These runs cannot be read together: a column of {table} has types that do not fit ({error}). "
            "Open them one by one."
        ) from error


def _widened(rows: pa.Table, target: pa.Schema) -> pa.Table:
    arrays = [
        rows.column(column.name).cast(column.type)
        if column.name in rows.schema.names
        else pa.nulls(len(rows), column.type)
        for column in target
    ]
    return pa.Table.from_arrays(arrays, schema=target)


def _condition(where: Where | None) -> ds.Expression | None:
    if where is None or isinstance(where, ds.Expression):
        return where
    parts = []
    for condition in where:
        if len(condition) == 3 and condition[2] is None and condition[1] in ("==", "=", "!="):
            null = ds.field(condition[0]).is_null()
            parts.append(null if condition[1] != "!=" else ~null)
        else:
            parts.append(pq.filters_to_expression([tuple(condition)]))
    combined = parts[0] if parts else None
    for part in parts[1:]:
        combined = combined & part
    return combined
