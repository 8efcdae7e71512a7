"""Which systems are ranked: the runs, or simulated systems where few top documents have a grade."""

import warnings

import numpy as np
import polars as pl
import pytest

from evaluation.analyses import (
    FewGraded,
    choose_systems,
    gains_by_range,
    range_table,
    scores_by,
    simulate_systems,
    system_agreement,
    tau_distributions,
    transformation_table,
)
from evaluation.comparison.resampling import resample
from evaluation.coverage import FEW_JUDGED, judged_share
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.ranking import rank
from evaluation.report import Parameters, ReportData, build_report
from evaluation.runs import Run
from tests.evaluation.refusals import refused

TOPICS, GRADED, RUNS = 6, 14, 8
MEASURES = ["nDCG@10"]


def ranked_table(name, study, **options):
    """The table of one of the three analyses that rank systems by known grades."""
    judgments, normalized, grades, runs = study
    if name == "transformations":
        return transformation_table(grades, runs, measures=MEASURES, **options)
    if name == "ranges":
        return range_table(judgments, normalized, {"grades": grades}, runs, measures=MEASURES, **options)
    rng = options.pop("rng", np.random.default_rng(0))
    known = {"grades": grades}
    return tau_distributions(
        judgments, normalized, runs, known, rng=rng, measures=MEASURES, times=20, **options
    )


ANALYSES = ["transformations", "ranges", "tau"]


@pytest.fixture(scope="module")
def sparse():
    """Judgments of all documents, grades of a part, and runs whose lists are graded whole or not at all.

    Run r of 8 has ungraded lists for the topics t with (r + t) divisible by 2, so half of the lists.
    """
    rng, rows, known = np.random.default_rng(4), [], []
    topics = [f"t{topic}" for topic in range(TOPICS)]
    documents = [f"d{number:02}" for number in range(2 * GRADED)]
    truth = {(t, d): float(number % 4) for t in topics for number, d in enumerate(documents)}
    for (topic, document), grade in truth.items():
        if documents.index(document) < GRADED:
            known.append((topic, document, grade))
        for worker in range(3):
            gold = {"d00": "N", "d03": "H"}.get(document, "")
            seen = 2 ** (grade * (0.6 + worker / 5)) * rng.lognormal(0, 0.3)
            rows.append((topic, f"{topic}-u{worker}", document, seen, f"w{worker}", gold))
    runs = []
    for system in range(RUNS):
        results = []
        for place, topic in enumerate(topics):
            half = documents[:GRADED] if (system + place) % 2 else documents[GRADED:]
            results += [(topic, d, truth[topic, d] + rng.normal(0, 0.2 + system / 4)) for d in half]
        runs.append(Run.from_columns(f"r{system}", *zip(*results, strict=True)))
    judgments = Judgments.from_columns(*zip(*rows, strict=True))
    return judgments, normalise(judgments), Gains.from_columns(*zip(*known, strict=True)), runs


def whole(study):
    """The same study, with a grade for every document."""
    judgments, normalized, _, runs = study
    medians = gains(judgments, normalized)
    return judgments, normalized, Gains(medians.table.with_columns(gain=pl.col("gain").round())), runs


@pytest.mark.parametrize("name", ANALYSES)
def test_simulated_systems_are_ranked_where_few_documents_have_a_grade(sparse, name):
    *_, grades, runs = sparse
    assert judged_share(rank(grades, runs).lists, 10) == 0.5 < FEW_JUDGED
    with pytest.warns(FewGraded, match=r"\b50\b.*\b10\b.*\b80\b") as caught:
        table = ranked_table(name, sparse)
    assert len(caught) == 1
    of_grades = table if name == "transformations" else table.filter(known="grades")
    assert set(of_grades["ranked"]) == {"simulated"}
    systems = simulate_systems(grades, runs, rng=np.random.default_rng(0), systems=100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rng = np.random.default_rng(0)
        if name == "tau":  # the same generator draws the systems first
            simulate_systems(grades, runs, rng=rng, systems=100)
        again = ranked_table(name, sparse, ranked=systems, rng=rng)
        of_runs = ranked_table(name, sparse, ranked="runs")
    assert again.equals(table)
    assert set(of_runs["ranked"]) == {"runs"}
    if name != "tau":
        assert set(table["systems"]) == {100}
        assert set(of_runs["systems"]) == {RUNS}


@pytest.mark.parametrize("name", ANALYSES)
def test_the_runs_are_ranked_where_enough_documents_have_a_grade(sparse, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = ranked_table(name, whole(sparse))
        assert table.equals(ranked_table(name, whole(sparse), ranked="runs"))
    assert set(table["ranked"]) == {"runs"}


@pytest.mark.parametrize("name", ANALYSES)
def test_the_runs_are_ranked_where_no_systems_can_be_made(sparse, name):
    """Grades of two documents a topic: no list has ten documents with a grade."""
    judgments, normalized, grades, runs = sparse
    few = Gains(grades.table.filter(pl.col("document_id").is_in(["d01", "d02"])))
    with pytest.warns(FewGraded, match=r"\b9\b.*\b10\b.*\b80\b"):
        table = ranked_table(name, (judgments, normalized, few, runs))
    assert set(table["ranked"]) == {"runs"}
    with refused("no-complete-lists", "10"):
        ranked_table(name, (judgments, normalized, few, runs), ranked="simulated")


def test_a_measure_of_whole_lists_ranks_the_runs(sparse):
    *_, grades, runs = sparse
    (systems,) = choose_systems({"g": grades}, runs, ["nDCG@10", "AP"]).values()
    assert (systems.kind, systems.reason.code) == ("runs", "measure-below-depth")
    with refused("measure-below-depth", "nDCG@11", "10"):
        choose_systems({"g": grades}, runs, ["nDCG@11"], ranked="simulated")
    with refused("unknown-choice", '"auto", "runs", "simulated"'):
        choose_systems({"g": grades}, runs, MEASURES, ranked="some")


@pytest.mark.parametrize(("missing", "kind"), [(10, "runs"), (11, "simulated")])
def test_the_threshold(missing, kind):
    """Two runs with the same ten documents in five topics; the first of the fifty have no grade."""
    topics = [f"t{topic}" for topic in range(5) for _ in range(10)]
    documents = [f"d{place}" for place in range(10)] * 5
    runs = [Run.from_columns(tag, topics, documents, list(range(10)) * 5) for tag in "ab"]
    order = sorted(range(50), key=lambda row: (topics[row] > "t1", documents[row]))[missing:]
    grades = Gains.from_columns(
        [topics[row] for row in order], [documents[row] for row in order], [1.0] * len(order)
    )
    assert judged_share(rank(grades, runs).lists, 10) == pytest.approx(1 - missing / 50)
    assert choose_systems({"g": grades}, runs, MEASURES)["g"].kind == kind


def test_resampled_simulated_systems_by_hand(sparse):
    """Each system's mean in a draw is that of the lists that it is made of."""
    judgments, normalized, grades, runs = sparse
    systems = simulate_systems(grades, runs, rng=np.random.default_rng(2), systems=12)
    single = judgments.table.unique(["topic_id", "document_id"], keep="first", maintain_order=True)
    ones = Judgments(single)
    drawn = resample(
        ones,
        normalise(ones, "none"),
        runs,
        "nDCG@10",
        rng=np.random.default_rng(1),
        reference=grades,
        simulated=systems,
        times=2,
    )
    assert drawn.runs == systems.names
    # A single magnitude a document leaves nothing to chance.
    by_magnitudes, by_grades = (
        systems.scores(scores_by({"": of}, runs, MEASURES)[""]).values[..., 0].mean(axis=1)
        for of in (gains(ones, normalise(ones, "none")), grades)
    )
    assert drawn.means == pytest.approx(np.stack([by_magnitudes] * 2))
    assert drawn.reference == pytest.approx(by_grades)
    with refused("systems-of-other-runs"):
        resample(judgments, normalized, runs[:4], "nDCG@10", rng=np.random.default_rng(1), simulated=systems)


def test_the_report_ranks_simulated_systems_and_says_so(sparse):
    judgments, normalized, grades, runs = sparse
    parameters = Parameters(resamples=20, draws=10, systems=30, measures=tuple(MEASURES))
    data = ReportData("t", judgments, {"grades": grades}, runs, parameters=parameters)
    report = build_report(data, only=["tau", "transformations", "ranges"])
    for finished in report.finished:
        assert finished.content.sentences[0].values["share"] == "50", finished.part.key
        (table,) = (numbers.table for numbers in finished.content.tables)
        assert "simulated" in table["ranked"].to_list()
    systems = data.systems({"grades": grades})["grades"]
    judged = {
        kind: systems.of(scores)
        for kind, scores in scores_by(gains_by_range(judgments, normalized), runs, MEASURES).items()
    }
    known = {"grades": systems.of(scores_by({"grades": grades}, runs, MEASURES)["grades"])}
    (ranges,) = (f.content.tables[0].table for f in report.finished if f.part.key == "ranges")
    assert ranges["tau_b"].to_list() == system_agreement(judged, known)["tau_b"].to_list()
