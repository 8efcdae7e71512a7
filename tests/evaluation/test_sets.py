"""Measures of the set of retrieved documents, and the other names that trec_eval prints, counted by hand."""

import math

import pytest
import pytrec_eval

import evaluation as ev
from evaluation.files import read_scores
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import refused
from tests.evaluation.test_peers import ours_of, random_study

SETS = {
    "set_P": "set_P",
    "set_recall": "set_recall",
    "set_map": "set_map",
    "set_F": "set_F",
    "set_relative_P": "set_relative_P",
    "num_rel": "num_rel",
    "gm_map": "gm_map",
    **{f"relative_P_{k}": f"relative_P_{k}" for k in (5, 10, 100)},
    **{f"Rprec_mult_{m:.2f}": f"Rprec_mult_{m:.2f}" for m in (0.2, 0.6, 1.0, 1.4, 2.0)},
}


def test_sets_by_hand(value):
    """L = 4, c = 2, R = 3."""
    lists = [1, 0, 1, 0], [1]
    assert value("SetP", *lists) == 2 / 4
    assert value('SetP(relative="yes")', *lists) == pytest.approx(2 / 3)
    assert value("SetF", *lists) == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))
    assert value("SetF(beta=2)", *lists) == pytest.approx(5 * (1 / 2) * (2 / 3) / (4 / 2 + 2 / 3))
    assert value("SetAP", *lists) == pytest.approx(4 / 12)
    # Of the first two documents, one is relevant.
    assert value("SetP@2", *lists) == 1 / 2
    assert value("SetAP@2", *lists) == pytest.approx(1 / 6)


def test_a_list_shorter_than_r_is_divided_by_its_length(value):
    assert value("SetP", [1], [1, 1]) == value('SetP(relative="yes")', [1], [1, 1]) == 1
    assert value("P", [1], [1, 1]) == pytest.approx(1 / 3)
    for measure in ("SetP", "SetF", "SetF(beta=0)", "SetAP"):
        assert value(measure, [], [1]) == 0


def test_relative_precision_is_precision_and_then_recall(value):
    """Relevant at ranks 1 and 4, R = 3."""
    lists = [1, 0, 0, 1, 0], [1]
    assert value("relative_P@2", *lists) == value("P@2", *lists) == 1 / 2
    assert value("relative_P@5", *lists) == value("R@5", *lists) == pytest.approx(2 / 3)


def test_precision_at_multiples_of_r(value):
    """Relevant at ranks 1, 3 and 5, R = 4: ⌈.3·4⌉ = 2, ⌈1.2·4⌉ = 5, and 8 is longer than the list."""
    lists = [1, 0, 1, 0, 1], [1]
    assert value("Rprec(multiple=0.3)", *lists) == 1 / 2
    assert value("Rprec(multiple=1.2)", *lists) == 3 / 5
    assert value("Rprec(multiple=2)", *lists) == 3 / 8
    # .07·100 is above 7 in floating point.
    assert value("Rprec(multiple=0.07)", [1] * 7, [1] * 93) == 1
    for bad in ("0", "-1", "nan"):
        with refused("parameter-not-positive", "multiple"):
            value(f"Rprec(multiple={bad})", *lists)


def test_the_geometric_mean_of_average_precision():
    """AP is ½ in topic t and ⅛ in u: √(1/16) = ¼. In v it is 0, and counts .00001."""
    qrels = {topic: {"a": 1} for topic in "tuv"}
    run = {"t": {"x": 2, "a": 1}, "u": late(8)}
    scores = ev.score({topic: qrels[topic] for topic in "tu"}, run, ["GMAP", "AP"])
    assert [row.value for row in scores.means()] == pytest.approx([1 / 4, 5 / 16])
    assert scores.values[0, :, 0] == pytest.approx([math.log(1 / 2), math.log(1 / 8)])
    assert ev.score(qrels, run, "GMAP").means()[0].value == pytest.approx((1 / 16 * 0.00001) ** (1 / 3))
    assert ev.score(qrels, run, "GMAP", missing="skip").means()[0].value == pytest.approx(1 / 4)


def late(rank):
    """A list whose only relevant document is at this rank."""
    return {**{f"x{i}": 99 - i for i in range(rank - 1)}, "a": 1}


def test_intervals_and_tests_of_a_geometric_mean_use_logarithms():
    """The bounds are e to those of the mean logarithm; a factor that all topics share is one difference."""
    qrels = {str(topic): {"a": 1} for topic in range(6)}
    runs = {
        tag: {str(topic): late(times * 2**topic) for topic in range(6)}
        for tag, times in (("first", 1), ("second", 3))
    }
    comparison = ev.compare(qrels, runs, ["GMAP"], interval="t", tests="paired_t")
    logs = ev.score(qrels, runs, ["GMAP"]).values[0, :, 0]
    mean, low, high = comparison.means.filter(run="first").select("mean", "low", "high").row(0)
    half = 2.5705818366 * logs.std(ddof=1) / math.sqrt(6)  # Student's 97.5 % quantile, 5 degrees of freedom
    assert math.log(mean) == pytest.approx(logs.mean())
    assert (math.log(low), math.log(high)) == pytest.approx((logs.mean() - half, min(0, logs.mean() + half)))
    assert comparison.pairs["difference"][0] == pytest.approx(math.log(3))
    assert comparison.top_sets["mean"][0] == pytest.approx(mean)


def test_scores_in_a_file_keep_their_mean(tmp_path, shell):
    (tmp_path / "qrels").write_text("t 0 a 1\nu 0 a 1\nu 0 b 1\n")
    (tmp_path / "run").write_text("t Q0 x 1 2 r\nt Q0 a 2 1 r\nu Q0 a 1 1 r\n")
    (tmp_path / "other").write_text("t Q0 a 1 2 o\nu Q0 x 1 1 o\n")
    table = output_of(shell("score", "qrels", "run", "other", "-m", "GMAP", "num_rel", "--per-topic"))
    (tmp_path / "scores").write_text(table)
    printed = {tuple(line.split("\t")[:3]): line.split("\t")[3] for line in table.splitlines()}
    assert printed["r", "all", "GMAP"] == "0.5000"
    assert printed["o", "all", "num_rel"] == "3.0000"
    means = {(row.run, row.measure): row.value for row in read_scores(tmp_path / "scores").means()}
    assert means["r", "GMAP"] == pytest.approx(0.5, abs=1e-4)
    assert means["o", "num_rel"] == 3
    best = output_of(shell("topset", "scores", "-m", "GMAP")).splitlines()[0].split("\t")
    assert best[:2] == ["r", "0.5000"]


@pytest.mark.parametrize("seed", range(6))
def test_pytrec_eval(seed):
    qrels, run = random_study(seed)
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, set(pytrec_eval.supported_measures)).evaluate(run)
    theirs = {(topic, ours): by_topic[topic][name] for topic in qrels for ours, name in SETS.items()}
    assert ours_of(qrels, run, list(SETS)) == pytest.approx(theirs, abs=1e-9)
