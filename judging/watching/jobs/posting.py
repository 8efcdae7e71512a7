"""The job `webhook`: when a study reaches a threshold, post a notice to an address set by its owners.

Owners can enter any address, so the job must not let them reach the server's own network. All IP addresses of
the host must be public, and the job connects only to an address that it has checked. Hosts inside the network
are allowed if PLUMBLINE_WEBHOOK_HOSTS lists them. The job follows no redirects and reads only the status of
the response.
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

_TRY_AGAIN: Final = (408, 425, 429)
_UNICAST: Final = IPv6Network("2000::/3")
"""The part of IPv6 that is assigned to hosts on the internet."""
_TEREDO: Final = IPv6Network("2001::/32")
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""The addresses through which networks without IPv4 reach IPv4 hosts.

The last four bytes of such an address are the IPv4 address.
"""


def post_notice(job: Job, progress: Progress) -> Result:
    """Post the notice as JSON, and return `{"host": name, "status": number}`.

    Raise NotNowError if the host is unavailable or asks Plumbline to try again later. Raise RefusedError if
    another attempt cannot succeed.
    """
    watch = Watch.objects.filter(study=job.study).first()
    if watch is None or not watch.webhook_url:
        raise RefusedError("The notice was not sent: the webhook was removed from the study’s thresholds.")
    parts = urlsplit(watch.webhook_url)
    host = parts.hostname or ""
    status = _post(parts, host, json.dumps(payload(job)).encode())
    if 200 <= status < 300:
        return {"host": host, "status": status}
    if status >= 500 or status in _TRY_AGAIN:
        raise NotNowError(f"The webhook at {host} responded with status {status}.")
    if 300 <= status < 400:
        raise RefusedError(
            f"The webhook at {host} responded with status {status}, a redirect, which Plumbline does not"
            " follow. Enter the final address in the thresholds."
        )
    raise RefusedError(
        f"The webhook at {host} responded with status {status}. Check its address in the thresholds."
    )


def payload(job: Job) -> dict[str, object]:
    """Return the values to post as JSON.

    Chat servers show the `text`. If a notice is posted twice, its `id` is the same both times.
    """
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
    connection = _PinnedConnection(host, port, address=_address(host, port), secure=secure)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    clock = Timer(WEBHOOK_SECONDS, connection.cut)
    clock.start()
    try:
        connection.request(
            "POST", path, body, {"Content-Type": "application/json", "User-Agent": "Plumbline"}
        )
        status = connection.getresponse().status
        if connection.is_cut:
            raise TimeoutError("the response was cut off")
        return status
    except (OSError, HTTPException) as error:
        if connection.is_cut:
            raise NotNowError(
                f"The webhook at {host} took longer than {WEBHOOK_SECONDS:g} seconds."
            ) from error
        raise NotNowError(f"Plumbline cannot reach the webhook at {host}: {error}") from error
    finally:
        clock.cancel()
        connection.close()


def _address(host: str, port: int) -> str:
    """Return the IP address to connect to.

    Raise RefusedError if the host is inside this server's network and is not allowed. Raise NotNowError if
    the host cannot be looked up.
    """
    try:
        addresses = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise NotNowError(f"Plumbline cannot look up the webhook’s host {host}: {error}") from error
    if host not in settings.WEBHOOK_HOSTS and not all(map(_is_public, addresses)):
        raise RefusedError(
            f"The notice was not sent: the webhook’s host {host} is inside the network of this server. To"
            " allow it, add it to PLUMBLINE_WEBHOOK_HOSTS."
        )
    return addresses[0]


def _is_public(address: str) -> bool:
    """Return whether an address, or the IPv4 address embedded in it, belongs to a host on the internet."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        embedded = IPv4Address(ip.packed[-4:]) if ip in _NAT64 else ip.ipv4_mapped or ip.sixtofour
        if embedded is None:
            return ip in _UNICAST and ip not in _TEREDO and ip.is_global
        ip = embedded
    return ip.is_global and not ip.is_multicast


class _PinnedConnection(HTTPConnection):
    """A connection to a fixed IP address, even if the host's name now resolves to a different address.

    The connection uses TLS if `secure` is true. A socket's time-out starts again with every byte, so it does
    not limit the whole request. To enforce such a limit, another thread can `cut` the connection.
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
            raise TimeoutError("the connection was cut off")
        if isinstance(self.sock, ssl.SSLSocket):
            self.sock.do_handshake()

    def cut(self) -> None:
        """Shut down the connection, so that a request or response in progress fails at once."""
        self.is_cut = True
        if self.sock is not None:
            with suppress(OSError):  # The host may have closed the connection just before.
                # Shut down the socket beneath TLS, so that the thread that waits for the host stops waiting.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
