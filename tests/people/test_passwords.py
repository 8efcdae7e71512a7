"""Passwords: limits on guessing, links for forgotten ones, and no hint which addresses have an account."""

import re
from threading import BoundedSemaphore, Event
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.authtoken.models import Token

from judging.core.services import pace
from judging.limits import RESET_LINK, span
from judging.models import AuditEntry
from judging.people.pages import mail as ours
from judging.people.pages.mail import post
from tests.people.conftest import PASSWORD, People, browser_of, text_of, told
from tests.support.mail import MailServer
from tests.support.named import assert_names

LOGIN, ASK, ASKED = "/console/login/", "/console/password/new/", "/console/password/new/asked/"
NEW = "another-plumb-line-of-94"


def log_in(name: str, password: str = PASSWORD, *, address: str = "192.0.2.1") -> Any:
    return Client(REMOTE_ADDR=address).post(LOGIN, {"username": name, "password": password})


def ask(email: str, *, address: str = "192.0.2.1") -> Any:
    """Return the response to a request for a new password, after its e-mails are sent."""
    answer = Client(REMOTE_ADDR=address).post(ASK, {"email": email})
    post.submit(lambda: None).result()
    return answer


def token_status(name: str, password: str, *, address: str) -> int:
    """Return the status of a log-in to the API."""
    form = {"username": name, "password": password}
    client = Client(REMOTE_ADDR=address)
    return client.post("/api/v1/token/", form, content_type="application/json").status_code


def link_sent() -> str:
    match = re.search(r"https://judging\.example\.org(/console/password/new/\S+)", mail.outbox[-1].body)
    assert match
    return match[1]


def set_password(link: str, browser: Client, password: str = NEW) -> Any:
    form_at = browser.get(link, follow=True).redirect_chain[-1][0]
    form = {"new_password1": password, "new_password2": password}
    return browser.post(form_at, form, follow=True)


# --- guessing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["owner", "nobody"])
def test_guessing_at_one_account_has_an_end_whether_it_is_there_or_not(people: People, name: str) -> None:
    most = pace.WRONG_FOR_ACCOUNT.most
    tries = [log_in(name, "guess", address=f"192.0.2.{number}") for number in range(most)]
    assert {one.status_code for one in tries} == {200}
    refused = log_in(name.upper(), PASSWORD, address="198.51.100.7")
    assert refused.status_code == 429
    told(refused, "error")
    assert f'value="{name.upper()}"' in text_of(refused)
    assert "_auth_user_id" not in refused.client.session
    assert log_in("viewer").status_code == 302


@pytest.mark.parametrize(
    "spelled", ["ｏｗner", "OWNER", " owner\u3000", "ⓞwner", "𝐨wner", " " * 600 + "owner"]
)
def test_no_spelling_of_a_name_is_another_account(people: People, spelled: str) -> None:
    for number in range(pace.WRONG_FOR_ACCOUNT.most):
        assert log_in(spelled, "guess", address=f"192.0.2.{number}").status_code == 200
    assert log_in("owner", address="198.51.100.7").status_code == 429
    assert token_status(spelled, PASSWORD, address="198.51.100.8") == 429


def test_tries_at_one_moment_are_all_counted(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server counts an attempt before it checks the password, so that parallel attempts count, too."""
    most, begun = pace.WRONG_FROM_ADDRESS.most, list[str]()
    original = AuthenticationForm.clean

    def clean(form: AuthenticationForm) -> Any:
        begun.append("looked at")
        if len(begun) <= most:  # the others come while this one is under way
            log_in("owner", "guess")
        return original(form)

    monkeypatch.setattr(AuthenticationForm, "clean", clean)
    log_in("owner", "guess")
    assert len(begun) == most


def test_guessing_from_one_network_has_an_end_by_page_and_api_alike(people: People) -> None:
    for number in range(pace.WRONG_FROM_ADDRESS.most):
        assert token_status(f"name-{number}", "guess", address=f"2001:db8::{number + 1:x}") == 401
    assert token_status("owner", PASSWORD, address="2001:db8::ffff") == 429
    assert log_in("owner", address="2001:db8::ffff").status_code == 429
    assert log_in("owner", address="2001:db8:0:1::1").status_code == 302


def test_guessing_from_one_address_has_an_end_whatever_the_account(people: People) -> None:
    for number in range(pace.WRONG_FROM_ADDRESS.most):
        assert log_in(f"name-{number}", "guess").status_code == 200
    assert log_in("owner").status_code == 429
    forwarded = Client(REMOTE_ADDR="192.0.2.1", headers={"X-Forwarded-For": "203.0.113.9"})
    assert forwarded.post(LOGIN, {"username": "owner", "password": PASSWORD}).status_code == 429
    assert log_in("owner", address="192.0.2.2").status_code == 302


def test_who_knows_the_password_is_never_slowed(people: People) -> None:
    for _ in range(pace.WRONG_FROM_ADDRESS.most + pace.WRONG_FOR_ACCOUNT.most):
        assert log_in("owner").status_code == 302


def test_the_api_counts_the_same_tries(people: People) -> None:
    for number in range(pace.WRONG_FOR_ACCOUNT.most):
        assert token_status("owner", "guess", address=f"192.0.2.{number}") == 401
    assert token_status("owner", PASSWORD, address="198.51.100.7") == 429
    assert log_in("owner", address="198.51.100.7").status_code == 429


def test_the_admin_is_no_other_door(people: People) -> None:
    answer = Client().get("/admin/login/")
    assert (answer.status_code, answer.url) == (302, "/console/login/?next=/admin/login/")
    form = {"username": "admin", "password": PASSWORD}
    assert Client().post("/admin/login/", form).status_code == 302
    deep = Client().get("/admin/auth/user/")
    assert deep.url == "/admin/login/?next=/admin/auth/user/"
    assert Client().get(deep.url).url == "/console/login/?next=/admin/auth/user/"
    assert browser_of(people["owner"]).get("/admin/", follow=True).status_code == 403


# --- a forgotten password ----------------------------------------------------------------------------------


def test_a_new_password_by_e_mail_shuts_what_the_old_one_opened(people: People, with_mail: Any) -> None:
    owner = people["owner"]
    Token.objects.create(user=owner)
    elsewhere = browser_of(owner)
    for number in range(pace.WRONG_FOR_ACCOUNT.most):
        log_in("owner", "guess", address=f"192.0.2.{number}")
    assert ask("Owner@example.org").url == ASKED
    (sent,) = mail.outbox
    assert sent.to == ["owner@example.org"]
    assert_names(sent.subject, "owner", "judging.example.org")
    browser = Client()
    link = link_sent()
    told(set_password(link, browser), "success")
    assert browser.get("/console/studies/study/").status_code == 200
    assert elsewhere.get("/console/").status_code == 302
    assert not Token.objects.exists()
    assert log_in("owner", NEW).status_code == 302
    assert log_in("owner", PASSWORD).status_code == 200
    entry = AuditEntry.objects.get(verb="password_set")
    assert (entry.actor_name, entry.detail) == ("owner", {"user": "owner"})
    assert not Client().get(link, follow=True).context["validlink"]


def test_the_answer_is_the_same_for_whoever_has_no_account(people: People, with_mail: Any) -> None:
    get_user_model().objects.filter(username="viewer").update(is_active=False)
    answers = [ask(email) for email in ("owner@example.org", "viewer@example.org", "nobody@example.org")]
    assert {(item.status_code, item.url, item.content) for item in answers} == {(302, ASKED, b"")}
    assert [item.to for item in mail.outbox] == [["owner@example.org"]]
    assert {tuple(sorted(item.headers.keys())) for item in answers} == {
        tuple(sorted(answers[0].headers.keys()))
    }


def test_a_mail_server_that_takes_its_time_keeps_nobody_waiting(
    people: People, with_mail: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow mail server delays neither the person who asks, which would reveal an account, nor others."""
    let_go, original = Event(), EmailMessage.send

    def send(one: EmailMessage) -> int:
        assert let_go.wait(60)
        return original(one)

    monkeypatch.setattr(EmailMessage, "send", send)
    try:
        for email in ("owner@example.org", "nobody@example.org", "editor@example.org"):
            assert Client().post(ASK, {"email": email}).url == ASKED
        assert log_in("owner").status_code == 302
        assert mail.outbox == []
    finally:
        let_go.set()
    post.submit(lambda: None).result()
    assert [one.to[0] for one in mail.outbox] == ["owner@example.org", "editor@example.org"]


def test_asking_costs_the_database_the_same_whether_there_is_an_account_or_not(
    people: People, with_mail: Any
) -> None:
    asked = []
    for email in ("owner@example.org", "nobody@example.org"):
        with CaptureQueriesContext(connection) as queries:
            ask(email)
        asked.append([query["sql"].replace(email, "") for query in queries])
    assert asked[0] == asked[1]


def test_e_mails_that_a_process_cannot_get_rid_of_have_an_end(
    people: People, with_mail: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ours, "_room", BoundedSemaphore(1))
    let_go = Event()
    post.submit(lambda: let_go.wait(60))
    for email in ("owner@example.org", "editor@example.org"):
        Client().post(ASK, {"email": email})
    let_go.set()
    post.submit(lambda: None).result()
    assert [item.to[0] for item in mail.outbox] == ["owner@example.org"]


def test_one_address_is_not_flooded_and_is_told_nothing(people: People, with_mail: Any) -> None:
    most = pace.RESETS_FOR_EMAIL.most
    answers = [ask("owner@example.org", address=f"192.0.2.{number}") for number in range(most + 2)]
    assert {answer.url for answer in answers} == {ASKED}
    assert len(mail.outbox) == most


def test_one_visitor_asks_only_so_often(people: People, with_mail: Any) -> None:
    for number in range(pace.RESETS_FROM_ADDRESS.most):
        ask(f"name-{number}@example.org")
    refused = ask("owner@example.org")
    assert refused.status_code == 429
    assert not mail.outbox


def test_a_mail_server_that_is_away_is_no_fault_of_the_visitor(
    people: People, settings: Any, with_mail: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert ask("owner@example.org").url == ASKED


def test_it_goes_through_a_real_mail_server(
    people: People, settings: Any, with_mail: Any, mail_server: MailServer
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.port
    ask("owner@example.org")
    (sent,) = mail_server.received
    assert sent["To"] == "owner@example.org"
    assert sent["From"] == "Plumbline <plumbline@example.org>"
    assert "/console/password/new/" in sent.get_content()


@pytest.mark.parametrize("password", ["abc", "owner", "12345678901"])
def test_a_weak_password_is_refused_and_the_link_stays_good(
    people: People, with_mail: Any, password: str
) -> None:
    ask("owner@example.org")
    browser = Client()
    refused = set_password(link_sent(), browser, password)
    assert 'role="alert"' in text_of(refused)
    assert log_in("owner").status_code == 302


def test_a_site_without_e_mail_says_what_to_do(people: People) -> None:
    for answer in (Client().get(ASK), ask("owner@example.org")):
        assert "python manage.py reset_link NAME" in text_of(answer)
    assert not mail.outbox


# --- by command, and by who knows the old one --------------------------------------------------------------


def test_the_command_prints_a_link_that_is_good_once(
    people: People, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("reset_link", "owner")
    first, link = capsys.readouterr().out.splitlines()
    assert_names(first, span(RESET_LINK))
    told(set_password(link, Client()), "success")
    assert not Client().get(link, follow=True).context["validlink"]
    entry = AuditEntry.objects.get(verb="reset_link_made")
    assert (entry.actor, entry.detail) == (None, {"user": "owner"})
    assert link not in str(list(AuditEntry.objects.values()))


def test_the_command_refuses_whom_it_cannot_help(people: People) -> None:
    with pytest.raises(CommandError, match=r"\bnobody\b"):
        call_command("reset_link", "nobody")
    get_user_model().objects.filter(username="owner").update(is_active=False)
    with pytest.raises(CommandError, match=r"\bowner\b"):
        call_command("reset_link", "owner")
    assert not AuditEntry.objects.filter(verb="reset_link_made").exists()


def test_who_knows_the_old_password_changes_it(people: People) -> None:
    browser, elsewhere = browser_of(people["viewer"]), browser_of(people["viewer"])
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    wrong = browser.post("/console/password/", form | {"old_password": "guess"})
    assert list(wrong.context["form"].errors) == ["old_password"]
    told(browser.post("/console/password/", form, follow=True), "success")
    assert elsewhere.get("/console/").status_code == 302
    assert log_in("viewer", NEW).status_code == 302


def test_a_password_that_an_admin_sets_shuts_what_the_old_one_opened(people: People) -> None:
    owner = people["owner"]
    Token.objects.create(user=owner)
    browser = browser_of(people["admin"])
    address = f"/admin/auth/user/{owner.pk}/password/"
    weak = {"password1": "abc", "password2": "abc", "usable_password": "true"}
    assert browser.post(address, weak).status_code == 200
    assert Token.objects.exists()
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert browser.post(address, form).status_code == 302
    assert not Token.objects.exists()
    assert log_in("owner", NEW).status_code == 302
    entry = AuditEntry.objects.get(verb="password_set")
    assert (entry.actor_name, entry.detail) == ("admin", {"user": "owner"})
    assert browser.get("/admin/password_change/").url == "/console/password/"
