"""Every heading of every table sorts the rows both ways; an unknown column gives an error."""

import re
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.test import Client
from django.utils.http import urlencode

from judging.core.selectors.ordering import natural
from judging.core.services.events import audit
from judging.core.services.members import set_role
from judging.models import Event, Job, PoolDocument, ReportKind, Role, Study, Topic
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.benchmarks.large_study import LargeStudy
from tests.factories import later, make_study, make_worker
from tests.support.headings import Page, Table
from tests.support.html import compact
from tests.understanding.reading import make

TEMPLATES: Final = Path(__file__).resolve().parents[2] / "templates"
FIXED: Final = {
    "core/_chart.html": "the numbers of a picture, in the order in which it is drawn",
    "site/help.html": "the pages in the order of the menu",
    "site/_reaching.html": "the sizes that reach what is wanted, the cheapest first",
    "site/_downloads.html": "one row for each kind of file, in the order of the handbook",
    "setup/_pool.html": "one row for each depth",
    "setup/_file_contents.html": "the values of one file of grades, from the least up",
    "watching/_worker_unit.html": "the documents of one unit, in the order in which they were shown",
    "payments/_held.html": "in the order in which payments are decided",
    "payments/payments.html": "one row for each kind of sum",
    "setup/import_topics.html": "the first topics of a file, in its order",
    "setup/columns.html": "the first rows of one file, in its order",
    "setup/grades.html": "the values of one file of grades, from the least up",
    "setup/_text_fields.html": "the fields of texts, in the order of the handbook",
    "setup/_stale.html": "the fields of one form that two have changed",
    "worker/_recap.html": "the lines of the practice, in the order in which they were shown",
    "understanding/judge.html": "the checks in the order of the protocol",
    "understanding/labels.html": "the sets of a study by name, each with the button that removes it",
    "worker/_pay.html": "the units of one worker, in the order in which they were judged",
}
NUMBERS: Final = ("9", "10", "MB2", "MB010")
ORDINAL: Final = {"N": 0, "M": 1, "R": 2, "H": 3}
SCORES: Final = {
    "measures": ["nDCG@10", "AP"],
    "rows": [["b10", [0.5, None]], ["b9", [0.25, 0.75]], ["a", [0.125, 0.5]]],
    "topics": 4,
    "notices": [],
}
PAGES: Final[tuple[Any, ...]] = (
    "",
    pytest.param("quality/", marks=pytest.mark.slow),
    pytest.param("quality/?by=hour", marks=pytest.mark.slow),
    "table1/",
    "events/",
    "workers/",
    "worker-statistics/",
    "members/",
    "audit/",
    "jobs/",
    "jobs/{job}/",
    "understanding/",
    "understanding/documents/?topic=9",
    "understanding/document/?topic=9&id={anchor}",
    pytest.param("understanding/grades/", marks=pytest.mark.slow),
    "/console/people/",
    "/console/audit/",
)


@pytest.fixture(scope="module")
def researcher(module_db: None) -> AbstractBaseUser:
    return get_user_model().objects.create_superuser("ada")


@pytest.fixture(scope="module")
def study(researcher: AbstractBaseUser) -> Study:
    """Return a study with rows in every table, with topic numbers that sort differently as texts."""
    study = LargeStudy(slug="study", judgments=320, topics=4).study
    for topic, number in zip(study.topics.order_by("place"), NUMBERS, strict=True):
        Topic.objects.filter(pk=topic.pk).update(number=number)
    for _ in range(3):
        make_worker(study, upto="question", now=later(hours=1))
    compute_statistics(study=study, now=later(hours=999))
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.GRADES)
    times = {name: later(hours=9) for name in ("created_at", "heartbeat_at", "started_at", "finished_at")}
    for what, by in (("units", researcher), ("events", None)):
        parameters = {"what": what, "format": "csv"}
        Job.objects.create(
            kind="export", state="done", study=study, requested_by=by, parameters=parameters, **times
        )
    Job.objects.create(
        kind="score", state="done", study=study, parameters={"gains": "magnitudes"}, result=SCORES, **times
    )
    for name, role in (("ida", Role.VIEWER), ("eve", Role.OWNER)):
        user = get_user_model().objects.create_user(name, email=f"{name}@example.org")
        set_role(study=study, user=user, role=role, now=later(hours=1))
    for verb in ("paused", "opened"):
        audit(verb, study=study, actor=researcher if verb == "paused" else None, now=later(hours=2))
    return study


@pytest.fixture
def admin(console: Client) -> Client:
    return console


def address_of(study: Study, page: str) -> str:
    anchor = PoolDocument.objects.filter(topic__study=study, topic__number="9", anchor="H")[0]
    job = Job.objects.filter(study=study, kind="score")[0]
    page = page.format(anchor=anchor.document.document_id, job=job.pk)
    return page if page.startswith("/") else f"/console/studies/{study.slug}/{page}"


def tables_of(admin: Client, address: str, status: int = 200) -> list[Table]:
    answer = admin.get(address)
    assert answer.status_code == status, address
    return Page(answer.content.decode()).tables


def comparable(said: str) -> Any:
    """Return the sort value of a cell; None for a cell without a value."""
    if said in ("", "–", "none", "never", "no value", "-"):
        return None
    if said in ORDINAL:
        return 0, ORDINAL[said]
    number = re.fullmatch(r"-?[0-9.]+(e-[0-9]+)?( %)?", said)
    return (0, float(said.removesuffix(" %"))) if number else (1, natural(said))


def cells(table: Table, place: int) -> list[Any]:
    return [comparable(row[place].said) for row in table.rows if row[0].value != ""]


def parameters(address: str) -> dict[str, str]:
    return dict(parse_qsl(address.partition("?")[2].partition("#")[0]))


def sorts(tables: list[Table]) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """Return parameter → column → places of its headings, each as (table, column)."""
    results: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for number, table in enumerate(tables):
        for place, cell in table.columns():
            for name, value in parameters(cell.address or "").items():
                if name.startswith("sort"):
                    results.setdefault(name, {}).setdefault(value, []).append((number, place))
    return results


def holds(table: Table, place: int) -> str:
    """Return how a column of a table is sorted by its heading; assert that its cells are."""
    (column,) = (cell for at, cell in table.columns() if at == place)
    said, state = column.said, column.state
    found = cells(table, place)
    known = [value for value in found if value is not None]
    assert found[: len(known)] == known, f"{said}: what has no value does not come last"
    orders: list[Any] = [sorted(known, reverse=state == "descending")]
    if said == "Worker":  # pseudonyms are codes, which the database may compare as they are
        orders.append(sorted(known, key=lambda value: value[1][1], reverse=state == "descending"))
    assert known in orders, f"{said}, {state}"
    assert sum(bool(cell.state) for row in table.heads for cell in row) == 1, said
    return state


@pytest.mark.parametrize("page", PAGES)
def test_every_heading_sorts_both_ways_and_nothing_else_does(admin: Client, study: Study, page: str) -> None:
    """Each list on a page has its own sorting, so that a request takes one heading of each."""
    address = address_of(study, page)
    path = address.partition("?")[0]
    kept = parameters(address)
    tables = tables_of(admin, address)
    by = sorts(tables)
    assert by, "a page without a table that sorts"
    for table in tables:
        for _, cell in table.columns():
            assert not cell.address or kept.items() <= parameters(cell.address).items()
    for headings in zip_longest(*([(name, *found) for found in by[name].items()] for name in by)):
        chosen = [heading for heading in headings if heading is not None]
        asked = kept | {name: value for name, value, _ in chosen}
        first = tables_of(admin, f"{path}?{urlencode(asked)}")
        for name, _, places in chosen:
            number, place = places[0]
            asked[name] = parameters(dict(first[number].columns())[place].address or "")[name]
        again = tables_of(admin, f"{path}?{urlencode(asked)}")
        for number, place in (at for *_, places in chosen for at in places):
            states = {holds(first[number], place), holds(again[number], place)}
            assert states == {"ascending", "descending"}
            assert len(again[number].rows) == len(first[number].rows) == len(tables[number].rows)
    for name in by:
        assert admin.get(path, kept | {name: "-password"}).status_code == 400, name


def test_topics_are_counted_as_people_count(admin: Client, study: Study) -> None:
    for page in ("", "quality/", "table1/", "understanding/"):
        tables = tables_of(admin, address_of(study, page))
        topics = next(table for table in tables if table.columns()[0][1].said == "Topic")
        assert [row[0].said.split()[0] for row in topics.rows] == list(NUMBERS), page


def test_units_are_sorted_by_topic_and_then_by_number(admin: Client, study: Study) -> None:
    last = -(-Event.objects.filter(study=study).count() // 50)
    pages = [tables_of(admin, address_of(study, f"events/?sort=unit&page={n}")) for n in range(1, last + 1)]
    units = [row[4].said for (table,) in pages for row in table.rows]
    known = [unit for unit in units if unit]
    assert known == sorted(known, key=natural)
    assert units == known + [""] * (len(units) - len(known)), "what happened in no unit comes last"
    assert len(known) < len(units) == Event.objects.filter(study=study).count()


def test_lists_on_one_page_are_sorted_apart(admin: Client, study: Study) -> None:
    tables = tables_of(admin, address_of(study, "?sort_topics=-topic&sort_reserved=worker"))
    topics, reserved = (
        next(
            table for table in tables if table.columns()[0][1].said == first and table.columns()[0][1].address
        )
        for first in ("Topic", "Unit")
    )
    assert [row[0].said.split()[0] for row in topics.rows] == list(reversed(NUMBERS))
    workers = [row[1].said for row in reserved.rows]
    assert workers == sorted(workers)
    addresses = {cell.said: cell.address for _, cell in reserved.columns()}
    assert addresses["Unit"] == "?sort_topics=-topic&sort_reserved=unit#reserved"


def test_studies_without_headings_have_links(admin: Client, db: None) -> None:
    for number, name in enumerate(("bees", "ants")):
        make_study(slug=name, topics=0, opened=False, created_at=later(hours=number))

    def shown(sort: str) -> list[str]:
        text = compact(admin.get("/console/", {"sort": sort}).content.decode())
        return re.findall(r'<h2><a href="/console/studies/(\w+)/">', text)

    assert shown("name") == shown("title") == shown("-created") == ["ants", "bees"]
    assert shown("-name") == shown("created") == ["bees", "ants"]
    text = compact(admin.get("/console/", {"sort": "-created"}).content.decode())
    assert '<a href="?sort=created" aria-current="true"' in text
    assert admin.get("/console/", {"sort": "luck"}).status_code == 400


def test_every_table_sorts_or_is_named_as_one_that_need_not() -> None:
    texts = {path.relative_to(TEMPLATES).as_posix(): path.read_text() for path in TEMPLATES.rglob("*.html")}
    without = {name for name, text in texts.items() if "<table" in text}
    assert without == {"core/_table.html", *FIXED}
