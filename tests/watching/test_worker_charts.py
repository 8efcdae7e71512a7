"""The charts of workers: all of a list, one worker in time and against others, and two workers."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from judging.core.pages.charts import Chart
from judging.models import Judgment, Participation, Study, WorkerFigures
from judging.setup.study_files.importing import import_study
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.pages.worker_charts import magnitudes_chart, others_chart, pair_chart, workers_chart
from judging.watching.selectors import worker_statistics
from judging.watching.selectors.shared_documents import judgments_by_others, shared_documents
from judging.watching.selectors.worker_statistics import workers_to_draw
from judging.watching.selectors.worker_story import UnitStory, attempts_of, stories
from judging.watching.services.curation import exclude_unit
from judging.worker.services.leaving import withdraw
from tests.factories import NOW, honest, inverted, judge_unit, later, make_study, make_worker
from tests.setup.published import write_published
from tests.site.test_studies import page
from tests.understanding.reading import charts_in

pytestmark = pytest.mark.django_db
LIST = "/console/studies/study/workers/"
PAIR = "/console/studies/study/worker-pair/"


@pytest.fixture
def study() -> Study:
    """Two topics of one unit's documents each; room for many workers."""
    return make_study(topics=2, judgments_per_document=12)


def doubled(judgment: Judgment) -> str:
    return str(2 * float(honest(judgment)))


def by_document(judgment: Judgment) -> str:
    """The anchors' magnitudes, and for each other document the same from every worker."""
    place = judgment.pool_document.document.document_id.rpartition("-")[2]
    return {"H": "100", "N": "1"}.get(place) or str(2 + int(place))


def twice_by_document(judgment: Judgment) -> str:
    return str(2 * float(by_document(judgment)))


def busy(study: Study, number: int, *, units: int = 2) -> list[Participation]:
    """Workers who completed units, whose magnitudes differ by a factor, and who have statistics."""
    workers = [make_worker(study) for _ in range(number)]
    for place, worker in enumerate(workers):
        for turn in range(units):
            judge_unit(
                worker,
                now=later(hours=turn),
                seconds=20 + place,
                magnitude=twice_by_document if place else by_document,
            )
    compute_statistics(study=study, now=later(hours=9))
    WorkerFigures.objects.update(flags=[], flagged=0)
    return workers


def address_of(worker: Participation) -> str:
    return reverse("console:worker", args=(worker.study.slug, worker.pseudonym))


def units_of(worker: Participation) -> list[UnitStory]:
    return stories(attempts_of(worker, start=0, stop=25), {})


def column(chart: Chart, name: str) -> list[object]:
    place = list(chart.columns).index(name)
    return [row[place] for row in chart.rows]


def names(chart: Chart) -> list[str]:
    """The texts of the links in the first column."""
    return [re.sub("<[^>]+>", "", str(row[0])) for row in chart.rows]


def test_the_scatter_has_time_agreement_units_and_flags(study: Study) -> None:
    workers = busy(study, 3)
    flagged = workers[2]
    WorkerFigures.objects.filter(participation=flagged).update(flagged=1)
    chart = workers_chart(study, workers_to_draw(Participation.objects.filter(study=study)))
    values = {
        name: (round(float(str(agreement)), 6), *rest)
        for name, (_link, agreement, *rest) in zip(names(chart), chart.rows, strict=True)
    }
    assert values == {
        worker.pseudonym: (1, 20 + place, 2, int(worker == flagged)) for place, worker in enumerate(workers)
    }
    drawing = json.loads(chart.drawing)
    assert drawing["marks"] == [{"kind": "dot", "size": "units", "marked": "flags"}]
    assert (drawing["x"]["column"], drawing["y"]["column"]) == ("agreement", "value")


def test_the_scatter_leads_to_workers_as_the_list_does_and_follows_its_filter(
    console: Client, study: Study
) -> None:
    workers = busy(study, 3)
    text = page(console, LIST)
    assert len(charts_in(text)["workers-scatter"]) == 3
    for worker in workers:
        assert text.count(f'href="{address_of(worker)}"') == 2, "in the chart and in the list"
    narrowed = page(console, f"{LIST}?worker={workers[1].pseudonym}&sort=worker")
    assert [row[0] for row in charts_in(narrowed)["workers-scatter"]] == [workers[1].pseudonym]
    assert f'href="?worker={workers[1].pseudonym}&sort=-worker"' in narrowed.replace("&amp;", "&")
    assert "workers-scatter" not in charts_in(page(console, f"{LIST}?worker=nobody"))
    assert console.get(f"{LIST}?state=nonsense").status_code == 400


def test_without_statistics_a_link_leads_to_them(console: Client, study: Study) -> None:
    worker = make_worker(study)
    text = page(console, LIST)
    assert 'data-chart-empty="none"' in text
    assert text.count('href="/console/studies/study/worker-statistics/"') == 2, "in the frame and here"
    judge_unit(worker)
    compute_statistics(study=study, now=later(hours=9))
    assert 'data-chart-empty="unknown"' in page(console, LIST), "nobody else has judged the documents"


def test_of_many_workers_those_with_most_units_are_drawn(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_statistics, "MOST_DRAWN", 2)
    monkeypatch.setattr("judging.watching.pages.worker_charts.MOST_DRAWN", 2)
    workers = busy(study, 4)
    make_worker(study)
    WorkerFigures.objects.filter(participation__in=workers[2:]).update(completed=9)
    drawn = workers_to_draw(Participation.objects.filter(study=study))
    assert {row.pseudonym for row in drawn.rows} == {worker.pseudonym for worker in workers[2:]}
    assert (drawn.listed, drawn.drawable) == (4, 4)
    assert set(re.findall(r"\d+", str(workers_chart(study, drawn).note))) == {"2", "4"}


def test_magnitudes_are_told_in_time(study: Study) -> None:
    (worker,) = busy(study, 1)
    chart = magnitudes_chart(study, worker, units_of(worker))
    times = column(chart, "when")
    assert len(times) == 16
    assert times == sorted(times)
    judged = Judgment.objects.filter(assignment__participation=worker).order_by("saved_at")
    assert column(chart, "number") == list(judged.values_list("number", flat=True))
    assert json.loads(chart.drawing)["marks"][0]["series"] == "topic"
    assert set(column(chart, "excluded")) == {""}
    exclude_unit(unit=judged[0].assignment.unit, reason="Typed at random.", now=later(hours=10))
    excluded = column(magnitudes_chart(study, worker, units_of(worker)), "excluded")
    assert excluded.count("") == 8


def test_with_many_topics_the_series_are_kinds_of_documents() -> None:
    study = make_study(topics=7, judgments_per_document=1)
    (worker,) = busy(study, 1, units=7)
    chart = magnitudes_chart(study, worker, units_of(worker))
    assert json.loads(chart.drawing)["marks"][0]["series"] == "kind"
    assert len(set(column(chart, "kind"))) == 3


def test_the_others_are_those_who_count(study: Study) -> None:
    first, second, third, fourth = busy(study, 4)
    failing = make_worker(study)
    judge_unit(failing, seconds=1, magnitude=inverted)
    exclude = third.assignments.get(number=1).unit
    exclude_unit(unit=exclude, reason="Typed at random.", now=later(hours=10))
    withdraw(participation=fourth, delete_judgments=True, now=later(hours=11))
    units = units_of(first)
    others = judgments_by_others(first, [judgment for unit in units for judgment in unit.judgments])
    assert {other.worker for other in others} == {second.pseudonym, third.pseudonym}
    chart = others_chart(study, units, others)
    assert len(chart.rows) == 12, "without the anchors"
    assert all(row[1] == 2 * float(str(row[2])) for row in chart.rows)
    assert sorted(map(str, column(chart, "workers"))) == ["1"] * 6 + ["2"] * 6


def test_a_worker_page_has_both_charts_and_leads_to_the_documents(console: Client, study: Study) -> None:
    first, second = busy(study, 2)
    text = page(console, address_of(first))
    charts = charts_in(text)
    assert {name: len(rows) for name, rows in charts.items()} == {
        "numbers-in-time": 16,
        "against-others": 12,
    }
    document = charts["against-others"][0][0]
    addresses = re.findall(rf'<a[^>]*href="([^"]+)"[^>]*>{document}</a>', text)
    assert len(addresses) == 3, "in both charts and among the judgments"
    assert len(set(addresses)) == 1
    assert console.get(addresses[0].replace("&amp;", "&")).status_code == 200
    assert f'<option value="{second.pseudonym}">' in text
    assert f'<input type="hidden" name="a" value="{first.pseudonym}"' in text


def test_units_are_told_in_the_order_of_time(console: Client) -> None:
    study = make_study(topics=27, judgments_per_document=1)
    worker = make_worker(study)
    for turn in range(27):
        judge_unit(worker, now=later(hours=turn), seconds=20)
    last = re.findall(r'<h3 id="unit(\d+)"', page(console, address_of(worker)))
    assert last == [str(number) for number in range(3, 28)]
    earlier = page(console, f"{address_of(worker)}?page=2")
    assert re.findall(r'<h3 id="unit(\d+)"', earlier) == ["1", "2"]
    assert len(charts_in(earlier)["numbers-in-time"]) == 16


def test_a_worker_without_judgments_has_no_charts(console: Client, study: Study) -> None:
    worker = make_worker(study, upto="judging")
    assert charts_in(page(console, address_of(worker))) == {}


def test_two_workers_side_by_side(console: Client, study: Study) -> None:
    first, second = busy(study, 2)
    WorkerFigures.objects.filter(participation=second).update(flags=["Very fast."], flagged=1)
    text = page(console, f"{PAIR}?a={first.pseudonym}&b={second.pseudonym}")
    rows = charts_in(text)["shared-documents"]
    assert len(rows) == 16
    assert all(second_magnitude == 2 * first_magnitude for _, first_magnitude, second_magnitude, *_ in rows)
    assert re.findall(r'data-flags="(\d)"', text) == ["0", "1"]
    assert "Very fast." in text
    (seconds,) = re.findall(
        r"<tr><th scope=\"row\">[^<]*</th><td>20\.0</td><td>21\.0</td><td>(.*?)</td>", text
    )
    assert seconds == "20.5"
    for worker in (first, second):
        assert f'href="{address_of(worker)}"' in text


def test_only_judgments_that_count_are_compared(study: Study) -> None:
    first, second = busy(study, 2)
    exclude_unit(unit=second.assignments.get(number=1).unit, reason="At random.", now=later(hours=10))
    documents = shared_documents(first, second)
    assert len(documents) == 8
    assert {document.anchor for document in documents} == {"", "H", "N"}
    assert len(pair_chart(study, first, second, documents).rows) == 8


def test_of_many_documents_the_first_are_compared(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = busy(study, 2)
    monkeypatch.setattr("judging.watching.selectors.shared_documents.MOST_SHARED", 5)
    monkeypatch.setattr("judging.watching.pages.worker_charts.MOST_SHARED", 5)
    chart = pair_chart(study, first, second, shared_documents(first, second))
    assert len(chart.rows) == 5
    assert "5" in str(chart.note)


def test_workers_without_shared_documents_or_statistics_can_be_compared(
    console: Client, study: Study
) -> None:
    first, second = make_worker(study), make_worker(study)
    text = page(console, f"{PAIR}?a={first.pseudonym}&b={second.pseudonym}")
    assert 'data-empty="shared"' in text
    assert text.count('href="/console/studies/study/worker-statistics/"') == 2


@pytest.mark.parametrize(
    ("query", "status", "faults"),
    [
        ("", 200, 0),
        ("?a={name}&b=nobody", 404, 1),
        ("?a=nobody&b=neither", 404, 2),
        ("?a={name}&b={name}", 400, 1),
        ("?a={name}", 400, 1),
        ("?a={name}&b=%00", 400, 1),
        ("?a={name}&b={stranger}", 404, 1),
    ],
)
def test_the_form_tells_which_name_is_wrong(
    console: Client, study: Study, query: str, status: int, faults: int
) -> None:
    worker = make_worker(study)
    stranger = make_worker(make_study(slug="other"), upto="consented")
    answer = console.get(PAIR + query.format(name=worker.pseudonym, stranger=stranger.pseudonym))
    assert answer.status_code == status
    text = answer.content.decode()
    assert text.count('<p class="fault">') == faults
    assert text.count('name="a"') == 1


@pytest.mark.parametrize("scale", ["magnitude", "rating"])
def test_studies_for_analysis_have_the_charts_without_times(
    console: Client, tmp_path: Path, scale: str
) -> None:
    study = import_study(write_published(tmp_path / "published", scale=scale), now=NOW).study
    compute_statistics(study=study, now=later(hours=1))
    drawn = workers_to_draw(study.participations.all())
    assert drawn.column == {"magnitude": "range", "rating": "commonest_share"}[scale]
    assert "workers-scatter" in charts_in(page(console, f"/console/studies/{study.slug}/workers/"))
    first, second = sorted(study.participations.all(), key=lambda worker: -worker.assignments.count())[:2]
    rows = charts_in(page(console, address_of(first)))["numbers-in-time"]
    assert [row[1] for row in rows] == list(range(1, 8 * first.assignments.count() + 1))
    text = page(
        console, f"/console/studies/{study.slug}/worker-pair/?a={first.pseudonym}&b={second.pseudonym}"
    )
    assert len(charts_in(text)["shared-documents"]) == len(shared_documents(first, second))


@pytest.mark.parametrize("number", [2, 5])
def test_more_workers_need_no_more_queries(
    console: Client, study: Study, number: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    first, second, *_ = busy(study, number)
    queries = {LIST: 14, address_of(first): 22, f"{PAIR}?a={first.pseudonym}&b={second.pseudonym}": 11}
    for address, most in queries.items():
        with django_assert_max_num_queries(most):
            page(console, address)
