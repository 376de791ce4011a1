"""Which URLs may be registered and called: no machine that only this site can reach."""

from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounts.database.connections import release_connection
from accounts.support import public_addresses
from accounts.support.public_addresses import ForbiddenAddress, HostNotFound
from webhooks.models import URL_LENGTH


class UnfitUrl(ValueError):
    """Raised when a URL cannot be registered; the message says why and what to do."""


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
    host, port = str(parts.hostname), parts.port or 443
    return public_addresses.resolve(host, port, private=allows_private())


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
