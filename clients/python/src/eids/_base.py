"""Runs plans (`_plans.py`) with httpx for `Client` and `AsyncClient`, and defines the results of their methods."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator, Mapping
from contextlib import aclosing, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, cast

import httpx

from . import _plans
from ._plans import Emit, Open, Plan, Route, ServerEvent, Settings, Sleep

if TYPE_CHECKING:
    from typing import Self, Unpack

    import pandas

VERSION = "1.0.0"
Row = TypeVar("Row")


class Options(TypedDict, total=False):
    """See `Settings`."""

    attempts: int
    longest_wait: float
    timeout: float
    deadline: float
    max_bytes: int
    max_pages: int


def _settings(base_url: str | None, key: str | None, options: Options) -> Settings:
    url = httpx.URL(base_url or os.environ.get("EIDS_URL") or "")
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("base_url, or EIDS_URL, has to be the service's address, such as https://data.example.com")
    return Settings(str(url).rstrip("/"), key or os.environ.get("EIDS_API_KEY") or None, **options)


def _request(http: httpx.Client | httpx.AsyncClient, step: Open) -> httpx.Request:
    # httpx's parameter also takes numbers, in a list that is invariant.
    params = cast("Any", step.params)
    return http.build_request(
        step.method, step.url, params=params, json=step.json, headers=step.headers, timeout=step.timeout
    )


_HTTP = {"headers": {"user-agent": f"eids-python/{VERSION}"}, "follow_redirects": False}


def _frame(rows: list[Any], route: Route) -> pandas.DataFrame:
    import pandas

    if not rows:
        from . import types

        return pandas.DataFrame(columns=list(getattr(types, route.row).__annotations__))
    table = pandas.DataFrame.from_records(rows)
    mixed = {} if pandas.__version__.startswith("1.") else {"format": "ISO8601"}
    for name in route.dates:
        if name in table:
            try:
                table[name] = pandas.to_datetime(table[name], **mixed)
            except (ValueError, OverflowError):
                # Pandas cannot represent every filed year; the column stays text.
                pass
    return table


class Base:
    """Blocking calls. Several threads may share a client, as with httpx."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.settings = _settings(base_url, key, options)
        self._http = httpx.Client(transport=transport, **_HTTP)  # type: ignore[arg-type]

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, plan: Plan[None]) -> Generator[Any, None, None]:
        response: httpx.Response | None = None
        chunks: Iterator[bytes] = iter(())
        answer: Any = None
        error: httpx.RequestError | None = None
        try:
            while True:
                try:
                    step = plan.send(answer) if error is None else plan.throw(error)
                except StopIteration:
                    return
                answer = error = None
                if isinstance(step, Emit):
                    yield step.value
                    continue
                try:
                    if isinstance(step, Open):
                        if response is not None:
                            response.close()
                        answer = response = self._http.send(_request(self._http, step), stream=True)
                        chunks = response.iter_bytes()
                    elif isinstance(step, Sleep):
                        time.sleep(step.seconds)
                    else:
                        answer = next(chunks, b"")
                except httpx.RequestError as failure:
                    error = failure
        finally:
            if response is not None:
                response.close()

    def _call(self, route: Route, params: Mapping[str, Any]) -> Any:
        with closing(self._run(_plans.call(self.settings, route, params))) as results:
            return next(results)


class AsyncBase:
    """The same calls for asyncio."""

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.settings = _settings(base_url, key, options)
        self._http = httpx.AsyncClient(transport=transport, **_HTTP)  # type: ignore[arg-type]

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _run(self, plan: Plan[None]) -> AsyncGenerator[Any, None]:
        response: httpx.Response | None = None
        chunks: AsyncIterator[bytes]
        answer: Any = None
        error: httpx.RequestError | None = None
        try:
            while True:
                try:
                    step = plan.send(answer) if error is None else plan.throw(error)
                except StopIteration:
                    return
                answer = error = None
                if isinstance(step, Emit):
                    yield step.value
                    continue
                try:
                    if isinstance(step, Open):
                        if response is not None:
                            await response.aclose()
                        answer = response = await self._http.send(_request(self._http, step), stream=True)
                        chunks = response.aiter_bytes()
                    elif isinstance(step, Sleep):
                        await asyncio.sleep(step.seconds)
                    else:
                        answer = await anext(chunks, b"")
                except httpx.RequestError as failure:
                    error = failure
        finally:
            if response is not None:
                await response.aclose()

    async def _call(self, route: Route, params: Mapping[str, Any]) -> Any:
        async with aclosing(self._run(_plans.call(self.settings, route, params))) as results:
            return await anext(results)


class _Result:
    def __init__(self, client: Any, route: Route, params: Mapping[str, Any]) -> None:
        self._client, self._route, self._params = client, route, params

    def _run(self, plan: Callable[..., Plan[None]], *more: Any) -> Any:
        return self._client._run(plan(self._client.settings, self._route, self._params, *more))

    def _follow(self, every: float) -> Any:
        if "after" not in self._params:
            raise ValueError("a feed is followed from a seq: after=0 is its beginning")
        return self._run(_plans.pages, every)


class Listing(_Result, Generic[Row]):
    """The rows of a list; pages are fetched as they are needed."""

    def pages(self) -> Iterator[dict[str, Any]]:
        """Whole pages: `meta` of a page has totals and the day of the data."""
        return self._run(_plans.pages)

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page[self._route.rows]

    def to_pandas(self) -> pandas.DataFrame:
        """All rows as a data frame, days and times as such. Needs pandas."""
        return _frame(list(self), self._route)


class Feed(Listing[Row]):
    """Changes, oldest first. To resume, give the `seq` of the last row as `after`."""

    def follow(self, every: float = 60.0) -> Iterator[Row]:
        """Polls for more changes at the end of the feed. Continues through outages after the first response."""
        for page in self._follow(every):
            yield from page[self._route.rows]


class Events(_Result):
    """Server-sent events, each once, across lost connections. An iteration does not end by itself."""

    def __iter__(self) -> Iterator[ServerEvent]:
        return self._run(_plans.events)


class Content(_Result):
    """A file, as chunks of bytes."""

    def __iter__(self) -> Iterator[bytes]:
        return self._run(_plans.content)

    def read(self) -> bytes:
        return b"".join(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, which gets its name only when it is complete."""
        part = Path(f"{os.fspath(path)}.part")
        try:
            with part.open("wb") as file:
                file.writelines(self)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)


class AsyncListing(_Result, Generic[Row]):
    """`Listing` for asyncio."""

    def pages(self) -> AsyncIterator[dict[str, Any]]:
        return self._run(_plans.pages)

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page[self._route.rows]:
                yield row

    async def to_pandas(self) -> pandas.DataFrame:
        return _frame([row async for row in self], self._route)


class AsyncFeed(AsyncListing[Row]):
    """`Feed` for asyncio."""

    async def follow(self, every: float = 60.0) -> AsyncIterator[Row]:
        async for page in self._follow(every):
            for row in page[self._route.rows]:
                yield row


class AsyncEvents(_Result):
    """`Events` for asyncio."""

    def __aiter__(self) -> AsyncIterator[ServerEvent]:
        return self._run(_plans.events)


class AsyncContent(_Result):
    """`Content` for asyncio."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._run(_plans.content)

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self])
