"""Runs are scored a few at a time, which changes neither their scores nor what is said of them."""

import numpy as np
import pytest

from evaluation import scores
from evaluation.errors import InputError
from evaluation.scores import score
from tests.evaluation.every_measure import EVERY, SPELLINGS, gains_for_every

TOPICS = ("t1", "t2", "t3", "t4")
JUDGED = 40
WIDE = [spelling.removesuffix("@{k}") for spelling in SPELLINGS.values() if not spelling.startswith("An")]
LAST_DIGITS = 1e-12
"""Allowed of AnCG and AnDCG, whose sums over ranks are grouped by the deepest list."""


@pytest.fixture(scope="module")
def gains():
    rng = np.random.default_rng(11)
    topics = [topic for topic in TOPICS for _ in range(JUDGED)]
    documents = [f"d{number}" for _ in TOPICS for number in range(JUDGED)]
    return gains_for_every(
        topics, documents, rng.uniform(0, 5, len(topics)).round(2) * rng.integers(0, 2, len(topics))
    )


@pytest.fixture(scope="module")
def runs():
    """Runs of several depths, with tied and close scores, a topic too many, and one too few."""
    rng = np.random.default_rng(12)
    made = {}
    for number, depth in enumerate((3, 60, 25, 60, 9, 40)):
        topics = (*TOPICS[number % 2 :], "unjudged")
        made[f"run{number}"] = {
            topic: {
                f"d{document}": float(rng.integers(1, 30)) + 1e-9 * place
                for place, document in enumerate(rng.choice(2 * JUDGED, depth, replace=False))
            }
            for topic in topics
        }
    return {**made, "foreign": {"t1": {"elsewhere": 1.0}}}


@pytest.mark.parametrize("measure", sorted({*EVERY, *WIDE}))
def test_a_run_scores_the_same_alone_and_among_others(measure, gains, runs):
    together = score(gains, runs, measure).values
    alone = np.concatenate([score(gains, {tag: run}, measure).values for tag, run in runs.items()])
    if measure.startswith("An"):
        np.testing.assert_allclose(together, alone, rtol=LAST_DIGITS)
    else:
        np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("most", [1, 70, 100])
@pytest.mark.parametrize(
    "conventions",
    [{}, {"missing": "skip"}, {"empty": "zero"}, {"average": "ratio_of_means"}, {"unjudged": "drop"}],
)
def test_batches_of_runs_give_what_one_batch_gives(most, conventions, gains, runs, monkeypatch):
    measures = ["nDCG@10", "AP", 'ERR(gmax="file")@10', "NumRet", "P@10", "Judged@5"]
    whole = score(gains, runs, measures, **conventions)
    monkeypatch.setattr(scores, "ENTRIES_AT_ONCE", most)
    parts = score(gains, runs, measures, **conventions)
    assert (parts.runs, parts.topics, parts.notices) == (whole.runs, whole.topics, whole.notices)
    codes = {notice.code for notice in whole.notices}
    assert {"topics-not-judged", "close-scores"} <= codes
    assert ("few-judged" in codes) == ("unjudged" not in conventions)
    assert parts.means() == whole.means()
    np.testing.assert_array_equal(parts.values, whole.values)


@pytest.mark.parametrize(
    ("second", "code"),
    [("t1 Q0 d1 1 2.0\n", "wrong-number-of-columns"), ("t1 Q0 d1 1 2.0 first\n", "tag-of-another-file")],
)
def test_files_are_refused_before_measures(second, code, tmp_path, monkeypatch):
    monkeypatch.setattr(scores, "ENTRIES_AT_ONCE", 1)
    (tmp_path / "first").write_text("t1 Q0 d1 1 2.0 first\n")
    (tmp_path / "second").write_text(second)
    files = [str(tmp_path / name) for name in ("first", "second")]
    with pytest.raises(InputError) as caught:
        score({"t1": {"d1": 3}}, files, "ERR(gmax=2)")
    assert caught.value.code == code
    assert caught.value.where == f"{files[1]}:1"
    with pytest.raises(InputError) as caught:
        score({"t1": {"d1": 3}}, files[:1], "ERR(gmax=2)")
    assert caught.value.code == "gain-above-gmax"


def test_no_runs_have_no_scores(gains):
    scored = score(gains, [], "AP")
    assert (scored.runs, scored.topics, scored.values.shape) == ((), TOPICS, (0, len(TOPICS), 1))
