"""Which hosts may be called: none in this site's private network.

A host name is resolved, its addresses are checked, and the connection uses a checked address, so
that DNS cannot return another one in between.
"""

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounts.database.connections import release_connection
from webhooks.models import URL_LENGTH

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Networks that embed another address, reached through a translator or tunnel.
_TUNNELS = tuple(
    ipaddress.ip_network(network)
    for network in ("64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16")
)


class UnfitUrl(ValueError):
    """Raised when a URL cannot be registered; the message says why and what to do."""


class HostNotFound(OSError):
    """Raised when a host name has no address."""


class ForbiddenAddress(OSError):
    """Raised when a host may not be called."""


def check(url: str) -> str:
    """Return the URL if it may be registered, after resolving its host. Raises UnfitUrl."""
    url = url.strip()
    parts = _parts(url)
    if parts.scheme != "https" and not (allows_private() and parts.scheme == "http"):
        raise UnfitUrl("Use an address that begins with https://.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise UnfitUrl("Leave “#” and passwords out of the address.")
    if len(url) > URL_LENGTH:
        raise UnfitUrl(f"Use an address of {URL_LENGTH} characters or fewer.")
    release_connection()
    try:
        resolve(url)
    except HostNotFound:
        raise UnfitUrl("I can’t find this host. Check the address.") from None
    except ForbiddenAddress:
        raise UnfitUrl(
            "This host is on a private network. Events can be sent only to public addresses."
        ) from None
    return url


def resolve(url: str) -> str:
    """Return a public IP address to connect to. Raises HostNotFound or ForbiddenAddress."""
    parts = _parts(url)
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HostNotFound from None
    addresses = [str(place[4][0]) for place in found]
    if not addresses:
        raise HostNotFound
    if not allows_private() and not all(
        is_public(ipaddress.ip_address(address.partition("%")[0])) for address in addresses
    ):
        raise ForbiddenAddress
    return addresses[0]


def is_public(address: Address) -> bool:
    """Return whether an address is public: not private, loopback, multicast or a tunnel etc."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not address.is_multicast


def allows_private() -> bool:
    """Return whether hosts in the private network may be called, also without TLS."""
    return bool(settings.WEBHOOKS["private_addresses"])


def _parts(url: str) -> SplitResult:
    """Return the parts of a URL. Raises UnfitUrl if it has no valid host."""
    no_address = UnfitUrl("Enter the full address, such as https://example.org/hooks.")
    if not url.isascii() or not url.isprintable() or any(sign in url for sign in ' \\"<>'):
        raise no_address
    try:
        parts = urlsplit(url)
        whole = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        raise no_address from None
    if not whole:
        raise no_address
    return parts
