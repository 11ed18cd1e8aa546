"""Snapshots by address."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pyarrow as pa
import pytest

from fle_ray.dataset.states import KeepStates, StateStore, state_address
from fle_ray.errors import ConfigError, StorageError


@pytest.fixture
def store(tmp_path: Path) -> StateStore:
    return StateStore(tmp_path / "states")


def test_bytes_come_back_under_the_hash_of_their_own(store: StateStore):
    data = bytes(range(256)) * 100
    address = store.put(data)
    assert address == hashlib.blake2b(data, digest_size=16).hexdigest() == state_address(data)
    assert store.get(address) == data
    assert address in store
    assert store.path_of(address).relative_to(store.root).parts == (address[:2], f"{address}.zst")


@pytest.mark.parametrize("data", [b"", b"x", os.urandom(100_000)])
def test_any_bytes_can_be_stored(store: StateStore, data: bytes):
    assert store.get(store.put(data)) == data


def test_a_world_goes_by_its_digest(store: StateStore):
    digest = "00ff" * 8
    assert store.put(b"world", digest) == digest
    assert store.get(digest) == b"world"


def test_equal_states_are_stored_once(store: StateStore):
    address = store.put(b"same")
    before = store.path_of(address).stat()
    time.sleep(0.01)
    assert store.put(b"same") == address
    after = store.path_of(address).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert list(store.addresses()) == [address]


def test_a_state_is_compressed_and_any_zstd_reader_unpacks_it(store: StateStore):
    data = b"belt " * 10_000
    path = store.path_of(store.put(data))
    assert path.stat().st_size < len(data) / 10
    raw = path.read_bytes()
    # RFC 8878, 3.1.2: a skippable frame is 4 bytes of magic 0x184D2A5?, 4 bytes of length, then that many bytes
    assert int.from_bytes(raw[:4], "little") & 0xFFFFFFF0 == 0x184D2A50
    body = raw[8 + int.from_bytes(raw[4:8], "little") :]
    assert pa.input_stream(pa.BufferReader(body), compression="zstd").read() == data


def test_a_damaged_state_is_not_given_out(store: StateStore):
    address = store.put(b"important " * 100)
    path = store.path_of(address)
    good = path.read_bytes()
    for position in range(len(good)):
        path.write_bytes(good[:position] + bytes([good[position] ^ 0x40]) + good[position + 1 :])
        with pytest.raises(StorageError, match="damaged"):
            store.get(address)
    path.write_bytes(good[:5])
    with pytest.raises(StorageError, match="damaged"):
        store.get(address)


def test_a_state_that_is_not_there_says_why_that_may_be(store: StateStore):
    with pytest.raises(StorageError, match="not kept"):
        store.get("ab" * 16)


@pytest.mark.parametrize("address", ["../../etc/passwd", "", "ABCDEF0123", "xyz", None])
def test_an_address_cannot_lead_elsewhere(store: StateStore, address):
    with pytest.raises(ValueError, match="hex digits"):
        store.path_of(address)


def test_temporary_files_of_a_killed_writer_are_swept(store: StateStore):
    address = store.put(b"kept")
    left = store.path_of(address).with_name(f".{'ab' * 16}.zst.tmp-12345")
    left.write_bytes(b"half")
    assert store.sweep() == [left]
    assert not left.exists()
    assert list(store.addresses()) == [address]


def test_the_rules_keep_all_every_nth_or_none_but_the_last():
    kept = {
        rule: [step for step in range(20) if KeepStates(rule, 10).keeps(step)] for rule in ("all", "every_n", "last")
    }
    assert kept == {"all": list(range(20)), "every_n": [9, 19], "last": []}


@pytest.mark.parametrize("arguments", [("some",), ("every_n", 0), ("every_n", 2.5), ("every_n", True)])
def test_a_wrong_rule_is_refused(arguments):
    with pytest.raises(ConfigError, match="expected"):
        KeepStates(*arguments)
