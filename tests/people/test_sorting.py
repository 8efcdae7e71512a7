"""The headings of columns sort the lists, without scripts."""

import re
from itertools import product

import pytest
from django.contrib.auth import get_user_model

from judging.core.services.events import audit
from judging.models import Study
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
    """Set the last log-ins: the viewer after the editor, the owner never."""
    for hours, name in enumerate(("editor", "viewer")):
        get_user_model().objects.filter(username=name).update(last_login=later(hours=hours))
    return people


def test_members_are_sorted(seen: People) -> None:
    assert names(seen, MEMBERS) == ["editor", "owner", "viewer"]
    assert names(seen, MEMBERS, "-name") == ["viewer", "owner", "editor"]
    assert names(seen, MEMBERS, "role") == ["editor", "owner", "viewer"]
    assert names(seen, MEMBERS, "seen") == ["editor", "viewer", "owner"]
    assert names(seen, MEMBERS, "-seen") == ["viewer", "editor", "owner"]


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
        return re.findall(r"</time></th><td[^>]*>(\w+)</td>", page)

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


def test_lists_are_sorted_by_nothing_else(people: People) -> None:
    browser = browser_of(people["admin"])
    for address, sort in product((MEMBERS, PEOPLE, LOG), ("password", "--name", "user__password", "study")):
        assert browser.get(address, {"sort": sort}).status_code == 400, (address, sort)
