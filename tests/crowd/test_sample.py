"""The sample judged by the typical crowd: whole, sound, believable, and of use for evaluation."""

from collections import Counter
from itertools import pairwise
from statistics import median

import pytest

from evaluation.magnitudes import overall_agreement, pairwise_agreement
from judging.core.published.gains import MAGNITUDES
from judging.core.selectors.judgments import accepted_judgments
from judging.crowd.kinds import KINDS
from judging.crowd.summary import failed_share, summarise, table
from judging.models import Assignment, Judgment, PoolDocument, Study, Unit
from judging.understanding.scoring import evaluate_study, medians_by_grade, named_gains
from tests.support.integrity import broken_invariants

pytestmark = pytest.mark.slow


def ratios(study: Study) -> list[float]:
    """H/N of each completed unit."""
    units = Assignment.objects.filter(participation__study=study, state="completed")
    anchors = Judgment.objects.filter(assignment__in=units).exclude(pool_document__anchor="")
    by_unit: dict[int, dict[str, float]] = {}
    for assignment, anchor, magnitude in anchors.values_list(
        "assignment_id", "pool_document__anchor", "number"
    ):
        by_unit.setdefault(assignment, {})[anchor] = magnitude
    return [unit["H"] / unit["N"] for unit in by_unit.values()]


def test_every_unit_is_done_and_nothing_is_broken(sample: Study) -> None:
    states = Counter(Unit.objects.filter(topic__study=sample).values_list("state", flat=True))
    assert set(states) == {"done"}
    assert broken_invariants(sample) == []


def test_every_document_has_its_judgments_and_hardly_more(sample: Study) -> None:
    counts = Counter(
        accepted_judgments(sample)
        .filter(assignment__topic__study=sample, pool_document__anchor="")
        .values_list("pool_document_id", flat=True)
    )
    assert len(counts) == PoolDocument.objects.filter(topic__study=sample, anchor="").count()
    assert set(counts.values()) <= {10, 11}


def test_the_crowd_resembles_that_of_the_original_study(sample: Study) -> None:
    magnitudes = list(
        accepted_judgments(sample).filter(assignment__topic__study=sample).values_list("number", flat=True)
    )
    done = Assignment.objects.filter(participation__study=sample, state="completed")
    # Five topics have ten anchors, whose own levels move the ratios, and 60 workers have 60 scales.
    assert 2.5 <= median(ratios(sample)) <= 10
    assert sum(2 <= magnitude <= 15 for magnitude in magnitudes) > 0.45 * len(magnitudes)
    assert 0 < failed_share(sample) < 0.15
    assert done.filter(back_uses__gt=0).count() < 0.03 * done.count()


def test_the_crowd_agrees_with_the_grades_as_people_do(sample: Study) -> None:
    """.77 of pairs in the original study. 78 documents leave a standard error of about .03."""
    grade_set = sample.grade_sets.order_by("place").values_list("name", flat=True)[0]
    medians, grades = (named_gains(sample, name) for name in (MAGNITUDES, grade_set))
    overall = overall_agreement(pairwise_agreement(medians, grades)).filter(mean="cells")
    assert 0.65 < overall["agree"].item() < 0.92


def test_documents_take_believable_times(sample: Study) -> None:
    units = Assignment.objects.filter(participation__study=sample, state="completed")
    readers = units.filter(participation__behaviour="reader")
    seconds = [
        (assignment.ended_at - assignment.started_at).total_seconds() / sample.unit_size
        for assignment in readers
    ]
    assert sample.seconds_per_document < median(seconds) < 120


def test_medians_of_the_grades_ascend(sample: Study) -> None:
    rows = [row for row in medians_by_grade(sample) if row.grade in {"N", "M", "R", "H"}]
    assert [row.grade for row in rows] == ["N", "M", "R", "H"]
    assert all(lower.median < higher.median for lower, higher in pairwise(rows))


def test_the_better_run_scores_better(sample: Study) -> None:
    means = evaluate_study(sample, ["nDCG@10"]).means()
    scores = {row.run: row.value for row in means}
    assert scores["manual"] > scores["bm25-full"] > scores["word-share"]


def test_reasons_differ_and_speak_of_the_documents(sample: Study) -> None:
    judgments = accepted_judgments(sample).filter(assignment__participation__behaviour="reader")
    rows = list(judgments.values_list("justification", "pool_document__document__text")[:200])
    assert len({reason for reason, _ in rows}) > 150
    about = sum(any(word in text.lower() for word in reason.lower().split()) for reason, text in rows)
    assert about > 180


def test_the_summary_adds_up(sample: Study) -> None:
    summary = summarise(sample)
    head, *kinds, whole = (line.split() for line in table(summary))
    assert head[:3] == ["kind", "workers", "done"]
    assert [kind for kind, *_ in kinds] == [kind for kind in KINDS if summary["workers"][kind]]
    workers, done, judgments = (summary[name].total() for name in ("workers", "done", "judgments"))
    assert [whole[0], *map(int, (whole[1], whole[2], whole[-1]))] == ["all", workers, done, judgments]
    assert workers == 60
    assert done == Unit.objects.filter(topic__study=sample, state="done").count()
    assert judgments == accepted_judgments(sample).filter(assignment__topic__study=sample).count()
    assert judgments == done * sample.unit_size
