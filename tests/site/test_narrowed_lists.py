"""Forms filter long lists, keep the sorting, and name wrong answers."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from django.utils.http import urlencode

from judging.core.pages.filtering import WORTH_NARROWING
from judging.core.services.events import audit
from judging.core.services.members import set_role
from judging.models import Job, Participation, ReportKind, Role, Study, WorkerFigures
from judging.watching.services.workers import block_worker
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later, make_study, make_worker
from tests.support.headings import Page
from tests.support.html import compact
from tests.support.problems import problems_in
from tests.understanding.reading import make

STUDY = "/console/studies/study/"
FORM = 'class="filter"'
NARROWED = 'data-empty="narrowed"'


@pytest.fixture
def admin(console: Client, researcher: AbstractBaseUser) -> Client:
    researcher.is_superuser = True
    researcher.save()
    return console


def text_of(console: Client, address: str, status: int = 200, **asked: Any) -> str:
    answer = console.get(address, asked)
    assert answer.status_code == status, address
    return compact(answer.content.decode())


def first_column(text: str) -> list[str]:
    return [row[0].said for row in Page(text).tables[-1].rows]


def test_workers_are_found_by_a_part_of_their_name_and_by_state(console: Client, db: None) -> None:
    study = make_study()
    workers = [make_worker(study) for _ in range(WORTH_NARROWING + 1)]
    block_worker(participation=workers[3], now=later(hours=1))
    name = workers[3].pseudonym
    for asked in ({"worker": name[2:6].upper()}, {"state": "blocked"}, {"worker": name, "state": "blocked"}):
        assert name in first_column(text_of(console, f"{STUDY}workers/", **asked))
    assert first_column(text_of(console, f"{STUDY}workers/", state="blocked")) == [name]
    text = text_of(console, f"{STUDY}workers/", worker=name, state="ready")
    assert NARROWED in text
    text = text_of(console, f"{STUDY}workers/", 400, state="asleep")
    ((field, why),) = problems_in(text)
    assert field == "state"
    assert "asleep" in why
    assert "<table" not in text
    assert text_of(console, f"{STUDY}workers/", 400, worker="a\0b").count("<table") == 0


def test_sorting_pages_and_the_form_keep_each_other(console: Client, db: None) -> None:
    study = LargeStudy(slug="study", judgments=3200, topics=8).study
    ready = study.participations.filter(state="ready")
    assert ready.count() > 60
    address = f"{STUDY}workers/?{urlencode({'state': 'ready', 'sort': '-completed', 'page': 2})}"
    text = text_of(console, address)
    assert 'href="?state=ready&amp;sort=-completed&amp;page=1" rel="prev"' in text
    assert 'href="?state=ready&amp;sort=completed"' in text, "sorted anew, a list begins at its first page"
    assert 'href="?state=ready&amp;sort=-c"' in text
    form = text[text.index(FORM) : text.index("</form>", text.index(FORM))]
    assert '<input type="hidden" name="sort" value="-completed">' in form
    assert 'name="page"' not in form
    assert 'class="button plain" href="?sort=-completed"' in form
    names: list[str] = []
    counts: list[int] = []
    for page in (1, 2):
        text = text_of(console, f"{STUDY}workers/", state="ready", sort="-completed", page=page)
        rows = Page(text).tables[0].rows
        names += [row[0].said for row in rows]
        counts += [int(row[3].said) for row in rows]
    assert sorted(names) == sorted(ready.values_list("pseudonym", flat=True)), "none twice, none left out"
    assert counts == sorted(counts, reverse=True)


def test_figures_are_found_by_worker_and_by_flag(console: Client, db: None) -> None:
    study = make_study()
    for place in range(WORTH_NARROWING + 2):
        worker = make_worker(study)
        figures = {"computed_at": later(), "begun": 1, "ended": 1, "completed": 0}
        WorkerFigures.objects.create(participation=worker, flagged=place % 2, **figures)
    odd = WorkerFigures.objects.filter(flagged=1)[0].participation.pseudonym
    address = f"{STUDY}worker-statistics/"
    assert FORM in text_of(console, address)
    assert len(first_column(text_of(console, address, flagged="yes"))) == 6
    assert odd not in first_column(text_of(console, address, flagged="no"))
    assert first_column(text_of(console, address, worker=odd, flagged="yes")) == [odd]
    assert re.search(r"<p>\D*6\D+12\b", text_of(console, address, worker=odd))
    assert NARROWED in text_of(console, address, worker=odd, flagged="no")
    assert text_of(console, address, 400, flagged="perhaps").count("<tbody") == 0


def test_jobs_are_found_by_kind_and_state(console: Client, db: None) -> None:
    study = make_study(opened=False)
    times = {"created_at": later(), "heartbeat_at": later()}
    for _ in range(WORTH_NARROWING):
        Job.objects.create(kind="export", study=study, parameters={"what": "units", "format": "csv"}, **times)
    Job.objects.create(kind="score", study=study, parameters={"gains": "trec"}, **times)
    (title,) = first_column(text_of(console, f"{STUDY}jobs/", kind="score"))
    assert "trec" in title
    assert len(first_column(text_of(console, f"{STUDY}jobs/", kind="export", state="queued"))) == 10
    assert NARROWED in text_of(console, f"{STUDY}jobs/", state="failed")
    text_of(console, f"{STUDY}jobs/", 400, kind="figures")


def test_documents_are_found_by_name_and_grade(console: Client, db: None) -> None:
    study = LargeStudy(slug="study", judgments=320, topics=4).study
    make(study, ReportKind.DOCUMENTS)
    address = f"{STUDY}understanding/documents/"
    assert first_column(text_of(console, address, topic="401", document="-h")) == ["D401-H"]
    graded = study.topics.get(number="401").pool.filter(grade="R").count()
    assert len(first_column(text_of(console, address, topic="401", grade="R"))) == graded > 0
    none = study.topics.get(number="401").pool.filter(grade="").count()
    text = text_of(console, address, topic="401", grade="none", sort="-gain")
    assert len(first_column(text)) == none > 0
    assert '<input type="hidden" name="topic" value="401">' in text
    assert '<input type="hidden" name="sort" value="-gain">' in text
    assert 'class="button plain" href="?topic=401&amp;sort=-gain"' in text
    assert NARROWED in text_of(console, address, topic="401", document="nothing")
    text_of(console, address, 400, topic="401", grade="Z")


def test_members_and_people_are_found(admin: Client, db: None) -> None:
    study = make_study(opened=False)
    for place in range(WORTH_NARROWING + 1):
        user = get_user_model().objects.create_user(f"user-{place:02}", email=f"mail{place}@example.org")
        set_role(study=study, user=user, role=Role.VIEWER, now=later())
    get_user_model().objects.filter(username="user-05").update(is_active=False)
    for address in (f"{STUDY}members/", "/console/people/"):
        assert FORM in text_of(admin, address)
        assert first_column(text_of(admin, address, find="USER-07")) == ["user-07"]
        assert first_column(text_of(admin, address, find="mail7@")) == ["user-07"]
        assert NARROWED in text_of(admin, address, find="nobody at all")
        text_of(admin, address, 400, find="\0")
    assert first_column(text_of(admin, "/console/people/", rights="admin")) == ["ada"]
    gone = text_of(admin, "/console/people/", rights="deactivated")
    assert re.findall(r"user-\d\d", gone) == ["user-05"]
    text_of(admin, "/console/people/", 400, rights="king")


def test_studies_are_found_by_title_name_and_state(console: Client, db: None) -> None:
    for place in range(WORTH_NARROWING + 1):
        make_study(slug=f"study-{place}", title=f"On subject {place}", topics=0, opened=False)
    Study.objects.filter(slug="study-4").update(state="open")

    def shown(**asked: str) -> list[str]:
        return re.findall(
            r'<h2><a href="/console/studies/([\w-]+)/">', text_of(console, "/console/", **asked)
        )

    assert len(shown()) == 11
    assert shown(find="SUBJECT 7") == shown(find="study-7") == ["study-7"]
    assert shown(state="open") == ["study-4"]
    assert shown(find="study", state="open", sort="-title") == ["study-4"]
    assert NARROWED in text_of(console, "/console/", state="paused")
    text_of(console, "/console/", 400, state="lost")


def test_a_short_list_has_no_form(console: Client, db: None) -> None:
    study = make_study()
    make_worker(study)
    assert FORM not in text_of(console, f"{STUDY}workers/")
    assert FORM not in text_of(console, "/console/")
    assert FORM in text_of(console, f"{STUDY}workers/", state="ready"), "what narrows can be taken back"
    assert Participation.objects.count() == 1


def test_events_and_the_audit_log_stay_sorted_when_narrowed(console: Client, db: None) -> None:
    LargeStudy(slug="study", judgments=320, topics=4)
    text = text_of(console, f"{STUDY}events/", sort="worker", check="c")
    assert '<input type="hidden" name="sort" value="worker">' in text
    assert 'href="?sort=worker&amp;check=c&amp;kind=anchors_failed"' in text
    audit("paused", study=Study.objects.get(), actor=None, now=later())
    text = text_of(console, f"{STUDY}audit/", sort="verb")
    assert '<input type="hidden" name="sort" value="verb">' in text
