"""One explicit Arrow schema per table, and the data dictionary made from it."""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from fle_ray.dataset.records import SCHEMA_VERSION, TABLES, Column, columns
from fle_ray.errors import StorageError, UnknownName

__all__ = ["SCHEMA_VERSION", "data_dictionary", "schema", "table_columns"]

_ARROW_TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "json": pa.string(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "map<string,double>": pa.map_(pa.string(), pa.float64()),
    "map<string,int64>": pa.map_(pa.string(), pa.int64()),
}

_PANDAS_TYPES = {
    "string": "text",
    "json": "text holding JSON",
    "int64": "64-bit integer",
    "double": "64-bit float",
    "bool": "true or false",
    "timestamp": "timestamp",
    "map<string,double>": "map of text to 64-bit float",
    "map<string,int64>": "map of text to 64-bit integer",
}


@cache
def table_columns(table: str) -> tuple[Column, ...]:
    """The columns of a table, in the order of the file.

    Raises:
        UnknownName: no such table.
    """
    if table not in TABLES:
        raise UnknownName("table", table, TABLES, f"Tables are {', '.join(TABLES)}.")
    return columns(TABLES[table])


@cache
def schema(table: str, version: int = SCHEMA_VERSION) -> pa.Schema:
    """The Arrow schema of a table.

    Every field is nullable in Arrow's sense, so that files of versions without it can be read; whether null
    can occur, and what it means, stands in the field's metadata (`meaning`, `unit`, `null`; `never` where it
    cannot).

    Raises:
        UnknownName: no such table.
        StorageError: `version` is none that this package knows.
    """
    if version != SCHEMA_VERSION:
        raise StorageError(
            f"Schema version {version} is unknown; this fle_ray writes version {SCHEMA_VERSION}. "
            "Continue the run with the fle_ray that began it."
        )
    fields = [
        pa.field(
            column.name,
            _ARROW_TYPES[column.type],
            metadata={"meaning": column.meaning, "unit": column.unit, "null": column.null or "never"},
        )
        for column in table_columns(table)
    ]
    return pa.schema(fields, metadata={"fle_ray.table": table, "fle_ray.schema_version": str(SCHEMA_VERSION)})


def data_dictionary() -> str:
    """The page docs/data_dictionary.md, as Markdown."""
    lines = [
        "# Data dictionary",
        "",
        f"Schema version {SCHEMA_VERSION}. Made by `python -m fle_ray.dataset dictionary`; do not edit.",
        "",
        "A map reads as a list of (key, value) pairs in plain pandas: `dict(row)`. Maps are never null, but",
        "may be empty. All timestamps are UTC.",
    ]
    for table, kind in TABLES.items():
        summary = (kind.__doc__ or "").strip().splitlines()[0]
        lines += ["", f"## {table}", "", summary, ""]
        lines += ["| column | type | unit | meaning | null |", "|---|---|---|---|---|"]
        lines += [
            f"| `{c.name}` | {_PANDAS_TYPES[c.type]} | {c.unit} | {c.meaning} | {c.null or 'never'} |"
            for c in table_columns(table)
        ]
    return "\n".join(lines) + "\n"
