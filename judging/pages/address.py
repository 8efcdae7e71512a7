"""Where a request comes from."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


def address_of(request: HttpRequest) -> str:
    """The network address of a visitor, as the API's throttles read it: past a proxy, where there is one.

    Of IPv6 it is the network, `2001:db8::/64`: whoever has one address of it has all of them.
    """
    given = BaseThrottle().get_ident(request)
    try:
        address = ip_address(given)
    except ValueError:
        return given
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(IPv6Network((address, 64), strict=False))
    return given
