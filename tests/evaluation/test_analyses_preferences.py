"""Runs compared by preferences [ZY10]: its example, and simulated runs."""

import numpy as np
import pytest

from evaluation.analyses import (
    correlation_table,
    preference_correlations,
    preference_ranking,
    preference_scores,
    preference_table,
)
from evaluation.distances import Ratings, distances
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.analysed import scores_of, simulated
from tests.evaluation.refusals import refused

USER = [0.6, 0.5, 0.4, 0.3, 0.1]
SYSTEMS = {
    "IRS1": [0.6, 0.5, 0.3, 0.2, 0.1],
    "IRS2": [0.5, 0.3, 0.4, 0.2, 0.1],
    "IRS3": [0.4, 0.6, 0.2, 0.3, 0.1],
    "IRS4": [0.1, 0.2, 0.2, 0.4, 0.5],
}
"""Scores of the documents d1 … d5 in the example of [ZY10], table 2."""


def test_table_2_of_the_source():
    documents = ["d1", "d2", "d3", "d4", "d5"]
    user = Gains.from_columns(["t"] * 5, documents, USER)
    runs = [Run.from_columns(tag, ["t"] * 5, documents, scores) for tag, scores in SYSTEMS.items()]
    scores = preference_scores(user, runs, distances=["ndpm", "adm"], measures=["MSR"])
    assert scores.measures == ("1-ndpm", "adm", "MSR")
    # The columns ndpm, which is 1 − NDPM there, and adm as printed: of ten pairs IRS2 turns round one, IRS3
    # two, IRS4 nine, and it ties one.
    assert scores.values[:, 0, 0].tolist() == pytest.approx([1.00, 0.90, 0.80, 0.05])
    assert scores.values[:, 0, 1].tolist() == pytest.approx([0.96, 0.92, 0.90, 0.70])
    # MSR is of the user's gains, where the source takes the system's own scores for gains. Ideal .6 + .5/2 +
    # .4/3 + .3/4 + .1/5 = 1.0783; IRS2 ranks d1 d3 d2 d4 d5: .6 + .4/2 + .5/3 + .3/4 + .1/5 = 1.0617.
    assert scores.values[:2, 0, 2].tolist() == pytest.approx([1, 1.0617 / 1.0783], abs=1e-4)
    assert preference_ranking(scores).filter(measure="1-ndpm").select("rank", "run").rows() == [
        (1, "IRS1"),
        (2, "IRS2"),
        (3, "IRS3"),
        (4, "IRS4"),
    ]


def test_the_runs_and_measures_of_table_2_side_by_side():
    documents = ["d1", "d2", "d3", "d4", "d5"]
    user = Gains.from_columns(["t"] * 5, documents, USER)
    runs = [Run.from_columns(tag, ["t"] * 5, documents, scores) for tag, scores in SYSTEMS.items()]
    scores = preference_scores(user, runs[::-1], distances=["ndpm", "adm"], measures=["MSR"])
    table = preference_table(scores)
    assert table.columns == ["run", "1-ndpm", "adm", "MSR"]
    assert table["run"].to_list() == ["IRS1", "IRS2", "IRS3", "IRS4"], "the best by 1 − NDPM first"
    assert table["1-ndpm"].to_list() == pytest.approx([1.00, 0.90, 0.80, 0.05])
    assert table["adm"].to_list() == pytest.approx([0.96, 0.92, 0.90, 0.70])
    taus = correlation_table(preference_correlations(scores))
    assert taus.columns == ["ranking", "1-ndpm", "adm", "MSR"]
    assert taus.row(0)[:3] == ("1-ndpm", 1.0, 1.0)


def test_a_run_without_a_value_comes_last():
    scores = scores_of({"a": (np.nan,), "c": (0.3,), "b": (0.3,)}, ["M"])
    assert preference_table(scores).rows() == [("b", 0.3), ("c", 0.3), ("a", None)]


def test_preferences_are_those_of_distances():
    gains, runs = simulated()
    names = ["ndpm", "tau_b", "rho"]
    scores = preference_scores(gains, runs, distances=names)
    assert scores.measures[:4] == ("1-ndpm", "tau_b", "rho", "MSR")
    user = Ratings.from_columns(*(gains.table[name] for name in gains.table.columns))
    for place, run in enumerate(runs):
        system = Ratings.from_columns(*(run.table[name] for name in ("topic_id", "document_id", "score")))
        expected = distances(user, system, names).values[0]
        expected[:, 0] = 1 - expected[:, 0]
        assert scores.values[place, :, :3] == pytest.approx(expected)
    assert scores.values[..., 3:] == pytest.approx(score(gains, runs, list(scores.measures[3:])).values)
    # Runs of falling quality: preferences and gains rank them alike.
    table = preference_correlations(scores)
    assert table.height == 9**2
    assert table.filter(first="1-ndpm", second="AGR")["value"].item() > 0.8
    assert preference_ranking(scores).filter(measure="1-ndpm")["run"].to_list() == [
        f"r{place}" for place in range(6)
    ]


def test_a_topic_that_a_run_does_not_answer_is_an_empty_list():
    user = Gains.from_columns(["t", "t", "u", "u"], ["a", "b", "a", "b"], [2.0, 1.0, 2.0, 1.0])
    run = Run.from_columns("r", ["t", "t"], ["a", "b"], [2, 1])
    scores = preference_scores(user, [run], measures=["MSR"])
    # Nothing ranked is everything tied.
    assert scores.values[0].tolist() == [[1, 1], [0.5, 0]]


def test_topics_and_runs_without_preferences():
    user = Gains.from_columns(["t", "t"], ["a", "b"], [1.0, 1.0])
    run = Run.from_columns("r", ["t", "t"], ["a", "b"], [2, 1])
    scores = preference_scores(user, [run], measures=["MSR"])
    assert np.isnan(scores.values[0, 0, 0])
    assert preference_ranking(scores).rows() == [("1-ndpm", None, "r", None), ("MSR", 1.0, "r", 1.0)]
    with refused("unknown-distance", "'ndmp'", "ndpm"):
        preference_scores(user, [run], distances=["ndmp"])


def test_the_settings_of_the_distances():
    # The user gives a 4 and b 2, the system x 30 and a 10: by the largest 1 and .5, 1 and .33, so that adm is
    # 1 − (.67 + .5 + 1)/3. b, which is not ranked, is last; left out, it leaves no pair to ndpm.
    user = Gains.from_columns(["t", "t"], ["a", "b"], [4.0, 2.0])
    run = Run.from_columns("r", ["t", "t"], ["x", "a"], [30, 10])
    some = {"distances": ["ndpm", "adm"], "measures": ["MSR"]}
    scores = preference_scores(user, [run], scale="max", **some)
    assert scores.values[0, 0, :2].tolist() == pytest.approx([1, 1 - (2 / 3 + 1 / 2 + 1) / 3])
    assert np.isnan(preference_scores(user, [run], scale="max", missing="drop", **some).values[0, 0, 0])
    with refused("score-off-scale", "30", "'x'"):
        preference_scores(user, [run], **some)


def test_equal_means_share_their_ranks():
    scores = scores_of({"a": (0.3,), "b": (0.5,), "c": (0.3,)}, ["M"])
    assert preference_ranking(scores).rows() == [
        ("M", 1.0, "b", 0.5),
        ("M", 2.5, "a", 0.3),
        ("M", 2.5, "c", 0.3),
    ]
