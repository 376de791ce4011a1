"""Which machines this site may be made to call: none that only it can reach.

A name is resolved, each of its addresses is judged, and what was judged is what is connected to:
nobody can answer with another address in between.
"""

import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Addresses that everybody can reach are given out of this block alone.
_GLOBAL = ipaddress.ip_network("2000::/3")
# They hold another address, which is reached through a tunnel.
_TUNNELS = tuple(ipaddress.ip_network(network) for network in ("2001::/32", "2002::/16"))


class HostNotFound(OSError):
    """The name of the host has no address."""


class ForbiddenAddress(OSError):
    """The host is one that is not called."""


def resolve(host: str, port: int, *, private: bool = False) -> str:
    """Return the address to connect to. Raises HostNotFound, or ForbiddenAddress where one of its
    addresses is not public, unless private ones are allowed.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HostNotFound from None
    addresses = [str(place[4][0]) for place in found]
    if not addresses:
        raise HostNotFound
    if not private and not all(
        is_public(ipaddress.ip_address(address.partition("%")[0])) for address in addresses
    ):
        raise ForbiddenAddress
    return addresses[0]


def is_public(address: Address) -> bool:
    """Whether everybody reaches it: not private, loopback, link-local, multicast or a tunnel."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in _GLOBAL or any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not address.is_multicast
