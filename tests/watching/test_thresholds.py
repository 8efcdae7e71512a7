"""Thresholds: when each is reached, who may set them, what is told, once."""

import re
from decimal import Decimal

import pytest
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from deploy.environment import MailServer as Address
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.models import AuditEntry, Job, Role, Study, Watch, WorkerFigures
from judging.protocol.web_address import webhook_fault
from judging.watching.selectors.notices import RECENT, due_notices
from judging.watching.selectors.thresholds import LEAST, reached
from judging.watching.services.requests import request_notices
from judging.watching.services.thresholds import FIELDS, set_watch
from tests.factories import NOW, answer_wrongly, inverted, judge_unit, later, make_study, make_worker
from tests.support.mail import MailServer

ADDRESS = "/console/studies/study/thresholds/"
FORM = {
    "failed_units": "20",
    "spent": "12.50",
    "bad_anchor": "on",
    "webhook_url": "https://chat.example.org/h/1",
}


def watched(study: Study, **wanted: object) -> Watch:
    nothing = dict.fromkeys(FIELDS) | dict.fromkeys(
        ("bad_anchor", "bad_question", "reported", "flagged_worker"), False
    )
    return set_watch(study=study, wanted=nothing | {"webhook_url": ""} | wanted, now=NOW)


def values_of(watch: Watch) -> list[tuple[str, str]]:
    return [(item.value, item.limit) for item in reached(watch)]


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.fixture(scope="module")
def shared_study(module_db: None) -> Study:
    """Twenty units came to a finish, four of which failed (c) and one of these (d) too; 0.25 each."""
    study = make_study(topics=1, judgments_per_document=30, pay_per_unit="0.25")
    for turn in range(LEAST):
        seconds = 1 if turn == 0 else 25
        judge_unit(make_worker(study), seconds=seconds, **({"magnitude": inverted} if turn < 4 else {}))
    return study


@pytest.mark.parametrize(
    ("field", "limit", "value"),
    [
        ("failed_units", 20, "20.0"),
        ("failed_units", 21, None),
        ("failed_c", 20, "20.0"),
        ("failed_c", 21, None),
        ("failed_d", 5, "5.0"),
        ("failed_d", 6, None),
        ("failed_b", 1, None),
        ("failed_a", 1, None),
        ("spent", Decimal("4.00"), "4.00"),
        ("spent", Decimal("4.01"), None),
    ],
)
def test_a_share_or_a_sum_is_reached_or_not(
    study: Study, field: str, limit: object, value: str | None
) -> None:
    assert values_of(watched(study, **{field: limit})) == ([(value, str(limit))] if value else [])


def test_questions_and_practice(study: Study) -> None:
    for _ in range(5):
        answer_wrongly(make_worker(study, upto="question"))
    assert values_of(watched(study, failed_b=20)) == [("20.0", "20")]
    worker = study.participations.order_by("pk")[0]
    worker.practice_attempts.update(passed=False)
    assert values_of(watched(study, failed_a=4)) == [("4.0", "4")]
    assert values_of(watched(study, failed_a=5)) == []


def test_few_tell_nothing(db: None) -> None:
    study = make_study(slug="few", topics=1, judgments_per_document=30)
    for _ in range(LEAST - 1):
        judge_unit(make_worker(study), magnitude=inverted)
    assert values_of(watched(study, failed_units=1, failed_c=1)) == []
    assert len(values_of(watched(study, bad_anchor=True))) == 1, "a rule of its own"


def test_bad_ones_are_named(study: Study) -> None:
    assert values_of(watched(study, bad_anchor=True, bad_question=True)) == []
    for _ in range(21):
        answer_wrongly(make_worker(study, upto="question"))
    (question,) = reached(watched(study, bad_question=True))
    assert question.key.startswith("bad_question ")
    assert "401" in question.title
    assert {"21", "41"} <= set(re.findall(r"\d+", question.sentence))


def test_flagged_workers_are_told_when_their_number_has_doubled(study: Study) -> None:
    watch, keys = watched(study, flagged_worker=True), []
    for worker in study.participations.order_by("pk")[:5]:
        WorkerFigures.objects.create(
            participation=worker, computed_at=NOW, begun=2, ended=2, completed=2, flags=["So."], flagged=1
        )
        (threshold,) = reached(watch)
        assert worker.pseudonym in threshold.sentence
        keys.append(threshold.key.split(" ")[1])
    assert keys == ["1", "2", "2", "4", "4"]


def person(name: str, study: Study, role: Role) -> Client:
    user = get_user_model().objects.create_user(name, f"{name}@example.org", is_staff=True)
    set_role(study=study, user=user, role=role, now=NOW)
    client = Client()
    client.force_login(user)
    return client


def test_people_hear_once_and_anew_when_the_threshold_is_changed(
    study: Study, mail_server: MailServer, settings: Settings, django_capture_on_commit_callbacks: object
) -> None:
    settings.MAIL_SERVER = Address("smtp", "127.0.0.1", mail_server.port, "", "")
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
    settings.DEFAULT_FROM_EMAIL = "plumbline@example.org"
    for name, role in (("olga", Role.OWNER), ("emil", Role.EDITOR), ("vera", Role.VIEWER)):
        person(name, study, role)

    def told() -> int:
        with django_capture_on_commit_callbacks(execute=True):
            return request_notices(now=later(hours=1))

    watched(study, failed_units=20)
    assert [told(), told()] == [1, 0]
    watched(study, failed_units=10)
    assert [told(), told()] == [1, 0]
    assert mail_server.recipients() == ["olga@example.org", "emil@example.org"] * 2
    message = mail_server.received[0]
    assert "The study study" in message["Subject"]
    assert "20.0 %" in message["Subject"]
    assert f"{site.SITE_URL}/console/studies/study/quality/" in str(message.get_content())


@pytest.mark.parametrize("how", ["simulated", "old", "off"])
def test_what_is_no_news_is_not_told(study: Study, how: str, settings: Settings) -> None:
    watched(study, failed_units=20, webhook_url="https://chat.example.org/")
    assert len(due_notices(now=later(hours=1))) == 2, "an e-mail and a webhook"
    if how == "simulated":
        Study.objects.update(simulated=True)
    moment = later(hours=1) + RECENT if how == "old" else later(hours=1)
    if how == "off":
        settings.MAIL_SERVER = None
        assert request_notices(now=moment) == 1
        assert Job.objects.get().kind == "webhook", "that needs no mail server"
    else:
        assert due_notices(now=moment) == []


def test_the_page_sets_them_and_the_log_says_so(study: Study) -> None:
    owner = person("olga", study, Role.OWNER)
    assert owner.post(ADDRESS, FORM).url == ADDRESS
    watch = Watch.objects.get()
    assert (watch.shares, watch.spent, watch.bad_anchor) == ({"failed_units": 20}, Decimal("12.50"), True)
    assert (watch.flagged_worker, watch.webhook_url) == (False, FORM["webhook_url"])
    page = owner.get(ADDRESS).content.decode()
    assert 'value="12.50"' in page
    assert FORM["webhook_url"] in page
    assert owner.post(ADDRESS, FORM).status_code == 302
    entry = AuditEntry.objects.get(verb="watch_changed")
    assert entry.actor.get_username() == "olga"
    assert entry.detail["after"] == {
        "failed_units": 20,
        "spent": "12.50",
        "bad_anchor": True,
        "webhook_url": "chat.example.org",
    }, "the path may be a secret"
    owner.post(ADDRESS, {})
    watch.refresh_from_db()
    assert (watch.shares, watch.spent, watch.bad_anchor, watch.webhook_url) == ({}, None, False, "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("failed_units", "0"),
        ("failed_b", "101"),
        ("failed_c", "1.5"),
        ("spent", "0"),
        ("spent", "1.005"),
        ("spent", "NaN"),
        ("webhook_url", "ftp://example.org/"),
        ("webhook_url", "https://ada:secret@example.org/"),
    ],
)
def test_wrong_values_are_told_and_kept_on_the_page(study: Study, field: str, value: str) -> None:
    answer = person("olga", study, Role.OWNER).post(ADDRESS, FORM | {field: value})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert re.findall(r'id="id_(\w+)_error"', page) == [field]
    assert f'value="{value}"' in page
    assert not Watch.objects.exists()


def test_only_owners_set_them_and_see_the_address(study: Study) -> None:
    watched(study, failed_units=20, webhook_url="https://chat.example.org/secret")
    for name, role in (("emil", Role.EDITOR), ("vera", Role.VIEWER)):
        client = person(name, study, role)
        assert client.post(ADDRESS, FORM).status_code == 403
        page = client.get(ADDRESS)
        assert "<dd>20</dd>" in page.content.decode()
        assert "secret" not in page.content.decode()
    assert Watch.objects.get().spent is None


def test_without_members_superusers_alone_set_them(study: Study) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    assert client.post(ADDRESS, FORM).status_code == 403
    client.force_login(get_user_model().objects.create_superuser("root"))
    assert client.post(ADDRESS, FORM).status_code == 302


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "file:///etc/passwd",
        "gopher://example.org/",
        "https://",
        "https://exa mple.org/",
        "https://example.org:0/",
        "https://example.org:port/",
        "https://example.org/\r\nHost: inside",
        "https://example.org/ü",
        "https://example.org/#part",
        "https://example.org/" + "x" * 500,
    ],
)
def test_what_is_no_address_of_a_webhook(study: Study, url: str) -> None:
    assert webhook_fault(url)
    with pytest.raises(RefusedError):
        watched(study, webhook_url=url)
    assert not Watch.objects.exists()


@pytest.mark.parametrize("url", ["http://chat.example.org", "https://10.0.0.1:8443/h?x=1", "https://[::1]/"])
def test_what_is_one(url: str) -> None:
    assert webhook_fault(url) is None


def test_the_page_names_who_would_hear(study: Study, settings: Settings) -> None:
    settings.MAIL_SERVER = object()
    users = get_user_model().objects
    owner = users.create_user("ada", email="ada@example.org")
    set_role(study=study, user=owner, role=Role.OWNER, now=NOW)
    set_role(study=study, user=users.create_user("bob"), role=Role.EDITOR, now=NOW)
    seer = users.create_user("cleo", email="cleo@example.org")
    set_role(study=study, user=seer, role=Role.VIEWER, now=NOW)
    client = Client()
    client.force_login(owner)
    assert 'data-recipients="ada"' in client.get(ADDRESS).content.decode()
    users.filter(pk=owner.pk).update(email="")
    assert 'data-recipients=""' in client.get(ADDRESS).content.decode()
