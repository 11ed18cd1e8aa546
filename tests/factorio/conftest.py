from __future__ import annotations

from collections.abc import Iterator

import pytest

from fle_ray.factorio.server import Server
from tests.factorio.served import served


@pytest.fixture
def server() -> Iterator[Server]:
    with served() as one:
        yield one
