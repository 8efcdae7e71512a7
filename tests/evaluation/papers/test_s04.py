"""The tables and figures of [S04]: its measures, draws and orders by plain loops, and what is missing."""

from dataclasses import replace
from itertools import combinations
from math import log2
from statistics import mean

import numpy as np
import pytest
from scipy.stats import binomtest, kendalltau

from evaluation.comparison import rankings
from evaluation.frames import Judgments
from evaluation.papers import PAPERS, build_paper
from evaluation.papers.s04.battery import LABELS, MOST_RUNS, best_runs
from evaluation.papers.s04.of_gain_values import ADJUSTED, ASSIGNMENTS, measures_of
from evaluation.report.answers import MAGNITUDES
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.report_study import study_of_everything

RUNS = 6
NAMES = ("magnitudes", "grades", "binary")
"""The crowd's gains and the sets of grades, by their number in the keys of tables."""


def noisy(study, number):
    """Runs of half of the documents, ordered by their grades with more and more noise."""
    rng = np.random.default_rng(11)
    table = study.known["grades"].table
    runs = []
    for place in range(number):
        kept = np.flatnonzero(rng.random(len(table)) < 0.5)
        scores = table["gain"].to_numpy()[kept] + (1 + place / 4) * rng.normal(size=len(kept))
        columns = (table[name].gather(kept) for name in ("topic_id", "document_id"))
        runs.append(Run.from_columns(f"r{place:02}", *columns, scores))
    return runs


@pytest.fixture(scope="module")
def study():
    everything = study_of_everything()
    return replace(everything, runs=noisy(everything, RUNS))


@pytest.fixture(scope="module")
def contents(study):
    return contents_of(study)


@pytest.fixture(scope="module")
def tables(contents):
    return {numbers.key: numbers.table for content in contents.values() for numbers in content.tables}


@pytest.fixture(scope="module")
def grades(study):
    return values_of(study, "grades")


def contents_of(study, only=None):
    report = build_paper(study, "S04", only=only)
    return {finished.part.key: finished.content for finished in report.finished}


def per_measure(found, ideal, levels):
    """The 24 measures of one list: `found` are its gains, and `levels` the judged values behind them."""
    values = {}
    for word, rel in (("relaxed", 1), ("rigid", 2)):
        hits, total = [level >= rel for level in levels[0]], sum(level >= rel for level in levels[1])
        at = {n: sum(hits[:n]) for n in range(1, 1001)}
        precise = [at[n] / n for n, hit in enumerate(hits, 1) if hit]
        values[f"{word} AP"] = sum(precise) / total if total else None
        values[f"{word} Rprec"] = at[total] / total if total else None
        values |= {f"{word} P@{k}": at[k] / k if total else None for k in (10, 100, 1000)}
    hits, total = [level >= 1 for level in levels[0]], sum(level >= 1 for level in levels[1])
    padded, best = (list(gains) + [0] * (1000 - len(gains)) for gains in (found, ideal))
    cg, cgi = np.cumsum(padded), np.cumsum(best)
    ratio = [(cg[n] + sum(hits[: n + 1])) / (cgi[n] + n + 1) for n in range(max(len(hits), total))]
    values["Q"] = sum(ratio[n] for n, hit in enumerate(hits) if hit) / total
    values["R_measure"] = ratio[total - 1]
    discount = np.array([max(1, log2(n)) for n in range(1, 1001)])
    dcg, dcgi = np.cumsum(padded / discount), np.cumsum(best / discount)
    for k in (10, 100, 1000):
        values |= {f"nCG@{k}": cg[k - 1] / cgi[k - 1], f"AnCG@{k}": np.mean(cg[:k] / cgi[:k])}
        values |= {f"nDCG@{k}": dcg[k - 1] / dcgi[k - 1], f"AnDCG@{k}": np.mean(dcg[:k] / dcgi[:k])}
    return values


def values_of(study, name, gain=lambda grade, judged: grade):
    """Each measure's values (runs, topics), under the gains that `gain` gives to the grades."""
    table = (study.gains if name == "magnitudes" else study.known[name]).table
    values = {}
    for run in study.runs:
        of_run = {}
        for topic in table["topic_id"].unique().sort():
            judged = dict(table.filter(topic_id=topic).select("document_id", "gain").iter_rows())
            scores = dict(run.table.filter(topic_id=topic).select("document_id", "score").iter_rows())
            levels = [judged.get(document, 0) for document in sorted(scores, key=scores.get, reverse=True)]
            every = list(judged.values())
            found, ideal = ([gain(level, every) for level in part] for part in (levels, every))
            result = per_measure(found, sorted(ideal, reverse=True), (levels, every))
            for measure, value in result.items():
                of_run.setdefault(measure, []).append(value)
        for measure, row in of_run.items():
            values.setdefault(measure, []).append(row)
    return {measure: np.array(rows, dtype=float) for measure, rows in values.items()}


def tau(x, y):
    """τ_b of two lists of values, where values that differ only by rounding are tied; None if undefined."""
    value = kendalltau(np.round(x, 10), np.round(y, 10)).statistic
    return None if np.isnan(value) else pytest.approx(value)


@pytest.mark.parametrize("number", range(3))
def test_tau_of_the_measures(study, tables, number):
    """Each cell of Tables 4 and 5: the measures by plain loops, and τ by scipy."""
    table = tables[f"table-{4 if number else 5}-{number}"]
    means = {measure: rows.mean(axis=1) for measure, rows in values_of(study, NAMES[number]).items()}
    measures = {
        "magnitudes": LABELS[12:],
        "grades": LABELS,
        "binary": [m for m in LABELS if "rigid" not in m],
    }
    names = list(measures[NAMES[number]])
    assert table["ranking"].to_list() == names
    assert table.columns == ["ranking", *names]
    for row in table.iter_rows(named=True):
        for name in names:
            assert row[name] == tau(means[row["ranking"]], means[name]), (row["ranking"], name)


def subsets(study, *, replacement=False):
    """The draws: of stability and, from the same generator, of discrimination. Each is a list of topics."""
    rng, trials, topics = study.parameters.random, study.parameters.trials, 5
    if replacement:
        chosen = rng.integers(0, topics, size=(trials, 2 * topics))
        return chosen[:, :topics], chosen[:, topics:]
    once = rng.random((trials, topics)).argsort(axis=1)[:, :2]
    twice = rng.random((trials, topics)).argsort(axis=1)
    return once, twice[:, :2], twice[:, 2:4]


def test_stability(study, tables, grades):
    once, *_ = subsets(study)
    table = tables["stability-1"]
    for row in table.iter_rows(named=True):
        rows, minority, ties = grades[row["measure"]], 0, 0
        for x, y in combinations(rows, 2):
            wins = [0, 0]
            for draw in once:
                first, second = x[draw].mean(), y[draw].mean()
                if abs(first - second) < 0.05 * max(first, second) - 1e-12 or abs(first - second) < 1e-12:
                    ties += 1
                else:
                    wins[int(first < second)] += 1
            minority += min(wins)
        comparisons = len(once) * RUNS * (RUNS - 1) / 2
        assert row["minority_rate"] == pytest.approx(minority / comparisons), row["measure"]
        assert row["proportion_of_ties"] == pytest.approx(ties / comparisons), row["measure"]
    assert table.height == 24


def needed(rows, first, second, rate):
    """The difference needed, the largest mean, the relative difference, the power, and swaps by pair."""
    bins, by_pair, largest = np.zeros((2, 21)), [], 0.0
    for x, y in combinations(rows, 2):
        swaps = 0
        for one, other in zip(first, second, strict=True):
            d, e = (np.round(x[draw].mean() - y[draw].mean(), 12) for draw in (one, other))
            place = min(20, int(100 * abs(d) + 1e-9))
            swapped = np.sign(d) != np.sign(e)
            bins[:, place] += 1, swapped
            swaps += swapped
        by_pair.append(swaps)
    largest = max(row[draw].mean() for row in rows for draws in (first, second) for draw in draws)
    full = [place for place in range(21) if bins[0, place]]
    bad = [place for place in full if bins[1, place] / bins[0, place] > rate]
    start = bad[-1] + 1 if bad else 0
    if not any(place >= start for place in full):
        return (None, pytest.approx(largest), None, None), by_pair
    power = bins[0, start:].sum() / bins[0].sum()
    values = start / 100, largest, start / 100 / largest, power
    return tuple(map(pytest.approx, values)), by_pair


@pytest.mark.parametrize("replacement", [False, True])
def test_discrimination(study, tables, grades, replacement):
    first, second = subsets(study, replacement=replacement)[-2:]
    table = tables["discrimination-replacement-1" if replacement else "discrimination-1"]
    assert table.columns == ["measure", "absolute", "maximum", "relative", "power"]
    for measure, *row in table.rows():
        assert tuple(row) == needed(grades[measure], first, second, 0.05)[0], measure


def test_other_swap_rates(study, tables, grades):
    _, first, second = subsets(study)
    for row in tables["discrimination-levels-1"].iter_rows(named=True):
        for level in (0.05, 0.1, 0.2):
            (absolute, _, _, power), _ = needed(grades[row["measure"]], first, second, level)
            assert row[f"absolute_at_{level:.0%}"] == absolute
            assert row[f"power_at_{level:.0%}"] == power


def test_orders_of_pairs(study, tables, grades):
    once, first, second = subsets(study)
    for row in tables["orders-1"].iter_rows(named=True):
        rows = grades[row["measure"]]
        signs, minority = [], []
        for x, y in combinations(rows, 2):
            above, below = (int(((x - y) * sign > 1e-12).sum()) for sign in (1, -1))
            signs.append(binomtest(above, above + below).pvalue if above + below else 1.0)
            wins = [0, 0]
            for draw in once:
                a, b = x[draw].mean(), y[draw].mean()
                if abs(a - b) > max(1e-12, 0.05 * max(a, b) - 1e-12):
                    wins[int(a < b)] += 1
            minority.append(min(wins))
        swaps = needed(rows, first, second, 0.05)[1]
        assert row["sign_and_minority"] == tau(signs, minority), row["measure"]
        assert row["sign_and_swaps"] == tau(signs, swaps), row["measure"]
        assert row["minority_and_swaps"] == tau(minority, swaps), row["measure"]


def lowered(grade, judged):
    """The adjusted gain of a grade on the scale 0-1-2-3, in a topic with these judged values."""
    relevant = sum(value > 0 for value in judged)
    share = judged.count(grade) / relevant
    return grade if share == 1 or grade == 0 else grade - share


GAINS = {
    "3:2:1": lambda grade, judged: grade,
    "1:1:1": lambda grade, judged: min(grade, 1),
    "10:5:1": lambda grade, judged: (0, 1, 5, 10)[int(grade)],
    ADJUSTED: lowered,
}


@pytest.mark.parametrize(("place", "assignment"), list(enumerate((*ASSIGNMENTS, ADJUSTED), start=1)))
def test_gain_values(study, tables, grades, place, assignment):
    values = values_of(study, "grades", GAINS[assignment])
    scores = score(study.known["grades"], study.runs, list(measures_of(assignment).values()))
    by_name = dict(zip(measures_of(assignment), rankings(scores).values(), strict=True))
    table = tables[f"tables-6-9-1-{place}"]
    assert table["measure"].to_list() == list(LABELS[10:])
    _, first, second = subsets(study)
    for row in table.iter_rows(named=True):
        measure = row["measure"]
        means = values[measure].mean(axis=1)
        assert by_name[measure].tolist() == pytest.approx(means.tolist())
        assert row["tau_with_AP"] == tau(means, grades["relaxed AP"].mean(axis=1))
        assert row["tau_with_3:2:1"] == tau(means, grades[measure].mean(axis=1))
        absolute, _, relative, power = needed(values[measure], first, second, 0.05)[0]
        assert (row["absolute"], row["relative"], row["power"]) == (absolute, relative, power)


def test_rises(tables, grades):
    by_ap = np.argsort(-grades["relaxed AP"].mean(axis=1), kind="stable")
    for measure, rises, steps in tables["rises-1"].rows():
        means = grades[measure].mean(axis=1)[by_ap]
        assert (rises, steps) == ((np.diff(means) > 1e-12).sum(), RUNS - 1), measure


def test_figures_have_the_numbers_of_their_tables(contents, tables):
    figures = {drawn.key: drawn.figure.table for content in contents.values() for drawn in content.figures}
    assert figures.keys() == {f"{key}-{n}" for key in ("stability", "swap-rates") for n in range(3)} | {
        "runs-1",
        "runs-2",
    }
    assert (
        figures["stability-1"]["minority_rate"]
        .sort()
        .equals(tables["stability-curves-1"]["minority_rate"].sort())
    )
    assert figures["swap-rates-1"]["swap_rate"].sort().equals(tables["swap-rates-1"]["swap_rate"].sort())
    assert figures["runs-1"].filter("rise").height == tables["rises-1"]["rises"].sum()


def test_where_ncg_stops(tables, study):
    # nCG is 1/5 for both lists; nDCG of the ideal ⟨1, 1, 1, 1, 1⟩ falls with the rank.
    ideal = 2 + sum(1 / log2(n) for n in (3, 4, 5))
    assert tables["freezing-example"].rows() == [
        (rank, pytest.approx(0.2), pytest.approx(1 / log2(rank) / ideal)) for rank in (5, 1000)
    ]
    for gains, cutoff, complete, topics in tables["freezing"].rows():
        table = (study.gains if gains == study.crowd else study.known[gains]).table
        numbers = [sum(gain > 0 for gain in of["gain"]) for _, of in table.group_by("topic_id")]
        assert (complete, topics) == (sum(n <= cutoff for n in numbers), len(numbers))


def test_the_best_thirty_runs(study):
    many = replace(study, runs=noisy(study, MOST_RUNS + 4))
    means = {
        run.tag: mean(row)
        for run, row in zip(many.runs, values_of(many, "grades")["relaxed AP"], strict=True)
    }
    expected = sorted(means, key=means.get, reverse=True)[:MOST_RUNS]
    assert {run.tag for run in best_runs(many)} == set(expected)
    (content,) = contents_of(many, ["runs"]).values()
    assert content.tables[0].table["steps"].unique().to_list() == [MOST_RUNS - 1]
    # Without grades, the crowd chooses.
    by_crowd = replace(many, known={})
    means = dict(zip(means, values_of(many, MAGNITUDES)["AnDCG@1000"].mean(axis=1), strict=True))
    expected = sorted(means, key=means.get, reverse=True)[:MOST_RUNS]
    assert {run.tag for run in best_runs(by_crowd)} == set(expected)


def test_every_item_has_content(contents):
    assert {key for key, content in contents.items() if content.tables} == {
        i.key for i in PAPERS["S04"].items
    }
    assert not any(content.missing for content in contents.values())


@pytest.mark.parametrize(
    ("lacking", "left"),
    [
        ({"runs": ()}, {"section-2"}),
        ({"known": {}}, {"section-2", "section-4-1", "section-4-2", "table-5", "section-5"}),
        ({"judgments": Judgments.from_columns([], [], [], []), "known": {}}, set()),
    ],
    ids=["no runs", "no grades", "no judgments"],
)
def test_what_is_missing_has_a_reason(study, lacking, left):
    contents = contents_of(replace(study, **lacking))
    assert {key for key, content in contents.items() if content.tables} == left
    assert all(bool(content.tables) != bool(content.missing) for content in contents.values())
