"""The network address of a request. Rate limits count the requests from each address."""

from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

_WIDER: Final = {56: 4, 48: 16}
"""The lengths of the wider IPv6 networks that providers give to a customer.

For each length, the value says how many times the limit of a /64 network applies to such a network.
"""


class Network(NamedTuple):
    """A network to which `factor` times the limit of one address applies."""

    name: str
    factor: int


def networks_of(address: str) -> list[Network]:
    """Return all networks of a result of `address_of` in which requests are counted, the narrowest first."""
    networks = [Network(address, 1)]
    if address.endswith("/64"):
        narrow = IPv6Network(address)
        wider = ((narrow.supernet(new_prefix=length), factor) for length, factor in _WIDER.items())
        networks += [Network(str(network), factor) for network, factor in wider]
    return networks


def address_of(request: HttpRequest) -> str:
    """Return the network address of a visitor, as the connection or the trusted proxy reports it.

    For IPv6, return the network, such as `2001:db8::/64`, because providers give each customer a whole
    network.
    """
    # get_ident needs only META, which Django's own requests also have.
    return network_of(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]


def network_of(address: str) -> str:
    """Return the network of an address, in the standard notation.

    For IPv6, this is the /64 network that contains the address. For IPv4, it is the address itself. If an
    IPv6 address contains an IPv4 address, return the IPv4 address. If the string is not an address, return
    the string unchanged.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        inside = parsed.ipv4_mapped or parsed.sixtofour
        return str(inside or IPv6Network((parsed, 64), strict=False))
    return str(parsed)
