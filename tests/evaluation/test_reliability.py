"""Stability and discrimination: against plain loops, on the sources' arithmetic, and at their edges."""

import itertools
from functools import cache

import numpy as np
import pytest
from scipy import stats

from evaluation.comparison.battery import battery
from evaluation.comparison.confidence import confidence_orders
from evaluation.comparison.discrimination import Discrimination, discrimination
from evaluation.comparison.sign import sign_test
from evaluation.comparison.stability import Stability, stability, ties_at
from evaluation.files import read_scores
from evaluation.measures import parse
from evaluation.score_table import Scores
from tests.evaluation.refusals import assert_fault, assert_warnings, refused
from tests.support.named import assert_names


def generator(seed=1):
    return np.random.default_rng(seed)


def scores_of(values, measures=("AP",)):
    """Scores from systems × topics × measures."""
    values = np.asarray(values, dtype=float)
    runs, topics = (
        tuple(f"{kind}{i}" for i in range(n)) for kind, n in zip("rt", values.shape, strict=False)
    )
    return Scores(runs, topics, measures, values)


def made(systems=5, topics=12, measures=2, seed=3):
    """Systems of rising quality, with many values that are equal."""
    values = (
        generator(seed).random((systems, topics, measures)).round(1)
        * np.linspace(0.6, 1, systems)[:, None, None]
    )
    return scores_of(values, tuple(f"m{place}" for place in range(measures)))


# --- stability ---------------------------------------------------------------------------------------------


def test_rates_of_the_worked_example():
    # (GT, GT, EQ) = (900, 60, 40) and (500, 0, 500): (60 + 0)/2000 and (40 + 500)/2000.
    counts = ([[[900, 500]]], [[[60, 0]]], [[[40, 500]]])
    result = Stability(("AP",), (0.05,), *map(np.array, counts), topics=50, size=25, trials=1000)
    assert result.minority_rate().tolist() == [[0.03]]
    assert result.proportion_of_ties().tolist() == [[0.27]]


def test_stability_counts_as_a_plain_loop_does():
    scores, rng = made(), generator()
    result = stability(scores, size=5, trials=40, fuzziness=(0, 0.05, 0.3), rng=generator())
    subsets = rng.random((40, 12)).argsort(axis=1)[:, :5]
    for m, (p, f) in itertools.product(range(2), enumerate((0, 0.05, 0.3))):
        for pair, (x, y) in enumerate(itertools.combinations(range(5), 2)):
            wins = losses = ties = 0
            for subset in subsets:
                a, b = scores.values[x, subset, m].mean(), scores.values[y, subset, m].mean()
                if abs(a - b) <= 1e-12 or abs(a - b) < f * max(a, b) - 1e-12:
                    ties += 1
                elif a > b:
                    wins += 1
                else:
                    losses += 1
            counted = result.wins[m, p, pair], result.losses[m, p, pair], result.ties[m, p, pair]
            assert counted == (wins, losses, ties)


def test_more_fuzziness_means_more_ties_and_fewer_minorities():
    result = stability(made(), size=5, trials=200, rng=generator())
    assert (np.diff(result.proportion_of_ties()) >= 0).all()
    assert (np.diff(result.minority_rate()) <= 0).all()
    assert (result.wins + result.losses + result.ties == 200).all()


def test_a_difference_of_exactly_f_is_a_win():
    # Means 1 and .9, f = .1: the difference is f·max, not less.
    result = stability(
        scores_of([[[1], [1]], [[0.9], [0.9]]]), size=1, trials=3, fuzziness=(0.1, 0.11), rng=generator()
    )
    assert result.wins.ravel().tolist() == [3, 0]
    assert result.ties.ravel().tolist() == [0, 3]


def test_the_order_and_number_of_fuzziness_values_do_not_matter():
    one, two = (
        stability(made(), fuzziness=f, rng=generator()) for f in ((0.3, 0.05, 0.1, 0.1), (0.05, 0.1, 0.3))
    )
    assert one.fuzziness == two.fuzziness == (0.05, 0.1, 0.3)
    assert (one.wins == two.wins).all()
    assert one.size == 6


def test_ties_at_a_minority_rate():
    assert ties_at(np.array([0.06, 0.04]), np.array([0.1, 0.2]), 0.05) == pytest.approx(0.15)
    assert ties_at(np.array([0.05, 0.04]), np.array([0.1, 0.2]), 0.05) == 0.1
    assert ties_at(np.array([0.06, 0.05]), np.array([0.1, 0.2]), 0.05) == 0.2
    assert ties_at(np.array([0.04, 0.03]), np.array([0.1, 0.2]), 0.05) is None
    assert ties_at(np.array([0.09, 0.06]), np.array([0.1, 0.2]), 0.05) is None


# --- discrimination ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("strict", [True, False])
def test_discrimination_counts_as_a_plain_loop_does(strict):
    scores, rng = made(), generator()
    result = discrimination(scores, size=4, trials=60, strict=strict, rng=generator())
    drawn = rng.random((60, 12)).argsort(axis=1)
    comparisons, swaps = np.zeros((2, 2, 21), dtype=int)
    pair_swaps = np.zeros((2, 10), dtype=int)
    for m, row in itertools.product(range(2), drawn):
        first, second = scores.values[:, row[:4], m].mean(axis=1), scores.values[:, row[4:8], m].mean(axis=1)
        for pair, (x, y) in enumerate(itertools.combinations(range(5), 2)):
            d, e = (0 if abs(side[x] - side[y]) <= 1e-12 else side[x] - side[y] for side in (first, second))
            bin = min(20, int(100 * abs(d) + 1e-9))
            swapped = d * e < 0 or (strict and (d == 0) != (e == 0))
            comparisons[m, bin] += 1
            swaps[m, bin] += swapped
            pair_swaps[m, pair] += swapped
    assert (result.comparisons == comparisons).all()
    assert (result.swaps == swaps).all()
    assert (result.pair_swaps == pair_swaps).all()


def test_bins_are_those_of_the_first_subset():
    # Two topics, subsets of one: differences .30 and .01, in either order.
    result = discrimination(scores_of([[[0.5], [0.51]], [[0.2], [0.5]]]), size=1, trials=50, rng=generator())
    assert result.comparisons[0, 1] + result.comparisons[0, 20] == 50
    assert result.swaps.sum() == 0


def counted(comparisons, swaps, largest=0.5):
    full = np.zeros((2, 1, 21), dtype=int)
    full[0, 0, : len(comparisons)], full[1, 0, : len(swaps)] = comparisons, swaps
    return Discrimination(("AP",), full[0], full[1], np.zeros((1, 1)), np.array([largest]), 50, 25, 1000)


def test_the_difference_needed():
    result = counted([100, 100, 0, 100, 100], [40, 4, 0, 6, 5])
    # The bin of .01 is quiet, that of .03 (6 %) is not; from .04 on all are: 5 % is not more than 5 %.
    assert result.absolute_difference() == [0.04]
    assert result.relative_difference() == [pytest.approx(0.04 / 0.5)]
    assert result.power() == [100 / 400]


def test_an_empty_bin_swaps_never():
    assert counted([100, 0, 100], [40, 0, 1]).absolute_difference() == [0.01]
    assert counted([100, 100], [0, 0]).absolute_difference() == [0]
    assert counted([100, 100], [0, 50]).absolute_difference() == [None]
    assert counted([100, 100], [0, 50]).power() == counted([1], [1]).relative_difference() == [None]


def test_two_subsets_must_fit_into_the_topics():
    with refused("too-few-topics-for-two-subsets", "7", "12"):
        discrimination(made(), size=7, rng=generator())
    result = discrimination(made(), size=7, replacement=True, trials=10, rng=generator())
    assert result.comparisons.sum() == 2 * 10 * 10
    assert discrimination(made(), rng=generator(), trials=2).size == 6
    assert discrimination(made(), size=30, replacement=True, trials=2, rng=generator()).size == 30


# --- both --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [stability, discrimination])
def test_the_same_generator_gives_the_same_result(method):
    one, two, other = (method(made(), size=4, trials=30, rng=generator(seed)) for seed in (1, 1, 2))
    names = ("wins", "losses", "ties") if method is stability else ("comparisons", "swaps", "pair_swaps")
    assert all((getattr(one, name) == getattr(two, name)).all() for name in names)
    assert any((getattr(one, name) != getattr(other, name)).any() for name in names)


@pytest.mark.parametrize("method", [stability, discrimination])
def test_bad_numbers_are_refused(method):
    with refused("subset-size-out-of-bounds", "13", "12"):
        method(made(), size=13, rng=generator())
    with refused("too-few-trials", "0"):
        method(made(), size=2, trials=0, rng=generator())
    with refused("too-few-systems", "1"):
        method(made(systems=1), size=2, rng=generator())
    with refused("too-few-topics-without-gaps", "0"):
        method(scores_of(np.full((2, 3, 1), np.nan)), size=1, rng=generator())


@pytest.mark.parametrize("method", [stability, discrimination])
def test_topics_without_a_value_somewhere_are_left_out(method):
    whole = made()
    gap = whole.values.copy()
    gap[2, 0, 1] = np.nan
    without = scores_of(whole.values[:, 1:], whole.measures)
    one, two = (
        method(s, size=4, trials=20, rng=generator()) for s in (scores_of(gap, whole.measures), without)
    )
    assert one.topics == two.topics == 11
    name = "wins" if method is stability else "swaps"
    assert (getattr(one, name) == getattr(two, name)).all()


def test_confidence_orders():
    scores = made(systems=8)
    stable = stability(scores, size=6, trials=300, rng=generator())
    discriminating = discrimination(scores, trials=300, rng=generator())
    result = confidence_orders(scores, stable, discriminating)[1]
    p = [
        sign_test(scores.values[x, :, 1], scores.values[y, :, 1]).p
        for x, y in itertools.combinations(range(8), 2)
    ]
    p = stats.rankdata(np.round(p, 14))
    minority = np.minimum(stable.wins, stable.losses)[1, 4]
    assert result.sign_and_minority == pytest.approx(stats.kendalltau(p, minority).statistic)
    assert result.sign_and_swaps == pytest.approx(stats.kendalltau(p, discriminating.pair_swaps[1]).statistic)
    assert result.minority_and_swaps > 0.5, "what is seldom swapped is seldom in the minority"
    with refused("stability-at-other-fuzziness", "0.5"):
        confidence_orders(scores, stable, discriminating, fuzziness=0.5)


def test_the_battery_has_24_measures_that_are_all_known():
    names = battery()
    assert len(set(names)) == 24
    assert [str(parse(name)) for name in names] == names
    assert names[5:8] == ["AP(rel=2)", "Rprec(rel=2)", "P(rel=2)@10"]


# --- commands and real data --------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path):
    rng = generator()
    lines = [f"r{run}\tt{topic}\tAP\t{rng.random():.4f}\n" for run in range(4) for topic in range(10)]
    (tmp_path / "scores.tsv").write_text("".join(lines))
    return read_scores(tmp_path / "scores.tsv")


def test_the_command_stability(shell, table):
    done = shell(
        "stability",
        "scores.tsv",
        "--topics",
        "5",
        "--trials",
        "50",
        "--fuzziness",
        ".01",
        ".2",
        "--seed",
        "7",
    )
    result = stability(table, size=5, trials=50, fuzziness=(0.01, 0.2), rng=generator(7))
    rates, ties = result.minority_rate()[0], result.proportion_of_ties()[0]
    at = "-" if result.ties_at()[0] is None else f"{result.ties_at()[0]:.4f}"
    assert done.stdout.splitlines() == [
        f"AP\t0.01\t{rates[0]:.4f}\t{ties[0]:.4f}",
        f"AP\t0.2\t{rates[1]:.4f}\t{ties[1]:.4f}",
        f"AP\t-\t0.0500\t{at}",
    ]
    assert shell("stability", "--fuzziness", ".01", "--", "scores.tsv").returncode == 0


def test_the_command_discrimination(shell, table):
    done = shell("discrimination", "scores.tsv", "--topics", "5", "--trials", "50", "--seed", "7")
    result = discrimination(table, size=5, trials=50, rng=generator(7))
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert [int(line[3]) for line in lines[:21]] == result.comparisons[0].tolist()
    assert lines[0][:3] == ["AP", "bin", "0.00"]
    assert lines[0][4] == f"{result.swap_rate()[0, 0]:.4f}"
    assert [line[1] for line in lines[21:]] == ["absolute", "relative", "power"]


@pytest.mark.parametrize("command", ["stability", "discrimination"])
def test_what_the_commands_refuse(shell, table, command, tmp_path):
    for words, named in (
        (("--topics", "11"), ("11", "10")),
        (("--seed", "-1"), ("--seed",)),
        (("--trials", "0"), ("trials", "0")),
    ):
        assert_fault(shell(command, "scores.tsv", *words), *named)
    with (tmp_path / "scores.tsv").open("a") as file:
        file.write("r0\tt99\tAP\t.5\n")
    assert_warnings(shell(command, "scores.tsv", "--trials", "2"), ("1", "t99"))
    (tmp_path / "scores.tsv").write_text("a\tt1\tAP\t.5\nb\tt2\tAP\t.5\n")
    done = shell(command, "scores.tsv")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("scores.tsv:1: ")
    assert_names(done.stderr.splitlines()[-1], "0")


def test_real_systems(collections):
    """Of 129 runs on 50 topics AP is the most stable and the most discriminating, RR the least."""
    scores = trec8(collections)
    stable = stability(scores, size=25, trials=100, rng=generator())
    place = stable.fuzziness.index(0.05)
    ap, p10, rr = stable.minority_rate()[:, place] + stable.proportion_of_ties()[:, place]
    assert ap < p10 < rr
    ap, p10, rr = discrimination(scores, trials=100, rng=generator()).power()
    assert ap > p10 > rr


@pytest.fixture(scope="module")
def by_size():
    """Return a function of the scores: size of the subsets → stability and discrimination of each measure."""

    @cache
    def measured(collections):
        scores = trec8(collections)
        return {
            size: (
                stability(scores, size=size, trials=60, fuzziness=(0, 0.05), rng=generator()),
                discrimination(scores, size=size, trials=60, rng=generator()),
            )
            for size in (5, 10, 25)
        }

    return measured


def test_at_least_25_topics_and_more_are_better(collections, by_size):
    """Buckley and Voorhees 2000, abstract: the error rate of every measure falls with more topics."""
    rates = np.array([stable.minority_rate()[:, 1] for stable, _ in by_size(collections).values()])
    assert (np.diff(rates, axis=0) < 0).all()
    assert (rates[0] > 0.1).all(), "with five topics, every tenth comparison of any measure is wrong"


def test_measures_are_not_equally_reliable(collections, by_size):
    """The same abstract: an early precision errs more often than AP, although it ties more pairs."""
    for stable, _ in by_size(collections).values():
        ap, p10, rr = stable.minority_rate()[:, 1]
        assert ap < p10 < rr
        ap, p10, rr = stable.proportion_of_ties()[:, 1]
        assert ap < p10 < rr


def test_p10_needs_more_topics_or_a_very_large_difference(collections, by_size):
    """The same abstract. With 25 topics, P@10 needs at least 1.5 times the difference that AP needs."""
    ap, p10, _ = by_size(collections)[25][1].absolute_difference()
    assert p10 >= 1.5 * ap


def test_errors_fall_with_topics_and_with_the_difference(collections, by_size):
    """Voorhees and Buckley 2002, abstract: the error rate depends on the number of topics and the difference.

    The rates are "larger than anticipated": .05 apart in AP, 25 topics still swap one pair in twenty or more.
    """
    swaps = np.array([apart.swap_rate()[0, :11] for _, apart in by_size(collections).values()])
    assert (np.diff(swaps, axis=0)[:, 1:] < 0).all()
    assert (np.diff(swaps, axis=1) < 0).all()
    assert swaps[-1, 5] > 0.05
    needed = [apart.absolute_difference()[0] for _, apart in by_size(collections).values()]
    assert needed == sorted(needed, reverse=True)


def trec8(collections):
    """The published matrices of AP, P@10 and RR, as one table."""
    columns = {}
    for name, measure in (("ap", "AP"), ("p10", "P@10"), ("rr", "RR")):
        path = collections / "trec8_scores" / f"derived_adhoc8_{name}_named.csv"
        (_, *runs), *rows = (line.split(",") for line in path.read_text().splitlines())
        columns[measure] = np.array([[float(cell) for cell in row[1:]] for row in rows]).T
    values = np.stack(list(columns.values()), axis=-1)
    assert values.shape == (129, 50, 3)
    return Scores(tuple(runs), tuple(row[0] for row in rows), tuple(columns), values)
