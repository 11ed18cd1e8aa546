"""Run by an interpreter that has FLE: what its package defines on a server, and what its client can call there.

Usage: python fle_actions.py. Prints one JSON line: `defined`, `called` and `printed`, sorted names of actions.
"""

import json
import re
from importlib.util import find_spec
from pathlib import Path

package = Path(find_spec("fle").submodule_search_locations[0])
defined, printed = set(), set()
for script in package.rglob("*.lua"):
    code = "\n".join(line.split("--")[0] for line in script.read_text(encoding="utf-8").splitlines())
    if "scenarios" not in script.parts:
        defined |= set(re.findall(r"storage\.actions\.(\w+)\s*=\s*function", code))
for module in package.rglob("*.py"):
    text = module.read_text(encoding="utf-8")
    printed |= set(re.findall(r"rcon\.print\(storage\.actions\.(\w+)", text))
# a tool of the client is a folder with both sides; it calls the action of its folder's or its own name
called = set()
for client in (package / "env" / "tools").rglob("client.py"):
    if (client.parent / "server.lua").is_file():
        renamed = re.search(r"self\.name = \"(\w+)\"", client.read_text(encoding="utf-8"))
        called.add(renamed.group(1) if renamed else client.parent.name)
print(json.dumps({"defined": sorted(defined), "called": sorted(called), "printed": sorted(printed)}))
