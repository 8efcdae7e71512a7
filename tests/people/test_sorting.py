"""Lists sorted by the headings of their columns, without a script."""

import re

import pytest
from django.contrib.auth import get_user_model

from judging.models import Study
from judging.services.events import audit
from tests.factories import NOW, later
from tests.people.conftest import People, browser_of, text_of

MEMBERS, PEOPLE = "/console/studies/study/members/", "/console/people/"
LOG = "/console/studies/study/audit/"


def names(people: People, address: str, sort: str | None = None) -> list[str]:
    answer = browser_of(people["admin"]).get(address, {"sort": sort} if sort else {})
    assert answer.status_code == 200
    return re.findall(r'<tr><th scope="row">(\w+)', text_of(answer))


@pytest.fixture
def seen(people: People) -> People:
    """The viewer came after the editor; the owner never came."""
    for hours, name in enumerate(("editor", "viewer")):
        get_user_model().objects.filter(username=name).update(last_login=later(hours=hours))
    return people


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        (None, ["editor", "owner", "viewer"]),
        ("-name", ["viewer", "owner", "editor"]),
        ("role", ["editor", "owner", "viewer"]),
        ("seen", ["editor", "viewer", "owner"]),
        ("-seen", ["viewer", "editor", "owner"]),
    ],
)
def test_members_are_sorted(seen: People, sort: str | None, order: list[str]) -> None:
    assert names(seen, MEMBERS, sort) == order


def test_people_are_sorted(people: People) -> None:
    assert names(people, PEOPLE) == ["admin", "editor", "owner", "stranger", "viewer"]
    assert names(people, PEOPLE, "studies")[0] == "admin"
    assert names(people, PEOPLE, "-studies")[-1] == "admin"


def test_the_log_is_sorted_and_stays_narrowed(study: Study, people: People) -> None:
    for actor in ("viewer", "editor"):
        audit("exported", study=study, actor=people[actor], now=NOW, what="units")
    browser = browser_of(people["viewer"])

    def actors(**asked: str) -> list[str]:
        page = text_of(browser.get(LOG, {"verb": "exported", **asked}))
        return re.findall(r"</time></td><td>(\w+)</td>", page)

    assert actors() == ["editor", "viewer"]
    assert actors(sort="at") == ["viewer", "editor"]
    assert actors(sort="actor") == ["editor", "viewer"]
    assert actors(sort="-actor") == ["viewer", "editor"]
    page = text_of(browser.get(LOG, {"verb": "exported", "sort": "actor"}))
    assert 'href="?verb=exported&amp;sort=-actor"' in page
    assert 'href="?verb=exported&amp;sort=-at"' in page


def test_the_heading_in_use_says_so_and_turns_the_list_round(people: People) -> None:
    browser = browser_of(people["owner"])
    page = text_of(browser.get(MEMBERS))
    assert page.count("aria-sort") == 1
    assert '<th scope="col" aria-sort="ascending"><a class="sort" href="?sort=-name">Name' in page
    assert 'href="?sort=-seen"' in page
    page = text_of(browser.get(MEMBERS, {"sort": "-seen"}))
    assert '<th scope="col" aria-sort="descending"><a class="sort" href="?sort=seen">Last log-in' in page


@pytest.mark.parametrize("address", [MEMBERS, PEOPLE, LOG])
@pytest.mark.parametrize("sort", ["password", "--name", "user__password", "study"])
def test_what_a_list_cannot_be_sorted_by_is_told(people: People, address: str, sort: str) -> None:
    answer = browser_of(people["admin"]).get(address, {"sort": sort})
    assert answer.status_code == 400
    assert f"This list cannot be sorted by “{sort}”" in text_of(answer)
