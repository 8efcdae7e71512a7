"""Access to the pages, and the redirects of people without access."""

from typing import Any

import pytest
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from judging.core import access
from tests.factories import make_study
from tests.support.people import PASSWORD
from tests.support.problems import problems_in

PAGES = [
    "/console/",
    "/console/studies/study/",
    "/console/studies/study/search/",
    "/console/studies/study/set-up/",
    "/console/studies/study/quality/",
    "/console/studies/study/worker-statistics/",
    "/console/studies/study/thresholds/",
    "/console/studies/study/export/judgments.csv",
    "/console/studies/study/state/open/",
    "/console/studies/study/study.zip",
    "/console/setup/",
    "/console/studies/study/setup/",
    "/console/studies/study/setup/files/",
    "/console/studies/study/setup/texts/",
]


@pytest.mark.parametrize("address", PAGES)
def test_without_a_log_in_every_page_leads_to_it_and_back(client: Client, db: None, address: str) -> None:
    make_study(opened=False)
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer.url == f"/console/login/?next={address}"


@pytest.mark.parametrize("address", PAGES)
def test_an_account_outside_the_staff_is_refused(
    client: Client, outsider: AbstractBaseUser, address: str
) -> None:
    make_study(opened=False)
    client.force_login(outsider)
    answer = client.get(address)
    assert answer.status_code == 403


def test_logging_in_leads_to_the_page_asked_for(client: Client, researcher: AbstractBaseUser) -> None:
    make_study(opened=False)
    form = {"username": "ada", "password": PASSWORD, "next": "/console/studies/study/"}
    answer = client.post("/console/login/", form)
    assert (answer.status_code, answer.url) == (302, "/console/studies/study/")
    assert client.get("/console/").status_code == 200


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org/"])
def test_logging_in_never_leads_off_the_site(
    client: Client, researcher: AbstractBaseUser, elsewhere: str
) -> None:
    form = {"username": "ada", "password": PASSWORD, "next": elsewhere}
    assert client.post("/console/login/", form).url == "/console/"


def test_a_wrong_password_and_a_wrong_account_are_told(client: Client, outsider: AbstractBaseUser) -> None:
    wrong = client.post("/console/login/", {"username": "eve", "password": "guess"})
    assert wrong.status_code == 200
    assert codes(wrong) == ["invalid_login"]
    outside = client.post("/console/login/", {"username": "eve", "password": PASSWORD})
    assert codes(outside) == ["not_allowed"]
    assert "_auth_user_id" not in client.session


def codes(answer: Any) -> list[str]:
    """Return why the page refused the log-in form as a whole."""
    assert problems_in(answer.content.decode())
    return [error.code for error in answer.context["form"].non_field_errors().as_data()]


def test_logging_out_needs_a_form_and_ends_the_session(console: Client) -> None:
    assert console.get("/console/logout/").status_code == 405
    assert console.post("/console/logout/").url == reverse("console:login")
    assert console.get("/console/").status_code == 302


def test_the_rules_say_no_to_everybody_else(researcher: AbstractBaseUser, outsider: AbstractBaseUser) -> None:
    study = make_study(opened=False)
    for user in (AnonymousUser(), outsider):
        assert not access.may_use_console(user)
        assert not access.visible_studies(user)
        assert not access.may_see(user, study)
        assert not access.may_manage(user, study)
        assert not access.may_curate(user, study)
        assert not access.may_set_thresholds(user, study)
        assert not access.may_export(user, study, "judgments")
    assert list(access.visible_studies(researcher)) == [study]
    assert access.may_manage(researcher, study)
    assert access.may_curate(researcher, study)
    assert not access.may_set_thresholds(researcher, study)
    assert access.may_export(researcher, study, "judgments")
    assert not access.may_export(researcher, study, "payments")
    researcher.is_active = False
    assert not access.may_see(researcher, study)
