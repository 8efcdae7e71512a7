"""nginx with the site's own configuration before the served site, by https: what is said of it is so."""

import re
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from http.client import HTTPSConnection
from ipaddress import IPv6Address
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
import redis
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.test import Client

from judging.core.clock import now
from judging.core.services.members import set_role
from judging.models import Judgment, Role, Study
from tests.faults.steady import STEADY, steady_mind
from tests.jobs.workers import database_url
from tests.support.http_crowd import HttpWorker, memory_of, pace_for
from tests.support.nginx import ADDRESS_HEADER, HOST, NAMES_ADDRESS, SITE, Proxy, proxied
from tests.support.people import PASSWORD
from tests.support.quick_sample import SECONDS, open_sample
from tests.support.visitor import Visitor, through_http
from tests.support.website import Website, served

pytestmark = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
MEGABYTE = 1024 * 1024
FIRST = IPv6Address("2001:db8::1")


@pytest.fixture
def study(database: str, tmp_path: Path) -> Study:
    return open_sample(tmp_path, "proxied")


@pytest.fixture
def site(study: Study, valkey_server: str, collected: Path, tmp_path: Path) -> Iterator[Website]:
    redis.Redis.from_url(valkey_server).flushdb()
    more = {"PLUMBLINE_HTTPS": "1", "PLUMBLINE_ALLOWED_HOSTS": HOST, "PLUMBLINE_STATIC": str(collected)}
    with served(tmp_path, database_url(), valkey_server, host=HOST, workers=1, **more) as site:
        yield site


@pytest.fixture
def proxy(site: Website, collected: Path, tmp_path: Path) -> Iterator[Proxy]:
    with proxied(tmp_path / "nginx", f"127.0.0.1:{site.port}", collected) as proxy:
        yield proxy


def test_the_site_by_https(site: Website, proxy: Proxy, study: Study) -> None:
    """One test for all that needs no site of its own: starting one is what takes long."""
    with proxy.client() as client:
        plain_http_leads_to_https(client, proxy)
        what_is_for_those_who_run_the_site_is_hidden(client, site, proxy)
        static_files_are_kept_for_ever_and_pages_never(client, proxy)
        requests_are_numbered_by_the_proxy(client, proxy)
        what_is_too_large_is_refused_in_words(proxy)
        what_a_stranger_uploads_is_refused_by_the_site(proxy)
    a_researcher_logs_in_and_a_worker_does_a_unit(proxy, study)
    limits_go_by_the_address_that_connected(proxy)
    forms_are_accepted_at_another_port(proxy)
    site.kill()
    a_flood_from_one_network_is_stopped(proxy, "127.0.0.1")
    a_flood_from_one_network_is_stopped(proxy, NAMES_ADDRESS)
    sleep(1)
    a_flood_from_one_network_is_stopped(proxy, NAMES_ADDRESS, step=1 << 64, times=12, most=2000)
    sleep(1)  # what one address may do comes back
    with proxy.client() as client:
        away = client.get(f"{proxy.address}/s/{study.slug}/")
        assert away.status_code == 502
        assert away.text == page("away")
        assert away.headers["Cache-Control"] == "no-store"
        style = re.search(r'href="(/static/[^"]+)"', away.text)[1]
        assert client.get(f"{proxy.address}{style}").status_code == 200, "nginx has what the page looks like"
    assert _announce(proxy, "/console/setup/", 300 * MEGABYTE) == (502, page("away"))


def test_slow_uploads_keep_nobody_waiting(site: Website, proxy: Proxy, study: Study) -> None:
    """The site has one process, and one slow body that it reads would keep all others waiting."""
    paths = ["/console/setup/"]
    paths += [
        f"/console/studies/{slug}/{page}/"
        for slug in (study.slug, "nowhere")
        for page in ("setup/files", "payments")
    ]
    for role in Role:
        user = get_user_model().objects.create_user(role.value, password=PASSWORD)
        set_role(study=study, user=user, role=role, now=now())
    cookies = ["", "__Host-sessionid=0123456789abcdef0123456789abcdef; __Host-csrftoken=made-up"]
    cookies += [_session(user) for user in get_user_model().objects.filter(is_superuser=False)]
    assert len(cookies) == 2 + len(Role)
    forms = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=X"]
    trusted = ssl.create_default_context(cafile=str(proxy.certificate))
    for cookie in cookies:
        with ExitStack() as open_lines:
            for number in range(50):
                line = open_lines.enter_context(
                    trusted.wrap_socket(
                        socket.create_connection(("127.0.0.1", proxy.https), 30), server_hostname="127.0.0.1"
                    )
                )
                head = (
                    f"POST {paths[number % len(paths)]} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {cookie}\r\n"
                    f"Content-Type: {forms[number % len(forms)]}\r\nContent-Length: 100\r\n\r\n"
                )
                line.sendall(head.encode() + b"a")
            with proxy.client() as client:
                for path in ("/console/login/", f"/s/{study.slug}/"):
                    began = monotonic()
                    assert client.get(f"{proxy.address}{path}").status_code == 200
                    assert monotonic() - began < 1, (cookie, path)


def _session(user: User) -> str:
    """The cookie of a browser in which somebody is logged in."""
    client = Client()
    client.force_login(user)
    return f"__Host-sessionid={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def page(name: str) -> str:
    """A page of the proxy's own."""
    return (SITE / "pages" / f"{name}.html").read_text()


def a_flood_from_one_network_is_stopped(
    proxy: Proxy, came_from: str, step: int = 1, times: int = 4, most: int = 1000
) -> None:
    """Asked without waiting for answers; no site is there, so that it is the proxy that says what happens."""
    statuses = Counter[bytes]()
    requests = [
        f"GET /healthz HTTP/1.1\r\nHost: {HOST}\r\n{ADDRESS_HEADER}: {FIRST + number % 256 * step}\r\n\r\n"
        for number in range(500)
    ]
    trusted = ssl.create_default_context(cafile=str(proxy.certificate))
    for _ in range(times):
        with (
            socket.create_connection(("127.0.0.1", proxy.https), 30, (came_from, 0)) as plain,
            trusted.wrap_socket(plain, server_hostname="127.0.0.1") as line,
        ):
            line.sendall("".join(requests).encode())
            got = b""
            while got.count(b"HTTP/1.1 ") < 500 and (part := line.recv(1 << 16)):
                got += part
            statuses.update(re.findall(rb"HTTP/1.1 (\d+)", got))
    assert set(statuses) == {b"502", b"429"}
    assert statuses[b"502"] >= most, "as many as may come at once"


def plain_http_leads_to_https(client: httpx.Client, proxy: Proxy) -> None:
    moved = client.get(f"http://127.0.0.1:{proxy.http}/console/?next=1")
    assert (moved.status_code, moved.headers["Location"]) == (301, f"https://{HOST}/console/?next=1")
    response = client.get(f"{proxy.address}/console/")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/console/login/"), "no host, so it stays with https"


def what_is_for_those_who_run_the_site_is_hidden(client: httpx.Client, site: Website, proxy: Proxy) -> None:
    for path in ("/metrics", "/metrics/", "/readyz", "/static/staticfiles.json", "/-/away.html"):
        assert client.get(f"{proxy.address}{path}").status_code == 404, path
    assert client.get(f"{proxy.address}/healthz").status_code == 200
    assert httpx.get(f"{site.address}/readyz", headers={"Host": HOST}).status_code == 200


def static_files_are_kept_for_ever_and_pages_never(client: httpx.Client, proxy: Proxy) -> None:
    page = client.get(f"{proxy.address}/console/login/")
    assert "no-store" in page.headers["Cache-Control"]
    assert page.headers["Content-Encoding"] == "gzip"
    style = re.search(r'href="(/static/site\.[0-9a-f]{12}\.css)"', page.text)[1]
    kept = client.get(f"{proxy.address}{style}")
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kept.headers["Content-Type"] == "text/css"
    assert kept.headers["Content-Encoding"] == "gzip"
    plain = client.get(f"{proxy.address}/static/site.css")
    assert plain.headers["Cache-Control"] == "public, max-age=3600"
    assert plain.text == kept.text
    for answer in (page, kept, plain):
        counted = Counter(name.lower() for name, _ in answer.headers.multi_items())
        del counted["set-cookie"], counted["vary"]  # lists, which may come in parts
        assert set(counted.values()) == {1}, f"said twice: {counted}"
        assert counted["strict-transport-security"] == counted["x-content-type-options"] == 1


def requests_are_numbered_by_the_proxy(client: httpx.Client, proxy: Proxy) -> None:
    chosen = {"X-Request-ID": "chosen-by-a-client"}
    answers = [client.get(f"{proxy.address}/healthz", headers=chosen) for _ in range(2)]
    numbers = {answer.headers["X-Request-ID"] for answer in answers}
    assert len(numbers) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", number) for number in numbers)


def what_is_too_large_is_refused_in_words(proxy: Proxy) -> None:
    site = (SITE / "plumbline.conf").read_text()
    first, console = (int(size) for size in re.findall(r"client_max_body_size +(\d+)m;", site))
    assert first * MEGABYTE > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert settings.UPLOAD_MEGABYTES < console < 1.5 * settings.UPLOAD_MEGABYTES
    for path, size in (("/console/setup/", console), ("/console/login/", first), ("/s/proxied/", first)):
        status, text = _announce(proxy, path, size * MEGABYTE + 1)
        assert status == 413
        assert text == page("too-large")


def what_a_stranger_uploads_is_refused_by_the_site(proxy: Proxy) -> None:
    """Neither keeps any of it: the answer is there before the body is."""
    status, text = _announce(proxy, "/console/setup/", 300 * MEGABYTE, b"x" * MEGABYTE)
    assert (status, "too-large" in text) == (303, False)
    with proxy.client() as client:
        answer = client.post(f"{proxy.address}/console/setup/", content=b"x" * MEGABYTE)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/console/setup/")
        assert client.get(f"{proxy.address}/console/setup/").headers["Location"].startswith("/console/login/")


def _announce(proxy: Proxy, path: str, size: int, part: bytes = b"") -> tuple[int, str]:
    """What comes back before the body, of which a part is sent, is there."""
    trusted = ssl.create_default_context(cafile=str(proxy.certificate))
    connection = HTTPSConnection("127.0.0.1", proxy.https, context=trusted, timeout=30)
    connection.putrequest("POST", path, skip_host=True)
    for name, value in (("Host", HOST), ("Content-Length", str(size)), ("Content-Type", "text/plain")):
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(part)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def a_researcher_logs_in_and_a_worker_does_a_unit(proxy: Proxy, study: Study) -> None:
    get_user_model().objects.create_user("ada", password=PASSWORD, is_staff=True)
    researcher = Visitor(through_http(proxy.address, proxy.client()))
    researcher.open("/console/")
    researcher.send(username="ada", password=PASSWORD)
    assert researcher.page.path == "/console/"
    cookies = [line for reply in researcher.seen for line in reply.cookies]
    assert {line.partition("=")[0] for line in cookies} >= {"__Host-sessionid", "__Host-csrftoken"}
    assert all("Secure" in line for line in cookies)
    one_unit = steady_mind("proxied", replace(STEADY, stays=0.0))
    pace = pace_for(SECONDS)
    worker = HttpWorker(
        through_http(proxy.address, proxy.client()),
        one_unit,
        memory_of(study),
        lambda seconds: sleep(seconds * pace),
    )
    worker.live(study.slug)
    assert Judgment.objects.filter(assignment__state="completed").count() == 8


def forms_are_accepted_at_another_port(proxy: Proxy) -> None:
    """A browser names the port in the host and in the origin of a form, unless it is 443."""
    with proxy.client() as client:
        client.headers["Host"] = f"{HOST}:8443"
        login = client.get(f"{proxy.address}/console/login/")
        (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', login.text)
        form = {"csrfmiddlewaretoken": token, "username": "ada", "password": PASSWORD}
        for origin, status in ((f"https://{HOST}:8443", 302), (f"https://{HOST}:8444", 403)):
            answer = client.post(f"{proxy.address}/console/login/", data=form, headers={"Origin": origin})
            assert answer.status_code == status, origin


def limits_go_by_the_address_that_connected(proxy: Proxy) -> None:
    with proxy.client("127.0.0.2") as one, proxy.client("127.0.0.3") as other:
        tries = [
            one.post(f"{proxy.address}/api/v1/token/", headers={"X-Forwarded-For": f"192.0.2.{number}"})
            for number in range(11)
        ]
        assert [answer.status_code for answer in tries] == [400] * 10 + [429]
        assert other.post(f"{proxy.address}/api/v1/token/").status_code == 400
