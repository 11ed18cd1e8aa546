"""The engine `factorio` over our RCON face keeps the contract of instances.

Needs FLE's client in this interpreter: pip install 'fle-ray[factorio]'.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fle_ray.testing import InstanceContract
from tests.factorio.served import served

pytest.importorskip("factorio_rcon", reason="FLE's client is not installed: pip install 'fle-ray[factorio]'")
from fle_ray.factorio.remote import RemoteInstance

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


class TestServers(InstanceContract):
    exact = False

    @pytest.fixture(autouse=True)
    def worlds(self, tmp_path: Path) -> Iterator[None]:
        with served() as one, served() as other:
            self.pool = {
                "servers": [f"127.0.0.1:{one.port}", f"127.0.0.1:{other.port}"],
                "leases": str(tmp_path),
                "wait_s": 5,
                "revive_s": 0,
            }
            self.made: list[RemoteInstance] = []
            yield
            for instance in self.made:
                instance.close()

    def make_instance(self) -> RemoteInstance:
        self.made.append(RemoteInstance(self.pool, speed=10_000))
        return self.made[-1]
