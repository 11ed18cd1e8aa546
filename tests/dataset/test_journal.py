"""The journal: durable lines, torn tails."""

from __future__ import annotations

import errno
import json
import os
import random
import zlib
from pathlib import Path

import pytest

from fle_ray.dataset.journal import Journal, decode_line, encode_line, read_journal, set_torn_aside
from fle_ray.errors import StorageError

HEADER = {"run_id": "r", "episode_id": "e", "part": 0, "keep": {"mode": "last", "every": 10}}


def a_journal(folder: Path, steps: int = 3) -> Path:
    path = folder / "e-p000.jsonl"
    journal = Journal.create(path, HEADER)
    for step in range(steps):
        journal.append({"steps": [{"step": step, "output": "line\nbreak"}]})
    journal.close()
    return path


def test_a_line_is_json_that_any_reader_takes_with_a_checksum_of_its_entry():
    line = encode_line({"steps": [{"output": "a\nb", "n": 1}]})
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert json.loads(line)["entry"] == {"steps": [{"output": "a\nb", "n": 1}]}
    body = b'{"steps":[{"output":"a\\nb","n":1}]}'
    assert json.loads(line)["crc32"] == f"{zlib.crc32(body):08x}"


def test_any_single_flipped_bit_of_a_line_is_noticed():
    line = encode_line({"reply": {"agent_idx": 0}})[:-1]
    for position in range(len(line)):
        for bit in range(8):
            damaged = bytearray(line)
            damaged[position] ^= 1 << bit
            assert decode_line(bytes(damaged)) is None


def test_what_was_appended_is_read_back_in_order(tmp_path: Path):
    content = read_journal(a_journal(tmp_path))
    assert [row["step"] for row in content.rows["steps"]] == [0, 1, 2]
    assert content.header == {"format": 1, **HEADER}
    assert content.torn == b"" and content.end is None and not content.sealed


def test_a_live_journal_can_be_read_while_it_is_written(tmp_path: Path):
    journal = Journal.create(tmp_path / "e-p000.jsonl", HEADER)
    journal.append({"steps": [{"step": 0}]})
    assert len(read_journal(journal.path).rows["steps"]) == 1
    journal.append({"steps": [{"step": 1}]})
    assert len(read_journal(journal.path).rows["steps"]) == 2
    journal.close()


def test_a_torn_last_line_is_kept_aside_and_the_journal_goes_on(tmp_path: Path):
    path = a_journal(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"crc32":"0000')
    content = read_journal(path)
    assert len(content.rows["steps"]) == 3
    torn = set_torn_aside(content)
    assert torn is not None
    assert torn.kept_in.name == "e-p000.jsonl.torn-0"
    assert torn.kept_in.read_bytes() == b'{"crc32":"0000'
    assert (torn.bytes, torn.whole_lines) == (14, 0)
    assert path.read_bytes() == whole
    journal = Journal.reopen(read_journal(path))
    journal.append({"steps": [{"step": 3}]})
    journal.close()
    assert [row["step"] for row in read_journal(path).rows["steps"]] == [0, 1, 2, 3]


def test_a_second_torn_tail_does_not_replace_the_first(tmp_path: Path):
    path = a_journal(tmp_path)
    for number, tail in enumerate((b"first", b"second")):
        with path.open("ab") as file:
            file.write(tail)
        assert set_torn_aside(read_journal(path)).kept_in.name == f"e-p000.jsonl.torn-{number}"
    assert (tmp_path / "e-p000.jsonl.torn-0").read_bytes() == b"first"
    assert (tmp_path / "e-p000.jsonl.torn-1").read_bytes() == b"second"


def test_killed_between_saving_a_tail_and_shortening_the_journal_the_tail_is_saved_once(tmp_path: Path):
    path = a_journal(tmp_path)
    with path.open("ab") as file:
        file.write(b"tail")
    (tmp_path / "e-p000.jsonl.torn-0").write_bytes(b"tail")
    set_torn_aside(read_journal(path))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["e-p000.jsonl", "e-p000.jsonl.torn-0"]


def test_damage_in_the_middle_sets_aside_all_that_follows_and_says_how_many_lines_were_whole(tmp_path: Path):
    path = a_journal(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"line", b"lime")
    path.write_bytes(b"".join(lines))
    content = read_journal(path)
    assert [row["step"] for row in content.rows["steps"]] == [0]
    torn = set_torn_aside(content)
    assert torn.whole_lines == 1
    assert torn.kept_in.read_bytes() == lines[2] + lines[3]


def test_a_journal_cut_at_any_byte_gives_its_whole_lines(tmp_path: Path):
    path = a_journal(tmp_path, steps=5)
    data = path.read_bytes()
    draw = random.Random(0)
    for cut in [0, 1, len(data) - 1, *(draw.randrange(len(data)) for _ in range(200))]:
        path.write_bytes(data[:cut])
        whole_lines = data[:cut].count(b"\n")  # newlines within text are escaped, so each ends a line
        content = read_journal(path)
        assert len(content.rows["steps"]) == max(0, whole_lines - 1)
        assert content.whole_bytes + len(content.torn) == cut


def fill_disk(monkeypatch: pytest.MonkeyPatch, after_bytes: int) -> None:
    """Let os.write take `after_bytes` more bytes, then refuse as a full disk does."""
    left = after_bytes
    real = os.write

    def write(fd: int, data) -> int:
        nonlocal left
        if left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = real(fd, bytes(data[:left]))
        left -= written
        return written

    monkeypatch.setattr(os, "write", write)


def test_a_full_disk_leaves_the_journal_as_it_was_and_says_so_once(tmp_path: Path, monkeypatch):
    path = tmp_path / "e-p000.jsonl"
    journal = Journal.create(path, HEADER)
    journal.append({"steps": [{"step": 0}]})
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        fill_disk(patch, 20)
        with pytest.raises(StorageError, match="the disk is full") as raised:
            journal.append({"steps": [{"step": 1}]})
    assert "\n" not in str(raised.value)
    assert path.read_bytes() == before
    journal.append({"steps": [{"step": 1}]})  # there is space again
    journal.close()
    assert [row["step"] for row in read_journal(path).rows["steps"]] == [0, 1]


def test_a_journal_that_cannot_be_mended_takes_no_more(tmp_path: Path, monkeypatch):
    journal = Journal.create(tmp_path / "e-p000.jsonl", HEADER)
    with monkeypatch.context() as patch:
        fill_disk(patch, 20)

        def refuse(fd: int, length: int) -> None:
            raise OSError(errno.EIO, "Input/output error")

        patch.setattr(os, "ftruncate", refuse)
        with pytest.raises(StorageError, match="the disk is full"):
            journal.append({"steps": [{"step": 1}]})
    with pytest.raises(StorageError, match="could not be mended"):
        journal.append({"steps": [{"step": 2}]})
    journal.close()


def test_a_journal_is_not_begun_twice(tmp_path: Path):
    path = a_journal(tmp_path)
    before = path.read_bytes()
    with pytest.raises(StorageError, match="File exists"):
        Journal.create(path, HEADER)
    assert path.read_bytes() == before


def test_a_journal_that_grew_since_it_was_read_is_not_taken_up(tmp_path: Path):
    path = a_journal(tmp_path)
    content = read_journal(path)
    with path.open("ab") as file:
        file.write(encode_line({"steps": []}))
    with pytest.raises(StorageError, match="another process writes it"):
        Journal.reopen(content)


def test_a_format_of_the_future_is_refused_with_its_number(tmp_path: Path):
    path = tmp_path / "e-p000.jsonl"
    path.write_bytes(encode_line({"header": {"format": 2}}))
    with pytest.raises(StorageError, match="journal format 2"):
        read_journal(path)
