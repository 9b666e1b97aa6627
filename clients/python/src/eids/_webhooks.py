"""Verifies webhooks by Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import WebhookError


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> Any:
    """Returns the verified message.

    `body` is exactly what was received, `headers` any mapping of names in any case, `secrets` both secrets while one is
    replaced. An older message than `tolerance` seconds may be a replay. Raises `WebhookError` with the reason.
    """
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookError(f"the header {name} is missing")
    sent_at = given["webhook-timestamp"]
    if not re.fullmatch(r"[0-9]{1,15}", sent_at):
        raise WebhookError("webhook-timestamp is not a time")
    if abs((time.time() if now is None else now) - int(sent_at)) > tolerance:
        raise WebhookError(f"webhook-timestamp differs by more than {tolerance:g} s from now")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{given['webhook-id']}.{sent_at}.".encode() + raw
    signatures = [each[3:].encode() for each in given["webhook-signature"].split(" ") if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        expected = base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256))
        # Constant time, so that the time of a refusal does not disclose how much of a signature is right.
        if any([hmac.compare_digest(expected, signature) for signature in signatures]):
            try:
                return json.loads(raw)
            except ValueError as error:
                raise WebhookError("the body is not JSON") from error
    raise WebhookError("no signature matches the secret")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("a webhook secret is whsec_ and base64")
    return key
