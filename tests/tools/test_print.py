from __future__ import annotations

from fle_ray.game.values import Direction, Ingredient, Inventory, Position, Prototype
from tests.tools.cases import case


@case("print", "arguments joined by tabs, game values as their text")
def test_arguments_are_joined_by_tabs(game):
    assert game.print("coal", 5, True, [1, 2]) == "coal\t5\tTrue\t[1, 2]"
    assert game.print(Position(x=1, y=2), Inventory(coal=3)) == "x=1.0 y=2.0\tcoal=3"
    assert game.print() == ""


@case("print", "entities by their repr, models as dictionaries")
def test_entities_show_their_repr_and_models_their_fields(game):
    chest = game.place_entity(Prototype.IronChest, Direction.UP, Position(x=2, y=2))
    assert game.print(chest) == repr(chest)
    assert game.print(Ingredient(name="coal", count=2)) == str({"name": "coal", "count": 2, "type": None})
