"""Model services behind one small protocol; their SDKs are imported when a client is made."""

from fle_ray.agents.clients.endpoint import Endpoint
from fle_ray.agents.clients.protocol import ModelClient, ModelReply, ModelRequest, Sampling
from fle_ray.agents.clients.retrying import RetryingClient

__all__ = ["Endpoint", "ModelClient", "ModelReply", "ModelRequest", "RetryingClient", "Sampling"]
