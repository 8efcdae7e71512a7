"""Measures under gain schemes: the curves and tables of [JK02] and [K05], by hand and on simulated runs."""

from itertools import combinations

import numpy as np
import pytest

from evaluation.analyses import (
    correlation_table,
    gain_curves,
    scheme_correlations,
    scheme_differences,
    scheme_means,
    scheme_table,
)
from evaluation.analyses.scheme_table import letter_of
from evaluation.comparison import conover, friedman, tau_b
from evaluation.frames import Gains
from evaluation.scores import score
from tests.evaluation.analysed import run_of, simulated
from tests.evaluation.refusals import refused

G = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
REST = [3, 1, 1, 1]
"""G′ of [JK02]; with these the recall base is ⟨3,3,3,3,2,2,2,1,1,1,1⟩."""

# --- curves [JK02] -----------------------------------------------------------------------------------------


def test_curves_of_the_example(collection):
    gains, run = collection({"t": (G, REST)})
    table = gain_curves(gains, [run], schemes=["0-1-2-3"], depth=10)
    assert table.columns == ["scheme", "measure", "run", "rank", "value", "ideal"]
    cg, dcg, ncg, ndcg = (part for _, part in table.group_by("measure", maintain_order=True))
    assert cg["rank"].to_list() == list(range(1, 11))
    assert cg["value"].to_list() == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    assert cg["ideal"].to_list() == [3, 6, 9, 12, 14, 16, 18, 19, 20, 21]
    assert dcg["value"].to_numpy() == pytest.approx(
        [3, 5, 6.89, 6.89, 6.89, 7.28, 7.99, 8.66, 9.61, 9.61], abs=0.005
    )
    assert ncg["value"].to_list() == pytest.approx(
        [value / ideal for value, ideal in cg.select("value", "ideal").rows()]
    )
    assert ndcg["value"].to_numpy() == pytest.approx((dcg["value"] / dcg["ideal"]).to_numpy())
    assert ndcg["ideal"].unique().to_list() == [1]


def test_curves_go_on_flat_and_schemes_stand_side_by_side(collection):
    gains, run = collection({"t": ([2, 0, 1], [])})
    table = gain_curves(gains, [run], measures=["CG"], schemes=["0-1-1", "0-1-10"], depth=5)
    assert table.select("scheme", "value").rows() == [
        *[("0-1-1", value) for value in (1, 1, 2, 2, 2)],
        *[("0-1-10", value) for value in (10, 10, 11, 11, 11)],
    ]
    assert table["ideal"].to_list() == [1, 2, 2, 2, 2, 10, 11, 11, 11, 11]


def test_both_averages_of_curves(collection):
    # Lists ⟨3,0⟩ of ideal ⟨3,3⟩ and ⟨0,1⟩ of ⟨1,1⟩: nCG ⟨.5,.5⟩, and by the mean vectors ⟨.75,.5⟩.
    gains, run = collection({"a": ([3, 0], [3]), "b": ([0, 1], [1])})
    some = {"measures": ["nCG"], "schemes": ["linear"], "depth": 2}
    assert gain_curves(gains, [run], **some)["value"].to_list() == [0.5, 0.5]
    ratio = gain_curves(gains, [run], average="ratio_of_means", **some)
    assert ratio["value"].to_list() == [0.75, 0.5]
    mean = gain_curves(gains, [run], measures=["CG"], schemes=["linear"], depth=2)
    assert mean.select("value", "ideal").rows() == [(1.5, 2.0), (2.0, 4.0)]


def test_a_topic_without_gain_under_a_scheme_is_left_out(collection):
    gains, run = collection({"a": ([1, 2], []), "b": ([1, 1], [])})
    some = {"measures": ["CG"], "depth": 2}
    assert gain_curves(gains, [run], schemes=["0-0-1"], **some)["value"].to_list() == [0, 1]
    with refused("no-gain-under-scheme", "'0-0-0'"):
        gain_curves(gains, [run], schemes=["0-0-0"], **some)


@pytest.mark.parametrize(
    ("settings", "named", "place"),
    [
        ({"measures": ["AP"]}, ["AP", "'gain'"], ""),
        ({"measures": ["ERR"]}, ["ERR", "'gain'"], ""),
        ({"measures": ["Q"]}, ["Q"], ""),
        ({"measures": ['CG(gain="exp")']}, ['CG(gain="exp")'], ""),
        ({"schemes": ["0-1"]}, ["2", "'0-1'"], ""),
        ({"schemes": []}, ["schemes"], ""),
    ],
)
def test_curves_that_are_none(collection, settings, named, place):
    gains, run = collection({"t": ([2, 1], [])})
    settings = {"schemes": ["linear"], **settings}
    with refused(
        (
            "empty-argument",
            "measure-with-own-scheme",
            "measure-without-curves",
            "unknown-parameter",
            "value-without-gain",
        ),
        *named,
        at=place,
    ):
        gain_curves(gains, [run], **settings)


# --- table II of [JK02] ------------------------------------------------------------------------------------


def one_relevant(ranks, tag):
    """A run that finds each topic's one relevant document, x, at a rank."""
    return run_of(tag, {t: [*(f"n{i}" for i in range(1, rank)), "x"] for t, rank in ranks.items()})


def test_means_and_marks_by_hand():
    # nCG@4 is 1 from the rank of x on: AnCG@4 = (5 − rank)/4. Six topics, in all of them a before b before c:
    # every pair is told apart.
    topics = [f"t{place}" for place in range(6)]
    gains = Gains.from_columns(topics, ["x"] * 6, [2.0] * 6)
    runs = [one_relevant(dict.fromkeys(topics, rank), tag) for rank, tag in ((1, "a"), (2, "b"), (4, "c"))]
    table = scheme_means(gains, runs, measures=["AnCG@4"], schemes=["0-1-10"])
    assert table.drop("friedman_p").rows() == [
        ("0-1-10", "AnCG@4", "a", "a", pytest.approx(1.00), "b c"),
        ("0-1-10", "AnCG@4", "b", "b", pytest.approx(0.75), "a c"),
        ("0-1-10", "AnCG@4", "c", "c", pytest.approx(0.25), "a b"),
    ]
    # All topics alike: p = (1/3!)⁵.
    assert table["friedman_p"].to_list() == pytest.approx([6**-5] * 3)


def test_stars_say_which_run_is_better():
    # The rank sums of a, b and c are 17, 11 and 8, and Σr² is 84: √(2(6·84 − 474)/10) = 2.449. So t with 10
    # degrees of freedom is 2.45 (p .034) for a and b, 3.67 (p .004) for a and c, and 1.22 for b and c.
    topics = [f"t{place}" for place in range(6)]
    gains = Gains.from_columns(topics, ["x"] * 6, [2.0] * 6)
    ranks = {"a": (1, 1, 1, 1, 2, 1), "b": (2, 2, 2, 4, 1, 4), "c": (4, 4, 4, 2, 4, 2)}
    runs = [one_relevant(dict(zip(topics, of_run, strict=True)), tag) for tag, of_run in ranks.items()]
    some = {"measures": ["AnCG@4"], "schemes": ["linear"]}
    table = scheme_means(gains, runs, marks="stars", **some)
    assert table["friedman_p"].to_list() == pytest.approx([0.01256] * 3, abs=0.00001)
    assert table["marks"].to_list() == ["b* c**", "", ""]
    assert scheme_means(gains, runs, **some)["marks"].to_list() == ["b c", "a", "a"]
    # At .01, Friedman's test finds no difference, so no pair is marked.
    assert scheme_means(gains, runs, marks="stars", alpha=0.01, **some)["marks"].to_list() == ["", "", ""]


def test_the_form_of_table_ii():
    # As above. Under 0-1-10 and 0-0-1, grade 2 has the gains 10 and 1: normalised, both give the same means.
    topics = [f"t{place}" for place in range(6)]
    gains = Gains.from_columns(topics, ["x"] * 6, [2.0] * 6)
    runs = [one_relevant(dict.fromkeys(topics, rank), tag) for rank, tag in ((1, "A"), (2, "B"), (4, "C"))]
    means = scheme_means(gains, runs, measures=["AnCG@4", "AnCG@2"], schemes=["0-1-10", "0-0-1"])
    table = scheme_table(means, "AnCG@4")
    assert table.columns == ["letter", "run", "0-1-10", "differs_0-1-10", "0-0-1", "differs_0-0-1"]
    *rows, last = table.rows()
    assert rows == [
        ("a", "A", pytest.approx(1.00), "b c", pytest.approx(1.00), "b c"),
        ("b", "B", pytest.approx(0.75), "a c", pytest.approx(0.75), "a c"),
        ("c", "C", pytest.approx(0.25), "a b", pytest.approx(0.25), "a b"),
    ]
    p = pytest.approx(6**-5)
    assert last == ("", "Friedman’s p", p, "", p, "")
    with refused("measure-not-in-means", "'AnCG@3'", "AnCG@4, AnCG@2"):
        scheme_table(means, "AnCG@3")


def test_no_marks_where_friedman_finds_nothing():
    ranks = ({"t": 1, "u": 2}, {"t": 2, "u": 1})
    gains = Gains.from_columns(["t", "u"], ["x", "x"], [1.0, 1.0])
    runs = [one_relevant(at, tag) for at, tag in zip(ranks, "ab", strict=True)]
    table = scheme_means(gains, runs, measures=["AnCG@4"], schemes=["linear"])
    assert table.select("mean", "marks").rows() == [(0.875, ""), (0.875, "")]
    assert scheme_differences(gains, runs, measures=["AnCG@4"], schemes=["linear"]).rows() == [
        ("linear", "AnCG@4", "a", "b", 1.0)
    ]


def test_no_pair_is_marked_unless_friedman_finds_a_difference():
    # Ranks of a, b, c in four topics: 1 2 3, 2 1 3, 1 3 2, 1 2 3, sums 5, 8, 11. Friedman's p is .084, though
    # a and c are 6 apart and the critical difference is 5.29.
    results = {"a": (3, 2, 3, 3), "b": (2, 3, 1, 2), "c": (1, 1, 2, 1)}
    topics = ["t", "u", "v", "w"]
    gains = Gains.from_columns(topics, ["x"] * 4, [1.0] * 4)
    runs = [one_relevant(dict(zip(topics, ranks, strict=True)), tag) for tag, ranks in results.items()]
    some = {"measures": ["AnCG@4"], "schemes": ["linear"]}
    table = scheme_means(gains, runs, **some)
    assert table["friedman_p"].to_list() == pytest.approx([0.084] * 3, abs=0.0005)
    assert table["marks"].to_list() == ["", "", ""]
    assert (scheme_differences(gains, runs, **some)["p"] < 0.05).to_list() == [False, True, False]
    # At .1 it does find one, and a and c are marked.
    assert scheme_means(gains, runs, alpha=0.1, **some)["marks"].to_list() == ["c", "", "a"]


def test_marks_are_conovers():
    gains, runs = simulated()
    table = scheme_means(gains, runs)
    assert table.height == 5 * 2 * 6
    measure, scheme = 'AnDCG(discount="jk", base=2)@200', "0-1-5-10"
    values = score(gains, runs, [f'AnDCG(discount="jk", base=2, gain="{scheme}")@200']).values[..., 0]
    p = conover(friedman(values))
    part = table.filter(measure=measure, scheme=scheme)
    assert part["mean"].to_numpy() == pytest.approx(values.mean(axis=1))
    expected = [" ".join("abcdef"[other] for other in range(6) if p[run, other] < 0.05) for run in range(6)]
    assert part["marks"].to_list() == expected
    assert any(expected)
    pairs = scheme_differences(gains, runs).filter(measure=measure, scheme=scheme)
    assert pairs["p"].to_list() == pytest.approx([p[i, j] for i, j in combinations(range(6), 2)])


def test_letters():
    assert [letter_of(place) for place in (0, 25, 26, 51, 52, 701, 702)] == [
        "a",
        "z",
        "aa",
        "az",
        "ba",
        "zz",
        "aaa",
    ]


def test_runs_that_cannot_be_tested(collection):
    gains, run = collection({"t": ([1], []), "u": ([1], [])})
    with refused("not-a-matrix", "(1, 2)"):
        scheme_means(gains, [run], schemes=["linear"])
    with refused("empty-argument", "measures"):
        scheme_means(gains, [run], measures=[])


# --- tables 3 to 6 of [K05] --------------------------------------------------------------------------------


def test_scheme_correlations_by_hand():
    # One topic, h of grade 3 and m, n of grade 1. Down to rank 2 run 1 has m n, run 2 h x, run 3 x y: by P@2
    # 1, .5, 0; by CG w1 2, 1, 0, the same; by CG w10 2, 10, 0: one pair of three turned round, τ = 1/3.
    gains = Gains.from_columns(["t"] * 3, ["h", "m", "n"], [3.0, 1.0, 1.0])
    runs = [run_of(tag, {"t": list(found)}) for tag, found in (("1", "mn"), ("2", "hx"), ("3", "xy"))]
    table = scheme_correlations(
        *(gains, runs),
        precision=[2],
        measures={"CG": "CG"},
        schemes={"w1": "0-1-1-1", "w10": "0-1-5-10"},
        cutoffs=[2],
    )
    names = ["P@2", "CG w1 @2", "CG w10 @2"]
    third = pytest.approx(1 / 3)
    expected = [[1, 1, third], [1, 1, third], [third, third, 1]]
    assert table.rows() == [
        (first, second, pytest.approx(1) if value == 1 else value)
        for first, row in zip(names, expected, strict=True)
        for second, value in zip(names, row, strict=True)
    ]


def test_correlations_as_a_matrix():
    gains = Gains.from_columns(["t"] * 3, ["h", "m", "n"], [3.0, 1.0, 1.0])
    runs = [run_of(tag, {"t": list(found)}) for tag, found in (("1", "mn"), ("2", "hx"), ("3", "xy"))]
    pairs = scheme_correlations(gains, runs, precision=[2], measures={"CG": "CG"}, cutoffs=[2])
    # As above. Run 2 is best by CG under w3 (3 against 2), w10 and w100, and run 3 is last: τ to P is 1/3.
    table = correlation_table(pairs, ["P@2", "CG w1 @2", "CG w10 @2"])
    third = pytest.approx(1 / 3)
    assert table.rows() == [
        ("P@2", pytest.approx(1), pytest.approx(1), third),
        ("CG w1 @2", pytest.approx(1), pytest.approx(1), third),
        ("CG w10 @2", third, third, pytest.approx(1)),
    ]
    every = correlation_table(pairs)
    assert every.columns == ["ranking", "P@2", "CG w1 @2", "CG w3 @2", "CG w10 @2", "CG w100 @2"]
    assert every["ranking"].to_list() == every.columns[1:]
    with refused("unknown-ranking", "'P@3'", "P@2"):
        correlation_table(pairs, ["P@3"])


def test_the_whole_matrix():
    table = scheme_correlations(*simulated())
    names = table["first"].unique(maintain_order=True).to_list()
    # Three cut-offs of P; CG, DCG and nDCG under four schemes at two cut-offs.
    assert len(names) == 3 + 3 * 4 * 2
    assert (names[:4], names[-1]) == (["P@10", "P@100", "P@1000", "CG w1 @10"], "nDCG w100 @100")
    assert len(table) == 27**2
    gains, runs = simulated()
    for cutoff in (10, 100):
        measures = [f'DCG(discount="jk", base=2, gain="0-1-10-100")@{cutoff}', "P@10"]
        x, y = (np.nanmean(score(gains, runs, [measure]).values, axis=(1, 2)) for measure in measures)
        result = table.filter(first=f"DCG w100 @{cutoff}", second="P@10")["value"].item()
        assert result == pytest.approx(tau_b(x, y))
    assert (
        table.filter(first="CG w1 @10", second="CG w1 @100")["value"].is_null().all()
    )  # all found by rank 100
