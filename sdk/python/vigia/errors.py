from __future__ import annotations

from typing import Any


class VigiaError(Exception):
    """Everything that this package raises."""


class VigiaUsageError(VigiaError):
    """The call itself is wrong, and nothing was sent; the message names what, and no value."""


class VigiaApiError(VigiaError):
    """The service refused: `code` is stable, `details` say where and why."""

    def __init__(self, status: int, error: dict[str, Any], retry_after: float | None) -> None:
        self.status = status
        self.code: str = error.get("code") or f"HTTP_{status}"
        self.details: list[dict[str, Any]] = error.get("details") or []
        self.request_id: str | None = error.get("requestId")
        self.correlation_id: str | None = error.get("correlationId")
        self.retryable = bool(error.get("retryable", status == 429 or status >= 502))
        self.retry_after = retry_after
        where = [f"{one.get('path') or 'body'}: {one.get('code')}" for one in self.details]
        super().__init__("; ".join(filter(None, [f"{status} {self.code}", error.get("message"), *where])))


class VigiaConnectionError(VigiaError):
    """No answer came: the network, or a time limit. What was asked for may have happened."""


class VigiaUndecidedError(VigiaError):
    """The decision did not come in time. The transaction is accepted and is decided later: hold it."""

    def __init__(self, transaction_id: str) -> None:
        self.transaction_id = transaction_id
        super().__init__("the transaction is accepted and was not decided in time")


class VigiaDeadLetterError(VigiaError):
    """The service gave the transaction up; people replay it. Hold it until then."""

    def __init__(self, transaction_id: str) -> None:
        self.transaction_id = transaction_id
        super().__init__("the transaction is a dead letter")


_WORDS = {
    "SECRET_MISSING": "no signing secret was given",
    "SECRET_INVALID": "the signing secret is not as it was shown: whsec_ and base64, with no blank, quote or v1, around it",
    "HEADER_MISSING": "the headers of the signature are not there",
    "TIMESTAMP_INVALID": "webhook-timestamp is no number of seconds",
    "TIMESTAMP_TOO_OLD": "it was sent too long ago, or the clock here is fast",
    "TIMESTAMP_TOO_NEW": "it was sent in the future, or the clock here is slow",
    "SIGNATURE_MISMATCH": "the signature is of another secret, or the body is not as it arrived",
    "BODY_PARSED": "the body was parsed before: pass the raw bytes as they arrived",
    "BODY_INVALID": "the body is no JSON",
}


class WebhookVerificationError(VigiaError):
    """The request is not, or not provably, from Vigia: answer 401 and do nothing."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(f"webhook refused: {code}: {_WORDS[code]}")
