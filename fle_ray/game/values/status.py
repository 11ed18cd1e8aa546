"""What an entity says about its work."""

from __future__ import annotations

from .names import NamedEnum

__all__ = ["EntityStatus"]


class EntityStatus(NamedEnum):
    """The game's entity statuses, by the game's names."""

    WORKING = "working"
    NORMAL = "normal"
    NONE = "none"
    NO_POWER = "no_power"
    LOW_POWER = "low_power"
    NOT_PLUGGED_IN_ELECTRIC_NETWORK = "not_plugged_in_electric_network"
    CHARGING = "charging"
    DISCHARGING = "discharging"
    FULLY_CHARGED = "fully_charged"
    RECHARGING_AFTER_POWER_OUTAGE = "recharging_after_power_outage"
    NO_FUEL = "no_fuel"
    NO_FOOD = "no_food"
    LOW_TEMPERATURE = "low_temperature"
    NOT_CONNECTED = "not_connected"
    NETWORKS_CONNECTED = "networks_connected"
    NETWORKS_DISCONNECTED = "networks_disconnected"
    NOT_CONNECTED_TO_RAIL = "not_connected_to_rail"
    NOT_CONNECTED_TO_HUB_OR_PAD = "not_connected_to_hub_or_pad"
    NO_RECIPE = "no_recipe"
    NO_INGREDIENTS = "no_ingredients"
    ITEM_INGREDIENT_SHORTAGE = "item_ingredient_shortage"
    RECIPE_NOT_RESEARCHED = "recipe_not_researched"
    NO_INPUT_FLUID = "no_input_fluid"
    LOW_INPUT_FLUID = "low_input_fluid"
    FLUID_INGREDIENT_SHORTAGE = "fluid_ingredient_shortage"
    MISSING_REQUIRED_FLUID = "missing_required_fluid"
    PIPELINE_OVEREXTENDED = "pipeline_overextended"
    EMPTY = "empty"
    FULL_OUTPUT = "full_output"
    FULL_BURNT_RESULT_OUTPUT = "full_burnt_result_output"
    NOT_ENOUGH_SPACE_IN_OUTPUT = "not_enough_space_in_output"
    NO_RESEARCH_IN_PROGRESS = "no_research_in_progress"
    MISSING_SCIENCE_PACKS = "missing_science_packs"
    NO_MINABLE_RESOURCES = "no_minable_resources"
    WAITING_FOR_SOURCE_ITEMS = "waiting_for_source_items"
    WAITING_FOR_SPACE_IN_DESTINATION = "waiting_for_space_in_destination"
    OUT_OF_LOGISTIC_NETWORK = "out_of_logistic_network"
    NO_FILTER = "no_filter"
    PREPARING_ROCKET_FOR_LAUNCH = "preparing_rocket_for_launch"
    WAITING_TO_LAUNCH_ROCKET = "waiting_to_launch_rocket"
    LAUNCHING_ROCKET = "launching_rocket"
    WAITING_FOR_SPACE_IN_PLATFORM_HUB = "waiting_for_space_in_platform_hub"
    THRUST_NOT_REQUIRED = "thrust_not_required"
    NOT_ENOUGH_THRUST = "not_enough_thrust"
    ON_THE_WAY = "on_the_way"
    WAITING_IN_ORBIT = "waiting_in_orbit"
    WAITING_FOR_ROCKET_TO_ARRIVE = "waiting_for_rocket_to_arrive"
    NO_AMMO = "no_ammo"
    WAITING_FOR_TARGET_TO_BE_BUILT = "waiting_for_target_to_be_built"
    WAITING_FOR_TRAIN = "waiting_for_train"
    WAITING_AT_STOP = "waiting_at_stop"
    DESTINATION_STOP_FULL = "destination_stop_full"
    NO_PATH = "no_path"
    COMPUTING_NAVIGATION = "computing_navigation"
    CANT_DIVIDE_SEGMENTS = "cant_divide_segments"
    DISABLED = "disabled"
    DISABLED_BY_CONTROL_BEHAVIOR = "disabled_by_control_behavior"
    DISABLED_BY_SCRIPT = "disabled_by_script"
    OPENED_BY_CIRCUIT_NETWORK = "opened_by_circuit_network"
    CLOSED_BY_CIRCUIT_NETWORK = "closed_by_circuit_network"
    MARKED_FOR_DECONSTRUCTION = "marked_for_deconstruction"
    GHOST = "ghost"
    NO_MODULES_TO_TRANSMIT = "no_modules_to_transmit"
    TURNED_OFF_DURING_DAYTIME = "turned_off_during_daytime"
    FROZEN = "frozen"
    PAUSED = "paused"
    BROKEN = "broken"
    NO_SPOT_SEEDABLE_BY_INPUTS = "no_spot_seedable_by_inputs"
    WAITING_FOR_PLANTS_TO_GROW = "waiting_for_plants_to_grow"

    @classmethod
    def from_string(cls, text: str) -> EntityStatus | None:
        """The status whose value is `text`, None if there is none."""
        return cls._value2member_map_.get(text)

    @classmethod
    def from_int(cls, index: int) -> EntityStatus:
        """The status at place `index`, counted from 0. Raises ValueError outside 0 to 68."""
        members = list(cls)
        if not 0 <= index < len(members):
            raise ValueError(f"No status number {index}; they go from 0 to {len(members) - 1}.")
        return members[index]
