"""What a hostile program starts with: the real modules, past the names that programs are given."""

from __future__ import annotations

# `os` is the dictionary of the real module os; `real(name)` a module that is loaded; `import_(name)` the real
# import; `libc` the C library; `wire` the program's own end of the pipes.
ESCAPE = """
os = next(c for c in object.__subclasses__() if c.__name__ == '_wrap_close').__init__.__globals__
real = os['sys'].modules.__getitem__
import_ = real('importlib').import_module
ctypes = real('ctypes')
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
session = sleep._call.__self__
wire = session._wire
"""


def hostile(code: str) -> str:
    """A program of `code` that has got around the restricted names."""
    return ESCAPE + code
