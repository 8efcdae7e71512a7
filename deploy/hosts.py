"""Check the host names that a site serves.

Django refuses all other hosts. Names that it cannot match would refuse every request.
"""

import re
from ipaddress import IPv6Address, ip_address
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port

from deploy.environment import names

_SEPARATORS: Final = re.compile(r"[\s;]")


def hosts(name: str, *, default: list[str]) -> list[str]:
    """Return the host names in the variable, or the default if it is unset.

    Raise ImproperlyConfigured for a value that no request's host can match, and say how to write it.
    """
    result = names(name, default=default)
    for host in result:
        if host != "*" and not is_host(host.removeprefix(".")):
            raise ImproperlyConfigured(f"{name} has {host!r}, which is not a host name. {_remedy(host)}")
    if not result:
        raise ImproperlyConfigured(f"{name} has no host name. Set it to the site's name: judging.example.org")
    return result


def is_host(text: str) -> bool:
    """Return whether Django accepts this host, which has no port, in a request."""
    return bool(text) and ".." not in text and split_domain_port(text) == (text.lower(), "")


def origins(served: list[str], site_url: str) -> list[str]:
    """Return the origins from which a site with https accepts forms, even if a proxy changes the host."""
    domains = (host.replace(".", "*.", 1) if host.startswith(".") else host for host in served if host != "*")
    return list(dict.fromkeys([*(f"https://{domain}" for domain in domains), site_url]))


def _remedy(host: str) -> str:
    """Return a sentence that says how to write a host name."""
    if _SEPARATORS.search(host):
        return "Separate host names with commas."
    if host.startswith("*."):
        return f"For all hosts of the domain, write {host.removeprefix('*')}."
    domain = _domain_in(host)
    return f"Write only the name, without scheme, port or path: {domain or 'judging.example.org'}"


def _domain_in(text: str) -> str:
    """Return the host name in a URL, an address or a name in another spelling, or "" if there is none."""
    place = text.rpartition("://")[2].partition("/")[0].rpartition("@")[2]
    try:
        return f"[{ip_address(place)}]" if isinstance(ip_address(place), IPv6Address) else place
    except ValueError:
        domain, _ = split_domain_port(place.lower())
    if not domain:
        try:
            domain, _ = split_domain_port(place.encode("idna").decode())
        except UnicodeError:
            return ""
    return domain if is_host(domain) else ""
