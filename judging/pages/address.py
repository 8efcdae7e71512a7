"""Where a request comes from."""

from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle


def address_of(request: HttpRequest) -> str:
    """The network address of a visitor, as the API's throttles read it: past a proxy, where there is one."""
    return BaseThrottle().get_ident(request)
