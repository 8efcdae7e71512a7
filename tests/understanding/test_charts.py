"""The charts about judgments show stored numbers, lead where they should, and unpack no long table."""

import math
import re
from html import unescape
from statistics import median
from typing import Any

import numpy as np
import pytest
from django.test import Client

from evaluation.result import Basis, compute_result
from evaluation.score_table import Scores
from judging.models import Report, ReportKind, Study
from judging.understanding.pages import document_charts, report_charts
from judging.understanding.pages.report_charts import anchors_chart, ratios_chart, systems_chart, topic_charts
from judging.understanding.reports import stored_table
from judging.understanding.reports.parts import result_to_store
from judging.understanding.reports.stored_result import StoredResult
from judging.understanding.reports.stored_table import StoredTable
from tests.factories import make_study
from tests.understanding.conftest import judged
from tests.understanding.reading import base, charts_in, links_in, make, tables_in, text_of

pytestmark = pytest.mark.django_db(transaction=True)


def documents_of(study: Study) -> dict[str, dict[str, Any]]:
    """Compute the report, and return id of a document of topic 401 → its row."""
    make(study, ReportKind.DOCUMENTS)
    report = Report.objects.get(study=study, kind="documents", parameters__topic="401")
    return {row["document"]: row for row in report.content["documents"]}


def test_disagreement_is_a_factor_and_comes_first(console: Client) -> None:
    study = judged()
    rows = documents_of(study)
    (shown,) = tables_in(text_of(console, f"{base(study)}documents/?topic=401"))
    for name, grade, _, _, disagreement, *_ in shown:
        of_grade = [row["gain"] for row in rows.values() if row["grade"] == grade]
        if not rows[name]["grade"]:
            assert disagreement == "–"
            continue
        distance = abs(math.log(rows[name]["gain"]) - math.log(median(of_grade)))
        assert disagreement == pytest.approx(math.exp(distance))
    values = [row[4] for row in shown if row[4] != "–"]
    assert values == sorted(values, reverse=True)
    assert values[0] > 1
    assert [row[4] for row in shown[len(values) :]] == ["–"] * (len(shown) - len(values)) != []


def test_disagreement_of_ratings_is_a_difference(console: Client) -> None:
    study = judged()
    rows = documents_of(study)
    Study.objects.filter(pk=study.pk).update(scale="rating", purpose="analysis", state="closed")
    (shown,) = tables_in(text_of(console, f"{base(study)}documents/?topic=401"))
    for name, grade, _, _, disagreement, *_ in shown:
        of_grade = [row["gain"] for row in rows.values() if row["grade"] == grade]
        if rows[name]["grade"]:
            assert disagreement == pytest.approx(abs(rows[name]["gain"] - median(of_grade)))


def test_without_grades_documents_are_sorted_by_id_and_drawn_by_median(console: Client) -> None:
    study = judged(grades=False)
    study.topics.get(number="401").pool.update(grade="")
    rows = documents_of(study)
    page = text_of(console, f"{base(study)}documents/?topic=401")
    (shown,) = tables_in(page)
    assert [row[0] for row in shown] == sorted(rows)
    assert {row[4] for row in shown} == {"–"}
    drawn = charts_in(page)["medians"]
    assert [row[3] for row in drawn] == sorted(row["gain"] for row in rows.values())
    assert '"series"' not in page


def test_medians_are_drawn_by_grade_and_lead_to_their_documents(console: Client) -> None:
    study = judged()
    rows = documents_of(study)
    page = text_of(console, f"{base(study)}documents/?topic=401&sort=-gain")
    drawn = charts_in(page)["medians"]
    assert [row[1][0] for row in drawn] == ["N", "N", "N", "M", "R", "H", "H", "n"]
    for name, _, _, *numbers in drawn:
        assert numbers == [rows[name][column] for column in ("gain", "low", "high")]
    page_of_document = f"{base(study)}document/?topic=401&id={drawn[0][0]}&sort=-gain"
    assert links_in(page).count(page_of_document) == 2, "in the chart and in the list"


def test_a_chart_of_many_documents_shows_the_first_of_the_list(
    console: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_charts, "MOST_DOCUMENTS", 3)
    study = judged()
    rows = documents_of(study)
    drawn = charts_in(text_of(console, f"{base(study)}documents/?topic=401"))["medians"]
    assert len(drawn) == 3 < len(rows)


# --- the page of a document --------------------------------------------------------------------------------


def document_page(console: Client, study: Study, name: str, **query: str) -> str:
    answer = console.get(f"{base(study)}document/", {"topic": "401", "id": name, **query})
    assert answer.status_code == 200
    return answer.content.decode()


def keys_in(page: str) -> dict[str, str]:
    """Return key → address that it leads to."""
    links = re.findall(r'<a\s[^>]*href="([^"]*)"[^>]*data-key="(\w)"', page)
    return {key: unescape(address) for address, key in links}


def test_next_and_previous_are_those_of_the_list(console: Client) -> None:
    study = judged()
    documents_of(study)
    for query in ("", "&sort=-spread", "&sort=document", "&sort=-gain&grade=N", "&document=-00"):
        (rows,) = tables_in(text_of(console, f"{base(study)}documents/?topic=401{query}"))
        names = [row[0] for row in rows]
        asked = dict(part.split("=") for part in query.split("&") if part)
        visited, address = [], f"{base(study)}document/?topic=401&id={names[0]}{query}"
        while address:
            page = console.get(address).content.decode()
            visited.append(re.findall(r"[?&]id=([^&]*)", address)[0])
            keys = keys_in(page)
            assert ("k" in keys) is (len(visited) > 1)
            assert all(f"{name}={value}" in address for name, value in asked.items())
            address = keys.get("j", "")
        assert visited == names, query
        assert f"{base(study)}documents/?topic=401{query}" in map(unescape, links_in(page))


def test_a_document_outside_the_filter_or_without_a_report_has_no_neighbours(console: Client) -> None:
    study = judged()
    assert keys_in(document_page(console, study, "D401-000")) == {}
    documents_of(study)
    assert set(keys_in(document_page(console, study, "D401-000"))) != set()
    assert keys_in(document_page(console, study, "D401-000", document="nothing")) == {}


def test_a_wrong_order_or_filter_of_the_list_is_told(console: Client) -> None:
    study = judged()
    documents_of(study)
    for wrong in ({"sort": "luck"}, {"grade": "excellent"}, {"sort_judgments": "luck"}):
        answer = console.get(f"{base(study)}document/", {"topic": "401", "id": "D401-000", **wrong})
        assert answer.status_code == 400
        assert 'class="notice error"' in answer.content.decode()


def test_a_document_shows_its_text_numbers_chart_and_reasons(console: Client) -> None:
    study = judged()
    row = documents_of(study)["D401-H"]
    page = document_page(console, study, "D401-H")
    (judgments,) = tables_in(page)
    drawn = charts_in(page)["normalised"]
    assert sorted(line[3] for line in drawn) == sorted(line[2] for line in judgments)
    assert {line[0] for line in drawn} == {line[1] for line in judgments}
    drawing = re.findall(r'id="normalised" data-chart="([^"]*)"', page)[0]
    assert f'"at":{row["gain"]}' in unescape(drawing)
    assert f'"at":{row["low"]},"to":{row["high"]}' in unescape(drawing)
    document = study.documents.get(document_id="D401-H")
    assert document.text in unescape(page)
    assert all(line[3] for line in judgments), "reasons"


# --- grades, scores and topics -----------------------------------------------------------------------------


def table(key: str, columns: list[str], rows: list[list[Any]], **more: Any) -> StoredTable:
    named = [(name, True) for name in columns]
    stored = {"key": key, "title": key, "note": "", "sentences": "", "columns": named}
    return {**stored, "rows": rows, **more}  # type: ignore[typeddict-item]  # `more` has only its keys


def test_charts_of_grades_show_the_stored_tables(console: Client) -> None:
    study = judged()
    make(study, ReportKind.GRADES)
    stored = {table["key"]: table for table in Report.objects.get(study=study).content["tables"]}
    page = text_of(console, f"{base(study)}grades/")
    charts = charts_in(page)
    assert [row[4] for row in charts["magnitudes"]] == [row[5] for row in stored["boxes"]["rows"]]
    units = stored["unit-ratios"]["rows"]
    assert [row[2:] for row in charts["anchors"]] == [[row[1], *row[3:]] for row in units]
    workers = [f"/console/studies/{study.slug}/workers/{row[2]}/" for row in units]
    assert [address for address in links_in(page) if re.search(r"/workers/.", address)] == workers
    assert sum(row[1] for row in charts["anchor-ratios"]) == len(units)


def test_very_long_tables_are_not_unpacked(console: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_table, "LONG", 2)
    monkeypatch.setattr(stored_table, "HEAD", 2)
    monkeypatch.setattr(stored_table, "MOST_DRAWN", 3)
    study = judged()
    make(study, ReportKind.GRADES)
    page = text_of(console, f"{base(study)}grades/")
    assert len(charts_in(page)["anchors"]) == 2
    monkeypatch.setattr(stored_table, "MOST_DRAWN", 100)
    page = text_of(console, f"{base(study)}grades/")
    assert len(charts_in(page)["anchors"]) == 4


def test_of_many_units_an_even_choice_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_charts, "MOST_UNITS", 3)
    columns = ["topic_id", "unit_id", "worker_id", "n", "h", "ratio"]
    rows = [["1", f"1-{number}", "w", 1.0, 2.0, 2.0] for number in range(7)]
    chart = anchors_chart(make_study(), table("unit-ratios", columns, rows))
    assert chart is not None
    assert [row[2] for row in chart.rows] == ["1-0", "1-3", "1-6"]
    assert chart.note


def test_the_histogram_has_every_step_and_one_bar_for_the_rest() -> None:
    rows = [[0.0, 4, False], [10.0, 5, False], [25.0, 1, True], [900.0, 2, True]]
    chart = ratios_chart(table("ratio-bars", ["ratio", "units", "hidden"], rows))
    assert chart is not None
    assert chart.rows == [["below 2.5", 4], ["5", 0], ["10", 5], ["> 10", 3]]
    chart = ratios_chart(
        table("ratio-bars", ["ratio", "units", "hidden"], [[5.0, 1, True], [900.0, 1, False]])
    )
    assert chart is not None
    assert chart.rows[-2:] == [["100", 0], ["> 100", 1]]
    assert ratios_chart(table("ratio-bars", ["ratio", "units", "hidden"], [])) is None


def test_topics_have_small_multiples_with_one_axis(console: Client) -> None:
    study = judged()
    assert charts_in(text_of(console, base(study))) == {}
    make(study, ReportKind.GRADES)
    page = text_of(console, base(study))
    charts = charts_in(page)
    assert list(charts) == ["topic-1", "topic-2"]
    assert 'data-shown="2"' in page
    assert f"{base(study)}documents/?topic=401&grade=H" in map(unescape, links_in(page))
    axes = {
        re.findall(r'"ends":\[[^]]*\]', unescape(drawing))[0]
        for drawing in re.findall(r'data-chart="([^"]*)"', page)
    }
    assert len(axes) == 1


def boxes(topics: int) -> list[list[Any]]:
    return [
        ["trec", str(topic), grade, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 0]
        for topic in range(topics)
        for grade in "NH"
    ]


BOXES = [
    *("grades", "topic_id", "grade", "documents"),
    *("whisker_low", "q1", "median", "q3", "whisker_high", "outliers"),
]


def test_at_most_24_topics_have_a_chart() -> None:
    study = make_study()
    shown = topic_charts(study, [table("boxes-by-topic", BOXES, boxes(30))])
    assert (len(shown.charts), shown.topics) == (report_charts.MOST_TOPICS, 30)
    assert [chart.title.split()[-1] for chart in shown.charts[:3]] == ["0", "1", "2"]
    stored = table("boxes-by-topic", BOXES, [], head=boxes(5)[:-1], count=5000, packed="not unpacked")
    del stored["rows"]
    shown = topic_charts(study, [stored])
    assert (len(shown.charts), shown.topics) == (4, None), "the last topic is incomplete"
    assert topic_charts(study, []).charts == []


def stored_result(values: np.ndarray) -> StoredResult:
    """Return the result of three runs by AP and grades named trec, as a report stores it."""
    scores = Scores(("a", "b", "c"), ("1", "2"), ("AP",), values[..., None])
    result = compute_result(scores, "AP", basis=Basis("trec"))
    return result_to_store(("trec", "AP"), result, scores)


def test_runs_without_a_mean_are_never_the_best() -> None:
    scored = systems_chart(
        stored_result(np.array([[0.4, 0.6], [0.7, 0.7], [np.nan, np.nan]])), name="systems-1"
    )
    assert scored is not None
    assert (scored.best, scored.chart.name) == ("b", "systems-1")
    assert [row[0] for row in scored.chart.rows] == ["b", "a", "c"]


def test_scores_are_drawn_for_the_chosen_measure_and_all_gains(console: Client) -> None:
    study = judged()
    make(study, ReportKind.SCORES, measures=["nDCG@10", "AP(rel=1)"])
    content = Report.objects.get(study=study).content
    for measure in content["measures"]:
        stored = [table for table in content["tables"] if table.get("about", [""])[-1] == measure]
        asked = {"measure": measure, "measures": "\n".join(content["measures"])}
        charts = charts_in(console.get(f"{base(study)}results/", asked).content.decode())
        by_topic = charts.pop("by-topic")
        assert len(by_topic) == 2 * len(study.topics.all())
        for rows, of_gains in zip(charts.values(), stored, strict=True):
            place = [name for name, _ in of_gains["columns"]].index("mean")
            assert [row[1] for row in rows] == [row[place] for row in of_gains["rows"]]


def test_figures_are_a_gallery_of_what_is_drawn(console: Client) -> None:
    study = judged()
    for measures in (["nDCG@10"], ["AP(rel=1)"]):
        make(study, ReportKind.FIGURE, figure="systems", measures=measures)
    latest = Report.objects.filter(study=study, parameters__measures=["AP(rel=1)"]).get()
    page = text_of(console, f"{base(study)}figures/")
    images = re.findall(r"<img\b[^>]*>", page)
    assert len(images) == 1
    assert f'src="{base(study)}reports/{latest.pk}.svg"' in images[0]
    assert 'loading="lazy"' in images[0]
    assert re.search(r'alt="[^"]{20,}"', images[0])
    assert f"{base(study)}figures/systems/?measures=AP%28rel%3D1%29" in links_in(page)
    assert f"{base(study)}figures/tau/" in links_in(page)
