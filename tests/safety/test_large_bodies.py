"""Large bodies: read of people who may upload, where files are uploaded, and refused unread elsewhere."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from judging.core.pages.limits import ASKS
from tests.factories import make_study
from tests.jobs.workers import database_url
from tests.people.conftest import browser_of, make_people
from tests.support.http_client import HttpClient
from tests.support.people import PASSWORD
from tests.support.processes import ROOT
from tests.support.visitor import Visitor, through_http
from tests.support.website import Website, served

MEGABYTE = 1024 * 1024
UPLOADS = [
    "/console/setup/",
    "/console/studies/study/setup/files/",
    "/console/studies/study/payments/",
    "/console/studies/study/understanding/judges/labels/",
]
OTHERS = [
    "/console/login/",
    "/console/studies/study/setup/topics/",
    "/admin/login/",
    "/api/v1/token/",
    "/s/study/",
]
NOWHERE = "/no/"
HEAD = b'--X\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
FORM = "multipart/form-data; boundary=X"


class Unread(BytesIO):
    """A body that must not be read."""

    def read(self, *_: Any) -> bytes:
        raise AssertionError("it was read")

    readline = read


def announce(client: Client, path: str, size: int = 300 * MEGABYTE, form: str = FORM) -> Any:
    body = {"wsgi.input": Unread(), "CONTENT_LENGTH": str(size), "CONTENT_TYPE": form}
    return client.generic("POST", path, **body)


@pytest.mark.parametrize("path", [*UPLOADS, *OTHERS, NOWHERE])
def test_a_stranger_s_large_body_is_refused_unread(db: None, path: str) -> None:
    answer = announce(Client(), path)
    assert answer.status_code == (404 if path == NOWHERE else 413)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", OTHERS)
def test_a_member_s_large_body_is_read_where_files_are_uploaded_and_nowhere_else(db: None, path: str) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada", password=PASSWORD))
    assert announce(client, path).status_code == 413
    with pytest.raises(AssertionError, match="it was read"):
        announce(client, UPLOADS[0])


@pytest.mark.parametrize(
    ("who", "statuses"),
    [
        ("anonymous", [302, 302, 302, 302, 302]),
        ("eve", [403, 403, 403, 403, 403]),
        ("stranger", [None, 404, 404, 404, 404]),
        ("viewer", [403, 403, 403, 403, 404]),
        ("editor", [None, None, 403, None, 404]),
        ("owner", [None, None, None, None, 404]),
    ],
)
@pytest.mark.parametrize("form", [FORM, "application/x-www-form-urlencoded", "text/plain"])
def test_who_may_not_upload_there_is_refused_before_a_small_body_is_read(
    db: None, who: str, statuses: list[int | None], form: str
) -> None:
    people = make_people(make_study(), make_study(slug="other"))
    people["eve"] = get_user_model().objects.create_user("eve", password=PASSWORD)
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32  # with it, the check for another site's form reads the body
    if who in people:
        client.force_login(people[who])
    paths = [*UPLOADS, UPLOADS[1].replace("study/", "nowhere/")]
    for path, status in zip(paths, statuses, strict=True):
        asked = client.get(path, headers={ASKS: "ask"})
        assert (asked.status_code, asked.content) == (204 if status is None else 403, b""), path
        if status is not None:
            assert announce(client, path, 100, form).status_code == status, path
        else:
            with pytest.raises(AssertionError, match="it was read"):
                announce(client, path, 100, form if form != "text/plain" else FORM)


def test_the_files_of_a_stranger_s_small_form_are_skipped_and_its_fields_read(db: None) -> None:
    form = {"username": "ada", "password": "guess", "file": SimpleUploadedFile("a.zip", b"x" * MEGABYTE)}
    answer = Client().post("/console/login/", form)
    assert (answer.status_code, dict(answer.wsgi_request.FILES)) == (200, {})
    assert b'value="ada"' in answer.content


def all_addresses(patterns: list[Any], before: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address of the site, with 1 in the place of each part that varies, and its view."""
    for pattern in patterns:
        path = before + re.sub(r"<[^>]+>", "1", str(pattern.pattern)).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from all_addresses(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            yield path, pattern.callback


def marked() -> dict[str, Any]:
    """The addresses that take files, with their views."""
    result = all_addresses(get_resolver().url_patterns)
    return {path: view for path, view in result if hasattr(view, "takes_files")}


def test_nginx_lets_large_bodies_through_to_these_pages_alone() -> None:
    site = (ROOT / "deploy" / "nginx" / "plumbline.conf").read_text()
    (found,) = re.findall(r'^ +"~\^POST (\S+)" 1;$', site, re.MULTILINE)
    let_through = {path for path, _ in all_addresses(get_resolver().url_patterns) if re.match(found, path)}
    assert let_through == set(marked())
    assert all(re.match(found, path) for path in UPLOADS)
    assert re.findall(r"client_max_body_size +(\w+);", site) == ["6m", "640m", "0", "0"]
    asks = r"location = /-/may-upload \{\s+internal;[^}]*client_max_body_size +0;[^}]*request_body off"
    assert re.search(asks, site), "of a question without its body"
    assert re.search(r"location /-/ \{\s+internal;[^}]*client_max_body_size 0;", site), (
        "of its own pages alone"
    )


def test_the_pages_with_a_form_for_files_are_the_marked_ones() -> None:
    """A page that reads files without the mark would find none."""
    modules = (ROOT / "judging").rglob("*.py")
    reading = {path.stem for path in modules if "request.FILES" in path.read_text()}
    assert {view.__module__.rpartition(".")[2] for view in marked().values()} == reading


def test_what_is_kept_in_memory_in_containers_has_an_end() -> None:
    services = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"]
    mounts = [(name, mount) for name, service in services.items() for mount in service.get("tmpfs", [])]
    assert mounts
    sizes = {(name, mount): re.search(r"[:,]size=(\d+)m\b", mount) for name, mount in mounts}
    assert all(sizes.values()), sizes
    (web,) = (int(size[1]) for (name, _), size in sizes.items() if name == "web")
    assert web > settings.UPLOAD_MEGABYTES
    units = {"m": 1, "g": 1024}
    for name, service in services.items():
        limit = int(service["mem_limit"][:-1]) * units[service["mem_limit"][-1]]
        in_memory = sum(int(size[1]) for (of, _), size in sizes.items() if size and of == name)
        assert limit >= in_memory + 256, f"{name}: files in memory leave its processes none"


# --- a served site -----------------------------------------------------------------------------------------


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def site(database: str, tmp_path: Path, temporary: Path) -> Iterator[Website]:
    with served(tmp_path, database_url(), workers=1, TMPDIR=str(temporary)) as site:
        yield site


@contextmanager
def part_sent(site: Website, path: str, cookie: str = "") -> Iterator[socket.socket]:
    """A connection on which 300 MB were announced and 8 sent."""
    address = urlsplit(site.address)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {FORM}\r\nCookie: {cookie}\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=30) as line:
        line.sendall(f"{head}Content-Length: {300 * MEGABYTE}\r\n\r\n".encode() + HEAD)
        with suppress(OSError):  # the site has answered and hung up
            for _ in range(8):
                line.sendall(b"x" * MEGABYTE)
        yield line


def written_by(site: Website, temporary: Path) -> list[str]:
    """Files in the folder for temporary ones, also those that have no name any more."""
    held = [file.path for process in site.workers() for file in process.open_files()]
    return [*map(str, temporary.iterdir()), *(path for path in held if path.startswith(str(temporary)))]


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_slow_form_of_somebody_who_may_not_send_it_occupies_no_process(site: Website) -> None:
    """The only process answers before the form is there, and then it answers others."""
    people = make_people(make_study(), make_study(slug="other"))
    session = browser_of(people["viewer"]).cookies[settings.SESSION_COOKIE_NAME].value
    address = urlsplit(site.address)
    for cookie in ("", "sessionid=made-up", f"sessionid={session}"):
        for path in (*UPLOADS, "/console/studies/nowhere/payments/"):
            head = (
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}; csrftoken={'a' * 32}\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n"
            )
            with socket.create_connection((address.hostname, address.port), timeout=10) as line:
                line.sendall(head.encode() + b"a")
                assert line.recv(1024).split()[1] in (b"302", b"403", b"404"), (cookie, path)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_nothing_a_stranger_sends_reaches_the_disk(site: Website, temporary: Path) -> None:
    get_user_model().objects.create_superuser("ada", password=PASSWORD)
    for path in (*UPLOADS, *OTHERS):
        with part_sent(site, path) as line:
            assert line.recv(1024).split()[1] == b"413", path
            assert written_by(site, temporary) == [], path
    client = HttpClient(timeout=30)
    visitor = Visitor(through_http(site.address, client))
    visitor.open("/console/setup/")
    visitor.send(username="ada", password=PASSWORD)
    assert visitor.page.path == "/console/setup/", "small bodies are read as ever"
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    deadline = monotonic() + 30
    with part_sent(site, UPLOADS[0], cookie):
        while not written_by(site, temporary):
            assert monotonic() < deadline, "what a member uploads is kept there"
            sleep(0.05)
