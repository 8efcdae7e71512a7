"""`webhook`: a threshold that was reached, handed over to the address that the study's owners have set.

The address is anybody's word, so it is not let into the network of the server: each address that its host
stands for must be a public one, and the connection goes to the very address that was looked at. Hosts within
are named in PLUMBLINE_WEBHOOK_HOSTS. Redirects are not followed, and of the answer only the status is read.
"""

import json
import socket
import ssl
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Timer
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from judging.core.jobs.running import NotNowError
from judging.core.services.errors import RefusedError
from judging.core.services.jobs import Progress
from judging.limits import WEBHOOK_SECONDS
from judging.models import Job, Result, Watch

"""Seconds for all of it, from the connection to the answer; the look-up of the name is the resolver's."""
_TRY_AGAIN: Final = (408, 425, 429)
_UNICAST: Final = IPv6Network("2000::/3")
"""All of IPv6 that is given to hosts of the internet."""
_TEREDO: Final = IPv6Network("2001::/32")
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv4 hosts as networks without IPv4 name them; the last four bytes are the host's address."""


def post_notice(job: Job, progress: Progress) -> Result:
    """Post the notice as JSON; returns `{"host": name, "status": number}`.

    Raises NotNowError while the host is away or says to come again; RefusedError for what will not change.
    """
    watch = Watch.objects.filter(study=job.study).first()
    if watch is None or not watch.webhook_url:
        raise RefusedError("Nothing was sent: the study has no webhook any more.")
    parts = urlsplit(watch.webhook_url)
    host = parts.hostname or ""
    status = _post(parts, host, json.dumps(payload(job)).encode())
    if 200 <= status < 300:
        return {"host": host, "status": status}
    if status >= 500 or status in _TRY_AGAIN:
        raise NotNowError(f"The webhook at {host} answered {status}.")
    if 300 <= status < 400:
        raise RefusedError(f"The webhook at {host} answered {status}, a redirect, which is not followed.")
    raise RefusedError(f"The webhook at {host} answered {status}: look at its address.")


def payload(job: Job) -> dict[str, object]:
    """What is posted; `text` is the whole in words, which chat servers show as it is. `id` tells doubles."""
    study, facts = job.own_study, job.parameters
    return {
        "id": job.pk,
        "at": job.created_at.isoformat(),
        "study": study.slug,
        "title": study.title,
        "about": facts["what"],
        "text": f"{study.title} ({study.slug}): {facts['said']}",
        "value": facts["value"],
        "limit": facts["limit"],
    }


def _post(parts: SplitResult, host: str, body: bytes) -> int:
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    connection = _Pinned(host, port, address=_address(host, port), secure=secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    clock = Timer(WEBHOOK_SECONDS, connection.cut)
    clock.start()
    try:
        connection.request(
            "POST", path, body, {"Content-Type": "application/json", "User-Agent": "Plumbline"}
        )
        status = connection.getresponse().status
        if connection.is_cut:
            raise TimeoutError("its answer was cut short")
        return status
    except (OSError, HTTPException) as error:
        if connection.is_cut:
            slow = f"The webhook at {host} took longer than {WEBHOOK_SECONDS:g} seconds."
            raise NotNowError(slow) from error
        raise NotNowError(f"The webhook at {host} cannot be reached: {error}") from error
    finally:
        clock.cancel()
        connection.close()


def _address(host: str, port: int) -> str:
    """The address to connect to. Raises RefusedError for a host that leads into this network."""
    try:
        found = [info[4][0] for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise NotNowError(f"The name {host} of the webhook cannot be looked up: {error}") from error
    if host not in settings.WEBHOOK_HOSTS and not all(_is_public(str(one)) for one in found):
        raise RefusedError(
            f"Nothing was sent: {host} leads into the network of this server. If that is meant, name it in"
            " PLUMBLINE_WEBHOOK_HOSTS."
        )
    return str(found[0])


def _is_public(address: str) -> bool:
    """Whether an address belongs to a host of the internet, whichever way leads there."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inside = IPv4Address(found.packed[-4:]) if found in _NAT64 else found.ipv4_mapped or found.sixtofour
        if inside is None:
            return found in _UNICAST and found not in _TEREDO and found.is_global
        found = inside
    return found.is_global and not found.is_multicast


class _Pinned(HTTPConnection):
    """A connection to one address, whatever its host's name stands for by now; by TLS where `secure`.

    A time-out of a socket begins anew with every byte that comes, so another thread may `cut` it.
    """

    def __init__(self, host: str, port: int, *, address: str, secure: bool) -> None:
        super().__init__(host, port, timeout=WEBHOOK_SECONDS)
        self.default_port = 443 if secure else 80
        self.is_cut = False
        self._address = address
        self._secure = secure

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), WEBHOOK_SECONDS)
        if self._secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
        if self.is_cut:
            raise TimeoutError("it was cut while it was made")
        if isinstance(self.sock, ssl.SSLSocket):
            self.sock.do_handshake()

    def cut(self) -> None:
        """End what is being sent or read: it fails at once."""
        self.is_cut = True
        if self.sock is not None:
            with suppress(OSError):  # The other side may have closed it in this moment.
                # Of the socket beneath, so that TLS in the other thread meets an end, not a change of mind.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
