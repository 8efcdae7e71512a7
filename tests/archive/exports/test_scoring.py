"""System scores from a study's own gains, and from the known grades."""

import pytest

from evaluation.errors import InputError
from judging.core.selectors.copies import replaced_topics
from judging.core.services.studies import retire_topic
from judging.models import KnownGrade, PoolDocument, Study
from judging.protocol.anchor_pairs import Anchor
from judging.understanding.reports.study_data import read_study
from judging.understanding.scoring import (
    evaluate_study,
    grade_gains,
    medians_by_grade,
    named_gains,
    study_runs,
)
from judging.watching.services.mending import replace_topic
from tests.archive.exports.conftest import add_grades, add_run
from tests.factories import later, make_study


def means(study: Study, measure: str, **options) -> dict[str, float]:
    return {row.run: row.value for row in evaluate_study(study, [measure], **options).means()}


def test_the_better_run_scores_better(study: Study) -> None:
    add_run(study, "good")
    add_run(study, "bad", reverse=True)
    scores = means(study, "nDCG@10")
    assert 0 < scores["bad"] < scores["good"] <= 1


def test_runs_keep_documents_scores_and_ranks(study: Study) -> None:
    add_run(study, "good")
    (run,) = study_runs(study)
    assert run.tag == "good"
    assert run.table.filter(topic_id="402")["document_id"].to_list()[0] == "D402-H"
    assert run.table.filter(topic_id="402")["score"].to_list() == [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    assert run.table["rank"].to_list() == [1.0, 2, 3, 4, 5, 6, 7, 8] * 2


def test_grades_are_worth_their_level_whatever_the_file_writes(study: Study) -> None:
    grade_set = add_grades(study, "trec", place=0)  # writes 4 for H
    topic = study.topics.get(number="401")
    KnownGrade.objects.create(
        grade_set=grade_set, topic=topic, document_id="not-pooled", value="4", level="H"
    )
    table = grade_gains(study, grade_set).table
    gains = {(row[0], row[1]): row[2] for row in table.iter_rows()}
    assert gains["401", "D401-H"] == 3.0
    assert (gains["401", "D401-000"], gains["401", "D401-001"], gains["401", "D401-002"]) == (0.0, 1.0, 2.0)
    assert gains["401", "not-pooled"] == 3.0  # part of the recall base
    assert ("401", "D401-004") not in gains  # ungraded


def test_grades_as_gains_give_scores_by_hand(study: Study) -> None:
    add_grades(study, "trec", place=0)
    add_run(study, "good")
    # Ranked: H 3, then 000…005 with 0 1 2 3 - 0, then N. CG@3 = 3 + 0 + 1 in both topics.
    assert means(study, "CG@3", gains="trec") == {"good": 4.0}


def test_known_grades_count_a_replaced_topic_once(study: Study) -> None:
    add_grades(study, "trec", place=0)
    topic = study.topics.get(number="401")
    rows = topic.pool.filter(anchor="", grade__in=["", "H"]).select_related("document")
    PoolDocument.objects.filter(pk=rows[0].pk).update(grade="H")
    h, n = rows[0].document.document_id, topic.pool.get(anchor="N").document.document_id
    copy, _ = replace_topic(topic=topic, anchors={Anchor.H: h, Anchor.N: n}, now=later())

    assert replaced_topics(study) == {"401"}
    assert set(named_gains(study, "trec").table["topic_id"]) == {"402", copy.number}
    data = read_study(study)
    assert set(data.known["trec"].table["topic_id"]) == {"402", copy.number}
    # The judgments of the replaced topic still count.
    assert set(data.grade_sets["trec"].table["topic_id"]) == {
        "401",
        "402",
        copy.number,
    }

    retire_topic(topic=copy, now=later())
    assert replaced_topics(study) == {"401"}


def test_medians_ascend_where_workers_follow_the_grades(study: Study) -> None:
    rows = {row.grade: row for row in medians_by_grade(study)}
    assert list(rows) == ["N", "M", "R", "H", "U"]
    assert {grade: row.documents for grade, row in rows.items()} == {"N": 6, "M": 2, "R": 2, "H": 4, "U": 2}
    assert rows["N"].median < rows["H"].median
    assert all(row.lower <= row.median <= row.upper for row in rows.values())


def test_what_cannot_be_scored_is_said(study: Study) -> None:
    with pytest.raises(InputError, match="study"):
        evaluate_study(study, ["nDCG@10"])
    add_run(study, "good")
    with pytest.raises(InputError, match="trec"):
        evaluate_study(study, ["nDCG@10"], gains="trec")
    with pytest.raises(InputError, match="nonsense"):
        evaluate_study(study, ["nonsense"])


def test_a_study_nobody_judged_has_nothing_to_score_by(db: None) -> None:
    study = make_study(slug="empty")
    add_run(study, "good")
    with pytest.raises(InputError, match="study"):
        evaluate_study(study, ["nDCG@10"])
