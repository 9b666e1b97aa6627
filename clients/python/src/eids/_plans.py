"""Each call as a generator of steps, without I/O: `Client` and `AsyncClient` run the same plans (`_base.py`)."""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

import httpx

from ._errors import ApiError, ConnectionFailed, ProtocolError, error_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    kind: str = "json"
    #: Where a list has its rows.
    rows: str = "data"
    #: Whether a feed can also be read as a list, by `cursor`.
    is_list: bool = False
    per_page: int = 200
    #: Name of the rows' type in `types`.
    row: str = ""
    #: Columns with days or times.
    dates: tuple[str, ...] = ()
    #: A POST that changes nothing, so it may be retried.
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    base_url: str
    key: str | None = field(default=None, repr=False)
    #: Attempts per call.
    attempts: int = 4
    #: Longest wait before another attempt (s); a longer Retry-After is an error.
    longest_wait: float = 60.0
    #: Longest silence of the service (s).
    timeout: float = 30.0
    #: Longest time for one response, however slowly it arrives (s). Files and streams have none.
    deadline: float = 300.0
    #: Largest response or event that is held in memory (bytes).
    max_bytes: int = 64 * 1024 * 1024
    #: Most pages of one list.
    max_pages: int = 20_000


@dataclass(frozen=True, slots=True)
class Open:
    """Sends a request; the runner answers with the `httpx.Response`, whose body is not read."""

    method: str
    url: str
    headers: dict[str, str]
    timeout: float
    params: list[tuple[str, str]] | None = None
    json: Any = None


@dataclass(frozen=True, slots=True)
class Read:
    """Reads the next bytes of the open response; empty at its end."""


@dataclass(frozen=True, slots=True)
class Sleep:
    seconds: float


@dataclass(frozen=True, slots=True)
class Emit:
    """Hands a value to the caller."""

    value: Any


Step: TypeAlias = Open | Read | Sleep | Emit
#: A runner answers each step, or throws `httpx.RequestError` into the plan.
Plan: TypeAlias = Generator[Step, Any, T]

log = logging.getLogger("eids")

FIRST_WAIT = 0.25
#: Heartbeats come every 15 s unless the operator sets another time.
STREAM_TIMEOUT = 75.0
USUAL_RETRY = 2.0
MAX_EVENT_BYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class ServerEvent:
    #: Position in the stream, to resume from.
    id: str
    event: str
    data: Any


def request(settings: Settings, route: Route, params: Mapping[str, Any]) -> Open:
    rest = {name.removesuffix("_"): value for name, value in params.items()}

    def in_path(match: re.Match[str]) -> str:
        value = rest.pop(match[1], None)
        if value is None or value == "" or value in (".", ".."):
            raise ValueError(f"{match[1]} is required")
        return quote(str(value), safe="")

    url = settings.base_url + re.sub(r"\{(\w+)\}", in_path, route.path)
    headers = {} if settings.key is None else {"x-api-key": settings.key}
    if route.method in ("POST", "PATCH"):
        return Open(route.method, url, headers, settings.timeout, json=_plain(rest))
    query: list[tuple[str, str]] = []
    for name, value in rest.items():
        # An object becomes a query parameter for each of its members.
        for key, each in value.items() if isinstance(value, Mapping) else [(name, value)]:
            if each is not None:
                query.append((key, _text(each)))
    return Open(route.method, url, headers, settings.timeout, params=query)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(map(_text, value))
    return value.isoformat() if isinstance(value, date) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


def send(
    settings: Settings, route: Route, opened: Open, take: Callable[[httpx.Response], Plan[T]]
) -> Plan[T]:
    """Returns the result of `take` for a successful response. Retries 429 and 503, and after a lost connection only reads."""
    is_read = route.method == "GET" or route.is_read
    attempt = 0
    while True:
        attempt += 1
        wait = FIRST_WAIT * 2 ** (attempt - 1)
        try:
            response: httpx.Response = yield opened
            if response.is_success:
                return (yield from take(response))
            error = error_of(response.status_code, response.headers, (yield from _read(settings, 65_536)))
        except httpx.DecodingError as cause:
            raise ProtocolError(f"the response cannot be decoded: {cause}") from cause
        except httpx.RequestError as cause:
            if attempt >= settings.attempts or not is_read:
                raise ConnectionFailed(f"{route.method} {route.path}: {type(cause).__name__} {cause}".rstrip()) from cause
        else:
            if attempt >= settings.attempts or not _is_worth_repeating(settings, error):
                raise error
            wait = error.retry_after or wait
        yield Sleep(wait + random.random() * FIRST_WAIT)


def _is_worth_repeating(settings: Settings, error: ApiError) -> bool:
    return error.status in (429, 503) and error.is_temporary and (error.retry_after or 0) <= settings.longest_wait


def _read(settings: Settings, at_most: int | None = None) -> Plan[bytes]:
    """Reads the body, or its beginning (`at_most`), within limits of size and time."""
    body = bytearray()
    until = time.monotonic() + settings.deadline
    while chunk := (yield Read()):
        body += chunk
        if at_most is not None and len(body) >= at_most:
            break
        if len(body) > settings.max_bytes:
            raise ProtocolError(f"the response is larger than {settings.max_bytes} bytes (max_bytes)")
        if time.monotonic() > until:
            raise ProtocolError(f"the response took longer than {settings.deadline:g} s (deadline)")
    return bytes(body)


def _is_json(response: httpx.Response) -> bool:
    return "json" in response.headers.get("content-type", "")


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as cause:
        raise ProtocolError("the response is not JSON") from cause
    if not isinstance(value, dict):
        raise ProtocolError("the response is not a JSON object")
    return value


def fetch(settings: Settings, route: Route, params: Mapping[str, Any]) -> Plan[Any]:
    """Returns the response of one call: an object, or text or bytes if the call chose another format."""

    def take(response: httpx.Response) -> Plan[Any]:
        body = yield from _read(settings)
        if _is_json(response) or route.kind != "text":
            return _object(body)
        is_text = response.headers.get("content-type", "").startswith("text/")
        return body.decode("utf-8", "replace") if is_text else body

    return (yield from send(settings, route, request(settings, route, params), take))


def call(settings: Settings, route: Route, params: Mapping[str, Any]) -> Plan[None]:
    yield Emit((yield from fetch(settings, route, params)))


def pages(settings: Settings, route: Route, params: Mapping[str, Any], every: float | None = None) -> Plan[None]:
    """Every page of a list by cursor, or of a feed by `after`. With `every`, polls at the end of a feed."""
    at: dict[str, Any] = dict(params)
    if "page" not in at:
        at.setdefault("per_page", route.per_page)
        if (route.kind == "list" or route.is_list) and "after" not in at:
            at.setdefault("cursor", "*")
    cursors: set[Any] = set()
    is_open = False
    count = 0
    while True:
        try:
            page = yield from fetch(settings, route, at)
        except (ConnectionFailed, ApiError) as error:
            # An address that never responded is probably wrong.
            if every is None or not is_open or (isinstance(error, ApiError) and not error.is_temporary):
                raise
            log.info("the feed is tried again in %g s: %s", every, error)
            yield Sleep(every)
            continue
        is_open = True
        rows = page.get(route.rows)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ProtocolError(f"the page has no rows in {route.rows}")
        if rows or count == 0:
            yield Emit(page)
        count += 1
        if "next" in page:
            after = page["next"]
            if not isinstance(after, int) or after < at.get("after", 0):
                raise ProtocolError("the feed's position decreases")
            is_end = after == at.get("after", 0)
            at["after"] = after
            if is_end:
                if every is None:
                    return
                yield Sleep(every)
        else:
            meta = page.get("meta")
            cursor = (meta.get("next_cursor") if isinstance(meta, dict) else None) or page.get("next_cursor")
            if cursor is None or "cursor" not in at:
                return
            if not isinstance(cursor, str) or cursor in cursors:
                raise ProtocolError("the list's cursor repeats")
            cursors.add(cursor)
            at["cursor"] = cursor
        if every is None and count >= settings.max_pages:
            raise ProtocolError(f"the list has more than {settings.max_pages} pages (max_pages)")


def content(settings: Settings, route: Route, params: Mapping[str, Any]) -> Plan[None]:
    """The chunks of a file. The call is not retried after the first."""

    def take(response: httpx.Response) -> Plan[bytes]:
        return (yield Read())

    chunk = yield from send(settings, route, request(settings, route, params), take)
    try:
        while chunk:
            yield Emit(chunk)
            chunk = yield Read()
    except httpx.RequestError as cause:
        raise ConnectionFailed(f"the file is incomplete: {cause}") from cause


def events(settings: Settings, route: Route, params: Mapping[str, Any]) -> Plan[None]:
    """Never ends by itself: if the connection ends, it is opened again after the last event."""
    last = ""
    retry = USUAL_RETRY
    failures = 0
    is_open = False
    opened = request(settings, route, params)

    def take(response: httpx.Response) -> Plan[None]:
        if "text/event-stream" not in response.headers.get("content-type", ""):
            raise ProtocolError("the response is not a stream of events")
        return
        yield

    while True:
        headers = {**opened.headers, "accept": "text/event-stream", **({"last-event-id": last} if last else {})}
        try:
            yield from send(
                settings, route, Open("GET", opened.url, headers, STREAM_TIMEOUT, params=opened.params), take
            )
            is_open = True
            rest = b""
            while chunk := (yield Read()):
                *blocks, rest = re.split(rb"\r?\n\r?\n", rest + chunk)
                if len(rest) > MAX_EVENT_BYTES:
                    raise ProtocolError(f"an event is larger than {MAX_EVENT_BYTES} bytes")
                for block in blocks:
                    failures = 0
                    fields = _fields(block)
                    if re.fullmatch(r"\d{1,9}", fields.get("retry", "")):
                        retry = int(fields["retry"]) / 1_000
                    # Heartbeats carry the position, too.
                    last = fields.get("id", last)
                    if "data" in fields:
                        yield Emit(ServerEvent(last, fields.get("event", "message"), _value(fields["data"])))
        except (httpx.RequestError, ConnectionFailed, ApiError) as error:
            # An address that never responded is probably wrong.
            if not is_open or (isinstance(error, ApiError) and not error.is_temporary):
                raise
            log.info("the stream is opened again: %s", error)
            failures += 1
        yield Sleep(min(max(retry, 0.1) * 2 ** min(max(0, failures - 1), 10), settings.longest_wait))


def _fields(block: bytes) -> dict[str, str]:
    """A message of the stream (HTML standard, 9.2.6)."""
    fields: dict[str, str] = {}
    for line in re.split("\r?\n", block.decode("utf-8", "replace")):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data" and name in fields:
            fields[name] += f"\n{value}"
        elif name in ("data", "event", "retry") or (name == "id" and value.isascii() and value.isprintable()):
            fields[name] = value
    return fields


def _value(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as cause:
        raise ProtocolError("an event is not JSON") from cause
