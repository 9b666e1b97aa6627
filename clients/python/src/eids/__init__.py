"""Client of the open energy infrastructure data service.

    from eids import Client

    with Client("https://data.example.com", key="pk_...") as client:
        for project in client.list_projects(state="TX", status="Active"):
            print(project["id"], project["capacity_mw"])
"""

from ._base import (
    VERSION as __version__,
    AsyncContent,
    AsyncEvents,
    AsyncFeed,
    AsyncListing,
    Content,
    Events,
    Feed,
    Listing,
)
from ._errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    EidsError,
    Forbidden,
    InvalidParameters,
    NotFound,
    PaymentRequired,
    ProtocolError,
    QuotaUsedUp,
    RateLimited,
    Redirected,
    ServerError,
    Unavailable,
    WebhookError,
)
from ._generated import AsyncOperations, Operations
from ._plans import ServerEvent, Settings
from ._webhooks import verify_webhook


class Client(Operations):
    """Every operation as a blocking method. `base_url` and `key` default to EIDS_URL and EIDS_API_KEY."""


class AsyncClient(AsyncOperations):
    """Every operation as a method for asyncio. `base_url` and `key` default to EIDS_URL and EIDS_API_KEY."""


__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncContent",
    "AsyncEvents",
    "AsyncFeed",
    "AsyncListing",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Content",
    "EidsError",
    "Events",
    "Feed",
    "Forbidden",
    "InvalidParameters",
    "Listing",
    "NotFound",
    "PaymentRequired",
    "ProtocolError",
    "QuotaUsedUp",
    "RateLimited",
    "Redirected",
    "ServerError",
    "ServerEvent",
    "Settings",
    "Unavailable",
    "WebhookError",
    "__version__",
    "verify_webhook",
]
