"""The operating system's walls around the child: each applied where the kernel has it, and reported.

These layers are the security boundary. The restricted builtins and imports of `names.py` are a courtesy to
honest programs: code in the same process can get around them and meets these walls.

Numbers are of the Linux ABI (include/uapi/linux: prctl.h, sched.h, landlock.h, seccomp.h, audit.h).
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Callable, Sequence

__all__ = ["apply"]

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SIGKILL = 9

CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000

LANDLOCK_CREATE_RULESET = 444  # the same number on every architecture
LANDLOCK_RESTRICT_SELF = 446
# Rights on files, by the ABI version that brought them: 13 at first, then REFER, TRUNCATE, IOCTL_DEV.
LANDLOCK_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
LANDLOCK_TCP = 0b11  # bind and connect, since ABI 4
LANDLOCK_SCOPES = 0b11  # abstract Unix sockets and signals, since ABI 6

CAPABILITY_VERSION_3 = 0x20080522

SECCOMP_ALLOW = 0x7FFF0000
SECCOMP_ERRNO_EPERM = 0x00050000 | 1
SECCOMP_KILL = 0x80000000
PROT_EXEC = 4

# (audit architecture, capset, calls that are allowed, calls that are allowed without PROT_EXEC).
# Allowed is what CPython needs to compute, to hold memory and to use the pipes that it has. Nothing opens,
# names, starts, signals or connects to anything.
_CALLS: dict[str, tuple[int, int, dict[str, int], dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        126,
        {
            "read": 0, "write": 1, "close": 3, "lseek": 8, "munmap": 11, "brk": 12,
            "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "readv": 19, "writev": 20,
            "sched_yield": 24, "mremap": 25, "madvise": 28, "getpid": 39, "exit": 60, "gettimeofday": 96,
            "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202, "restart_syscall": 219,
            "clock_gettime": 228, "clock_getres": 229, "exit_group": 231,
        },
        {"mmap": 9, "mprotect": 10},
    ),
    "aarch64": (
        0xC00000B7,
        91,
        {
            "read": 63, "write": 64, "close": 57, "lseek": 62, "munmap": 215, "brk": 214,
            "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "readv": 65, "writev": 66,
            "sched_yield": 124, "mremap": 216, "madvise": 233, "getpid": 172, "exit": 93, "gettimeofday": 169,
            "sigaltstack": 132, "gettid": 178, "futex": 98, "restart_syscall": 128,
            "clock_gettime": 113, "clock_getres": 114, "exit_group": 94,
        },
        {"mmap": 222, "mprotect": 226},
    ),
}  # fmt: skip


class _Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


class _Linux:
    """The system calls that Python has no function for."""

    def __init__(self) -> None:
        self._c = ctypes.CDLL(None, use_errno=True)
        self._c.syscall.restype = ctypes.c_long
        self.calls = _CALLS.get(platform.machine())

    def prctl(self, option: int, *arguments: int) -> bool:
        padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
        return self._c.prctl(option, *padded) == 0

    def syscall(self, number: int, *arguments: object) -> int:
        return self._c.syscall(ctypes.c_long(number), *arguments)

    def unshare(self, flags: int) -> bool:
        return self._c.unshare(flags) == 0


def apply(without: Sequence[str], *, memory_bytes: int, keep: Sequence[int], parent: int | None) -> list[str]:
    """Lock this process up for good.

    Args:
        without: layers to leave off.
        memory_bytes: what may be mapped from now on, beyond what is mapped already.
        keep: file descriptors that stay open.
        parent: process id whose death ends this process too; None for none.
    Returns:
        The layers in force, in the order of `limits.LAYERS`.
    """
    linux = _Linux() if sys.platform == "linux" else None
    mapped_bytes = _mapped_bytes()  # asked while there still is a /proc to ask
    layers: dict[str, Callable[[], bool]] = {
        "environment": _clear_environment,
        "descriptors": lambda: _close_all_but(keep),
        "undumpable": lambda: linux is not None and linux.prctl(PR_SET_DUMPABLE, 0),
        "parent_death": lambda: linux is not None and parent is not None and _die_with(linux, parent),
        "no_new_privs": lambda: linux is not None and linux.prctl(PR_SET_NO_NEW_PRIVS, 1),
        "namespaces": lambda: linux is not None and _leave_namespaces(linux),
        "capabilities": lambda: linux is not None and _drop_capabilities(linux),
        "landlock": lambda: linux is not None and _landlock(linux),
        "rlimits": lambda: _lower_limits(mapped_bytes + memory_bytes, keep),
        "seccomp": lambda: linux is not None and _seccomp(linux),
    }
    return [name for name, layer in layers.items() if name not in without and layer()]


def _clear_environment() -> bool:
    os.environ.clear()
    return not os.environ


def _close_all_but(keep: Sequence[int]) -> bool:
    low = 0
    for fd in (*sorted(keep), 4096):
        if low < fd:  # CPython 3.11 takes closerange(0, 0) to mean all of them
            os.closerange(low, fd)
        low = fd + 1
    return True


def _die_with(linux: _Linux, parent: int) -> bool:
    done = linux.prctl(PR_SET_PDEATHSIG, SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        os._exit(0)
    return done


def _leave_namespaces(linux: _Linux) -> bool:
    """An own network (without even a loopback), own System V objects and host name."""
    return linux.unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)


def _lower_limits(memory: int, keep: Sequence[int]) -> bool:
    zero = ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE")
    try:
        for name in zero:
            if hasattr(resource, name):
                resource.setrlimit(getattr(resource, name), (0, 0))
        files = max(keep) + 1  # no descriptor beyond those that are open
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    except (OSError, ValueError):  # not every system lets every limit be set
        return False
    return True


def _mapped_bytes() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _drop_capabilities(linux: _Linux) -> bool:
    if linux.calls is None:
        return False
    header = ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION_3, 0))
    none = ctypes.create_string_buffer(struct.pack("=6I", 0, 0, 0, 0, 0, 0))
    return linux.syscall(linux.calls[1], header, none) == 0


def _landlock(linux: _Linux) -> bool:
    """No file at all, no TCP, no signals or abstract sockets to the world outside."""
    create_version = 1
    abi = linux.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(create_version))
    if abi < 1:
        return False
    files = (1 << LANDLOCK_FILE_RIGHTS[min(abi, max(LANDLOCK_FILE_RIGHTS))]) - 1
    attributes = struct.pack("=Q", files)
    if abi >= 4:
        attributes += struct.pack("=Q", LANDLOCK_TCP)
    if abi >= 6:
        attributes += struct.pack("=Q", LANDLOCK_SCOPES)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    ruleset = linux.syscall(LANDLOCK_CREATE_RULESET, buffer, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        return linux.syscall(LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)


def _seccomp(linux: _Linux) -> bool:
    """Let `_CALLS` through; answer EPERM to every other call, and kill on a foreign architecture."""
    if linux.calls is None:
        return False
    architecture, _, allowed, unless_executable = linux.calls
    program = seccomp_program(architecture, sorted(allowed.values()), sorted(unless_executable.values()))
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_ = _Filter(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    return linux.prctl(PR_SET_SECCOMP, 2, ctypes.addressof(filter_))


def seccomp_program(architecture: int, allowed: Sequence[int], unless_executable: Sequence[int]) -> bytes:
    """The filter as classic BPF: struct sock_filter[] over struct seccomp_data.

    seccomp_data is: u32 call number at 0, u32 architecture at 4, u64 instruction pointer, u64 arguments from
    16 on (little-endian on both machines we know, so the low word of argument 2 stands at 32).
    """
    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    code: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),
        (equal, 1, 0, architecture),
        (give, 0, 0, SECCOMP_KILL),
        (load, 0, 0, 0),
    ]
    # Laid out behind the comparisons: refuse; allow; then the look at the protection bits.
    checks = len(allowed) + len(unless_executable)
    for done, number in enumerate((*allowed, *unless_executable)):
        left = checks - done - 1  # comparisons between this one and `refuse`
        code.append((equal, left + (1 if number in allowed else 2), 0, number))
    code += [
        (give, 0, 0, SECCOMP_ERRNO_EPERM),
        (give, 0, 0, SECCOMP_ALLOW),
        (load, 0, 0, 32),
        (any_bit, 0, 1, PROT_EXEC),
        (give, 0, 0, SECCOMP_ERRNO_EPERM),
        (give, 0, 0, SECCOMP_ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
