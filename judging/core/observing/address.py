"""The network address of a request, by which all limits count."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


def address_of(request: HttpRequest) -> str:
    """Return the network address of a visitor, from the connection or from the trusted proxy.

    For IPv6 this is the network, such as `2001:db8::/64`, because providers give each customer a network.
    """
    # get_ident only reads META, which Django's own requests have too.
    return network_of(BaseThrottle().get_ident(request) or "")  # type: ignore[arg-type]


def network_of(address: str) -> str:
    """Return the network of an address, in one spelling; return text that is not an address unchanged.

    An IPv4 address inside an IPv6 address counts as the IPv4 address.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        inside = parsed.ipv4_mapped or parsed.sixtofour
        return str(inside or IPv6Network((parsed, 64), strict=False))
    return str(parsed)
