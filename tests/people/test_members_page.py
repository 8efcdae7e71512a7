"""The page of a study's members, which all members see and owners change; the page of all accounts."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.core.services.members import remove_member, set_role
from judging.models import AuditEntry, Role, Study
from tests.factories import NOW, make_study
from tests.people.conftest import People, browser_of, text_of, told

MEMBERS = "/console/studies/study/members/"


def change(people: People, who: str, **form: str) -> Any:
    return browser_of(people[who]).post(MEMBERS, form, follow=True)


def role_of(study: Study, people: People, name: str) -> str | None:
    return study.memberships.filter(user=people[name]).values_list("role", flat=True).first()


@pytest.mark.parametrize("who", ["viewer", "editor", "owner", "admin"])
def test_members_see_each_other_and_owners_change(people: People, who: str) -> None:
    page = text_of(browser_of(people[who]).get(MEMBERS))
    for name in ("owner", "editor", "viewer"):
        assert f"{name}@example.org" in page
    assert "stranger@example.org" not in page
    for what in ('value="role"', 'value="remove"', 'value="invite"'):
        assert (what in page) == (who in {"owner", "admin"})


def test_an_owner_changes_a_role_and_takes_one_away(study: Study, people: People) -> None:
    viewer = str(people["viewer"].pk)
    told(change(people, "owner", action="role", user=viewer, role="owner"), "success", "viewer", "owner")
    assert role_of(study, people, "viewer") == "owner"
    told(change(people, "owner", action="remove", user=viewer), "success", "viewer")
    assert role_of(study, people, "viewer") is None
    assert browser_of(people["viewer"]).get(MEMBERS).status_code == 403
    entries = AuditEntry.objects.filter(verb="member_changed", actor=people["owner"]).order_by("pk")
    assert [(entry.detail["before"], entry.detail["after"]) for entry in entries] == [
        ("viewer", "owner"),
        ("owner", ""),
    ]


@pytest.mark.parametrize("form", [{"action": "role", "role": "viewer"}, {"action": "remove"}])
def test_the_last_owner_cannot_leave_or_be_lowered(
    study: Study, people: People, form: dict[str, str]
) -> None:
    owner = str(people["owner"].pk)
    for who in ("owner", "admin"):
        told(change(people, who, user=owner, **form), "error", "owner", "study")
    assert role_of(study, people, "owner") == "owner"


def test_who_leaves_is_led_to_the_studies(study: Study, people: People) -> None:
    set_role(study=study, user=people["editor"], role=Role.OWNER, now=NOW)
    answer = browser_of(people["owner"]).post(MEMBERS, {"action": "remove", "user": str(people["owner"].pk)})
    assert (answer.status_code, answer.url) == (302, "/console/")


@pytest.mark.parametrize(
    "form",
    [
        {"action": "role", "role": "boss", "user": "viewer"},
        {"action": "promote", "role": "owner", "user": "viewer"},
        {"action": "", "user": "viewer"},
        {"action": "role", "role": "owner", "user": "stranger"},
        {"action": "role", "role": "owner", "user": "nobody"},
        {"action": "remove", "user": "²"},
    ],
)
def test_what_no_form_of_ours_sends_changes_nothing(
    study: Study, people: People, form: dict[str, str]
) -> None:
    who = people.get(form["user"])
    before = list(study.memberships.values())
    page = change(people, "owner", **form | {"user": str(who.pk) if who else form["user"]})
    told(page, "error")
    assert list(study.memberships.values()) == before


def test_a_study_without_members_says_what_to_do(db: None, people: People) -> None:
    make_study(slug="open", opened=False)
    page = text_of(browser_of(people["admin"]).get("/console/studies/open/members/"))
    assert 'data-empty="new"' in page
    assert 'value="invite"' in page


def test_the_page_asks_as_often_for_many_as_for_few(study: Study, people: People) -> None:
    def queries() -> int:
        browser = browser_of(people["owner"])
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(MEMBERS).status_code == 200
        return len(captured)

    few = queries()
    for number in range(60):
        user = get_user_model().objects.create_user(f"user-{number:02}")
        set_role(study=study, user=user, role=Role.VIEWER, now=NOW)
    assert queries() == few <= 12
    assert "?page=2" in text_of(browser_of(people["owner"]).get(MEMBERS))
    assert "user-59" in text_of(browser_of(people["owner"]).get(f"{MEMBERS}?page=2"))


def test_admins_see_everybody(people: People) -> None:
    browser = browser_of(people["admin"])
    with CaptureQueriesContext(connection) as captured:
        page = text_of(browser.get("/console/people/"))
    assert all(f"{name}@example.org" in page for name in people)
    assert len(captured) <= 8


def test_the_header_offers_what_is_for_admins_to_admins_alone(people: People) -> None:
    for who, offered in (("owner", False), ("admin", True)):
        page = text_of(browser_of(people[who]).get("/console/"))
        for address in ("/console/people/", "/console/audit/", "/admin/"):
            assert (f'href="{address}"' in page) == offered


def test_a_removed_member_is_out_at_once(study: Study, people: People) -> None:
    browser = browser_of(people["viewer"])
    assert browser.get("/console/studies/study/").status_code == 200
    remove_member(study=study, user=people["viewer"], now=NOW)
    assert browser.get("/console/studies/study/").status_code == 403
