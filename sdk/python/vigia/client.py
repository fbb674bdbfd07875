from __future__ import annotations

import json
import random
import ssl
import threading
import time
import urllib.parse
import uuid
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

from .errors import (
    VigiaApiError,
    VigiaConnectionError,
    VigiaDeadLetterError,
    VigiaUndecidedError,
    VigiaUsageError,
)
from .transport import HttpTransport, Transport, address_of, check_sendable

if TYPE_CHECKING:
    from .types import (
        BatchData,
        CreateEndpointBody,
        DeliveryView,
        EndpointSecretView,
        EndpointView,
        IngestTransactionBody,
        IssuedLinkView,
        NewSessionBody,
        ReceiptData,
        TransactionData,
        WebhookEnvelope,
    )

_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 20.0
_LONGEST_WAIT_MS = 10_000
_FEED_WAIT = 20
# Refused before anything was done, so that even what must not happen twice may be sent again.
_NOTHING_DONE = (429, 503)


@dataclass(frozen=True)
class Attempt:
    """One attempt, for logs, metrics and spans."""

    method: str
    path: str
    attempt: int
    duration: float
    status: int | None
    request_id: str | None
    retry_in: float | None


@dataclass(frozen=True)
class FeedItem:
    event: WebhookEnvelope
    # Keep it once the whole page is processed; None before the last event of a page.
    cursor: str | None


class VigiaClient:
    """Calls the API of Vigia for integrators. Keep it on a server: the secret opens everything of the application."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        api_version: str | None = None,
        max_retries: int = 5,
        timeout: float = 15.0,
        on_attempt: Callable[[Attempt], None] | None = None,
        headers: Callable[[], Mapping[str, str]] | None = None,
        stop: threading.Event | None = None,
        proxy: str | None = None,
        tls: ssl.SSLContext | None = None,
        transport: Transport | None = None,
    ) -> None:
        """`stop`, once set, ends pauses and iterators; a call that waits raises VigiaConnectionError.

        `proxy` is used in the place of that of the environment, `tls` in the place of the default context, `transport`
        in the place of both. Raises VigiaUsageError.
        """
        base = address_of("base_url", base_url, ("https", "http"))
        check_sendable({"client_id": client_id, "client_secret": client_secret}, required=True)
        self._base = base_url.rstrip("/")
        http = HttpTransport(proxy, tls)
        if transport is None:
            http.proxy_for(base)
        self._transport = transport or http
        self._headers = {"accept": "application/json", "x-client-id": client_id, "x-client-secret": client_secret}
        if api_version is not None:
            self._headers["x-api-version"] = api_version
        self._max_retries = max_retries
        self._timeout = timeout
        self._on_attempt = on_attempt
        self._more_headers = headers
        self._stop = stop or threading.Event()

    def ingest(self, transaction: IngestTransactionBody, correlation_id: str | None = None) -> ReceiptData:
        """Submits a transaction, again where the answer was lost: the `transactionId` makes that safe."""
        return self._submit(transaction, correlation_id)

    def ingest_batch(self, transactions: Sequence[IngestTransactionBody]) -> BatchData:
        """Submits up to 1,000; each item has an answer of its own."""
        path = "/kyt/transactions/ingest/batch"
        return self.send("POST", path, body=transactions, repeatable=True)["data"]

    def ingest_and_wait(
        self, transaction: IngestTransactionBody, within: float = 30.0, correlation_id: str | None = None
    ) -> TransactionData:
        """Submits a transaction and returns it decided.

        Raises VigiaUndecidedError when it takes longer, and VigiaDeadLetterError when the service gave it up: hold the
        transaction in both cases.
        """
        until = time.monotonic() + within
        wait = max(1, min(int(within * 1000), _LONGEST_WAIT_MS))
        first = self._submit(transaction, correlation_id, wait)
        if first.get("verdict"):
            return first
        transaction_id = transaction["transactionId"]
        pause = 0.1
        while True:
            now = self.transaction(transaction_id)
            if now.get("status") == "DEAD_LETTERED":
                raise VigiaDeadLetterError(transaction_id)
            if now.get("verdict"):
                return now
            if time.monotonic() + pause > until:
                raise VigiaUndecidedError(transaction_id)
            self._pause(pause)
            pause = min(pause * 2, 2.0)

    def transaction(self, transaction_id: str) -> TransactionData:
        """Reads a transaction with its newest evaluation."""
        return self.send("GET", f"/kyt/transactions/{_quoted(transaction_id)}")["data"]

    def create_session(self, session: NewSessionBody, idempotency_key: str | None = None) -> IssuedLinkView:
        """Issues the link of a verification session. Whoever holds it can use the session."""
        return self._create("/kyc-sessions", session, idempotency_key)

    def create_endpoint(self, endpoint: CreateEndpointBody, idempotency_key: str | None = None) -> EndpointSecretView:
        """Makes an endpoint; the answer has its signing secret, once."""
        return self._create("/webhook-endpoints", endpoint, idempotency_key)

    def remove_endpoint(self, endpoint_id: str) -> None:
        self.send("DELETE", f"/webhook-endpoints/{_quoted(endpoint_id)}")

    def endpoints(self) -> Iterator[EndpointView]:
        return self._list("/webhook-endpoints", {})

    def deliveries(self, **query: str) -> Iterator[DeliveryView]:
        """The deliveries of this application, the newest first."""
        return self._list("/webhook-deliveries", query)

    def events(
        self,
        cursor: str | None = None,
        since: str | None = None,
        types: Sequence[str] | None = None,
        follow: bool = False,
    ) -> Iterator[FeedItem]:
        """The events in an order into which none is ever inserted later; process each id once.

        `follow` waits for more at the end, until `stop` is set.
        """
        while True:
            query = {
                "cursor": cursor,
                "since": since if cursor is None else None,
                "types": ",".join(types) if types else None,
                "limit": "200",
                "wait": str(1000 * _FEED_WAIT) if follow else None,
            }
            began = time.monotonic()
            answer = self.send("GET", "/events", query=query, held=_FEED_WAIT if follow else 0)
            cursor = answer["page"]["nextCursor"]
            last = len(answer["data"]) - 1
            for i, event in enumerate(answer["data"]):
                yield FeedItem(event, cursor if i == last else None)
            if answer["page"]["hasMore"]:
                continue
            # A service that lets nobody else wait answers at once.
            at_once = last < 0 and time.monotonic() - began < 1
            if not follow or self._stop.wait(1 if at_once else 0):
                return

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | None] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
        held: float = 0,
    ) -> dict[str, Any]:
        """Every other route: the whole answer. A POST is sent again after a lost answer only if `repeatable`.

        `held` is for how long the service was asked to hold the answer back; an attempt may take so much longer.
        """
        if repeatable is None:
            repeatable = method in ("GET", "PUT", "DELETE")
        data = None if body is None else _written(body)
        attempt = 0
        while True:
            attempt += 1
            began = time.monotonic()
            error: VigiaApiError | VigiaConnectionError | None = None
            answer: dict[str, Any] = {}
            status: int | None = None
            request_id: str | None = None
            try:
                status, request_id, answer = self._attempt(method, path, query or {}, data, headers or {}, held)
            except VigiaApiError as refused:
                error, status, request_id = refused, refused.status, refused.request_id
            except VigiaConnectionError as lost:
                error = lost
            again = error is not None and attempt <= self._max_retries and _may_repeat(error, repeatable)
            retry_in = _pause_of(attempt, error) if again else None
            if self._on_attempt:
                taken = time.monotonic() - began
                self._on_attempt(Attempt(method, path, attempt, taken, status, request_id, retry_in))
            if error is None:
                return answer
            if retry_in is None:
                raise error
            self._pause(retry_in)

    def _attempt(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | None],
        data: bytes | None,
        headers: Mapping[str, str],
        held: float,
    ) -> tuple[int, str | None, dict[str, Any]]:
        given = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
        sent = {**self._headers, **(self._more_headers() if self._more_headers else {}), **headers}
        if data is not None:
            sent["content-type"] = "application/json"
        check_sendable({**sent, "path": path})
        url = self._base + path + (f"?{given}" if given else "")
        try:
            status, answered, text = self._transport(method, url, sent, data, self._timeout + held)
        except OSError as cause:
            raise VigiaConnectionError(f"{method} {path}: the connection failed") from cause
        told = {name.lower(): value for name, value in answered.items()}
        said = _parsed(text)
        if 200 <= status < 300 and (said is not None or not text):
            return status, told.get("x-request-id"), said or {}
        raise VigiaApiError(status, (said or {}).get("error") or {}, _seconds(told.get("retry-after")))

    def _submit(
        self, transaction: Mapping[str, Any], correlation_id: str | None, wait: int | None = None
    ) -> Any:
        headers = {} if correlation_id is None else {"x-correlation-id": correlation_id}
        query = {"wait": None if wait is None else str(wait)}
        path = "/kyt/transactions/ingest"
        held = (wait or 0) / 1000
        return self.send(
            "POST", path, query=query, body=transaction, headers=headers, repeatable=True, held=held
        )["data"]

    def _create(self, path: str, body: Mapping[str, Any], idempotency_key: str | None) -> Any:
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return self.send("POST", path, body=body, headers=headers, repeatable=True)["data"]

    def _list(self, path: str, query: Mapping[str, str | None]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            answer = self.send("GET", path, query={**query, "cursor": cursor})
            yield from answer["data"]
            cursor = answer["page"]["nextCursor"]
            if cursor is None:
                return

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise VigiaConnectionError("stopped by the caller")


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _written(body: Any) -> bytes:
    try:
        return json.dumps(body, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        # What json says itself may quote the body.
        raise VigiaUsageError(
            "body: holds what JSON does not know, a number of more digits than it carries or a time without its offset"
        ) from None


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        # Money is sent as it is or not at all.
        if value.is_finite():
            number = int(value) if value == value.to_integral_value() else float(value)
            if Decimal(str(number)) == value:
                return number
    elif isinstance(value, datetime):
        if value.utcoffset() is not None:
            return value.isoformat()
    elif isinstance(value, date):
        return value.isoformat()
    raise TypeError


def _parsed(text: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(text)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdigit() else None


def _may_repeat(error: VigiaApiError | VigiaConnectionError, repeatable: bool) -> bool:
    if isinstance(error, VigiaConnectionError):
        return repeatable
    return error.status in _NOTHING_DONE or (repeatable and error.retryable)


def _pause_of(attempt: int, error: VigiaApiError | VigiaConnectionError | None) -> float:
    """As long as the service asks for, or longer each time; in part by chance, so that many do not come back at once."""
    asked = error.retry_after if isinstance(error, VigiaApiError) else None
    if asked is not None:
        return min(asked, 10 * _LONGEST_PAUSE) + random.random() * _FIRST_PAUSE
    longest = min(_FIRST_PAUSE * 2 ** (attempt - 1), _LONGEST_PAUSE)
    return longest / 2 + random.random() * longest / 2
