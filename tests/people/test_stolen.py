"""Attacks: a planted session, a copied cookie, a stolen database, a redirect to another site."""

from importlib import import_module
from typing import Any

from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.core.signing import Signer
from django.test import Client
from rest_framework.authtoken.models import Token

from judging.api.defaults import signed_token
from judging.models import Participation
from tests.factories import make_study
from tests.people.conftest import PASSWORD, People, browser_of
from tests.support.visitor import Visitor, through_client

LOGIN, API = "/console/login/", "/api/v1/studies/"
FORM = {"username": "owner", "password": PASSWORD}
NEW = "another-plumb-line-of-94"
ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "https:evil.example",
    "https:///evil.example",
    "http://testserver@evil.example/",
    "http://testserver.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "\t//evil.example",
]


def session_of(browser: Client) -> str:
    return browser.cookies[site.SESSION_COOKIE_NAME].value


def copy_of(browser: Client) -> Client:
    """Return another browser with the same cookies."""
    thief = Client()
    thief.cookies.load({name: morsel.value for name, morsel in browser.cookies.items()})
    return thief


def bearing(token: str) -> Client:
    return Client(headers={"Authorization": f"Token {token}"})


# --- sessions ----------------------------------------------------------------------------------------------


def test_a_session_that_was_planted_is_not_the_one_that_is_logged_in(people: People) -> None:
    planted = import_module(site.SESSION_ENGINE).SessionStore()
    planted["from"] = "the thief"
    planted.save()
    victim = Client()
    victim.cookies[site.SESSION_COOKIE_NAME] = planted.session_key
    assert victim.post(LOGIN, FORM).status_code == 302
    assert session_of(victim) != planted.session_key
    assert not planted.exists(planted.session_key)
    thief = Client()
    thief.cookies[site.SESSION_COOKIE_NAME] = planted.session_key
    assert thief.get("/console/").status_code == 302


def test_a_stolen_table_of_sessions_opens_no_console(people: People) -> None:
    owner, thief = Client(), Client()
    owner.post(LOGIN, FORM)
    assert owner.get("/console/").status_code == 200
    for session in Session.objects.all():
        assert session.session_key != session_of(owner)
        thief.cookies[site.SESSION_COOKIE_NAME] = session.session_key
        assert thief.get("/console/").status_code == 302
    assert Session.objects.count() == 1


def test_a_made_up_session_key_is_not_taken(people: People) -> None:
    victim = Client()
    victim.cookies[site.SESSION_COOKIE_NAME] = "a" * 32
    victim.post(LOGIN, FORM)
    assert session_of(victim) != "a" * 32


def test_the_token_of_forms_is_another_after_the_log_in(people: People) -> None:
    browser = Client()
    browser.get(LOGIN)
    before = browser.cookies[site.CSRF_COOKIE_NAME].value
    browser.post(LOGIN, FORM)
    assert browser.cookies[site.CSRF_COOKIE_NAME].value != before


def test_a_copied_cookie_ends_with_the_log_out(people: People) -> None:
    owner = Client()
    owner.post(LOGIN, FORM)
    thief = copy_of(owner)
    assert thief.get("/console/").status_code == 200
    owner.post("/console/logout/")
    assert thief.get("/console/").status_code == 302
    assert not Session.objects.exists()


def test_a_new_password_ends_every_other_session_and_the_token(people: People) -> None:
    owner, elsewhere = Client(), browser_of(people["owner"])
    owner.post(LOGIN, FORM)
    thief = copy_of(owner)
    program = bearing(signed_token(Token.objects.create(user=people["owner"])))
    assert program.get(API).status_code == 200
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert owner.post("/console/password/", form).status_code == 302
    assert owner.get("/console/").status_code == 200
    assert [item.get("/console/").status_code for item in (thief, elsewhere)] == [302, 302]
    assert program.get(API).status_code == 401


def test_the_pages_of_workers_have_no_session_and_adopt_nothing(db: None) -> None:
    """Consent creates a new token, whatever cookies the browser has."""
    make_study()
    victim = Client(enforce_csrf_checks=True)
    victim.cookies["plumbline_study"] = "planted:by-a-thief"
    victim.cookies[site.SESSION_COOKIE_NAME] = "a" * 32
    visitor = Visitor(through_client(victim))
    visitor.open("/s/study/")
    arrival = visitor.page.forms[0].hidden["arrival"]
    assert visitor.send(consent="yes").step == "instructions"
    worker = Participation.objects.get()
    assert victim.cookies["plumbline_study"].value.startswith(f"{worker.token}:")
    assert worker.token not in arrival
    assert not Session.objects.exists()


# --- addresses that lead elsewhere -------------------------------------------------------------------------


def test_no_next_leads_off_the_site(people: People) -> None:
    for address in ELSEWHERE:
        for answer in (
            Client().post(LOGIN, {**FORM, "next": address}),
            Client().post(LOGIN, FORM, query_params={"next": address}),
        ):
            assert (answer.status_code, answer.url) == (302, "/console/"), address
        logged_in = browser_of(people["owner"])
        assert logged_in.post("/console/logout/", {"next": address}).url == LOGIN
        admin = Client().get("/admin/login/", {"next": address})
        assert admin.url.startswith(f"{LOGIN}?next=")
        assert "evil.example" not in Client().post(admin.url, FORM).url


def test_no_path_leads_off_the_site(people: People) -> None:
    for path in ("//evil.example/console", "//evil.example/s/study", "/\\evil.example/console"):
        for browser in (Client(), browser_of(people["owner"])):
            answer = browser.get(path)
            leads = answer.get("Location", "")
            assert answer.status_code == 404 or not leads.startswith(("//", "/\\", "http")), path


# --- tokens of the API -------------------------------------------------------------------------------------


def log_in(browser: Client) -> Any:
    return browser.post("/api/v1/token/", FORM, content_type="application/json")


def test_a_stolen_database_opens_nothing(people: People) -> None:
    given = log_in(Client()).json()["token"]
    stored = Token.objects.get().key
    assert given.partition(":")[0] == stored
    assert bearing(given).get(API).status_code == 200
    signed_elsewhere = Signer(key="of a thief, who has not that of the site", salt="plumbline.api").sign(
        stored
    )
    changed = (f"{stored}:", f"{stored}:{'A' * 43}", f"{given}x", given[:-1], f":{given}")
    for made_up in (stored, signed_elsewhere, *changed):
        answer = bearing(made_up).get(API)
        assert answer.status_code == 401, made_up
        assert answer.json()["error"]["code"] == "authentication_failed"


def test_its_owner_takes_a_token_back_and_makes_another(people: People) -> None:
    first = log_in(Client()).json()["token"]
    assert bearing(first).delete("/api/v1/token/").status_code == 204
    assert bearing(first).get(API).status_code == 401
    second = log_in(Client()).json()["token"]
    assert second != first
    assert bearing(second).get(API).status_code == 200


def test_a_token_shows_on_no_page(people: People) -> None:
    token = signed_token(Token.objects.create(user=people["admin"]))
    browser = browser_of(people["admin"])
    for address in ("/console/people/", "/admin/", f"/admin/auth/user/{people['admin'].pk}/change/"):
        page = browser.get(address).content.decode()
        assert token not in page
        assert Token.objects.get().key not in page
