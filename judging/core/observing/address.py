"""Where a request comes from: the one name that every limit on an address counts by."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


def address_of(request: HttpRequest) -> str:
    """Return the network address of a visitor: that of the connection, or the one the trusted proxy names.

    An IPv6 address stands for its network, `2001:db8::/64`, because a customer is given a whole network.
    """
    # All that get_ident reads of a request is META, which Django's own requests have too.
    return network_of(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]


def network_of(address: str) -> str:
    """Return the network that an address counts as; text that is no address is returned unchanged.

    However an address is written, it counts as the same: an IPv4 address inside IPv6 is that IPv4 address.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        inside = found.ipv4_mapped or found.sixtofour
        return str(inside or IPv6Network((found, 64), strict=False))
    return str(found)
