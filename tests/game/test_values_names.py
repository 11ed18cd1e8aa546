"""Names that agents use: prototypes, resources, recipes, technologies, statuses."""

from __future__ import annotations

import copy
import pickle

import pytest

from fle_ray.game.values import (
    AdvancedAssemblingMachine,
    Chest,
    Entity,
    EntityStatus,
    Generator,
    Ingredient,
    Inserter,
    Pipe,
    Product,
    Prototype,
    Recipe,
    RecipeName,
    Resource,
    ResourceName,
    ResourcePatch,
    Technology,
    prototype_by_name,
    prototype_by_title,
    technology_by_name,
)


def test_there_are_145_prototype_names_of_142_members():
    assert len(Prototype.__members__) == 145
    assert len(Prototype) == 142
    assert Prototype.StackInserter is Prototype.StackFilterInserter is Prototype.BulkInserter
    assert Prototype.FilterInserter is Prototype.FastInserter
    assert Prototype.StackInserter.name == "BulkInserter"


@pytest.mark.parametrize(
    ("member", "name", "kind", "size"),
    [
        (Prototype.AssemblingMachine2, "assembling-machine-2", AdvancedAssemblingMachine, (3, 3)),
        (Prototype.SteamEngine, "steam-engine", Generator, (5, 3)),
        (Prototype.UndergroundPipe, "pipe-to-ground", Pipe, (1, 1)),
        (Prototype.IronChest, "iron-chest", Chest, (1, 1)),
        (Prototype.LongHandedInserter, "long-handed-inserter", Inserter, (1, 1)),
    ],
)
def test_a_prototype_knows_its_name_class_and_size(member, name, kind, size):
    assert (member.prototype_name, member.entity_class) == (name, kind)
    assert member.value == (name, kind)
    assert (member.WIDTH, member.HEIGHT) == size


@pytest.mark.parametrize("member", [Prototype.Coal, Prototype.Radar, Prototype.Rocket, Prototype.BeltGroup])
def test_what_has_no_size_says_so(member):
    with pytest.raises(AttributeError, match=f"Prototype.{member.name} has no WIDTH"):
        _ = member.WIDTH


def test_an_item_may_have_the_class_entity():
    assert Prototype.IronGearWheel.entity_class is Entity
    assert Prototype.Coal.entity_class is None


def test_a_mistyped_prototype_gets_up_to_three_near_names():
    with pytest.raises(AttributeError) as error:
        _ = Prototype.IronChset
    assert "'IronChset'" in str(error.value)
    assert "IronChest" in str(error.value)
    with pytest.raises(AttributeError) as error:
        _ = Prototype.Xyzzy
    assert str(error.value) == "Prototype has no member 'Xyzzy'."


def test_prototypes_are_found_by_name_and_by_title():
    assert prototype_by_name["stone-furnace"] is Prototype.StoneFurnace
    assert prototype_by_title["Prototype.StoneFurnace"] is Prototype.StoneFurnace
    assert len(prototype_by_name) == len(prototype_by_title) == 142


def test_enum_members_stay_themselves_through_copies_and_pickles():
    for member in (Prototype.IronChest, Technology.Automation, EntityStatus.WORKING, RecipeName.FillWaterBarrel):
        assert copy.deepcopy(member) is member
        assert pickle.loads(pickle.dumps(member)) is member
    assert repr(Prototype.IronChest) == f"{Prototype.IronChest}" == "Prototype.IronChest"


def test_resources_are_pairs_and_resource_names_an_enum_without_wood():
    assert Resource.Coal == ("coal", ResourcePatch)
    assert Resource.Wood[0] == "wood"
    assert not hasattr(Resource.Coal, "value")
    assert [member.value for member in ResourceName] == [
        "coal",
        "iron-ore",
        "copper-ore",
        "stone",
        "water",
        "crude-oil",
        "uranium-ore",
    ]
    with pytest.raises(AttributeError, match="Resource has no member 'IronOres'. Did you mean IronOre"):
        _ = Resource.IronOres


def test_recipe_names_technologies_and_statuses_are_complete():
    assert len(RecipeName) == 25
    assert RecipeName.FillCrudeOilBarrel.value == "crude-oil-barrel"
    assert RecipeName.EmptyWaterBarrel.value == "empty-water-barrel"
    assert len(Technology) == len(technology_by_name) == 56
    assert technology_by_name["electric-energy-distribution-1"] is Technology.ElectricEnergy
    assert technology_by_name["rocket-silo"] is Technology.RocketSiloTechnology
    assert len(EntityStatus) == 69
    assert all(member.name == member.value.upper() for member in EntityStatus)


def test_a_status_is_found_by_text_and_by_place():
    assert repr(EntityStatus.WORKING) == "EntityStatus.WORKING"
    assert EntityStatus.from_string("no_fuel") is EntityStatus.NO_FUEL
    assert EntityStatus.from_string("lazy") is None
    assert EntityStatus.from_int(0) is EntityStatus.WORKING
    assert EntityStatus.from_int(68) is EntityStatus.WAITING_FOR_PLANTS_TO_GROW
    with pytest.raises(ValueError, match="No status number 69"):
        EntityStatus.from_int(69)


def test_a_recipe_takes_models_or_dictionaries_and_has_defaults():
    recipe = Recipe(
        name="iron-gear-wheel",
        ingredients=[{"name": "iron-plate", "count": 2}],
        products=[Product(name="iron-gear-wheel")],
        energy=0.5,
    )
    assert repr(recipe.ingredients) == "[Ingredient(name='iron-plate', count=2, type=None)]"
    assert repr(recipe.products) == "[Product(name='iron-gear-wheel', count=1, type=None, probability=1)]"
    assert recipe.category is None and recipe.enabled is False
    assert repr(Recipe()) == ("Recipe(name=None, ingredients=[], products=[], energy=0, category=None, enabled=False)")
    assert Recipe().ingredients is not Recipe().ingredients
    with pytest.raises(ValueError, match="Recipe.ingredients: Ingredient needs name"):
        Recipe(ingredients=[{"count": 1}])
    with pytest.raises(ValueError, match="Recipe.ingredients: expected a list"):
        Recipe(ingredients=Ingredient(name="coal"))


def test_a_patch_holds_an_amount_and_a_box():
    patch = ResourcePatch(
        name="coal",
        size=100,
        bounding_box={"left_top": (0, 0), "right_bottom": (2, 2), "left_bottom": (0, 2), "right_top": (2, 0)},
    )
    assert patch.bounding_box.width() == 2
    assert repr(patch).startswith("ResourcePatch(name='coal', size=100, bounding_box=BoundingBox(left_top=")


def test_every_member_names_a_class_or_none():
    from fle_ray.game.values import Entity, EntityGroup

    for member in Prototype:
        name, kind = member.value
        assert isinstance(name, str)
        assert kind is None or kind.__name__ == "Ammo" or issubclass(kind, (Entity, EntityGroup)), member
