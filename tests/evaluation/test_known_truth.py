"""Crowds whose perception is known: what the analyses find of it. And a real crowd: what normalising does.

A worker of a simulated crowd perceives a document of true relevance t as t^range, gives it the number
scale · t^range, and errs by a log-normal factor. True relevance is that of the grade, N 1, M 2.5, R 5, H 10,
times a log-normal factor of the document's own; a unit is two anchors and six documents, as in the protocol.
"""

import csv
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from evaluation.analyses import (
    adjacent_grades,
    alpha_of_magnitudes,
    boxes,
    exceptions,
    gain_profile,
    grade_ratios,
    range_table,
    scores_by,
    system_agreement,
    tau_distributions,
    tau_summary,
    unit_ratios,
)
from evaluation.comparison import krippendorff_alpha
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.magnitudes.document_gains import KEYS
from evaluation.runs import Run

RELEVANCE = {0: 1.0, 1: 2.5, 2: 5.0, 3: 10.0}
UNIT = 8


@dataclass(frozen=True, eq=False)
class Crowd:
    """What a crowd gave, what was true of the documents, and each unit's worker's range."""

    judgments: Judgments
    truth: Gains
    grades: Gains
    ranges: pl.DataFrame


def crowd(seed, *, topics=12, documents=42, scale=1.0, spread=0.25, noise=0.25, knows=True, own=0.15):
    """Ten judgments of each document, every unit by a worker of its own; one that does not know guesses."""
    rng = np.random.default_rng(seed)
    rows, known, ranges = [], [], []
    for topic in (f"t{number}" for number in range(topics)):
        pool = {f"d{number:02}": int(rng.choice(4, p=[0.5, 0.2, 0.18, 0.12])) for number in range(documents)}
        true = {d: RELEVANCE[grade] * rng.lognormal(0, own) for d, grade in pool.items()}
        pool |= {"anchor-H": 3, "anchor-N": 0}
        true |= {"anchor-H": RELEVANCE[3], "anchor-N": RELEVANCE[0]}
        known += [(topic, d, true[d], float(grade)) for d, grade in pool.items()]
        others = [d for d in pool if not d.startswith("anchor")]
        stream = [d for _ in range(10) for d in rng.permutation(others)]
        for start in range(0, len(stream), UNIT - 2):
            unit, exponent = f"{topic}-{start}", rng.lognormal(0, spread)
            ranges.append((topic, unit, exponent))
            factor = rng.lognormal(2, scale)
            for document in [*stream[start : start + UNIT - 2], "anchor-H", "anchor-N"]:
                seen = true[document] if knows else rng.choice(list(true.values()))
                number = factor * seen**exponent * rng.lognormal(0, noise)
                rows.append((topic, unit, document, number, document.partition("-")[2]))
    *columns, gold = zip(*rows, strict=True)
    topic, document, relevance, grade = zip(*known, strict=True)
    return Crowd(
        Judgments.from_columns(*columns, gold=gold),
        Gains.from_columns(topic, document, relevance),
        Gains.from_columns(topic, document, grade),
        pl.DataFrame(ranges, schema=["topic_id", "unit_id", "range"], orient="row"),
    )


def systems(truth, seed=5, number=20):
    """Runs that see true relevance the less clearly the higher their number."""
    rng = np.random.default_rng(seed)
    columns = truth.table["topic_id"], truth.table["document_id"]
    logs = np.log(truth.values)
    return [
        Run.from_columns(f"r{place:02}", *columns, logs + rng.normal(0, 0.3 + place / 8, len(logs)))
        for place in range(number)
    ]


@pytest.fixture(scope="module", params=[1, 2, 3])
def knowing(request):
    """Crowds that differ in their dice alone: the tolerances hold for each of them."""
    return crowd(request.param)


@pytest.fixture(scope="module")
def guessing():
    return crowd(2, knows=False)


def without_anchors(of):
    return Gains(of.table.filter(~pl.col("document_id").str.starts_with("anchor")))


def medians_of(crowd, method="geometric"):
    return gains(crowd.judgments, normalise(crowd.judgments, method))


def logs_by_topic(values, truth):
    """ln of what each document is worth and of its truth, each less its mean in the topic: (2, documents)."""
    pair = values.table.rename({"gain": "worth"}).join(truth.table.rename({"gain": "true"}), on=KEYS)
    logs = pair.select(
        pl.col(name).log() - pl.col(name).log().mean().over("topic_id") for name in ("true", "worth")
    )
    return logs.to_numpy().T


# --- a crowd that knows ------------------------------------------------------------------------------------


def test_gain_profiles_find_what_grades_are_worth(knowing):
    """By their N anchor magnitudes are free of the worker's scale: 1, 2.5, 5 and 10 come back within 10 %."""
    for _, table in gain_profile(knowing.judgments, knowing.grades).group_by("anchors"):
        assert table["median"].to_list() == pytest.approx(list(RELEVANCE.values()), rel=0.10)


def test_normalised_medians_follow_the_truth_but_for_the_unit_they_were_seen_in(knowing):
    """Ratios come back to the power 7/8: slope of the logs .875 ± .06, correlation with the truth above .97.

    Normalising takes the unit's mean off, and an eighth of that is the document's own number.
    """
    true, worth = logs_by_topic(without_anchors(medians_of(knowing)), knowing.truth)
    assert (true @ worth) / (true @ true) == pytest.approx((UNIT - 1) / UNIT, abs=0.06)
    assert np.corrcoef(true, worth)[0, 1] > 0.97


def test_boxes_find_the_grades(knowing):
    """Medians by grade, relative to that of N, within 20 % of the truth's to the power 7/8."""
    values, truth = without_anchors(medians_of(knowing)), without_anchors(knowing.truth)
    drawn = Gains(truth.table.with_columns(pl.col("gain") ** ((UNIT - 1) / UNIT)))
    found, expected = (boxes(of, knowing.grades)["median"].to_numpy() for of in (values, drawn))
    assert found / found[0] == pytest.approx(expected / expected[0], rel=0.20)
    table = adjacent_grades(values, knowing.grades)
    assert (table["t"] > 0).all()
    assert (table["p"] < 0.001).all()
    assert not exceptions(values, {"grades": knowing.grades}).filter("adjacent")["exception"].any()


def test_ratios_of_grades(knowing):
    """H : {R, M} over all pairs, within 10 % of the truth's to the power 7/8."""
    values, truth = without_anchors(medians_of(knowing)), without_anchors(knowing.truth)
    drawn = Gains(truth.table.with_columns(pl.col("gain") ** ((UNIT - 1) / UNIT)))
    found, expected = (grade_ratios(of, knowing.grades).row(-1, named=True) for of in (values, drawn))
    assert found["pairs"] == expected["pairs"] > 500
    assert found["median"] == pytest.approx(expected["median"], rel=0.10)


def test_ratios_of_units_show_the_workers_ranges(knowing):
    """H/N is 10^range: median 10 ± 10 %, spread of its log √((.25 ln 10)² + 2·.25²) = .68 ± .06.

    More than three of four units are wide, or narrow, as their workers' ranges are.
    """
    ratios = unit_ratios(knowing.judgments)
    assert ratios["ratio"].median() == pytest.approx(10, rel=0.10)
    expected = np.hypot(0.25 * np.log(10), 0.25 * np.sqrt(2))
    assert ratios["ratio"].log().std() == pytest.approx(expected, abs=0.06)
    both = ratios.join(knowing.ranges, on=["topic_id", "unit_id"])
    wide, truly_wide = (both[name] >= both[name].median() for name in ("ratio", "range"))
    assert (wide == truly_wide).mean() > 0.75


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_spread_that_normalising_leaves(seed):
    """Workers of one range whose scales spread by 1, in logs, and who err by .25; both results within 5 %.

    As given, a document's numbers spread by √(1² + .25²) = 1.03. Normalised, what is left is the error, a
    variance of .25²·7/8, and what else was in the unit: five other documents, 5/64 of the variance of all.
    """
    result = crowd(seed, spread=0.0)
    logs = np.log(np.stack([result.judgments.magnitudes, normalise(result.judgments)]))
    table = result.judgments.table.select(KEYS).with_columns(given=logs[0], normalised=logs[1])
    others = table.filter(~pl.col("document_id").str.starts_with("anchor"))
    variances = others.group_by(KEYS).agg(pl.col("given", "normalised").var())
    truth = without_anchors(result.truth).table.group_by("topic_id").agg(pl.col("gain").log().var())
    left = 0.25**2 * 7 / 8 + 5 * truth["gain"].mean() / 64
    assert np.sqrt(variances["given"].mean()) == pytest.approx(np.hypot(1, 0.25), rel=0.05)
    assert np.sqrt(variances["normalised"].mean()) == pytest.approx(np.sqrt(left), rel=0.05)


def test_normalising_brings_workers_to_agree(knowing):
    """Krippendorff's α on logs: about .44 as given, for the scales differ, and above .8 normalised."""
    given, normalised = (
        alpha_of_magnitudes(knowing.judgments, normalise(knowing.judgments, method))["alpha"][-1]
        for method in ("none", "geometric")
    )
    assert given == pytest.approx(0.44, abs=0.04)
    assert normalised > 0.8


@pytest.mark.slow
def test_the_right_ranking(knowing):
    """nDCG@10 ranks twenty systems as true gains do, τ ≥ .88; numbers as given, and single ones, do worse."""
    runs, truth = systems(knowing.truth), {"truth": knowing.truth}
    judged = {"normalised": medians_of(knowing), "given": medians_of(knowing, "none")}
    scores = [scores_by(of, runs, ["nDCG@10"]) for of in (judged, truth)]
    normalised, given = system_agreement(*scores)["tau_b"]
    assert normalised >= 0.88
    assert normalised > given
    normalized = normalise(knowing.judgments)
    table = tau_distributions(
        *(knowing.judgments, normalized, runs, truth),
        rng=np.random.default_rng(1),
        measures=["nDCG@10"],
        times=200,
    )
    single = tau_summary(table).filter(known="truth").row(0, named=True)
    assert single["high"] < 1
    assert 0.75 < single["mean"] < normalised
    ranges = range_table(knowing.judgments, normalized, truth, runs, measures=["nDCG@10"])
    assert (ranges["tau_b"] >= 0.85).all()


# --- a crowd that guesses ----------------------------------------------------------------------------------


def test_nothing_is_found_in_guesses(guessing):
    """The same analyses of numbers that have nothing to do with the documents, nor anchors, find nothing."""
    profile = gain_profile(guessing.judgments, guessing.grades)["median"].to_list()
    assert profile == pytest.approx([1] * 8, rel=0.10)
    true, worth = logs_by_topic(medians_of(guessing), guessing.truth)
    assert abs(np.corrcoef(true, worth)[0, 1]) < 0.15
    assert (adjacent_grades(medians_of(guessing), guessing.grades)["p"] > 0.01).all()
    assert exceptions(medians_of(guessing), {"grades": guessing.grades})["exception"].mean() > 0.3
    alpha = alpha_of_magnitudes(guessing.judgments, normalise(guessing.judgments))["alpha"][-1]
    assert alpha == pytest.approx(0, abs=0.06)
    runs = systems(guessing.truth)
    scores = [scores_by({"x": of}, runs, ["nDCG@10"]) for of in (medians_of(guessing), guessing.truth)]
    assert abs(system_agreement(*scores)["tau_b"].item()) < 0.5


# --- a real crowd ------------------------------------------------------------------------------------------


def rankme(collections, quality):
    """RankME's magnitudes of 300 texts, three judgments each, as those of one topic; a worker is a unit."""
    with (collections / "rankme" / f"stp2_plainME_{quality[:3]}.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        rows = list(csv.DictReader(file))
    workers = [row["worker"] for row in rows]
    texts = [f"{row['mr']} {row['team']}" for row in rows]
    return Judgments.from_columns(["all"] * len(rows), workers, texts, [float(row[quality]) for row in rows])


def agreement_and_chance(judgments, method, times=40):
    """α on logs; and the mean of it when each worker's numbers are dealt to its texts at random."""
    logs = np.log(normalise(judgments, method))
    texts, workers = judgments.table["document_id"], judgments.table["unit_id"].to_numpy()
    rng, dealt = np.random.default_rng(1), []
    for _ in range(times):
        shuffled = logs.copy()
        for worker in np.unique(workers):
            own = np.flatnonzero(workers == worker)
            shuffled[own] = rng.permutation(logs[own])
        dealt.append(krippendorff_alpha(texts, shuffled))
    return krippendorff_alpha(texts, logs), float(np.mean(dealt))


@pytest.mark.parametrize(
    ("quality", "given", "normalised"),
    [
        # α as it is found, and what numbers dealt at random would have.
        ("informativeness", (0.497, -0.02), (0.561, 0.00)),
        ("naturalness", (0.109, 0.09), (0.026, 0.00)),
    ],
)
def test_normalising_a_real_crowd(collections, quality, given, normalised):
    """Workers agree more on how informative texts are: α .497 before and .561 after.

    On how natural they are they agree no more than by chance, before and after. What looks like agreement,
    .109, is that workers who give low numbers were given the same texts: dealt at random, these numbers still
    have .09. Normalising takes this away.
    """
    judgments = rankme(collections, quality)
    for method, (alpha, chance) in (("none", given), ("geometric", normalised)):
        result = agreement_and_chance(judgments, method)
        assert result[0] == pytest.approx(alpha, abs=0.0006)
        assert result[1] == pytest.approx(chance, abs=0.03)


def test_judgments_of_one_text_come_nearer_to_each_other(collections):
    """Mean spread of the logs of a text's three numbers: .184 to .167, and .429 to .294.

    Correlation of the logs over all pairs of judgments of how informative one text is: .496 to .560.
    """
    expected = {"informativeness": (0.184, 0.167), "naturalness": (0.429, 0.294)}
    for quality, spreads in expected.items():
        judgments = rankme(collections, quality)
        for method, spread in zip(("none", "geometric"), spreads, strict=True):
            logs = np.log(normalise(judgments, method))
            table = judgments.table.select("document_id").with_columns(log=logs)
            variances = table.group_by("document_id").agg(pl.col("log").var())["log"]
            assert np.sqrt(variances.mean()) == pytest.approx(spread, abs=0.001)
    judgments = rankme(collections, "informativeness")
    for method, correlation in (("none", 0.496), ("geometric", 0.560)):
        logs = np.log(normalise(judgments, method))
        numbered = judgments.table.select("document_id").with_columns(log=logs).with_row_index("row")
        pairs = numbered.join(numbered, on="document_id").filter(pl.col("row") != pl.col("row_right"))
        assert pairs.height == 300 * 3 * 2
        assert pairs.select(pl.corr("log", "log_right")).item() == pytest.approx(correlation, abs=0.001)
