"""The audit log in the console: of a study for members, of the site for admins; with filters and pages."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.core.services.events import audit
from judging.models import AuditEntry, Study
from tests.factories import NOW
from tests.people.conftest import People, browser_of, text_of
from tests.support.named import assert_names
from tests.support.problems import problems_in

LOG, SITE = "/console/studies/study/audit/", "/console/audit/"


@pytest.fixture
def entries(study: Study, people: People) -> None:
    """Write entries: a pause on the 2nd, a closing by a command on the 3rd, and one of another study."""
    owner = people["owner"]
    midnight = datetime(2026, 3, 3, tzinfo=UTC)
    audit("paused", study=study, actor=owner, now=midnight - timedelta(seconds=1), reason="lunch")
    audit("closed", study=study, actor=None, now=midnight, cancelled=["W1/2", "W2/1"])
    audit("opened", study=Study.objects.get(slug="other"), actor=people["stranger"], now=NOW)


def read(people: People, who: str, address: str, **asked: str) -> str:
    answer = browser_of(people[who]).get(address, asked)
    assert answer.status_code == 200, answer.content
    return text_of(answer)


@pytest.mark.parametrize("who", ["viewer", "editor", "owner", "admin"])
def test_members_read_what_was_done_by_whom(people: People, entries: None, who: str) -> None:
    page = read(people, who, LOG)
    assert 'data-count="5"' in page  # three of them are roles
    assert "2026-03-02 23:59:59" in page
    assert re.search(
        r'<td[^>]*>owner</td><td[^>]*><span data-verb="paused">[^<]*</span></td><td[^>]*>[^<:]*: lunch</td>',
        page,
    )
    closed = r'<td[^>]*><span data-verb="closed">[^<]*</span></td><td[^>]*>[^<:]*: W1/2, W2/1</td>'
    assert re.search(closed, page)
    assert ">stranger</td>" not in page
    assert page.index('data-verb="closed"') < page.index('data-verb="paused"')


@pytest.mark.parametrize(
    ("asked", "verbs"),
    [
        ({"actor": "owner"}, ["paused"]),
        ({"actor": "the command line", "verb": "closed"}, ["closed"]),
        ({"verb": "paused"}, ["paused"]),
        ({"first": "2026-03-03"}, ["closed"]),
        ({"first": "2026-03-02", "last": "2026-03-02", "verb": "paused"}, ["paused"]),
        ({"actor": "owner", "verb": "closed"}, []),
    ],
)
def test_the_log_is_narrowed(people: People, entries: None, asked: dict[str, str], verbs: list[str]) -> None:
    page = read(people, "viewer", LOG, **asked)
    assert [verb for verb in ("paused", "closed") if f'data-verb="{verb}"' in page] == verbs
    assert f'data-count="{len(verbs)}"' in page
    assert '<a class="button plain" href="?' in page
    assert ('data-empty="narrowed"' in page) == (not verbs)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"actor": "eve"}, "actor"),
        ({"actor": "stranger"}, "actor"),
        ({"verb": "stolen"}, "verb"),
        ({"first": "tomorrow"}, "first"),
        ({"first": "2026-03-03", "last": "2026-03-02"}, "last"),
    ],
)
def test_what_cannot_be_looked_for_is_told_at_its_field(
    people: People, entries: None, asked: dict[str, str], field: str
) -> None:
    answer = browser_of(people["viewer"]).get(LOG, asked)
    assert answer.status_code == 400
    assert [at for at, _ in problems_in(text_of(answer))] == [field]


def test_admins_read_of_every_study_even_of_one_that_is_gone(people: People, entries: None) -> None:
    Study.objects.get(slug="other").delete()
    people["stranger"].delete()
    page = read(people, "admin", SITE)
    assert re.search(
        r'<td[^>]*>stranger</td><td[^>]*><span data-verb="opened">[^<]*</span></td><td[^>]*>other</td>', page
    )
    assert re.search(r'data-verb="paused">[^<]*</span></td><td[^>]*>study</td>', page)


def test_a_long_log_has_pages_and_asks_no_more_often(study: Study, people: People, entries: None) -> None:
    def queries(address: str) -> int:
        browser = browser_of(people["admin"])
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(address).status_code == 200
        return len(captured)

    few = queries(LOG), queries(SITE)
    for number in range(120):
        audit("exported", study=study, actor=people["owner"], now=NOW, rows=number + 1)
    assert (queries(LOG), queries(SITE)) == few
    assert max(few) <= 8
    assert_names(read(people, "viewer", LOG), "1 to 50")
    page = read(people, "viewer", LOG, verb="exported", page="3")
    assert_names(page, "101 to 120")
    assert "verb=exported&amp;page=2" in page
    assert browser_of(people["viewer"]).get(LOG, {"page": "9"}).status_code == 404


def test_an_empty_log_says_what_will_stand_there(study: Study, people: People) -> None:
    study = Study.objects.create(slug="new", title="New", created_at=NOW)
    assert 'data-empty="new"' in read(people, "admin", f"/console/studies/{study.slug}/audit/")


def test_the_admin_shows_it_and_changes_nothing(people: People, entries: None) -> None:
    entry = AuditEntry.objects.get(verb="paused")
    browser = browser_of(people["admin"])
    shown = text_of(browser.get(f"/admin/judging/auditentry/{entry.pk}/change/"))
    assert "lunch" in shown
    assert 'name="_save"' not in shown
    assert browser.post(f"/admin/judging/auditentry/{entry.pk}/change/", {"verb": "x"}).status_code == 403
    assert browser.post(f"/admin/judging/auditentry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert AuditEntry.objects.filter(pk=entry.pk, verb="paused").exists()
