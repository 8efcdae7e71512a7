"""Lists that grow with topics and attempts have pages, also several lists on one page of the console."""

import csv
import io
import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging.models import Event, Participation, Study, check_of_kind
from judging.protocol.checks import practice, seconds
from tests.factories import answer_wrongly, judge_unit, later, make_study, make_worker
from tests.site.test_studies import page, table
from tests.support.exports import export_lines
from tests.support.html import compact
from tests.watching.test_workers import reasons

STUDY = "/console/studies/study/"
TABLE1 = f"{STUDY}table1/"


def links(text: str, name: str) -> dict[str, str]:
    """Return number, `prev` or `next` → address of that page of a list, which its parameter names."""
    matches = re.findall(rf'<nav class="pages" data-pages="{name}"[^>]*>(.*?)</nav>', text, re.DOTALL)
    assert len(matches) < 2
    return {
        rel or link: address
        for bar in matches
        for address, rel, link in re.findall(r'href="([^"]*)"(?: rel="(\w+)")?[^>]*>([^<]*)</a>', bar)
    }


def topics_in(text: str, place: str) -> list[str]:
    """Return the numbers of the topics in a table."""
    return [name.split()[0] for name in table(text, place) if re.match(r"\d{3} Title", name)]


def alerts(text: str) -> list[str]:
    return re.findall(r'role="alert">([^<]*)</p>', text)


@pytest.fixture(scope="module")
def study(module_db: None) -> Study:
    """Return a study of 120 topics; one worker has judged a unit, one has failed the question."""
    study = make_study(topics=120, judgments_per_document=1)
    judge_unit(make_worker(study))
    answer_wrongly(make_worker(study, upto="question"))
    return study


def test_topics_come_in_pages_with_the_sums_of_all(console: Client, study: Study) -> None:
    pages = [page(console, f"{STUDY}?topics={number}") for number in (1, 2, 3)]
    shown = [topics_in(text, "topics") for text in pages]
    assert [len(part) for part in shown] == [50, 50, 20]
    assert [number for part in shown for number in part] == [str(401 + place) for place in range(120)]
    # percent, documents, done, reserved, open, retired, excluded, lapsed, judgments
    sums = {tuple(list(table(text, "topics").values())[-1]) for text in pages}
    assert sums == {("0 %", "960", "1", "0", "119", "0", "0", "0", "8")}
    assert re.search(r"<caption>\D*51\D+100\D+120\b", pages[1])


def test_a_list_turns_its_pages_and_leaves_the_rest_of_the_address(console: Client, study: Study) -> None:
    text = page(console, f"{STUDY}?topics=2&sort_reserved=unit&from=mail")
    assert topics_in(text, "topics")[0] == "451"
    assert links(text, "topics") == {
        "prev": "?topics=1&sort_reserved=unit&from=mail#topics",
        "1": "?topics=1&sort_reserved=unit&from=mail#topics",
        "3": "?topics=3&sort_reserved=unit&from=mail#topics",
        "next": "?topics=3&sort_reserved=unit&from=mail#topics",
    }
    assert '<h2 id="topics">' in text


@pytest.mark.parametrize("where", ["", "quality/"])
@pytest.mark.parametrize("number", ["4", "0", "x"])
def test_a_page_that_is_not_there_is_told_beside_its_list(
    console: Client, study: Study, where: str, number: str
) -> None:
    answer = console.get(f"{STUDY}{where}?topics={number}")
    assert answer.status_code == 404
    text = unescape(answer.content.decode())
    (alert,) = alerts(text)
    assert re.search(rf"\b{number}\b.*\b3\b", alert)
    assert alerts(text.split('<h2 id="topics">')[1].split("<table")[0]) == [alert]
    assert topics_in(text, "topics")[0] == "401"


def test_a_study_that_fits_on_a_page_has_no_links_to_others(console: Client, db: None) -> None:
    make_study(slug="fifty", topics=50)
    for address in (STUDY, TABLE1):
        text = page(console, address.replace("/study/", "/fifty/"))
        assert links(text, "topics") == links(text, "page") == {}
        assert not re.search(r"<caption>[^<]*50", text)
    make_study(slug="none", topics=0, opened=False)
    assert console.get("/console/studies/none/").status_code == 200
    assert console.get("/console/studies/none/table1/").status_code == 200


def test_the_pages_of_table_1_together_are_its_export(console: Client, study: Study) -> None:
    _, *exported, total = csv.reader(io.StringIO("".join(export_lines(study, "table1", "csv"))))
    assert total[1:3] == ["960", "1"]
    shown = []
    for number in (1, 2, 3):
        text = page(console, f"{TABLE1}?page={number}")
        rows = re.findall(r'<tr><th scope="row">.*?</tr>', text, re.DOTALL)
        *part, last = [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in rows]
        assert last == total
        assert len(part) == (50, 50, 20)[number - 1]
        shown += part
    assert shown == exported
    assert links(text, "page")["prev"] == "?page=2"
    assert console.get(f"{TABLE1}?page=4").status_code == 404


def test_a_hundred_topics_cost_as_many_queries_as_two(console: Client, db: None) -> None:
    for topics in (2, 102):
        make_study(slug=f"of-{topics}", topics=topics)
    for address, most in (("", 28), ("?topics=2", 28), ("table1/", 12), ("table1/?page=2", 12)):
        counts, sizes = [], []
        for where in (f"of-2/{address.partition('?')[0]}", f"of-102/{address}"):
            with CaptureQueriesContext(connection) as captured:
                answer = console.get(f"/console/studies/{where}")
            assert answer.status_code == 200
            counts.append(len(captured))
            sizes.append(answer.content.count(b'<th scope="row">'))
        assert counts[0] == counts[1] <= most, address
        assert sizes[1] - sizes[0] == 48, "fifty rows, where two were"


def add_events(worker: Participation, number: int, kind: str, **place: object) -> None:
    """Create the events of many attempts directly, because real attempts would take too long."""
    facts = {"short": 1} if kind == seconds.CHECK.event else {}
    Event.objects.bulk_create(
        Event(
            study=worker.study,
            participation=worker,
            kind=kind,
            check_name=check_of_kind(kind),
            at=later(minutes=turn),
            attempt=turn,
            **facts,
            **place,
        )
        for turn in range(1, number + 1)
    )


def tries(text: str) -> list[int]:
    """Return the attempts of the events on a page."""
    return [int(number) for _, (_, number, *_) in reasons(text)]


@pytest.fixture
def tireless(db: None) -> Participation:
    """Return a worker with 250 failed attempts at the first unit, 3 at the second, 110 at the practice."""
    study = make_study(slug="tireless", topics=2, judgments_per_document=1)
    worker = make_worker(study)
    for hours, number in enumerate((250, 3), start=9):
        judge_unit(worker, now=later(hours=hours))
        unit = worker.assignments.order_by("number").last()
        place = {"assignment": unit, "unit": unit.unit, "topic": unit.topic}
        add_events(worker, number, seconds.CHECK.event, **place)
    add_events(worker, 110, practice.CHECK.event)
    return worker


def parts(text: str) -> tuple[str, str, str]:
    """Return the card of the first unit, the card of the second, and the part outside units."""
    first, second = (
        part.partition("</article>")[0] for part in text.split('<article class="card unit">')[1:]
    )
    return first, second, text.split('<h2 id="outside">')[1]


def test_every_event_of_a_worker_is_on_some_page(console: Client, tireless: Participation) -> None:
    address = reverse("console:worker", args=("tireless", tireless.pseudonym))
    first, second, outside = parts(page(console, address))
    assert (tries(first), tries(second), tries(outside)) == (
        [*range(250, 230, -1)],
        [3, 2, 1],
        [*range(110, 60, -1)],
    )
    assert re.search(r'<p class="small muted">\D*\b1\D+20\D+250\b', first)
    assert not re.search(r'<p class="small muted">[^<]*</p>\s*<ul class="reasons">', second)
    units = [tries(parts(page(console, f"{address}?unit1={number}"))[0]) for number in range(1, 14)]
    assert [number for part in units for number in part] == [*range(250, 0, -1)]
    others = [tries(parts(page(console, f"{address}?outside={number}"))[2]) for number in (1, 2, 3)]
    assert [number for part in others for number in part] == [*range(110, 0, -1)]


def test_lists_of_a_worker_turn_their_pages_each_by_itself(console: Client, tireless: Participation) -> None:
    address = reverse("console:worker", args=("tireless", tireless.pseudonym))
    text = page(console, f"{address}?unit1=13&outside=2")
    first, second, outside = parts(text)
    assert (tries(first), tries(second), tries(outside)[0]) == ([*range(10, 0, -1)], [3, 2, 1], 60)
    assert links(text, "unit1")["prev"] == "?unit1=12&outside=2#unit1"
    assert links(text, "outside")["next"] == "?unit1=13&outside=3#outside"
    assert '<h3 id="unit1">' in first
    assert '<h3 id="unit2">' in second
    answer = console.get(f"{address}?unit1=14&outside=2")
    assert answer.status_code == 404
    first, _, outside = parts(compact(answer.content.decode()))
    assert (tries(first)[0], tries(outside)[0]) == (250, 60)
    assert len(alerts(first)) == 1
    assert alerts(outside) == []


def test_events_without_end_cost_no_further_queries(console: Client, tireless: Participation) -> None:
    address = reverse("console:worker", args=("tireless", tireless.pseudonym))
    with CaptureQueriesContext(connection) as many:
        page(console, address)
    Event.objects.filter(attempt__gt=1).delete()
    with CaptureQueriesContext(connection) as few:
        page(console, address)
    assert len(many) == len(few) <= 19
