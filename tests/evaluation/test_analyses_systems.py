"""Systems by the crowd's gains and by known ones: scatter, resampling, transformations, ranges."""

import numpy as np
import polars as pl
import pytest

from evaluation.analyses import (
    gains_by_range,
    range_table,
    scores_by,
    simulate_systems,
    simulated_agreement,
    system_agreement,
    system_scatter,
    tau_distributions,
    tau_summary,
    top_sets,
    transformation_table,
)
from evaluation.comparison import overlap, tau_b, top_set
from evaluation.comparison.resampling import resample
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, narrow_and_wide, normalise
from evaluation.runs import Run
from evaluation.score_table import Scores
from evaluation.scores import score
from tests.evaluation.refusals import refused

TOPICS, DOCUMENTS, WORKERS = 6, 16, 5


def scores_of(values, topics="abcdefgh", measures=("M",)):
    """Scores from runs × topics (one measure), or runs × topics × measures."""
    values = np.asarray(values, dtype=float)
    values = values[..., None] if values.ndim == 2 else values
    runs = tuple(f"r{place}" for place in range(len(values)))
    return Scores(runs, tuple(topics[: values.shape[1]]), measures, values)


@pytest.fixture(scope="module")
def study():
    """Magnitudes with anchors, medians, grades, binary judgments, and runs of falling quality."""
    rng, rows, known, runs = np.random.default_rng(4), [], [], []
    for topic in range(TOPICS):
        for document in range(DOCUMENTS):
            known.append((f"t{topic}", f"d{document:02}", float(document % 4)))
    for topic, document, grade in known:
        for worker in range(WORKERS):
            gold = {"d00": "N", "d03": "H"}.get(document, "")
            seen = 2 ** (grade * (0.6 + worker / 5)) * (1 + worker) * rng.lognormal(0, 0.2)
            rows.append((topic, f"{topic}-u{worker}", document, seen, f"w{worker}", gold))
    for system in range(8):
        results = [(topic, d, grade + rng.normal(0, 0.3 + system / 2)) for topic, d, grade in known]
        runs.append(Run.from_columns(f"r{system}", *zip(*results, strict=True)))
    judgments = Judgments.from_columns(*zip(*rows, strict=True))
    normalized = normalise(judgments)
    grades = Gains.from_columns(*zip(*known, strict=True))
    binary = Gains(grades.table.with_columns(gain=(pl.col("gain") > 0).cast(pl.Float64)))
    return judgments, normalized, gains(judgments, normalized), grades, binary, runs


# --- scatter -----------------------------------------------------------------------------------------------


def test_scatter_by_hand():
    # Means .6, .4, .2 by the crowd; .3, .5, .1 known: of the pairs 01, 02, 12 one is turned round, τ = 1/3.
    crowd, known = (
        scores_of([[0.5, 0.7], [0.3, 0.5], [0.1, 0.3]]),
        scores_of([[0.2, 0.4], [0.4, 0.6], [0, 0.2]]),
    )
    table = system_scatter({"medians": crowd}, {"binary": known})
    assert table.columns == [
        "judged",
        "known",
        "measure",
        "run",
        "judged_value",
        "known_value",
        "judged_top",
        "known_top",
    ]
    assert [row[:4] for row in table.rows()] == [
        ("medians", "binary", "M", f"r{place}") for place in range(3)
    ]
    assert table["judged_value"].to_list() == pytest.approx([0.6, 0.4, 0.2])
    assert table["known_value"].to_list() == pytest.approx([0.3, 0.5, 0.1])
    # Of two topics the smallest p there is, 2/2², is .5: every run is in either top set.
    assert table["judged_top"].all()
    assert table["known_top"].all()
    (row,) = system_agreement({"medians": crowd}, {"binary": known}).rows()
    assert row == ("medians", "binary", "M", 3, 2, pytest.approx(1 / 3), 3, 3, 3, 1.0)


def test_top_sets_that_differ():
    # Six topics, p = 2/2⁶ = .03 where all differences have one sign: r2 is below r0 by the crowd, r0 below r2
    # as known; r1 wins three topics of six from either, on both sides.
    wave = [0.9, 0.1] * 3
    crowd = scores_of([[0.60, 0.61, 0.62, 0.63, 0.64, 0.65], wave, [0.2] * 6])
    known = scores_of([[0.2] * 6, wave, [0.60, 0.61, 0.62, 0.63, 0.64, 0.65]])
    table = system_scatter({"crowd": crowd}, {"known": known})
    assert table.select("judged_top", "known_top").rows() == [(True, False), (True, True), (False, True)]
    (row,) = system_agreement({"crowd": crowd}, {"known": known}).rows(named=True)
    assert (row["judged_top"], row["known_top"], row["shared"]) == (2, 2, 1)
    assert row["overlap"] == pytest.approx(1 / 3)
    assert row["tau_b"] == -1
    (least,) = system_agreement({"crowd": crowd}, {"known": known}, how="min").rows(named=True)
    assert least["overlap"] == 0.5


def test_means_are_over_the_topics_of_both_sides():
    nan = np.nan
    crowd = scores_of([[0.5, 0.1, 0.9], [0.4, 0.2, 0.1]], topics="abc")
    known = scores_of([[nan, 0.3, 0.6], [nan, 0.4, 0.2]], topics="cbd")
    # Topic b alone has values of both: a and d stand on one side, c has none on the other.
    table = system_scatter({"crowd": crowd}, {"known": known})
    assert table.select("judged_value", "known_value").rows() == [(0.1, 0.3), (0.2, 0.4)]
    (row,) = system_agreement({"crowd": crowd}, {"known": known}).rows(named=True)
    assert (row["topics"], row["systems"], row["tau_b"]) == (1, 2, 1)


def test_a_run_without_a_value_stands_aside():
    nan = np.nan
    crowd, known = (
        scores_of([[0.5, 0.6], [nan, nan], [0.1, 0.2]]),
        scores_of([[0.5, 0.6], [0.7, 0.7], [0.1, 0]]),
    )
    table = system_scatter({"crowd": crowd}, {"known": known})
    assert table.row(1)[4:] == (None, None, False, False)
    (row,) = system_agreement({"crowd": crowd}, {"known": known}).rows(named=True)
    assert (row["systems"], row["tau_b"]) == (2, 1)


def test_every_pair_of_gains_and_measures_has_its_row(study):
    *_, medians, grades, binary, runs = study
    crowd, known = (
        scores_by({"medians": medians}, runs),
        scores_by({"binary": binary, "grades": grades}, runs),
    )
    table = system_agreement(crowd, known)
    measures = ["nDCG@10", 'ERR(gmax="topic")@10', 'ERR(gmax="file")@10']
    assert table.select("known", "measure").rows() == [(k, m) for k in ("binary", "grades") for m in measures]
    for row in table.rows(named=True):
        x, y = (
            score(of, runs, [row["measure"]])
            for of in (medians, {"binary": binary, "grades": grades}[row["known"]])
        )
        means = [[mean.value for mean in scores.means()] for scores in (x, y)]
        assert row["tau_b"] == pytest.approx(tau_b(*means))
        tops = [[top.run for top in top_set(s.runs, s.values[..., 0])] for s in (x, y)]
        assert row["overlap"] == overlap(*tops)
    # The grades that the magnitudes were made from rank the runs as their medians do.
    assert table.filter(known="grades", measure="nDCG@10")["tau_b"].item() > 0.9


def test_simulated_systems_compare_as_runs_do(study):
    *_, medians, grades, _, runs = study
    simulated = simulate_systems(grades, runs, rng=np.random.default_rng(1), systems=30)
    crowd, known = (simulated.scores(score(of, runs, ["nDCG@10"])) for of in (medians, grades))
    (row,) = system_agreement({"medians": crowd}, {"grades": known}).rows(named=True)
    assert (row["systems"], row["topics"]) == (30, TOPICS)
    assert row["tau_b"] > 0.7


def test_agreement_of_simulated_systems(study):
    *_, medians, grades, _, runs = study
    simulated = simulate_systems(grades, runs, rng=np.random.default_rng(1), systems=30)
    crowd, known = (simulated.scores(score(of, runs, ["nDCG@10"])) for of in (medians, grades))
    wanted = system_agreement({"judged": crowd}, {"grades": known})
    table = simulated_agreement(
        medians, {"grades": grades}, runs, rng=np.random.default_rng(1), systems=30, measures=["nDCG@10"]
    )
    assert table.columns[:3] == ["known", "sub_runs", "measure"]
    assert table.drop("known", "sub_runs").equals(wanted.drop("judged", "known"))
    assert table["sub_runs"].item() == sum(simulated.complete) == TOPICS * len(runs)


def test_simulated_systems_leave_out_topics_without_judgments(study):
    *_, medians, grades, _, runs = study
    some = Gains(medians.table.filter(pl.col("topic_id") < "t4"))
    table = simulated_agreement(
        some, {"grades": grades}, runs, rng=np.random.default_rng(1), systems=5, measures=["nDCG@10"]
    )
    assert table["topics"].item() == 4


def test_top_sets_of_every_measure_and_kind_of_gains():
    # As above: r0 is best by the crowd and r2 by the grades. Neither is told apart from r1.
    wave = [0.9, 0.1] * 3
    crowd = scores_of([[0.60, 0.61, 0.62, 0.63, 0.64, 0.65], wave, [0.2] * 6])
    known = scores_of([[0.2] * 6, wave, [0.60, 0.61, 0.62, 0.63, 0.64, 0.65]])
    table = top_sets({"crowd": crowd, "known": known})
    assert table.select("gains", "measure", "place", "run").rows() == [
        ("crowd", "M", 1, "r0"),
        ("crowd", "M", 2, "r1"),
        ("known", "M", 1, "r2"),
        ("known", "M", 2, "r1"),
    ]
    assert table["mean"].to_list() == pytest.approx([0.625, 0.5, 0.625, 0.5])
    assert table["p"].to_list()[::2] == [1, 1]
    assert (table["p"] >= 0.05).all()


def test_what_cannot_be_compared():
    one = scores_of([[0.1], [0.2]])
    with refused("scores-of-other-systems", "crowd", "known"):
        system_agreement({"crowd": one}, {"known": scores_of([[0.1], [0.2]], measures=("P@10",))})
    with refused("empty-argument", "runs"):
        scores_by({"known": Gains.from_columns(["t"], ["d"], [1.0])}, [])
    with refused("no-topic-with-both-values", "M", "crowd", "known"):
        system_scatter({"crowd": one}, {"known": scores_of([[0.1], [0.2]], topics="z")})


# --- resampling --------------------------------------------------------------------------------------------


def test_tau_distributions_are_those_of_resample(study):
    judgments, normalized, _, grades, _, runs = study
    some = {"measures": ["nDCG@5", "nDCG@10"], "times": 40}
    table = tau_distributions(
        judgments, normalized, runs, {"grades": grades}, rng=np.random.default_rng(3), **some
    )
    assert table.columns == ["measure", "known", "ranked", "draw", "tau_b"]
    assert table.select("measure", "known").unique(maintain_order=True).rows() == [
        *(("nDCG@5", "grades"), ("nDCG@5", "medians"), ("nDCG@10", "grades"), ("nDCG@10", "medians"))
    ]
    rng = np.random.default_rng(3)
    for measure in some["measures"]:
        for name, reference in (("grades", grades), ("medians", None)):
            resampled = resample(judgments, normalized, runs, measure, rng=rng, reference=reference, times=40)
            part = table.filter(measure=measure, known=name)
            assert part["draw"].to_list() == list(range(1, 41))
            assert part["tau_b"].to_list() == resampled.taus.tolist()


def test_known_gains_of_some_topics_are_compared_on_these(study):
    judgments, normalized, _, grades, _, runs = study
    some = judgments.table["topic_id"].is_in(["t1", "t2", "t4"])
    judgments, normalized = Judgments(judgments.table.filter(some)), normalized[some.to_numpy()]
    known = Gains(grades.table.filter(pl.col("topic_id").is_in(["t1", "t4", "t5"])))
    table = tau_distributions(
        *(judgments, normalized, runs, {"grades": known}),
        rng=np.random.default_rng(1),
        measures=["nDCG@10"],
        times=20,
    )
    both = Gains(known.table.filter(pl.col("topic_id") != "t5"))
    resampled = resample(
        judgments, normalized, runs, "nDCG@10", rng=np.random.default_rng(1), reference=both, times=20
    )
    assert table.filter(known="grades")["tau_b"].to_list() == resampled.taus.tolist()
    by_both = score(both, runs, ["nDCG@10"]).means()
    assert resampled.reference.tolist() == pytest.approx([row.value for row in by_both])


def test_gains_that_cannot_stand_beside_the_medians(study):
    judgments, normalized, _, grades, _, runs = study
    rng = np.random.default_rng(1)
    with refused("gains-named-medians", '"medians"'):
        tau_distributions(judgments, normalized, runs, {"medians": grades}, rng=rng)
    other = Gains.from_columns(["x"], ["d00"], [1.0])
    with refused("reference-of-other-topics"):
        tau_distributions(judgments, normalized, runs, {"other": other}, rng=rng)


def test_the_ranking_by_medians_can_be_left_out(study):
    judgments, normalized, _, grades, _, runs = study
    some = {"measures": ["nDCG@10"], "times": 20}
    alone, beside = (
        tau_distributions(
            *(judgments, normalized, runs, {"grades": grades}),
            rng=np.random.default_rng(1),
            medians=medians,
            **some,
        )
        for medians in (False, True)
    )
    assert alone.equals(beside.filter(known="grades"))
    with refused("no-fixed-ranking", "medians=True"):
        tau_distributions(
            judgments, normalized, runs, {}, rng=np.random.default_rng(1), medians=False, **some
        )


def test_summary_by_hand():
    table = pl.DataFrame(
        {
            "measure": ["P"] * 6,
            "known": ["g"] * 6,
            "ranked": ["runs"] * 6,
            "draw": range(1, 7),
            "tau_b": [0.1, 0.2, 0.3, 0.4, 0.5, None],
        }
    )
    (row,) = tau_summary(table, level=0.5).rows(named=True)
    assert (row["draws"], row["mean"], row["median"]) == (5, pytest.approx(0.3), pytest.approx(0.3))
    assert (row["low"], row["q1"], row["q3"], row["high"]) == pytest.approx((0.2, 0.2, 0.4, 0.4))
    # Of five values the .025 quantile is a tenth of the way from the first to the second.
    assert tau_summary(table)["low"].item() == pytest.approx(0.11)
    with refused("level-out-of-bounds", "level", "1"):
        tau_summary(table, level=1)


# --- transformations ---------------------------------------------------------------------------------------


def test_transformations_of_grades(study):
    *_, grades, _, runs = study
    measures = ["nDCG@10", 'ERR(gmax="topic")@10']
    table = transformation_table(grades, runs, measures=measures)
    names = ["10C", "100C", "C+1", "C+10", "C^2", "2^C", "10^C"]
    assert table.columns == [
        *(
            "transformation",
            "ranked",
            "measure",
            "systems",
            "topics",
            "tau_b",
            "transformed_top",
            "top",
            "shared",
            "overlap",
        )
    ]
    assert table.select("transformation", "measure").rows() == [(n, m) for n in names for m in measures]
    # nDCG is a ratio: a common factor changes nothing.
    for name in ("10C", "100C"):
        same = table.filter(transformation=name, measure="nDCG@10")
        assert same.select("tau_b", "overlap").row(0) == pytest.approx((1, 1))


def test_the_largest_gain_is_that_of_the_transformed_gains():
    # a, b, c have the grades 2, 1, 0; G = C stops at them with R = 3/4, 1/4, 0. ERR of abc .75 + .25·.25/2 =
    # .78, of bac .25 + .75·.75/2 = .53, of cab .75/2 + .25·.25/3 = .40. With 10C and the gmax of its own, 20,
    # R is 1 − 2⁻²⁰, about 2⁻¹⁰, 0: 1.0, .5005 and .5000, the same order. A gmax of 2, that of C, would
    # be below the gains, which is an error.
    grades = Gains.from_columns(["t"] * 3, ["a", "b", "c"], [2.0, 1.0, 0.0])
    runs = [Run.from_columns(order, ["t"] * 3, list(order), [3, 2, 1]) for order in ("abc", "bac", "cab")]
    (row,) = transformation_table(grades, runs, transformations=["10C"], measures=["ERR@10"]).rows(named=True)
    assert row["tau_b"] == pytest.approx(1)
    with refused("gain-above-gmax", "20", "gmax=2"):
        transformation_table(grades, runs, transformations=["10C"], measures=["ERR(gmax=2)@10"])


def test_what_is_relevant_stays_what_it_is_under_c_plus_1(study):
    *_, grades, _, runs = study
    table = transformation_table(grades, runs, transformations=["C+1"], measures=["AP", "nDCG@10"])
    # AP asks for relevance alone, which no transformation touches.
    assert table.filter(measure="AP").select("tau_b", "overlap").row(0) == pytest.approx((1, 1))
    assert table.filter(measure="nDCG@10")["tau_b"].item() < 1
    with refused("unknown-transformation", "'C-1'"):
        transformation_table(grades, runs, transformations=["C-1"])


# --- narrow and wide ---------------------------------------------------------------------------------------


def test_ranges(study):
    judgments, normalized, medians, grades, binary, runs = study
    table = range_table(
        judgments, normalized, {"binary": binary, "grades": grades}, runs, measures=["nDCG@10"]
    )
    assert table.select("units", "known").rows() == [
        (units, known) for units in ("narrow", "wide", "all") for known in ("binary", "grades")
    ]
    columns = narrow_and_wide(judgments, normalized)
    for row in table.rows(named=True):
        of_kind = Gains.from_columns(columns["topic_id"], columns["document_id"], columns[row["units"]])
        known = {"binary": binary, "grades": grades}[row["known"]]
        means = [[m.value for m in score(g, runs, ["nDCG@10"]).means()] for g in (of_kind, known)]
        assert row["tau_b"] == pytest.approx(tau_b(*means))
    kinds = gains_by_range(judgments, normalized)
    assert kinds["all"].table.equals(medians.table)
    assert not kinds["narrow"].table.equals(kinds["wide"].table)
    # Workers whose range is wide spread the same documents further.
    spread = {kind: np.log(of.values).std() for kind, of in kinds.items()}
    assert spread["narrow"] < spread["all"] < spread["wide"]
