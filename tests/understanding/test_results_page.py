"""The page of scores: one button, the verdict above the charts, and notices beside their measure."""

from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.html import escape

from evaluation.contributions import contributions
from judging.core.selectors.anchors import MOST_NAMED, favoured_runs
from judging.core.selectors.magnitudes import study_gains
from judging.models import Report, ReportKind, Topic
from judging.understanding.reports.catalogue import measures_of
from judging.understanding.scoring import study_runs
from judging.understanding.selectors.results import find_result
from tests.understanding.conftest import judged
from tests.understanding.reading import base, make, tables_in, text_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_button_computes_the_scores(console: Client) -> None:
    study = judged()
    for is_made in (False, True):
        page = text_of(console, f"{base(study)}results/")
        assert (page.count("<textarea"), "data-compute" in page) == (1, False)
        assert ('data-report="made"' in page) == is_made
        make(study, ReportKind.SCORES, measures=measures_of(study))


def test_the_verdict_comes_before_the_charts(console: Client) -> None:
    study = judged()
    make(study, ReportKind.SCORES, measures=measures_of(study))
    page = text_of(console, f"{base(study)}results/")
    assert 0 < page.index("data-verdict") < page.index("data-chart")
    assert page.count("data-verdict") == 2, "by the judgments and by the known grades"
    assert "data-favoured" not in page
    Topic.objects.filter(study=study).update(anchor_reason="H proposed by the run bm25 (rank 1).")
    assert "data-favoured" in text_of(console, f"{base(study)}results/")


def test_what_was_not_chosen_beforehand_is_a_further_look(console: Client) -> None:
    study = judged()
    for measures in (measures_of(study), ["AP(rel=2)", "nDCG@10"]):
        make(study, ReportKind.SCORES, measures=measures)
        for measure in measures:
            asked = f"measure={quote(measure)}&measures={quote(chr(10).join(measures))}"
            page = text_of(console, f"{base(study)}results/?{asked}")
            answer = page[page.index("data-answer") : page.index("data-chart")]
            assert ("data-further-look" in answer) == (measure != study.ranked_by)


def test_two_runs_are_compared_topic_by_topic_with_the_documents_behind_it(console: Client) -> None:
    study = judged()
    make(study, ReportKind.DOCUMENTS)
    make(study, ReportKind.SCORES, measures=measures_of(study))
    found = find_result(study)
    assert found is not None
    best, other = (row["run"] for row in found.result["summary"]["runs"])
    for first, second in ((best, other), (other, best)):
        page = text_of(console, f"{base(study)}results/?first={first}&second={second}")
        assert f'data-first="{first}" data-second="{second}"' in page
        runs = study_runs(study)
        by_tag = {run.tag: run for run in runs}
        wanted = contributions(study_gains(study), by_tag[first], by_tag[second], study.ranked_by)
        *_, rows = (table for table in tables_in(page) if table and len(table[0]) == 6)
        assert [row[0] for row in rows] == wanted["document_id"].to_list()[: len(rows)]
        assert [float(row[5]) for row in rows] == pytest.approx(wanted["difference"].to_list()[: len(rows)])
    assert f'data-first="{best}" data-second="{other}"' in text_of(
        console, f"{base(study)}results/?first=nobody&second={best}"
    )


def test_notices_are_shown_with_their_own_measure(console: Client) -> None:
    study = judged()
    of_grades = 'ERR(gmax="topic")@10'
    make(study, ReportKind.SCORES, measures=["nDCG@10", of_grades])
    results = Report.objects.get(study=study).content["results"]
    (warnings,) = (each["warnings"] for each in results if each["about"] == ["magnitudes", of_grades])
    (caution,) = (each["sentence"] for each in warnings if each["code"] == "form-for-grades")
    better = caution["values"]["notice"]["values"]["notice"]["values"]["better"]
    for measure in ("nDCG@10", of_grades):
        asked = quote(f"nDCG@10\n{of_grades}")
        page = text_of(console, f"{base(study)}results/?measure={quote(measure)}&measures={asked}")
        assert ("data-caution" in page, escape(better) in page) == (measure == of_grades,) * 2


@pytest.mark.parametrize(
    ("reasons", "result"),
    [
        (["", "Chosen by hand."], ([], 0)),
        (["H proposed by the run b (rank 1).", "N proposed by the runs a, b (ranks 9, 8)."], (["a", "b"], 2)),
        (["H proposed by the runs a and 3 more (rank 1).", ""], (["a", "…"], 1)),
        (
            ["H proposed by the runs a, b, c, d, e, f (ranks 1, 1, 1, 1, 1, 1).", ""],
            ([*"abcdef"[:MOST_NAMED], "…"], 1),
        ),
    ],
)
def test_runs_that_proposed_anchors(reasons: list[str], result: tuple[list[str], int]) -> None:
    study = judged()
    for topic, reason in zip(study.topics.order_by("place"), reasons, strict=True):
        Topic.objects.filter(pk=topic.pk).update(anchor_reason=reason)
    assert favoured_runs(study) == result
