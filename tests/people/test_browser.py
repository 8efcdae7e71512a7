"""The pages of people in a real browser, in light and dark mode, with checks of accessibility."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import mail
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from judging.core.services.events import audit
from judging.models import Invitation, Role, Study
from judging.people.pages.mail import post
from judging.people.services.invitations import invite
from tests.factories import NOW, later, make_study
from tests.people.conftest import PASSWORD, People, make_people
from tests.support.browser import LOOKS, axe, holds, log_in, open_place

NEW = "another-plumb-line-of-94"


@pytest.fixture
def cast(transactional_db: None) -> People:
    return make_people(make_study(opened=False), make_study(slug="other", opened=False))


def client_of(user: AbstractBaseUser) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("javascript", [True, False])
def test_an_owner_invites_and_somebody_new_comes_in(
    live_server: LiveServer, cast: People, new_page: Callable[..., Page], javascript: bool
) -> None:
    def check(page: Page, title: str) -> None:
        if javascript:
            holds(page, title, LOOKS)
        expect(page).to_have_title(f"{title} – Plumbline console")

    look = {"width": 375, "javascript": javascript}
    page = new_page(**look)
    log_in(page, live_server, client_of(cast["owner"]))
    page.goto(f"{live_server.url}/console/studies/study/")
    open_place(page, "Settings", "Members")
    check(page, "Members of The study study (study)")
    page.get_by_label("E-mail address").fill("nora@example.org")
    page.get_by_label("Role", exact=True).select_option("viewer")
    page.get_by_role("button", name="Invite").click()
    check(page, "Members of The study study (study)")
    link = page.locator("code.link").inner_text()
    guest = new_page(**look)
    guest.goto(link)
    check(guest, "Invitation")
    guest.get_by_label("Username").fill("nora")
    guest.get_by_label("Password", exact=True).fill("abc")
    guest.get_by_label("Password confirmation").fill("abc")
    guest.get_by_role("button", name="Create an account and accept").click()
    expect(guest.get_by_role("alert").first).to_be_visible()
    check(guest, "Error: Invitation")
    expect(guest.get_by_label("Username")).to_have_value("nora")
    guest.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.get_by_label("Password confirmation").fill(PASSWORD)
    guest.get_by_role("button", name="Create an account and accept").click()
    check(guest, "The study study (study)")
    expect(guest.get_by_role("button", name="Open")).to_have_count(0)
    guest.goto(link)
    check(guest, "This invitation is no longer valid")
    page.reload()
    page.get_by_label("Role of nora", exact=True).select_option("editor")
    page.get_by_role("button", name="Change the role of nora").click()
    expect(page.get_by_label("Role of nora", exact=True)).to_have_value("editor")
    expect(page.get_by_role("status")).to_be_visible()
    page.get_by_role("button", name="Remove owner").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page, "Error: Members of The study study (study)")


def test_a_forgotten_password(
    live_server: LiveServer,
    cast: People,
    with_mail: Settings,
    chromium_page: Page,
) -> None:
    with_mail.SITE_URL = live_server.url
    page = chromium_page
    page.goto(f"{live_server.url}/console/login/")
    page.get_by_label("Username").fill("owner")
    page.get_by_label("Password").fill("guess")
    page.get_by_role("button", name="Log in").click()
    holds(page, "Error: Log in", LOOKS)
    page.get_by_role("link", name="Forgot your password?").click()
    holds(page, "Forgotten password", LOOKS)
    page.get_by_label("Email").fill("owner@example.org")
    page.get_by_role("button", name="Send the link").click()
    holds(page, "Check your e-mail", LOOKS)
    post.submit(lambda: None).result()
    match = re.search(r"http://\S+", mail.outbox[-1].body)
    assert match
    page.goto(match[0])
    holds(page, "New password", LOOKS)
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("New password confirmation").fill(NEW)
    page.get_by_role("button", name="Set the password").click()
    holds(page, "Studies", LOOKS)
    page.get_by_role("link", name="owner", exact=True).click()
    holds(page, "Change your password", LOOKS)
    page.goto(match[0])
    holds(page, "This link has expired", LOOKS)


def test_an_admin_reads_the_log_and_sees_the_people(
    live_server: LiveServer, cast: People, chromium_page: Page
) -> None:
    study = Study.objects.get(slug="study")
    for number in range(52):
        audit("exported", study=study, actor=cast["editor"], now=later(number), what="units", rows=number)
    audit("closed", study=study, actor=None, now=NOW, cancelled=[f"W{n}/1" for n in range(40)])
    long = "a-very-long-address-of-somebody@example.org"
    invite(study=study, email=long, role=Role.OWNER, now=NOW, actor=cast["owner"])
    page = chromium_page
    log_in(page, live_server, client_of(cast["admin"]))
    page.goto(f"{live_server.url}/console/")
    page.get_by_role("link", name="Audit log").click()
    page.get_by_label("Person").select_option("editor")
    page.get_by_label("Action").select_option("exported")
    page.locator("form[method=get] button").click()
    page.wait_for_url("**=exported**")
    page.get_by_role("link", name="Page 2").click()
    expect(page.locator("tbody tr")).to_have_count(2)
    holds(page, "Audit log of the site", LOOKS)
    page.get_by_role("link", name="Show all").click()
    page.get_by_role("link", name="People").click()
    page.get_by_label("E-mail address").fill("nora@example.org")
    page.get_by_role("button", name="Invite").click()
    holds(page, "People", LOOKS)
    page.get_by_role("button", name="Cancel the invitation to nora@example.org").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert Invitation.objects.get(email="nora@example.org").revoked_at is not None
    page.goto(f"{live_server.url}/console/studies/study/")
    open_place(page, "Settings", "Audit log")
    page.get_by_label("Action").select_option("closed")
    page.locator("form[method=get] button").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    holds(page, "Audit log of The study study (study)", LOOKS)
    page.get_by_label("From (UTC)").fill("2030-01-01")
    page.locator("form[method=get] button").click()
    expect(page.locator("tbody tr")).to_have_count(0)
    holds(page, "Audit log of The study study (study)")


def test_nobody_is_shut_out_of_the_way_back(
    live_server: LiveServer, cast: People, new_page: Callable[..., Page]
) -> None:
    page = new_page(width=375)
    log_in(page, live_server, client_of(cast["viewer"]))
    page.goto(f"{live_server.url}/console/people/")
    holds(page, "Not allowed")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link").first.click()
    holds(page, "Studies")
    page.goto(f"{live_server.url}/console/studies/other/")
    expect(page).to_have_title("Page not found")
    axe(page)
