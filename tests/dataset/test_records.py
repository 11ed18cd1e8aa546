"""Records, rows and the schema."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from fle_ray.dataset.records import TABLES, Record, columns, flows_of
from fle_ray.dataset.rows import flow_rows, record_of, row_of, table_of
from fle_ray.dataset.schema import SCHEMA_VERSION, data_dictionary, schema
from fle_ray.errors import StorageError, UnknownName

from .samples import a_call, a_step, an_episode

HERE = Path(__file__).parent

EXAMPLES: dict[str, Any] = {
    "string": "Zahnräder ⚙\n\x00'\"\\",
    "json": '{"a": [1, null]}',
    "int64": -(2**63),
    "double": 1e-300,
    "bool": True,
    "timestamp": datetime(1999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    "map<string,double>": {"iron-plate": 0.5, "water": 1e9},
    "map<string,int64>": {"iron-plate": 2**53 + 1},
}


def full(kind: type[Record]) -> Record:
    return kind(**{column.attribute: EXAMPLES[column.type] for column in columns(kind)})


def sparse(kind: type[Record]) -> Record:
    """Null in every column that may be, and empty maps."""
    values = {}
    for column in columns(kind):
        if column.null:
            values[column.attribute] = None
        else:
            values[column.attribute] = {} if column.type.startswith("map<") else EXAMPLES[column.type]
    return kind(**values)


@pytest.mark.parametrize("table", TABLES)
def test_every_column_and_every_null_comes_back_from_journal_and_arrow(table: str):
    records = [full(TABLES[table]), sparse(TABLES[table])]
    rows = [json.loads(json.dumps(row_of(record))) for record in records]
    assert [record_of(table, row) for row in rows] == records
    arrow = table_of(table, rows)
    arrow.validate(full=True)
    assert arrow.schema.equals(schema(table))
    assert [record_of(table, row) for row in arrow.to_pylist()] == records
    nullable = {column.name for column in columns(TABLES[table]) if column.null}
    assert {name for name in arrow.schema.names if arrow.column(name).null_count} == nullable


def test_the_key_of_steps_has_the_columns_that_version_1_promises():
    names = schema("steps").names
    for name in "run_id episode_id program_id parent_id agent_idx agent_step try accepted".split():
        assert name in names


def test_the_schema_of_version_1_is_frozen():
    """A changed column needs a new SCHEMA_VERSION and a new file beside this one."""
    frozen = json.loads((HERE / f"schema_v{SCHEMA_VERSION}.json").read_text())
    assert {table: {f.name: str(f.type) for f in schema(table)} for table in TABLES} == frozen


def test_the_committed_data_dictionary_is_current():
    page = HERE.parents[1] / "docs" / "data_dictionary.md"
    assert page.read_text() == data_dictionary(), "run: python -m fle_ray.dataset dictionary --output " + str(page)


def test_every_column_says_what_it_means_and_every_number_of_measure_its_unit():
    for kind in TABLES.values():
        for column in columns(kind):
            assert column.meaning.endswith(".") and column.meaning[0].isupper(), column
            if column.name.endswith("_s"):
                assert column.unit == "s", column
            if column.name.endswith("_usd"):
                assert column.unit == "US dollars", column
            if column.name.endswith("tokens"):
                assert column.unit == "tokens", column


def test_lone_surrogates_of_an_agents_output_become_escapes():
    step = a_step(output="bad \udc80 end", produced={"x\ud800": 1.0})
    row = row_of(step)
    assert row["output"] == "bad \\udc80 end"
    assert row["produced"] == {"x\\ud800": 1.0}
    table_of("steps", [row]).validate(full=True)


def test_numbers_of_numpy_are_taken():
    step = a_step(seed=np.int64(3), reward=np.float32(0.5), success=np.bool_(True), inventory={"coal": np.int32(4)})
    row = row_of(step)
    assert json.loads(json.dumps([row["seed"], row["reward"], row["success"], row["inventory"]])) == [
        3,
        0.5,
        True,
        {"coal": 4},
    ]


def test_meta_may_be_given_as_plain_values():
    assert json.loads(row_of(a_step(meta={"tries": [1, 2]}))["meta"]) == {"tries": [1, 2]}


def test_a_time_in_another_zone_is_stored_as_utc():
    noon_in_tokyo = datetime(2026, 5, 1, 12, tzinfo=timezone(timedelta(hours=9)))
    table = table_of("steps", [row_of(a_step(started_at=noon_in_tokyo))])
    assert table.column("started_at")[0].as_py() == datetime(2026, 5, 1, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reward": "1"}, "steps.reward must be a number, got str '1'"),
        ({"reward": None}, "steps.reward is None, but is never null"),
        ({"seed": 1.5}, "steps.seed must be an integer of at most 64 bits, got float 1.5"),
        ({"seed": True}, "steps.seed must be an integer"),
        ({"seed": 2**63}, "steps.seed must be an integer of at most 64 bits"),
        ({"accepted": 1}, "steps.accepted must be True or False"),
        ({"started_at": datetime(2026, 1, 1)}, "steps.started_at must be a datetime with a time zone"),
        ({"code": b"x"}, "steps.code must be text"),
        ({"inventory": {"coal": 0.5}}, "steps.inventory must be a mapping of names to integers"),
        ({"produced": [("coal", 1)]}, "steps.produced must be a mapping of names to numbers"),
        ({"meta": object()}, "steps.meta must be JSON text"),
    ],
)
def test_a_value_that_does_not_fit_its_column_is_named(change: dict, words: str):
    with pytest.raises(TypeError) as raised:
        row_of(a_step(**change))
    assert words in str(raised.value)


def test_flows_are_the_maps_of_a_step_as_a_long_table():
    step = a_step(produced={"iron-plate": 3.0, "stone": 1.0}, consumed={"iron-ore": 6.0, "stone": 0.5})
    flows = [(flow.item, flow.produced, flow.consumed) for flow in flows_of(step)]
    assert flows == [("iron-ore", 0.0, 6.0), ("iron-plate", 3.0, 0.0), ("stone", 1.0, 0.5)]
    assert [record_of("flows", row) for row in flow_rows([row_of(step)])] == flows_of(step)


def test_an_unknown_column_of_another_version_is_left_out_and_a_missing_one_takes_its_default():
    row = {**row_of(a_call()), "of_the_future": 1}
    del row["microseconds"]
    assert record_of("calls", row) == a_call(microseconds=0)


def test_an_unknown_table_offers_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'episodes'"):
        schema("episode")


def test_a_schema_version_of_the_future_is_refused():
    with pytest.raises(StorageError, match="version 99"):
        schema("steps", 99)


def test_an_empty_table_has_the_whole_schema():
    assert table_of("episodes", []).schema.equals(schema("episodes"))
    assert isinstance(table_of("steps", []).schema.field("produced").type, pa.MapType)


def test_an_episode_row_round_trips():
    assert record_of("episodes", row_of(an_episode())) == an_episode()
