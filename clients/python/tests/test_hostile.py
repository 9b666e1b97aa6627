"""Both clients against broken, busy and hostile HTTP servers, and forged webhooks."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import hashlib
import hmac
import json
import os
import tempfile
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

import eids

eids._plans.FIRST_WAIT = 0.01
Answer = Callable[[BaseHTTPRequestHandler, int], None]


@contextlib.contextmanager
def server(answer: Answer) -> Iterator[tuple[str, list[BaseHTTPRequestHandler]]]:
    """`answer` gets each request and how many came before it."""
    seen: list[BaseHTTPRequestHandler] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_request(self) -> None:
            self.body = self.rfile.read(int(self.headers.get("content-length", 0)))
            seen.append(self)
            with contextlib.suppress(OSError):
                answer(self, len(seen) - 1)

        do_GET = do_POST = do_PATCH = handle_request

        def log_message(self, *_: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}", seen
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


def reply(request: BaseHTTPRequestHandler, body: Any, status: int = 200, **headers: str) -> None:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    request.send_response(status)
    for name, value in {"content_type": "application/json", "content_length": str(len(sent)), **headers}.items():
        request.send_header(name.replace("_", "-"), value)
    request.end_headers()
    request.wfile.write(sent)


def page(cursor: str | None, *ids: str) -> dict[str, Any]:
    return {"data": [{"id": each} for each in ids], "meta": {"next_cursor": cursor}}


def outcome(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Exception as error:
        return error


class Hostile(unittest.TestCase):
    def both(self, answer: Answer, use: Callable[[Any], Any], **options: Any) -> tuple[Any, list[BaseHTTPRequestHandler]]:
        """Returns the result or error of `use`, which both clients share, and the requests of one."""

        async def wait() -> Any:
            async with eids.AsyncClient(url, "pk_1", transport=httpx.AsyncHTTPTransport(verify=False), **options) as client:
                result = use(client)
                return [row async for row in result] if hasattr(result, "__aiter__") else await result

        def call() -> Any:
            # Certificates are not loaded for each of many clients.
            with eids.Client(url, "pk_1", transport=httpx.HTTPTransport(verify=False), **options) as client:
                result = use(client)
                return list(result) if hasattr(result, "__iter__") and not isinstance(result, dict) else result

        with server(answer) as (url, seen):
            first = outcome(call)
        with server(answer) as (url, others):
            second = outcome(lambda: asyncio.run(wait()))
        self.assertEqual(len(seen), len(others))
        self.assertEqual(
            (type(first), str(first).replace(url, "")) if isinstance(first, Exception) else first,
            (type(second), str(second).replace(url, "")) if isinstance(second, Exception) else second,
        )
        return first, seen

    def refused(self, kind: type[Exception], message: str, answer: Answer, use: Callable[[Any], Any], **options: Any) -> Any:
        error, seen = self.both(answer, use, **options)
        self.assertIsInstance(error, kind)
        self.assertRegex(str(error), message)
        return error, seen

    def test_a_cursor_that_repeats_is_an_error(self) -> None:
        answer: Answer = lambda request, count: reply(request, page("ab"[count % 2], "x"))
        _, seen = self.refused(eids.ProtocolError, "cursor repeats", answer, lambda client: client.list_projects())
        self.assertEqual(len(seen), 3)

    def test_a_list_without_an_end_is_bounded(self) -> None:
        answer: Answer = lambda request, count: reply(request, page(f"c{count}", "x"))
        use = lambda client: client.list_projects()
        self.refused(eids.ProtocolError, "more than 5 pages", answer, use, max_pages=5)

    def test_a_response_that_is_too_large_is_not_held(self) -> None:
        def endless(request: BaseHTTPRequestHandler, _: int) -> None:
            reply(request, b"[" * 100_000, content_length=str(10**12))

        bomb: Answer = lambda request, _: reply(request, gzip.compress(b" " * 10_000_000), content_encoding="gzip")
        for answer in (endless, bomb):
            self.refused(eids.ProtocolError, "larger than 50000", answer, lambda client: client.get_stats(), max_bytes=50_000)

    def test_what_is_no_response_of_the_service_is_an_error(self) -> None:
        for body in (b"<html>Welcome to the hotel</html>", b"[1]", b"[" * 100_000, b"\xff", b""):
            self.refused(eids.ProtocolError, "JSON", lambda request, _: reply(request, body), lambda client: client.get_stats())
        rows = {"data": [1], "meta": {}}
        self.refused(eids.ProtocolError, "no rows", lambda request, _: reply(request, rows), lambda client: client.list_pois())
        not_gzip: Answer = lambda request, _: reply(request, b"{}", content_encoding="gzip")
        self.refused(eids.ProtocolError, "decoded", not_gzip, lambda client: client.get_stats())

    def test_a_500_with_a_page_of_a_proxy_is_a_server_error(self) -> None:
        html: Answer = lambda request, _: reply(request, b"<h1>Bad\r\n gateway</h1>" + b"x" * 10**6, 500, x_request_id="r1")
        error, seen = self.refused(eids.ServerError, "answered 500: <h1>Bad gateway</h1>x+$", html, lambda client: client.get_stats())
        self.assertEqual((error.status, error.code, error.request_id, len(seen)), (500, "unknown", "r1", 1))
        self.assertLess(len(str(error)), 300)

    def test_a_problem_has_its_class_and_fields(self) -> None:
        problem = {"detail": "per_page: too large", "code": "invalid_parameters", "errors": [{"loc": ["query", "per_page"], "msg": "too large"}]}
        error, _ = self.refused(eids.InvalidParameters, "too large", lambda request, _: reply(request, problem, 422), lambda client: client.list_pois())
        self.assertEqual(error.fields, ["per_page"])
        for broken in ([], [1], [{}], [{"loc": 3}], {"a": 1}, None):
            problem = {"detail": 3, "code": 4, "errors": broken}
            error, _ = self.refused(eids.InvalidParameters, "answered 422", lambda request, _: reply(request, problem, 422), lambda client: client.list_pois())
            self.assertEqual(error.fields, [])

    def test_busy_services_are_tried_again_as_they_say_and_no_longer(self) -> None:
        def busy(request: BaseHTTPRequestHandler, count: int) -> None:
            reply(request, {"code": "unavailable"}, (503, 429)[count], retry_after="0") if count < 2 else reply(request, {"ok": 1})

        self.assertEqual(self.both(busy, lambda client: client.get_stats())[0], {"ok": 1})
        self.assertEqual(self.both(busy, lambda client: client.register(email="a@b.c"))[0], {"ok": 1})
        later: Answer = lambda request, _: reply(request, {"code": "rate_limited"}, 429, retry_after="3600")
        error, seen = self.refused(eids.RateLimited, "429", later, lambda client: client.get_stats())
        self.assertEqual((error.retry_after, len(seen)), (3600, 1))
        used_up: Answer = lambda request, _: reply(request, {"code": "quota_used_up"}, 429, retry_after="1")
        self.assertEqual(len(self.refused(eids.QuotaUsedUp, "429", used_up, lambda client: client.get_stats())[1]), 1)
        for header, seconds in (("soon", None), ("-1", None), ("9" * 400, None), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0)):
            away: Answer = lambda request, _: reply(request, {}, 503, retry_after=header)
            error, _ = self.refused(eids.Unavailable, "503", away, lambda client: client.get_stats(), attempts=1)
            self.assertEqual(error.retry_after, seconds)

    def test_reads_are_sent_again_when_the_connection_is_lost_and_writes_are_not(self) -> None:
        def broken(request: BaseHTTPRequestHandler, count: int) -> None:
            reply(request, b'{"ok"', content_length="100") if count == 0 else reply(request, {"ok": 1})

        self.assertEqual(self.both(broken, lambda client: client.get_stats())[0], {"ok": 1})
        self.assertEqual(self.both(broken, lambda client: client.run_query(sql="select 1"))[0], {"ok": 1})
        _, seen = self.refused(eids.ConnectionFailed, "RemoteProtocolError", broken, lambda client: client.create_watchlist(name="a", filters={}))
        self.assertEqual(len(seen), 1)

    def test_silence_and_drops_end(self) -> None:
        silent: Answer = lambda request, _: time.sleep(0.3)
        for kind in (eids.Client, eids.AsyncClient):
            with server(silent) as (url, _), self.assertRaisesRegex(eids.ConnectionFailed, "GET /stats: ReadTimeout"):
                stats = kind(url, timeout=0.05, attempts=1).get_stats()
                asyncio.run(stats)  # type: ignore[arg-type]

        def dripping(request: BaseHTTPRequestHandler, _: int) -> None:
            reply(request, b" ", content_length="1000")
            for _ in range(100):
                request.wfile.write(b" ")
                request.wfile.flush()
                time.sleep(0.01)

        self.refused(eids.ProtocolError, "took longer", dripping, lambda client: client.get_stats(), deadline=0.1)

    def test_a_redirect_is_an_error_and_the_key_goes_nowhere(self) -> None:
        with server(lambda request, _: reply(request, {})) as (elsewhere, seen):
            moved: Answer = lambda request, _: reply(request, {}, 307, location=f"{elsewhere}/stats")
            for use in (lambda client: client.get_stats(), lambda client: client.stream_changes()):
                error, _ = self.refused(eids.Redirected, f"redirects to {elsewhere}/stats", moved, use)
            self.assertEqual((error.code, seen), ("redirected", []))
        self.assertNotIn("pk_secret", repr(eids.Client("http://127.0.0.1", "pk_secret").settings))

    def test_parameters_are_encoded_and_none_leaves_its_place(self) -> None:
        echo: Answer = lambda request, _: reply(request, {"path": request.path, "body": request.body.decode()})
        sent = lambda use: self.both(echo, use)[0]
        self.assertEqual(sent(lambda client: client.get_score("../a?b=1#c"))["path"], "/score/..%2Fa%3Fb%3D1%23c")
        self.assertEqual(
            sent(lambda client: client.get_stats(iso=["PJM", "MISO"], active=True, as_of=None))["path"],
            "/stats?iso=PJM%2CMISO&active=true",
        )
        self.assertEqual(
            sent(lambda client: client.run_saved_query(3, values={"state": "T&X"}))["path"], "/queries/3/run?state=T%26X"
        )
        body = sent(lambda client: client.compare_days(from_="2026-01-01", to="2026-01-02"))["body"]
        self.assertEqual(json.loads(body), {"from": "2026-01-01", "to": "2026-01-02"})
        self.assertEqual(json.loads(sent(lambda client: client.change_credits(daily_cap_usd=None))["body"]), {"daily_cap_usd": None})
        for missing in ("", "..", None):
            self.assertIsInstance(self.both(echo, lambda client: client.get_score(missing))[0], ValueError)

    def test_a_feed_that_goes_back_is_an_error_and_a_busy_one_is_followed(self) -> None:
        back: Answer = lambda request, count: reply(request, {"data": [{"seq": 9}], "next": 9 - count})
        self.refused(eids.ProtocolError, "decreases", back, lambda client: client.list_changes(after=3))

        def coming(request: BaseHTTPRequestHandler, count: int) -> None:
            if count == 1:
                reply(request, {}, 500)
            elif count == 2:
                reply(request, {"data": [], "next": 1})
            elif count == 4:
                reply(request, {}, 403)
            else:
                reply(request, {"data": [{"seq": count + 1}], "next": count + 1})

        got: list[int] = []
        with server(coming) as (url, seen), self.assertRaises(eids.Forbidden):
            for row in eids.Client(url).list_changes(after=0).follow(every=0.01):
                got.append(row["seq"])
        self.assertEqual(got, [1, 4])
        self.assertRegex(seen[-1].path, "after=4")
        with self.assertRaisesRegex(ValueError, "after=0"):
            next(iter(eids.Client(url).list_changes().follow()))

    def test_a_stream_is_opened_again_after_the_last_event(self) -> None:
        parts = [
            b'retry: 1\r\n\r\nid: 1\r\ndata: {"n":\r\ndata: 1}\r\n\r\nid: 2\nevent: change\nda',
            b'ta: {"n": "\xe2\x80\xa8"}\n\n: heartbeat\nid: 3\n\nid: \x00\xc3\xa9\ndata: 3\n\nid: 9\ndata: {"cut"',
        ]

        def stream(request: BaseHTTPRequestHandler, count: int) -> None:
            if count == 1:
                return reply(request, {}, 503, retry_after="0")
            if count == 3:
                return reply(request, {"detail": "revoked"}, 403)
            request.send_response(200)
            request.send_header("content-type", "text/event-stream; charset=utf-8")
            request.end_headers()
            for part in parts if count == 0 else [b'id: 4\ndata: {"n": 4}\n\n']:
                request.wfile.write(part)
                request.wfile.flush()

        got: list[tuple[str, str, Any]] = []
        with server(stream) as (url, seen), self.assertRaisesRegex(eids.Forbidden, "revoked"):
            for event in eids.Client(url).stream_changes(after=0):
                got.append((event.id, event.event, event.data))
        wanted = [("1", "message", {"n": 1}), ("2", "change", {"n": "\u2028"}), ("3", "message", 3), ("4", "message", {"n": 4})]
        self.assertEqual(got, wanted)
        self.assertEqual([request.headers["last-event-id"] for request in seen], [None, "3", "3", "4"])

    def test_a_stream_that_is_none_or_has_an_endless_event_is_an_error(self) -> None:
        use = lambda client: client.stream_changes()
        self.refused(eids.ProtocolError, "not a stream", lambda request, _: reply(request, {}), use)
        endless: Answer = lambda request, _: reply(request, b"data: " + b"x" * 2_000_000, content_type="text/event-stream")
        self.refused(eids.ProtocolError, "event is larger", endless, use)

    def test_a_file_that_breaks_off_is_not_kept(self) -> None:
        broken: Answer = lambda request, _: reply(request, b"a,b\r\n", content_type="text/csv", content_length="100")
        self.refused(eids.ConnectionFailed, "incomplete", broken, lambda client: client.export_projects())
        with server(broken) as (url, _), tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(eids.ConnectionFailed):
                eids.Client(url).export_projects().save(Path(folder, "projects.csv"))
            self.assertEqual(os.listdir(folder), [])

    def test_an_address_without_a_service_is_an_error(self) -> None:
        with server(lambda request, _: None) as (url, _):
            pass
        for use in (lambda client: client.get_stats(), lambda client: list(client.stream_changes())):
            with self.assertRaises(eids.ConnectionFailed):
                use(eids.Client(url, attempts=1))
        for address in ("", "data.example.com", "file:///etc/passwd", "https://"):
            with self.assertRaisesRegex(ValueError, "base_url"):
                eids.Client(address)


class Webhooks(unittest.TestCase):
    key = bytes(range(24))
    secret = f"whsec_{base64.b64encode(key).decode()}"
    body = '{"type": "webhook.test", "data": {"name": "é"}}'

    def headers(self, body: str | None = None, **more: str) -> dict[str, str]:
        signed = f"msg_1.1000.{self.body if body is None else body}".encode()
        signature = base64.b64encode(hmac.digest(self.key, signed, hashlib.sha256)).decode()
        return {"Webhook-Id": "msg_1", "Webhook-Timestamp": "1000", "Webhook-Signature": f"v1a,x v1,AAAA v1,{signature}", **more}

    def test_a_message_is_taken_once_it_is_signed_and_new(self) -> None:
        other = "whsec_" + base64.b64encode(b"x" * 24).decode()
        for body in (self.body, self.body.encode()):
            message = eids.verify_webhook(body, self.headers(), [other, self.secret], now=1_299)
            self.assertEqual(message, json.loads(self.body))
        if "WEBHOOK" in os.environ:
            given = json.loads(os.environ["WEBHOOK"])
            self.assertEqual(eids.verify_webhook(**given)["type"], "webhook.test")

    def test_anything_else_is_refused(self) -> None:
        for reason, body, headers, now in (
            ("no signature", self.body + " ", self.headers(), 1_000),
            ("no signature", self.body, self.headers(**{"Webhook-Signature": "v1,é"}), 1_000),
            ("no signature", self.body, self.headers(**{"Webhook-Id": "msg_2"}), 1_000),
            ("differs by more than 300 s", self.body, self.headers(), 1_301),
            ("differs by more than 300 s", self.body, self.headers(), 699),
            ("not a time", self.body, self.headers(**{"Webhook-Timestamp": "1e3"}), 1_000),
            ("webhook-signature is missing", self.body, {**self.headers(), "Webhook-Signature": ""}, 1_000),
            ("not JSON", "[", self.headers("["), 1_000),
        ):
            with self.assertRaisesRegex(eids.WebhookError, reason):
                eids.verify_webhook(body, headers, self.secret, now=now)
        for secret in ("", "whsec_", "whsec_é", "whsec_a"):
            with self.assertRaisesRegex(ValueError, "webhook secret"):
                eids.verify_webhook(self.body, self.headers(), secret, now=1_000)


if __name__ == "__main__":
    unittest.main()
