"""A real nginx with the site of `deploy/nginx/`, on free ports, with a certificate of its own.

with proxied(tmp_path / "nginx", "127.0.0.1:8000", static) as proxy:
    proxy.client().get(f"{proxy.address}/")
"""

import os
import re
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from deploy.suite import find_nginx
from tests.support.http_client import HttpClient
from tests.support.ports import free_port
from tests.support.processes import ROOT, SECONDS

SITE = ROOT / "deploy" / "nginx"
HOST = "judging.example.org"
NAMES_ADDRESS = "127.0.0.9"
ADDRESS_HEADER = "X-Test-Address"
"""Who connects from there says in this header which address it came from: machines may have no IPv6."""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass
class Proxy:
    """A running nginx: its ports, and the certificate that its clients are to trust."""

    http: int
    https: int
    certificate: Path

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self.https}"

    def client(self, came_from: str = "127.0.0.1") -> httpx.Client:
        """A browser that has been told where the site's name leads; it keeps cookies as browsers do."""
        trusted = ssl.create_default_context(cafile=str(self.certificate))
        transport = httpx.HTTPTransport(verify=trusted, local_address=came_from)
        return HttpClient(
            transport=transport, headers={"Host": HOST, "Referer": f"https://{HOST}/"}, timeout=30
        )


def configured(folder: Path, upstream: str, static: Path, proxy: Proxy) -> Path:
    """The site as it is deployed, but for its places; a wrapper around it that needs no rights."""
    site = (SITE / "plumbline.conf").read_text()
    for pattern, ours in (
        (r"^ *listen \[::\].*\n", ""),
        (r"listen 80;", f"listen 127.0.0.1:{proxy.http};"),
        (r"listen 443 ", f"listen 127.0.0.1:{proxy.https} "),
        (r"/etc/plumbline/tls/fullchain.pem", str(proxy.certificate)),
        (r"/etc/plumbline/tls/privkey.pem", str(folder / "key.pem")),
        (r"/var/cache/plumbline/static/", f"{static}/"),
        (r"/srv/plumbline/", f"{ROOT}/"),
    ):
        site, changed = re.subn(pattern, ours, site, flags=re.MULTILINE)
        assert changed, pattern
    (folder / "plumbline.conf").write_text(site)
    (folder / "upstream.conf").write_text(
        (SITE / "upstream.conf").read_text().replace("127.0.0.1:8000", upstream)
    )
    lines = [f"{name}_temp_path {folder}/{name};" for name in _TEMPORARY]
    lines += [f"include {folder}/{name};" for name in ("mime.types", "upstream.conf", "plumbline.conf")]
    (folder / "mime.types").write_text(
        "types { text/html html; text/css css; text/javascript js; image/svg+xml svg; }"
    )
    wrapper = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    wrapper.write_text(
        f"{user} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;"
        f" events {{}} http {{ access_log off; default_type application/octet-stream; {' '.join(lines)}"
        f" set_real_ip_from {NAMES_ADDRESS}; real_ip_header {ADDRESS_HEADER}; }}"
    )
    return wrapper


@contextmanager
def proxied(folder: Path, upstream: str, static: Path) -> Iterator[Proxy]:
    """nginx before the site at `upstream`, a host and port, inside this block."""
    program = find_nginx()
    if program is None:
        pytest.skip("there is no nginx")
    folder.mkdir()
    proxy = Proxy(free_port(), free_port(), folder / "certificate.pem")
    make_certificate(folder, proxy.certificate)
    wrapper = configured(folder, upstream, static, proxy)
    command = [program, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(wrapper)]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr, checked.stderr
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        _wait_for(proxy, process)
        yield proxy
    finally:
        process.terminate()
        process.wait(SECONDS)


def make_certificate(folder: Path, path: Path) -> None:
    """Write a certificate for HOST to `path`, and its key to `key.pem` in the folder."""
    words = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    words += ["-addext", f"subjectAltName=DNS:{HOST},IP:127.0.0.1"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(path)]
    subprocess.run(["openssl", "req", *words, *files], check=True, capture_output=True)


def _wait_for(proxy: Proxy, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            with proxy.client() as client:
                client.get(f"{proxy.address}/static/")
            return
        except httpx.TransportError:
            assert process.poll() is None, "nginx has ended"
            assert time.monotonic() < deadline
            time.sleep(0.02)
