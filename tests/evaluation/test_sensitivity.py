"""What would change the answer: each choice ranks the runs as plain scoring does."""

import polars as pl
import pytest

import evaluation as ev
from evaluation.analyses import sensitivity
from evaluation.comparison import tau_b
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from tests.evaluation.report_study import study_of_everything


@pytest.fixture(scope="module")
def study():
    return study_of_everything()


@pytest.fixture(scope="module")
def table(study):
    workers = study.judgments.table["worker_id"].unique().sort().to_list()
    return sensitivity(
        study.judgments, study.runs, ["nDCG@10", "P@5"], known=study.known, flagged=workers[:1]
    )


def means(gain_table, runs, measure, **conventions):
    return [row.value for row in ev.score(gain_table, runs, measure, **conventions).means()]


def test_each_row_is_what_plain_scoring_gives(study, table):
    judgments, runs = study.judgments, study.runs
    own = gains(judgments, normalise(judgments))
    first = judgments.table["worker_id"].unique().sort()[0]
    rest = Judgments.from_checked(judgments.table.filter(pl.col("worker_id") != first))
    wanted = {
        ("normalisation", "additive"): (gains(judgments, normalise(judgments, "additive")), "nDCG@10", {}),
        ("normalisation", "n"): (gains(judgments, normalise(judgments, "n")), "nDCG@10", {}),
        ("statistic", "gmean"): (gains(judgments, normalise(judgments), "gmean"), "nDCG@10", {}),
        ("measure", "P@5"): (own, "P@5", {}),
        ("unjudged documents", "left out"): (own, "nDCG@10", {"unjudged": "drop"}),
        ("judgments", "grades"): (study.known["grades"], "nDCG@10", {}),
        ("judgments", "without flagged workers"): (gains(rest, normalise(rest)), "nDCG@10", {}),
    }
    base = means(own, runs, "nDCG@10")
    rows = {(row["changed"], row["choice"]): row for row in table.iter_rows(named=True)}
    for key, (of_choice, measure, conventions) in wanted.items():
        found = means(of_choice, runs, measure, **conventions)
        assert rows[key]["best"] == runs[found.index(max(found))].tag, key
        assert rows[key]["tau_b"] == pytest.approx(tau_b(base, found)), key
    assert table["same_best"].to_list() == (table["best"] == table["best"][0]).to_list()


def test_the_topic_left_out_is_the_one_that_changes_most(study, table):
    own = gains(study.judgments, normalise(study.judgments))
    scores = ev.score(own, study.runs, "nDCG@10")
    base = scores.values[..., 0].mean(axis=1)
    taus = {}
    for place, topic in enumerate(scores.topics):
        rest = [t for t in range(len(scores.topics)) if t != place]
        taus[f"without {topic}"] = tau_b(base, scores.values[:, rest, 0].mean(axis=1))
    row = table.filter(changed="topics").row(0, named=True)
    assert row["tau_b"] == pytest.approx(min(taus.values()))
    assert taus[row["choice"]] == pytest.approx(min(taus.values()))
    assert row["topics"] == len(scores.topics) - 1


def test_what_does_not_apply_is_left_out(study):
    """Without anchors there is no method that needs them, and a measure that refuses is no row."""
    bare = Judgments.from_checked(study.judgments.table.drop("gold"))
    table = sensitivity(bare, study.runs, ["nDCG@10", "ERR@10"])
    assert not {"n", "anchors", "model"} & {*table["choice"]}
    assert "ERR@10" not in table["choice"].to_list()
    assert "judgments" not in table["changed"].to_list()
