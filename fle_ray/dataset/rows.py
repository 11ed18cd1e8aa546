"""Records to plain rows (what a journal holds), and rows to Arrow tables and back to records.

A row is a dict of column name to a JSON value, without its nulls and empty maps; a timestamp is an integer of
microseconds since 1970 UTC. Everything Arrow would refuse later is refused or mended here, before a step is
acknowledged, so that a journal can always become Parquet.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pyarrow as pa

from fle_ray.dataset.records import TABLES, Column, Record
from fle_ray.dataset.schema import schema, table_columns

__all__ = ["Row", "flow_rows", "record_of", "row_of", "table_of"]

Row = dict[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INT64 = range(-(2**63), 2**63)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:  # lone surrogates, which no Arrow string can hold
            value = value.encode("utf-8", "backslashreplace").decode()
    return str.__str__(value)


def _json(value: Any) -> str:
    return _text(value if isinstance(value, str) else json.dumps(value))


def _integer(value: Any) -> int:
    if isinstance(value, bool):
        raise TypeError("an integer")
    number = operator.index(value)
    if number not in _INT64:
        raise ValueError("an integer of at most 64 bits")
    return number


def _float(value: Any) -> float:
    if isinstance(value, (bool, str, bytes)):
        raise TypeError("a number")
    return float(value)


def _bool(value: Any) -> bool:
    if value is True or value is False:
        return value
    if type(value).__name__ in ("bool", "bool_"):  # numpy's own
        return bool(value)
    raise TypeError("True or False")


def _timestamp(value: Any) -> int:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TypeError("a datetime with a time zone")
    return (value - _EPOCH) // _MICROSECOND


def _map_of(amount: Callable[[Any], Any]) -> Callable[[Any], dict[str, Any]]:
    def convert(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise TypeError("a mapping of names to numbers")
        return {_text(key): amount(number) for key, number in value.items()}

    return convert


_CONVERTERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "string": (_text, "text"),
    "json": (_json, "JSON text, or a value that JSON can hold"),
    "int64": (_integer, "an integer of at most 64 bits"),
    "double": (_float, "a number"),
    "bool": (_bool, "True or False"),
    "timestamp": (_timestamp, "a datetime with a time zone"),
    "map<string,double>": (_map_of(_float), "a mapping of names to numbers"),
    "map<string,int64>": (_map_of(_integer), "a mapping of names to integers"),
}


@cache
def _plan(kind: type[Record]) -> tuple[tuple[Column, Callable[[Any], Any]], ...]:
    return tuple((column, _CONVERTERS[column.type][0]) for column in table_columns(kind.TABLE))


def row_of(record: Record) -> Row:
    """The plain row of a record.

    Lone surrogates in text become escapes such as `\\udc80`; numbers of numpy become Python's.

    Raises:
        TypeError: a value is of the wrong type, or None in a column that is never null. Names the column.
    """
    row: Row = {}
    for column, convert in _plan(type(record)):
        value = getattr(record, column.attribute)
        if value is None:
            if column.null:
                continue
            raise TypeError(f"{record.TABLE}.{column.name} is None, but is never null. Give it a value.")
        try:
            converted = convert(value)
        except (TypeError, ValueError, OverflowError) as error:
            shown = repr(value)
            shown = shown if len(shown) <= 80 else shown[:77] + "..."
            raise TypeError(
                f"{record.TABLE}.{column.name} must be {_CONVERTERS[column.type][1]}, got "
                f"{type(value).__name__} {shown}."
            ) from error
        if converted != {} or not column.type.startswith("map<"):
            row[column.name] = converted
    return row


def record_of(table: str, row: Mapping[str, Any]) -> Any:
    """The record of a row, whether from a journal or from `pa.Table.to_pylist()`.

    Columns that this version does not know are left out; missing ones take the record's default.
    """
    values: dict[str, Any] = {}
    for column in table_columns(table):
        if column.name not in row:
            if column.null:
                values[column.attribute] = None
            continue
        value = row[column.name]
        if column.type == "timestamp" and isinstance(value, int):
            value = _EPOCH + value * _MICROSECOND
        elif column.type.startswith("map<"):
            value = dict(value or ())
        values[column.attribute] = value
    return TABLES[table](**values)


def flow_rows(steps: Iterable[Row]) -> list[Row]:
    """The rows of `flows` that follow from rows of `steps`; the same as `records.flows_of`."""
    rows = []
    for step in steps:
        produced: dict[str, float] = step.get("produced", {})
        consumed: dict[str, float] = step.get("consumed", {})
        for item in sorted(produced.keys() | consumed.keys()):
            rows.append(
                {
                    "run_id": step["run_id"],
                    "episode_id": step["episode_id"],
                    "program_id": step["program_id"],
                    "step": step["step"],
                    "item": item,
                    "produced": produced.get(item, 0.0),
                    "consumed": consumed.get(item, 0.0),
                }
            )
    return rows


def _map_array(maps: Sequence[Mapping[str, Any]], type_: pa.MapType) -> pa.Array:
    offsets, keys, items = [0], [], []
    for entries in maps:
        keys.extend(entries.keys())
        items.extend(entries.values())
        offsets.append(len(keys))
    return pa.MapArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.array(keys, pa.string()), pa.array(items, type_.item_type)
    ).cast(type_)


def table_of(table: str, rows: Sequence[Row]) -> pa.Table:
    """The Arrow table of rows, with exactly the schema of this version."""
    target = schema(table)
    arrays = []
    for field in target:
        name = field.name
        if pa.types.is_map(field.type):
            arrays.append(_map_array([row.get(name, {}) for row in rows], field.type))
        else:
            arrays.append(pa.array([row.get(name) for row in rows], field.type))
    return pa.Table.from_arrays(arrays, schema=target)
