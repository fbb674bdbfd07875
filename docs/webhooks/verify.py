"""Verifies webhooks of Vigia. Python 3.8 or newer, no dependencies."""
import base64
import hashlib
import hmac
import re
import time


def verify_webhook(secret, webhook_id, timestamp, signature, body, tolerance=300, now=None):
    """True when the headers webhook-id, webhook-timestamp and webhook-signature fit the raw bytes of the body."""
    if not timestamp.isascii() or not timestamp.isdigit():
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        return False
    if not re.fullmatch("whsec_[A-Za-z0-9+/]+=*", secret):
        raise ValueError("the signing secret is not as it was shown: whsec_ and base64")
    key = base64.b64decode(secret[len("whsec_"):])
    signed = webhook_id.encode() + b"." + timestamp.encode() + b"." + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, one.encode()) for one in signature.split(" "))


def verify_signature_header(secret, header, body):
    """True when X-Vigia-Signature fits the raw bytes of the body. Does not cover the time."""
    expected = b"sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    return any(hmac.compare_digest(expected, one.strip().encode()) for one in header.split(","))


# Checks the shared test vectors (test-vectors.json); not needed in your code.
if __name__ == "__main__":
    import sys

    for line in sys.stdin:
        name, secret, webhook_id, timestamp, signature, header, now, body64 = line.rstrip("\n").split("\t")
        body = base64.b64decode(body64)
        standard = verify_webhook(secret, webhook_id, timestamp, signature, body, now=int(now))
        plain = verify_signature_header(secret, header, body)
        print(name, str(standard).lower(), str(plain).lower(), sep="\t")
