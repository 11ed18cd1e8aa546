"""Instances keep their contract."""

from __future__ import annotations

from fle_ray.testing import InstanceContract
from fle_ray.tools import LocalInstance


class TestTheSimulator(InstanceContract):
    def make_instance(self):
        return LocalInstance()
