"""The gymnasium environment, its observation, and its formatting for models. See docs/environment.md."""

from fle_ray.env.environment import EnvState, FactorioEnv
from fle_ray.env.formatting import ObservationFormat, format_observation
from fle_ray.env.registration import env_id, environment_info, make_env, register_environments
from fle_ray.env.session import Session

__all__ = [
    "EnvState",
    "FactorioEnv",
    "ObservationFormat",
    "Session",
    "env_id",
    "environment_info",
    "format_observation",
    "make_env",
    "register_environments",
]
