"""The page “Worker links”: who may make links and the secret, and that both are shown once."""

import csv
import io
import logging
from typing import Any

import pytest

from judging.limits import MOST_LINKS
from judging.models import AuditEntry, Study, WorkerLink
from judging.worker.selectors.signed_links import secret_of
from tests.factories import make_study
from tests.people.conftest import People, browser_of, make_people, text_of, told
from tests.support.problems import problems_in
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import consent

PAGE = "/console/studies/study/way-in/"


@pytest.fixture
def invited_people(invited: Study) -> People:
    return make_people(invited, make_study(slug="other", opened=False))


@pytest.fixture
def signed_people(signed: Study) -> People:
    return make_people(signed, make_study(slug="other", opened=False))


def links_in(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.mark.parametrize("who", ["editor", "owner", "admin"])
def test_editors_make_links_that_come_once_as_a_file(invited_people: People, who: str) -> None:
    browser = browser_of(invited_people[who])
    answer = browser.post(PAGE, {"action": "links", "count": " 3 "})
    assert answer["Content-Type"].startswith("text/csv")
    assert answer["Content-Disposition"] == 'attachment; filename="study-links-1-3.csv"'
    assert "no-store" in answer["Cache-Control"]
    rows = links_in(answer)
    assert [row["number"] for row in rows] == ["1", "2", "3"]
    visitor = Visitor(through_client())
    path = rows[2]["link"].removeprefix("http://testserver")
    assert consent(visitor, path).step == "instructions"
    page = text_of(browser.get(PAGE))
    assert '<dd data-count="used">1</dd>' in page
    assert '<dd data-count="left">2</dd>' in page
    assert not any(row["link"].partition("=")[2] in page for row in rows)
    (entry,) = AuditEntry.objects.filter(verb="links_made")
    assert (entry.actor_name, entry.detail) == (who, {"count": 3, "first": 1})


def test_unused_links_are_taken_back(invited_people: People) -> None:
    browser = browser_of(invited_people["editor"])
    browser.post(PAGE, {"action": "links", "count": "2"})
    answer = browser.post(PAGE, {"action": "take_back"}, follow=True)
    told(answer, "success", "2")
    assert 'value="take_back"' not in text_of(answer)


@pytest.mark.parametrize("count", ["", "0", "-1", "3.5", "many", "²", str(MOST_LINKS + 1), "9" * 30])
def test_a_number_that_is_none_is_told_and_kept(invited_people: People, count: str) -> None:
    answer = browser_of(invited_people["editor"]).post(PAGE, {"action": "links", "count": count})
    assert answer.status_code == 400
    assert [field for field, _ in problems_in(text_of(answer))] == ["count"]
    assert f'value="{count}"' in text_of(answer)
    assert not WorkerLink.objects.exists()


def test_viewers_see_the_page_and_make_nothing(invited_people: People) -> None:
    browser = browser_of(invited_people["viewer"])
    assert 'method="post"' not in text_of(browser.get(PAGE)).split("<main", 1)[1]
    for action in ("links", "take_back", "secret"):
        assert browser.post(PAGE, {"action": action, "count": "1"}).status_code == 403
    assert not WorkerLink.objects.exists()


def test_owners_make_the_secret_and_see_it_once(
    signed: Study, signed_people: People, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    browser = browser_of(signed_people["owner"])
    before = secret_of(signed)
    assert before not in text_of(browser.get(PAGE))
    answer = browser.post(PAGE, {"action": "secret"})
    signed.refresh_from_db()
    secret = secret_of(signed)
    assert secret != before
    assert secret in text_of(answer)
    for address in (
        PAGE,
        "/console/studies/study/",
        "/console/studies/study/audit/",
        "/api/v1/studies/study/",
    ):
        page = text_of(browser.get(address))
        assert secret not in page
        assert signed.entry_key not in page
    admin = browser_of(signed_people["admin"])
    assert signed.entry_key not in text_of(admin.get(f"/admin/judging/study/{signed.pk}/change/"))
    assert secret not in caplog.text

    entry = AuditEntry.objects.filter(verb="entry_secret_made").last()
    assert (entry.actor_name, entry.detail) == ("owner", {})


@pytest.mark.parametrize("who", ["viewer", "editor"])
def test_nobody_else_makes_the_secret(signed: Study, signed_people: People, who: str) -> None:
    browser = browser_of(signed_people[who])
    assert browser.post(PAGE, {"action": "secret"}).status_code == 403
    key = signed.entry_key
    signed.refresh_from_db()
    assert signed.entry_key == key
    assert 'value="secret"' not in text_of(browser.get(PAGE))


def test_an_open_study_says_how_to_make_it_another(db: None) -> None:
    people = make_people(make_study(), make_study(slug="other", opened=False))
    browser = browser_of(people["owner"])
    assert 'href="http://testserver/s/study/"' in text_of(browser.get(PAGE))
    for action in ("links", "secret", "nonsense"):
        answer = browser.post(PAGE, {"action": action, "count": "1"})
        assert answer.status_code == 400, action
    assert not WorkerLink.objects.exists()


def test_a_count_with_two_values_is_asked_again(invited_people: People) -> None:
    browser = browser_of(invited_people["editor"])
    for typed in ("1,000", "1.000"):
        answer = browser.post(PAGE, {"action": "links", "count": typed})
        assert answer.status_code == 400
        assert [field for field, _ in problems_in(answer.content.decode())] == ["count"]
        assert answer.context["typed"] == typed
    assert not WorkerLink.objects.exists()
    assert len(links_in(browser.post(PAGE, {"action": "links", "count": "٣"}))) == 3
