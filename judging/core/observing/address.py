"""The network address of a request. Rate limits count the requests from each address."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


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
