"""Public IP addresses: users and staff can make this site call no host of a private network.

A host name is resolved, its addresses are checked, and the connection uses a checked address, so
that DNS cannot return another address in between.
"""

import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# All public IPv6 addresses are in this block.
_GLOBAL = ipaddress.ip_network("2000::/3")
# Networks whose addresses embed another address, reached through a tunnel.
_TUNNELS = tuple(ipaddress.ip_network(network) for network in ("2001::/32", "2002::/16"))


class HostNotFound(OSError):
    """Raised when a host name has no address."""


class ForbiddenAddress(OSError):
    """Raised when a host may not be called."""


def resolve(host: str, port: int, *, private: bool = False) -> str:
    """Return the IP address to connect to. Raises HostNotFound, and ForbiddenAddress if an address
    of the host is not public, unless `private` allows that.
    """
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HostNotFound from None
    addresses = [str(place[4][0]) for place in infos]
    if not addresses:
        raise HostNotFound
    if not private and not all(
        is_public(ipaddress.ip_address(address.partition("%")[0])) for address in addresses
    ):
        raise ForbiddenAddress
    return addresses[0]


def is_public(address: Address) -> bool:
    """Return whether an address is public: not private, local, multicast or of a tunnel."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address not in _GLOBAL or any(address in network for network in _TUNNELS):
            return False
    return address.is_global and not address.is_multicast
