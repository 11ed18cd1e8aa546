"""The tools by name: what a program may call, and which calls let the world settle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fle_ray.tools.can_place_entity import can_place_entity
from fle_ray.tools.connect_entities import connect_entities
from fle_ray.tools.craft_item import craft_item
from fle_ray.tools.extract_item import extract_item
from fle_ray.tools.get_connection_amount import get_connection_amount
from fle_ray.tools.get_entities import get_entities
from fle_ray.tools.get_entity import get_entity
from fle_ray.tools.get_prototype_recipe import get_prototype_recipe
from fle_ray.tools.get_research_progress import get_research_progress
from fle_ray.tools.get_resource_patch import get_resource_patch
from fle_ray.tools.harvest_resource import harvest_resource
from fle_ray.tools.insert_item import insert_item
from fle_ray.tools.inspect_inventory import inspect_inventory
from fle_ray.tools.launch_rocket import launch_rocket
from fle_ray.tools.move_to import move_to
from fle_ray.tools.nearest import nearest
from fle_ray.tools.nearest_buildable import nearest_buildable
from fle_ray.tools.pickup_entity import pickup_entity
from fle_ray.tools.place_entity import place_entity
from fle_ray.tools.place_entity_next_to import place_entity_next_to
from fle_ray.tools.print_ import print_
from fle_ray.tools.rotate_entity import rotate_entity
from fle_ray.tools.score import score
from fle_ray.tools.send_message import send_message
from fle_ray.tools.set_entity_recipe import set_entity_recipe
from fle_ray.tools.set_research import set_research
from fle_ray.tools.sleep import sleep

__all__ = ["SETTLING", "TOOLS", "TOOL_NAMES"]

Tool = Callable[..., Any]


TOOLS: Mapping[str, Tool] = {
    "can_place_entity": can_place_entity,
    "connect_entities": connect_entities,
    "craft_item": craft_item,
    "extract_item": extract_item,
    "get_connection_amount": get_connection_amount,
    "get_entities": get_entities,
    "get_entity": get_entity,
    "get_prototype_recipe": get_prototype_recipe,
    "get_research_progress": get_research_progress,
    "get_resource_patch": get_resource_patch,
    "harvest_resource": harvest_resource,
    "insert_item": insert_item,
    "inspect_inventory": inspect_inventory,
    "launch_rocket": launch_rocket,
    "move_to": move_to,
    "nearest": nearest,
    "nearest_buildable": nearest_buildable,
    "pickup_entity": pickup_entity,
    "place_entity": place_entity,
    "place_entity_next_to": place_entity_next_to,
    "print": print_,
    "rotate_entity": rotate_entity,
    "score": score,
    "send_message": send_message,
    "set_entity_recipe": set_entity_recipe,
    "set_research": set_research,
    "sleep": sleep,
}
TOOL_NAMES: tuple[str, ...] = tuple(TOOLS)

# calls that return entity state: after them the world settles for the episode's settle_ticks
SETTLING = frozenset(
    {
        "connect_entities",
        "get_entities",
        "get_entity",
        "insert_item",
        "place_entity",
        "place_entity_next_to",
        "rotate_entity",
        "set_entity_recipe",
    }
)
