"""Calls the API of Vigia and verifies its webhooks. Python 3.9 or newer, no dependencies."""
from .client import Attempt, FeedItem, VigiaClient
from .errors import (
    VigiaApiError,
    VigiaConnectionError,
    VigiaDeadLetterError,
    VigiaError,
    VigiaUndecidedError,
    VigiaUsageError,
    WebhookVerificationError,
)
from .webhooks import verify_webhook

__all__ = [
    "Attempt",
    "FeedItem",
    "VigiaApiError",
    "VigiaClient",
    "VigiaConnectionError",
    "VigiaDeadLetterError",
    "VigiaError",
    "VigiaUndecidedError",
    "VigiaUsageError",
    "WebhookVerificationError",
    "verify_webhook",
]
