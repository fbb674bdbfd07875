from __future__ import annotations

import base64
import http.client
import re
import ssl
import urllib.parse
import urllib.request
from typing import Callable, Dict, Mapping, Optional, Tuple

from .errors import VigiaUsageError

# Method, address, headers, body and seconds; returns status, headers and body, and raises OSError where no answer came.
Transport = Callable[[str, str, Mapping[str, str], Optional[bytes], float], Tuple[int, Mapping[str, str], bytes]]

_SENDABLE = re.compile(r"[\x20-\x7e]*")


class HttpTransport:
    """Sends by http.client, through the proxy that is named or that the environment has; an empty text is for none."""

    def __init__(self, proxy: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._proxy = proxy
        self._tls = tls

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        target = urllib.parse.urlsplit(url)
        proxy = self.proxy_for(target)
        place = proxy or target
        sent = dict(headers)
        path = target._replace(scheme="", netloc="").geturl()
        host = place.hostname or ""
        connection: http.client.HTTPConnection
        if target.scheme == "https":
            connection = http.client.HTTPSConnection(host, place.port, timeout=timeout, context=self._tls)
            if proxy:
                connection.set_tunnel(target.hostname or "", target.port or 443, _credentials(proxy))
        else:
            connection = http.client.HTTPConnection(host, place.port, timeout=timeout)
            if proxy:
                path = url
                sent.update(_credentials(proxy))
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        except http.client.HTTPException as cause:
            raise OSError(type(cause).__name__) from cause
        finally:
            connection.close()

    def proxy_for(self, target: urllib.parse.SplitResult) -> urllib.parse.SplitResult | None:
        """The proxy for an address. Raises VigiaUsageError for one that this does not speak with."""
        named = self._proxy
        if named is None and not urllib.request.proxy_bypass(target.hostname or ""):
            named = urllib.request.getproxies().get(target.scheme)
        return address_of("proxy", named if "://" in named else f"http://{named}", ("http",)) if named else None


def address_of(name: str, text: str, schemes: tuple[str, ...]) -> urllib.parse.SplitResult:
    """Reads an address. Raises VigiaUsageError, which does not repeat it."""
    try:
        address = urllib.parse.urlsplit(text)
        if address.scheme in schemes and address.hostname and (address.port is None or address.port > 0):
            return address
    except (AttributeError, TypeError, ValueError):
        pass
    raise VigiaUsageError(f"{name}: no address that begins with {' or '.join(f'{one}://' for one in schemes)}")


def check_sendable(values: Mapping[str, str], required: bool = False) -> None:
    """Raises VigiaUsageError for what no header takes; http.client would say so with the value."""
    for name, value in values.items():
        if not isinstance(value, str) or not _SENDABLE.fullmatch(value) or (required and not value.strip()):
            raise VigiaUsageError(f"{name}: empty, or with a character that no header takes, such as a line break")


def _credentials(proxy: urllib.parse.SplitResult) -> Dict[str, str]:
    if not proxy.username:
        return {}
    text = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    return {"proxy-authorization": "Basic " + base64.b64encode(text.encode()).decode()}
