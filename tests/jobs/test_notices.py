"""Notices: what is told, to whom, once, through a real mail server that refuses, is away, and comes back."""

import re
from datetime import datetime, timedelta
from email.message import EmailMessage
from io import StringIO

import pytest
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.urls import resolve
from pytest_django import Settings

from deploy.environment import MailServer as Address
from judging.core.clock import now
from judging.core.services import jobs
from judging.core.services.members import set_role
from judging.core.services.studies import close_study
from judging.jobs import TASKS
from judging.limits import MOST_ATTEMPTS_TO_TELL
from judging.models import (
    Job,
    JobKind,
    JobState,
    Role,
    Study,
    Unit,
)
from judging.watching.selectors.notices import RECENT, due_notices
from judging.watching.services.curation import exclude_unit
from judging.watching.services.requests import request_notices
from tests.archive.exports.conftest import judge
from tests.factories import NOW, later, make_study, make_worker
from tests.support.concurrent import at_once
from tests.support.mail import MailServer


@pytest.fixture
def mail(mail_server: MailServer, settings: Settings) -> MailServer:
    """The mail server, and a site that sends to it."""
    settings.MAIL_SERVER = Address("smtp", "127.0.0.1", mail_server.port, "", "")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
    settings.DEFAULT_FROM_EMAIL = "Plumbline <plumbline@example.org>"
    return mail_server


def person(name: str, *, study: Study | None = None, role: Role = Role.OWNER, **fields: object) -> object:
    result = get_user_model().objects.create_user(name, f"{name}@example.org", is_staff=True, **fields)
    if study is not None:
        set_role(study=study, user=result, role=role, now=NOW)
    return result


def collected(**fields: object) -> Study:
    """A study whose last unit is done."""
    study = make_study(topics=1, judgments_per_document=1, **fields)
    judge(study, workers=1)
    return study


def failed(study: Study, *, moment: datetime = NOW, **fields: object) -> Job:
    return Job.objects.create(
        kind="export",
        study=study,
        parameters={"what": "events", "format": "csv"},
        state="failed",
        error="The disk of the exports is full.",
        created_at=moment,
        heartbeat_at=moment,
        finished_at=moment,
        **fields,
    )


def text(message: EmailMessage) -> str:
    """Return the words of an e-mail, every address in which can be clicked and leads to a page."""
    words = str(message.get_content()).split()
    addresses = [word for word in words if "/console/" in word]
    assert addresses
    for address in addresses:
        assert address.startswith(f"{site.SITE_URL}/")
        resolve(address.removeprefix(site.SITE_URL))
    return " ".join(words)


def test_the_people_of_a_study_hear_once_that_its_last_unit_is_done(database: str, mail: MailServer) -> None:
    study = collected(title="Wine & <cheese>")
    person("olga", study=study)
    person("emil", study=study, role=Role.EDITOR)
    person("vera", study=study, role=Role.VIEWER)
    person("gone", study=study)
    get_user_model().objects.filter(username="gone").update(is_active=False)
    get_user_model().objects.create_superuser("root", "root@example.org")
    assert request_notices(now=later(hours=1)) == 1
    assert request_notices(now=later(hours=2)) == 0
    assert mail.recipients() == ["olga@example.org", "emil@example.org"]
    first = mail.received[0]
    assert "Wine & <cheese>" in first["Subject"]
    assert first["From"] == "Plumbline <plumbline@example.org>"
    assert first["Auto-Submitted"] == "auto-generated"
    assert text(first)
    assert first["Message-ID"] != mail.received[1]["Message-ID"]
    job = Job.objects.get(kind="notice")
    assert (job.state, job.result) == (JobState.DONE, {"told": ["olga", "emil"], "refused": {}})


def test_while_a_unit_is_left_nobody_is_told(transactional_db: None, mail: MailServer) -> None:
    study = make_study(topics=1, judgments_per_document=2)
    judge(study, workers=1)
    assert Unit.objects.filter(state="open").count() == 1
    assert due_notices(now=later(hours=1)) == []
    worker = make_worker(study, upto="judging")
    assert due_notices(now=later(hours=1)) == []
    assert worker.assignments.get().live


def test_units_that_are_collected_again_are_told_again(database: str, mail: MailServer) -> None:
    study = collected()
    person("olga", study=study)
    assert request_notices(now=later(hours=1)) == 1
    exclude_unit(unit=Unit.objects.get(), reason="Odd.", collect_again=True, now=later(hours=2))
    assert request_notices(now=later(hours=2)) == 0
    judge(study, workers=1)
    assert request_notices(now=later(hours=3)) == 1
    assert len(mail.received) == 2


@pytest.mark.parametrize("how", ["closed", "simulated", "old", "off"])
def test_what_is_no_news_is_not_told(
    transactional_db: None, mail: MailServer, settings: Settings, how: str
) -> None:
    study = collected()
    person("olga", study=study)
    moment = later(hours=1)
    if how == "closed":
        Study.objects.update(state="closed")
    elif how == "simulated":
        Study.objects.update(simulated=True)
    elif how == "old":
        moment = later(hours=2) + RECENT
    else:
        settings.MAIL_SERVER = None
    assert request_notices(now=moment) == 0
    assert mail.received == []


def test_a_forced_closing_lists_who_lost_a_unit_and_what_it_pays(
    transactional_db: None, mail: MailServer
) -> None:
    study = make_study(pay_cancelled="0.75")
    person("olga", study=study)
    workers = [make_worker(study, upto="judging") for _ in range(2)]
    idle = make_worker(study, upto="ready")
    close_study(study=study, now=later(minutes=10), force=True)
    assert request_notices(now=later(hours=1)) == 1
    output = text(mail.received[0])
    for worker in workers:
        assert re.search(rf"{worker.pseudonym}\b.*\b1\b.*\b0\.75 USD", output)
    assert idle.pseudonym not in output


def test_a_closing_that_cancels_nothing_is_not_told(transactional_db: None, mail: MailServer) -> None:
    study = make_study()
    make_worker(study, upto="ready")
    close_study(study=study, now=later(minutes=10), force=True)
    assert due_notices(now=later(hours=1)) == []


def test_who_asked_for_a_job_hears_that_it_failed(database: str, mail: MailServer) -> None:
    study = make_study(opened=False)
    person("olga", study=study)
    ada = person("ada", study=study, role=Role.VIEWER)
    mine, nobodys = failed(study, requested_by=ada), failed(study)
    Job.objects.create(
        kind="expire", state="failed", error="No.", created_at=NOW, heartbeat_at=NOW, finished_at=NOW
    )
    assert request_notices(now=later(hours=1)) == 2
    assert mail.recipients() == ["ada@example.org", "olga@example.org"]
    assert re.search(rf"\b{mine.pk}\b", mail.received[0]["Subject"])
    assert mine.error in text(mail.received[0])
    assert f"/console/studies/study/jobs/{nobodys.pk}/" in text(mail.received[1])


def test_who_may_not_see_the_study_any_more_hears_nothing(transactional_db: None, mail: MailServer) -> None:
    study = make_study(opened=False)
    person("olga", study=study)
    failed(study, requested_by=person("eve"))
    assert request_notices(now=later(hours=1)) == 1
    assert mail.received == []
    assert Job.objects.get(kind="notice").result["told"] == []


def test_superusers_hear_of_a_failed_import_and_of_a_study_without_members(
    transactional_db: None, mail: MailServer
) -> None:
    get_user_model().objects.create_superuser("root", "root@example.org")
    get_user_model().objects.create_superuser("mute")
    person("ada")
    study = collected()
    parameters = {"path": "/data/study.toml", "slug": None, "update": False}
    job = failed(study)
    Job.objects.filter(pk=job.pk).update(kind="import", study=None, parameters=parameters)
    assert request_notices(now=later(hours=1)) == 2
    assert mail.recipients() == ["root@example.org"] * 2
    assert f"/console/jobs/{job.pk}/" in text(mail.received[1])
    root = Client()
    root.force_login(get_user_model().objects.get(username="root"))
    output = Job.objects.get(kind="notice", study=study)
    page = root.get(f"/console/studies/study/jobs/{output.pk}/").content.decode()
    assert output.result["told"] == ["root"]
    assert "root" in page


def test_a_mail_server_that_is_away_is_tried_again_until_it_is_back(
    database: str, mail: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    study = collected()
    person("olga", study=study)
    person("omar", study=study)
    mail.refusals["omar@example.org"] = "451 Greylisted, come again"
    assert request_notices(now=later(hours=1)) == 1
    job = Job.objects.get(kind="notice")
    assert (job.state, job.attempts, job.result["told"]) == (JobState.QUEUED, 1, ["olga"])
    assert "omar@example.org" in caplog.text
    assert "Greylisted, come again" in caplog.text, "what the server answered"
    mail.stop()
    assert jobs.reap(now=now() + jobs.STALE) == 1
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.QUEUED, 2)
    assert "EMAIL_URL" in caplog.text
    mail.refusals.clear()
    mail.start()
    assert jobs.reap(now=now() + jobs.STALE) == 1
    job.refresh_from_db()
    assert (job.state, job.attempts, job.result["told"]) == (JobState.DONE, 3, ["olga", "omar"])
    assert mail.recipients() == ["olga@example.org", "omar@example.org"]


def test_after_a_day_of_trying_it_is_given_up_and_says_why(transactional_db: None, mail: MailServer) -> None:
    study = collected()
    person("olga", study=study)
    mail.stop()
    assert request_notices(now=later(hours=1)) == 1
    job = Job.objects.get(kind="notice")
    Job.objects.update(attempts=MOST_ATTEMPTS_TO_TELL - 1)
    TASKS[JobKind.NOTICE](job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.FAILED, MOST_ATTEMPTS_TO_TELL)
    assert "EMAIL_URL" in job.error
    assert due_notices(now=later(hours=1)) == [], "that a notice failed is told to nobody"


def test_an_address_that_is_refused_for_good_keeps_nobody_else_waiting(
    transactional_db: None, mail: MailServer
) -> None:
    study = collected()
    person("olga", study=study)
    person("omar", study=study)
    person("nina", study=study)
    get_user_model().objects.filter(username="olga").update(email="olga\nBcc: all@example.org")
    mail.refusals["omar@example.org"] = "550 No such mailbox"
    assert request_notices(now=later(hours=1)) == 1
    job = Job.objects.get(kind="notice")
    assert (job.state, job.result["told"]) == (JobState.DONE, ["nina"])
    assert job.result["refused"]["omar"] == "No such mailbox"
    assert set(job.result["refused"]) == {"olga", "omar"}
    assert mail.recipients() == ["nina@example.org"]


def test_many_that_look_at_once_tell_once(database: str, mail: MailServer) -> None:
    study = collected()
    person("olga", study=study)
    at_once([lambda: request_notices(now=later(hours=1))] * 4)
    assert Job.objects.filter(kind="notice").count() == 1
    assert mail.recipients() == ["olga@example.org"]


def test_the_command_that_cron_calls_sends_what_is_due(transactional_db: None, mail: MailServer) -> None:
    study = make_study(opened=False)
    person("olga", study=study)
    failed(study, moment=now() - timedelta(minutes=1))
    call_command("expire_assignments", stdout=StringIO())
    assert Job.objects.filter(kind="notice").count() == 1
    assert mail.recipients() == ["olga@example.org"]


def test_no_request_of_a_worker_asks_for_a_notice(transactional_db: None, mail: MailServer) -> None:
    mail.stop()
    collected()
    assert not Job.objects.exists()
