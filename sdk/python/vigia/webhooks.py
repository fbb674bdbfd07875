from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Mapping, Sequence

from .errors import WebhookVerificationError


_SECRET = re.compile(r"(whsec_)?[A-Za-z0-9+/]+={0,2}")


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    tolerance: float = 300,
    now: float | None = None,
) -> dict[str, Any]:
    """Returns the event of a webhook. `body` is as it arrived: not parsed, not written again.

    During a rotation give both secrets. Raises WebhookVerificationError.
    """
    secrets = _secrets(secret)
    raw = body.encode() if isinstance(body, str) else body
    if not isinstance(raw, (bytes, bytearray, memoryview)):
        raise WebhookVerificationError("BODY_PARSED")
    given = {name.lower(): value for name, value in headers.items()}
    try:
        webhook_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split(" ")
    except KeyError:
        raise WebhookVerificationError("HEADER_MISSING") from None
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    signed = b".".join([webhook_id.encode(), timestamp.encode(), raw])
    matches = [
        hmac.compare_digest(_signature(one, signed), other.encode("utf-8", "replace"))
        for one in secrets
        for other in signatures
    ]
    if not any(matches):
        raise WebhookVerificationError("SIGNATURE_MISMATCH")
    try:
        event: dict[str, Any] = json.loads(bytes(raw))
    except ValueError:
        raise WebhookVerificationError("BODY_INVALID") from None
    return event


def _secrets(secret: str | Sequence[str] | None) -> list[str]:
    secrets = [one for one in (secret if isinstance(secret, (list, tuple)) else [secret]) if one]
    if not secrets:
        raise WebhookVerificationError("SECRET_MISSING")
    if not all(isinstance(one, str) and _SECRET.fullmatch(one) for one in secrets):
        raise WebhookVerificationError("SECRET_INVALID")
    return secrets


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookVerificationError("TIMESTAMP_INVALID")
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("TIMESTAMP_TOO_OLD")
    if age < -tolerance:
        raise WebhookVerificationError("TIMESTAMP_TOO_NEW")


def _signature(secret: str, signed: bytes) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_"):] if secret.startswith("whsec_") else secret)
    except binascii.Error:
        raise WebhookVerificationError("SECRET_INVALID") from None
    return b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
