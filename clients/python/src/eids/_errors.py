"""Errors that calls raise. Every class is an `EidsError`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


class EidsError(Exception):
    """Any failure of this package's calls."""


class ConnectionFailed(EidsError):
    """The service could not be reached, or the response was incomplete; `__cause__` is httpx's error."""


class ProtocolError(EidsError):
    """The response is not valid: not JSON, too large, or with a cursor that repeats."""


class WebhookError(EidsError):
    """A webhook is not authentic or too old: do not trust its body."""


class ApiError(EidsError):
    """A refusal by the service: a problem (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        detail = problem.get("detail")
        super().__init__(detail if isinstance(detail, str) else f"the service answered {status}")
        self.status = status
        code = problem.get("code")
        #: Stable code for programs; the message may be reworded.
        self.code: str = code if isinstance(code, str) else "unknown"
        errors = problem.get("errors")
        #: Each invalid parameter of a 422, as `{"loc": ["query", "per_page"], "msg": ...}`.
        self.errors: list[dict[str, Any]] = (
            [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
        )
        #: To include in reports to the operator.
        self.request_id: str | None = headers.get("x-request-id")
        #: Seconds after which to try again, if the service states them.
        self.retry_after: float | None = seconds(headers.get("retry-after"))
        #: The whole body.
        self.problem = problem

    @property
    def fields(self) -> list[str]:
        """Names of the invalid parameters."""
        return [".".join(map(str, error["loc"][1:])) for error in self.errors if isinstance(error.get("loc"), list)]

    @property
    def is_temporary(self) -> bool:
        """Whether the same call may succeed soon."""
        return self.status == 429 or self.status >= 500


class BadRequest(ApiError):
    """400: also a statement that was refused or failed."""


class PaymentRequired(ApiError):
    """402: the call needs a key or a payment; `problem` describes how to pay."""


class Forbidden(ApiError):
    """403: also a missing or invalid key."""


class NotFound(ApiError):
    """404, and 410 for an id that no longer exists."""


class Conflict(ApiError):
    """409"""


class InvalidParameters(ApiError):
    """422: `errors` and `fields` name the parameters."""


class RateLimited(ApiError):
    """429: `retry_after` is the time to wait."""


class QuotaUsedUp(RateLimited):
    """429: the queries of the month are used up."""

    is_temporary = False


class ServerError(ApiError):
    """5xx"""


class Unavailable(ServerError):
    """503: a part of the service does not respond."""


class Redirected(ApiError):
    """3xx: not followed, because the key must not reach another host."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    422: InvalidParameters,
    429: RateLimited,
    503: Unavailable,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error of a response. A proxy may have sent a page of its own."""
    if 300 <= status < 400:
        detail = f"the server redirects to {headers.get('location')}: base_url has to be the service's own address"
        return Redirected(status, {"code": "redirected", "detail": detail}, headers)
    try:
        problem = json.loads(body)
    except (ValueError, RecursionError):
        problem = None
    if not isinstance(problem, dict):
        shown = " ".join(body[:1_000].decode("utf-8", "replace").split())[:200]
        problem = {"detail": f"the server answered {status}: {shown}"}
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    if problem.get("code") == "quota_used_up":
        kind = QuotaUsedUp
    return kind(status, problem, headers)


def seconds(retry_after: str | None) -> float | None:
    """Parses Retry-After: seconds, or the date that a proxy may send."""
    if retry_after is None:
        return None
    if re.fullmatch(r"\d{1,9}", retry_after.strip()):
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
