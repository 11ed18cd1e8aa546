"""The journal: JSON lines that make a step durable before it counts as acknowledged.

Each line is one JSON object `{"crc32":"<8 hex>","entry":<entry>}`; the checksum is over the entry's bytes.
All records of a step stand in one line, so a step is there whole or not at all. The first line is the header.
An entry is a dict with one or more of:

    header      format, schema_version, run_id, episode_id, part, keep
    steps, calls, messages, events    lists of rows (fle_ray.dataset.rows)
    reply       a model's reply that no step holds yet: agent_idx, agent_step, try, reply
    end         the row of `episodes`: the episode is closed, its parts may be written
    sealed      true: this part is full, a further journal goes on

A write that was cut short leaves a torn tail: whatever follows the last whole line. Readers leave it out, the
next writer moves it to `<name>.torn-<n>` beside the journal.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fle_ray.dataset.layout import atomic_file, fsync_folder, storage_errors
from fle_ray.errors import StorageError

__all__ = [
    "Journal",
    "JournalContent",
    "TornTail",
    "decode_line",
    "encode_line",
    "read_journal",
    "set_torn_aside",
]

FORMAT = 1
_PREFIX = b'{"crc32":"'
_BETWEEN = b'","entry":'
_BODY = len(_PREFIX) + 8 + len(_BETWEEN)
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_fsync_data = getattr(os, "fdatasync", os.fsync)


def encode_line(entry: Mapping[str, Any]) -> bytes:
    """One journal line, newline included."""
    body = _encode(entry).encode()
    return b"%s%08x%s%s}\n" % (_PREFIX, zlib.crc32(body), _BETWEEN, body)


def decode_line(line: bytes) -> dict[str, Any] | None:
    """The entry of a line without its newline; None when the line is damaged."""
    if not line.startswith(_PREFIX) or line[_BODY - len(_BETWEEN) : _BODY] != _BETWEEN or line[-1:] != b"}":
        return None
    body = line[_BODY:-1]
    if b"%08x" % zlib.crc32(body) != line[len(_PREFIX) : len(_PREFIX) + 8]:
        return None
    return json.loads(body)


@dataclass(slots=True)
class JournalContent:
    """What a journal holds.

    Attributes:
        path: where it was read.
        header: its first entry; empty when not even that was written.
        rows: table -> rows, in order. `steps`, `calls`, `messages`, `events`.
        replies: entries `reply`, in order.
        end: the row of `episodes`; None while the episode is open.
        sealed: whether a further journal goes on.
        whole_bytes: length of the whole lines.
        torn: what follows them, b"" when nothing does.
    """

    path: Path
    header: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, list[dict[str, Any]]] = field(
        default_factory=lambda: {"steps": [], "calls": [], "messages": [], "events": []}
    )
    replies: list[dict[str, Any]] = field(default_factory=list)
    end: dict[str, Any] | None = None
    sealed: bool = False
    whole_bytes: int = 0
    torn: bytes = b""

    def add(self, entry: Mapping[str, Any]) -> None:
        """Take in one more entry."""
        if "header" in entry:
            self.header = entry["header"]
        for table, rows in self.rows.items():
            rows.extend(entry.get(table, ()))
        if "reply" in entry:
            self.replies.append(entry["reply"])
        if "end" in entry:
            self.end = entry["end"]
        if entry.get("sealed"):
            self.sealed = True


def read_journal(path: Path) -> JournalContent:
    """Read a journal, live or left behind; never changes it.

    Reading stops at the first damaged line: from there on all bytes are `torn`.

    Raises:
        FileNotFoundError: it is gone (its parts are visible then).
        StorageError: it was written in a format this package does not know.
    """
    data = path.read_bytes()
    content = JournalContent(path)
    start = 0
    while (newline := data.find(b"\n", start)) >= 0:
        entry = decode_line(data[start:newline])
        if entry is None:
            break
        start = newline + 1
        content.add(entry)
        if content.header.get("format", FORMAT) != FORMAT:
            raise StorageError(
                f"{path} has journal format {content.header['format']!r}; this fle_ray reads format {FORMAT}. "
                "Read it with the fle_ray that wrote it."
            )
    content.whole_bytes = start
    content.torn = data[start:]
    return content


@dataclass(frozen=True, slots=True)
class TornTail:
    """Bytes that were set aside because no whole line holds them.

    Attributes:
        journal: the journal they stood in.
        kept_in: the file that holds them now.
        bytes: how many; whole_lines: undamaged lines among them (0 after a write that was cut short; more
            means the disk lost something in the middle).
    """

    journal: Path
    kept_in: Path
    bytes: int
    whole_lines: int


def set_torn_aside(content: JournalContent) -> TornTail | None:
    """Move a journal's torn tail to a file of its own and shorten the journal to its whole lines.

    Killed in between, the bytes stand in both; the next call finds them saved already.
    """
    if not content.torn:
        return None
    path = content.path
    whole = sum(decode_line(line) is not None for line in content.torn.split(b"\n"))
    with storage_errors(f"set the torn tail of {path} aside"):
        number = 0
        while True:
            target = path.with_name(f"{path.name}.torn-{number}")
            if not target.exists():
                with atomic_file(target) as temporary:
                    temporary.write_bytes(content.torn)
                break
            if target.read_bytes() == content.torn:
                break
            number += 1
        fd = os.open(path, os.O_WRONLY)
        try:
            os.ftruncate(fd, content.whole_bytes)
            os.fsync(fd)
        finally:
            os.close(fd)
    return TornTail(path, target, len(content.torn), whole)


class Journal:
    """An open journal; the only writer of its file."""

    def __init__(self, path: Path, fd: int, length: int, *, fsync: bool = True) -> None:
        self.path = path
        self._fd = fd
        self._length = length
        self._fsync = fsync
        self._broken = ""

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any], *, fsync: bool = True) -> Journal:
        """A new journal, durable with its header before this returns.

        Raises:
            StorageError: it exists already, or cannot be written.
        """
        with storage_errors(f"begin the journal {path}"):
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            journal = cls(path, fd, 0, fsync=fsync)
            try:
                journal.append({"header": {"format": FORMAT, **header}})
                if fsync:
                    fsync_folder(path.parent)
            except BaseException:
                journal.close()
                path.unlink(missing_ok=True)
                raise
        return journal

    @classmethod
    def reopen(cls, content: JournalContent, *, fsync: bool = True) -> Journal:
        """Go on with a journal that was read, its torn tail having been set aside."""
        with storage_errors(f"go on with the journal {content.path}"):
            fd = os.open(content.path, os.O_WRONLY | os.O_APPEND)
            length = os.fstat(fd).st_size
        if length != content.whole_bytes:
            os.close(fd)
            raise StorageError(
                f"{content.path} is {length} bytes long, but {content.whole_bytes} were read: another "
                "process writes it. Stop that one first."
            )
        return cls(content.path, fd, length, fsync=fsync)

    def append(self, entry: Mapping[str, Any]) -> int:
        """Write one entry and wait until it is on the disk; returns the bytes written.

        Raises:
            StorageError: it could not be made durable. The journal is as before the call.
        """
        if self._broken:
            raise StorageError(self._broken)
        line = encode_line(entry)
        with storage_errors(f"write to the journal {self.path}"):
            try:
                view = memoryview(line)
                while view:
                    view = view[os.write(self._fd, view) :]
                if self._fsync:
                    _fsync_data(self._fd)
            except BaseException:
                self._take_back()
                raise
        self._length += len(line)
        return len(line)

    def _take_back(self) -> None:
        """Shorten the file to what was acknowledged; when even that fails, refuse all further writes."""
        try:
            os.ftruncate(self._fd, self._length)
        except OSError as error:
            self._broken = (
                f"The journal {self.path} could not be mended after a failed write ({error.strerror}). "
                "Resume the run: the torn tail is set aside then."
            )

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
