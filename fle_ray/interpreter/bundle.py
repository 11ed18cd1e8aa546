"""The code that a child runs, packed once for all children of a process.

The child is started without site-packages and must not read the package folder again and again (nor compile it
where no .pyc can be written), so it gets the compiled modules over its pipe.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import marshal
from importlib.machinery import ModuleSpec
from pathlib import Path

__all__ = ["START", "code_bundle"]

_PACKAGE = __name__.partition(".")[0]
_MAIN = "fle_ray.interpreter.child.main"

# What `python -c` runs: take the bundle from descriptor 0 (eight bytes of length, then marshalled
# {module: (path, folder or None, code or None)}), offer its modules to `import`, start main().
# No garbage is collected until main() is ready to serve: a start makes little, and looking for it takes its time.
START = """
import gc, marshal, os, sys
gc.disable()
from importlib.machinery import ModuleSpec
def read(count):
    parts = []
    while count:
        part = os.read(0, count)
        if not part: os._exit(0)
        parts.append(part); count -= len(part)
    return b"".join(parts)
bundle = marshal.loads(read(int.from_bytes(read(8), "big")))
class Bundle:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in bundle:
            origin, folder, code = bundle[name]
            spec = ModuleSpec(name, Bundle, origin=origin, is_package=folder is not None)
            spec.has_location = True
            if folder is not None: spec.submodule_search_locations = [folder]
            return spec
    @staticmethod
    def create_module(spec): return None
    @staticmethod
    def exec_module(module):
        code = bundle[module.__name__][2]
        if code is not None: exec(code, vars(module))
sys.meta_path.insert(0, Bundle)
from fle_ray.interpreter.child.main import main
main()
"""


@functools.cache
def code_bundle(*modules: str) -> bytes:
    """The child's modules, `modules` and all of ours that they import, as the child's start expects them.

    The `__init__` of a package runs only where a module imports that package itself or a name from it; packages
    that are merely on the way stay empty. A module that is imported inside a function only is packed as well;
    data files can be read from the package folder until the child locks itself up.
    """
    packed: dict[str, tuple[str | None, str | None, object]] = {}
    on_the_way: dict[str, str] = {}
    waiting = [_MAIN, *modules]
    while waiting:
        name = waiting.pop()
        if name in packed:
            continue
        spec = _find(name)
        if spec is None or spec.origin is None or spec.loader is None:
            raise ImportError(f"The child's module {name} is not there.")
        folder = spec.submodule_search_locations[0] if spec.submodule_search_locations else None
        packed[name] = (spec.origin, folder, spec.loader.get_code(name))
        _add_packages(name, on_the_way)
        package = name if folder is not None else name.rpartition(".")[0]
        waiting += _own_imports(Path(spec.origin).read_text(encoding="utf-8"), package)
    for name, folder in on_the_way.items():
        packed.setdefault(name, (None, folder, None))
    body = marshal.dumps(packed)
    return len(body).to_bytes(8, "big") + body


def _find(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:  # of `from module import thing`, the thing is no module
        return None


def _add_packages(name: str, packages: dict[str, str]) -> None:
    parent = name.rpartition(".")[0]
    while parent and parent not in packages:
        packages[parent] = importlib.util.find_spec(parent).submodule_search_locations[0]
        parent = parent.rpartition(".")[0]


def _own_imports(source: str, package: str) -> list[str]:
    """The modules of this project that a module's text imports; `package` is what `from .` is relative to."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            module = importlib.util.resolve_name(relative, package) if node.level else relative
            if module.partition(".")[0] != _PACKAGE:
                continue
            spec = _find(module)
            is_package = spec is not None and spec.submodule_search_locations is not None
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                found.append(inner if is_package and _find(inner) else module)
    return [name for name in found if name.partition(".")[0] == _PACKAGE]
