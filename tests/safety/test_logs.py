"""The log of a served site names nobody and holds no key, whatever was asked and however it was answered."""

import logging
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import RequestFactory

from deploy.logs import MOST_HOSTS
from judging.core.clock import now
from judging.core.services.members import set_role
from judging.models import Invitation, Role, Study
from judging.people.pages import mail
from judging.people.services.invitations import invite, token_of
from tests.factories import make_study, make_worker
from tests.jobs.workers import database_url
from tests.support.http_client import HttpClient
from tests.support.mail import MailServer
from tests.support.people import PASSWORD
from tests.support.visitor import Visitor, through_http
from tests.support.website import served

PERSON, MAIL, REFUSED = "platform-person-17", "somebody@example.org", "nobody@example.org"


class Walk:
    """A visitor of the site who remembers every key that they were given."""

    def __init__(self, address: str) -> None:
        self.http = HttpClient(base_url=address, timeout=30)
        self.visitor = Visitor(through_http(address, self.http))
        self.keys: set[str] = set()
        self.statuses: set[int] = set()

    def ask(self, method: str, path: str, data: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        answer = self.http.request(method, path, data=data, **more)
        self.statuses.add(answer.status_code)
        self.keys |= {value for value in self.http.cookies.values() if len(value) > 20}
        self.keys |= set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.text))
        return answer

    def send(self, path: str, **typed: str) -> httpx.Response:
        """A form with its token."""
        (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', self.ask("GET", path).text)
        return self.ask("POST", path, {"csrfmiddlewaretoken": token, **typed})


@pytest.fixture
def study(database: str) -> Study:
    study = make_study(platform="generic", id_parameter="PID", submission_parameter="SID")
    ada = get_user_model().objects.create_user("ada", email="ada@example.org", password=PASSWORD)
    set_role(study=study, user=ada, role=Role.OWNER, now=study.created_at)
    return study


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_no_key_and_no_name_stands_in_the_log(
    study: Study, tmp_path: Path, mail_server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_SECRET_KEY", settings.SECRET_KEY)  # or no link of ours is good there
    monkeypatch.setenv("EMAIL_URL", mail_server.url)
    monkeypatch.setenv("PLUMBLINE_FROM", "Plumbline <plumbline@example.org>")
    mail_server.refusals[REFUSED] = "550 there is nobody of that name"
    worker = make_worker(study, upto="judging", platform_id=PERSON, submission_id="visit-of-17", now=now())
    owner = get_user_model().objects.create_superuser("owner")
    invitation = invite(study=study, email=MAIL, role=Role.VIEWER, now=now(), actor=owner)
    link = f"/console/invitations/{token_of(invitation)}/"
    with served(tmp_path, database_url()) as site:
        guest = Walk(site.address)
        come_as_a_worker(guest, study, worker.token)
        guest.ask("GET", link)
        guest.ask("POST", link, {"username": "x"})  # without its token: 403
        guest.ask("GET", link[:-3] + "x/")  # forged: 404 or 400
        guest.send(link, username="x", password1="short-secret-1", password2="other-secret-2")
        for password in ("a-wrong-secret-3", PASSWORD):
            guest.send("/console/login/", username="ada", password=password)
        guest.send("/console/studies/study/members/", action="invite", email=REFUSED, role="viewer")
        guest.send("/console/studies/study/members/", action="invite", email="not an address", role="viewer")
        guest.ask("GET", "/console/studies/study/audit/?actor=ada@example.org&q=" + MAIL)
        program = Walk(site.address)
        for password in ("a-wrong-secret-4", PASSWORD):
            result = program.ask("POST", "/api/v1/token/", json={"username": "ada", "password": password})
        token = result.json()["token"]
        program.ask("GET", "/api/v1/studies/none/", headers={"Authorization": f"Token {token}"})
        guest.statuses |= program.statuses
        break_the_site(guest, link)
        text = site.log.read_text()
    secrets = guest.keys | {
        *(PASSWORD, PERSON, MAIL, REFUSED, "ada@example.org", "visit-of-17", worker.token, token),
        *(invitation.key, token_of(invitation), *Invitation.objects.values_list("key", flat=True)),
        *("short-secret-1", "other-secret-2", "a-wrong-secret-3", "a-wrong-secret-4", "typed-in-17"),
    }
    assert guest.statuses >= {200, 302, 400, 401, 403, 404, 500}
    assert len(guest.keys) > 5
    assert len(token) > 40
    assert "Traceback" in text, "the failure of the site stands nowhere"
    assert mail.log.name in text, "the failure of the mail server stands nowhere"
    assert [line for line in text.splitlines() if any(secret in line for secret in secrets)] == []


def come_as_a_worker(guest: Walk, study: Study, token: str) -> None:
    guest.ask("GET", f"/s/study/?PID={PERSON}&SID=visit-of-17")
    guest.ask("GET", f"/s/study/resume/{token}/")
    guest.ask("GET", f"/s/none/resume/{token}/")
    guest.ask("GET", f"/s/study/resume/{token}/more/")
    guest.ask("GET", f"/s/none/?PID={PERSON}")
    guest.ask("GET", f"/s/study/?PID={PERSON * 20}")
    guest.ask("POST", "/s/study/judge/", {"justification": "typed-in-17"})
    guest.visitor.open("/s/study/judge/")
    guest.ask("POST", f"/s/study/resume/{token}/", {"justification": "typed-in-17"})
    guest.ask("POST", "/s/study/judge/", {"justification": "typed-in-17" * 600_000})


def break_the_site(guest: Walk, link: str) -> None:
    """A table that is gone is a failure that nobody foresaw."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE judging_invitation RENAME TO gone")
        try:
            assert guest.ask("GET", link).status_code == 500
            assert Walk(str(guest.http.base_url)).ask("POST", link, {"a": "b"}).status_code in (403, 500)
        finally:
            cursor.execute("ALTER TABLE gone RENAME TO judging_invitation")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_refused_host_is_told_once_with_what_to_set(database: str, tmp_path: Path) -> None:
    hosts = ["judging.example.org", "judging.example.org:8443", "JUDGING.example.org", "not_a_host", "a\x7fb"]
    hosts += [f"host{number}.example.org" for number in range(MOST_HOSTS)]
    with served(tmp_path, database_url(), workers=1) as site:
        client = HttpClient(timeout=30)
        for host in hosts * 2:
            assert client.get(f"{site.address}/console/login/", headers={"Host": host}).status_code == 400
        lines = [line for line in site.log.read_text().splitlines() if " plumbline.hosts: " in line]
    assert [line.count("judging.example.org") for line in lines[:2]] == [1, 0]
    assert "PLUMBLINE_ALLOWED_HOSTS" in lines[0]
    assert "'not_a_host'" in lines[1]
    assert len(lines) == MOST_HOSTS + 1, "and a last line says that there were more"


def test_paths_are_told_by_the_name_of_their_route(caplog: pytest.LogCaptureFixture) -> None:
    """The handlers of the site, on a record such as Django makes, with and without a request."""
    request = RequestFactory().get("/s/study/resume/TOKEN/")
    for handler in logging.getLogger().handlers:
        for extra in ({"request": request, "status_code": 500}, {}):
            record = logging.getLogger("django.request").makeRecord(
                "django.request",
                logging.ERROR,
                __file__,
                1,
                "Internal Server Error: %s",
                (request.path,),
                None,
                extra=extra,
            )
            if type(handler) is logging.StreamHandler:
                assert handler.filter(record)
                assert "TOKEN" not in handler.format(record)
