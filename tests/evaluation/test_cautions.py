"""What is said right beside the scores, without which they mislead, and the range that no interval leaves."""

import numpy as np
import polars as pl
import pytest

import evaluation as ev
from evaluation.comparison import t_interval
from evaluation.comparison.system_intervals import SystemIntervals
from evaluation.coverage import FEW_JUDGED
from evaluation.frames import Gains
from evaluation.measures import bounds_of
from evaluation.report import Parameters, ReportData, build_report
from evaluation.report.parts import MEASURES
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.every_measure import EVERY, gains_for_every


def judged_down_to(number, gains=1.0, depth=10, tags=("a", "b")):
    """Gains of the first documents in each of five topics, and runs of ten documents."""
    topics = [f"t{topic}" for topic in range(5)]
    rows = [(topic, f"d{place}", gains * (place % 3 + 1)) for topic in topics for place in range(number)]
    of = [topic for topic in topics for _ in range(depth)]
    documents = [f"d{place}" for place in range(depth)] * 5
    runs = [
        Run.from_columns(tag, of, documents, np.roll(np.arange(depth)[::-1], shift).tolist() * 5)
        for shift, tag in enumerate(tags)
    ]
    return Gains.from_columns(*zip(*rows, strict=True)), runs


@pytest.mark.parametrize(("number", "share"), [(2, 0.2), (7, 0.7), (8, None), (10, None)])
def test_few_judged_documents_are_said_beside_the_scores(number, share):
    gains, runs = judged_down_to(number)
    scores = score(gains, runs, ["nDCG@10", "AP", "Judged@10"])
    shares = {notice.measure: notice.text.values["share"] for notice in scores.notices.cautions}
    assert shares == ({} if share is None else {"nDCG@10": f"{share * 100:.0f}"})
    comparison = ev.compare(gains, runs, ["nDCG@10"])
    shown = [repr(scores), scores.to_markdown(), repr(comparison), comparison.to_latex("top_sets")]
    for text in shown:
        assert ("cut-off" in text) == (share is not None)
    assert FEW_JUDGED == 0.8


def test_the_verdict_of_the_report_starts_with_the_caution(file):
    gains, runs = judged_down_to(2)
    rows = [
        (t, f"{t}-u{w}", d, g * (w + 1), f"w{w}") for t, d, g in gains.table.iter_rows() for w in range(2)
    ]
    names = ["topic_id", "unit_id", "document_id", "relevance_score", "worker_id"]
    judgments = ev.read_judgments(pl.DataFrame(rows, names, orient="row"))
    parameters = Parameters(worker_resamples=10, measures=("nDCG@10",))
    report = build_report(
        ReportData("t", judgments, {"g": gains}, runs, parameters=parameters), only=["means"]
    )
    (part,) = report.finished
    for numbers in part.content.tables:
        assert "cut-off" in str(numbers.sentences[0])


@pytest.mark.parametrize(
    ("measure", "better"),
    [
        ('ERR(gmax="topic")@10', 'ERR(stop="share")@10'),
        ('nERR(gmax="file")@5', 'nERR(stop="share")@5'),
        ("ERR(gmax=100)@10", 'ERR(stop="share")@10'),
        ('ERR(stop="share")@10', None),
        ('ERR(gmax="topic", stop="ntcireval")@10', None),
        ("nDCG@10", None),
    ],
)
def test_the_form_of_err_for_grades_is_named_where_gains_are_no_grades(measure, better):
    for factor in (1.5, 20.0):  # not whole, and whole but no grades
        gains, runs = judged_down_to(10, gains=factor)
        wanted = {} if better is None else {measure: better}
        assert forms_for_grades(gains, runs, measure) == wanted
    grades, runs = judged_down_to(10)
    if "100" not in measure:
        assert forms_for_grades(grades, runs, measure) == {}


def forms_for_grades(gains, runs, measure):
    """The measures that are made for grades only, each with the form that is named in its place."""
    notices = score(gains, runs, [measure]).notices
    return {
        notice.measure: notice.text.values["better"] for notice in notices if notice.code == "form-for-grades"
    }


def test_the_default_of_the_report_does_not_depend_on_the_size_of_the_numbers():
    gains, runs = judged_down_to(10, gains=1.7)
    for measure in MEASURES:
        first, second = (
            score(Gains(gains.table.with_columns(pl.col("gain") * factor)), runs, measure).values
            for factor in (1, 100)
        )
        assert first == pytest.approx(second)


def test_every_measure_stays_in_its_range():
    gains, runs = judged_down_to(8)
    table = gains.table
    by_subtopic = gains_for_every(table["topic_id"], table["document_id"], table["gain"])
    for measure in EVERY:
        low, high = bounds_of(str(measure))
        values = score(by_subtopic, runs, measure).values
        present = values[~np.isnan(values)]
        assert (present >= low).all(), measure
        assert (present <= high + 1e-12).all(), measure
    assert bounds_of("not a measure") == (-np.inf, np.inf)
    assert bounds_of("DCG@10") == (0, np.inf)


def test_intervals_end_where_the_range_ends():
    values = [1.0, 1.0, 0.2, 1.0]
    low, high = t_interval(values)
    assert high > 1
    assert t_interval(values, within=(0, 1)) == (low, 1)
    # Two runs near both ends of the range, with a bias that would take one of them past it.
    observed = np.array([[0.99, 0.98, 0.60, 0.97], [0.01, 0.02, 0.30, 0.00]])
    bias = np.array([[-0.2] * 4, [0.15] * 4])
    deviations = np.random.default_rng(1).normal(0, 0.3, (2, 50, 2, 4))
    for measure, least, most in (("nDCG@10", 0, 1), ("DCG@10", 0, np.inf), ("other", -np.inf, np.inf)):
        of_all = SystemIntervals(measure, ("a", "b"), tuple("wxyz"), observed, bias, deviations, 10.0, 0.0)
        for target in ("new_topics", "these_topics"):
            table = of_all.means(target).select("mean", "low", "high").to_numpy()
            assert (table >= least).all()
            assert (table <= most).all()
            assert (table[:, 1] <= table[:, 0]).all()
            assert (table[:, 0] <= table[:, 2]).all()
            difference = of_all.difference("a", "b", target).select("mean", "low", "high").to_numpy()
            assert (difference <= most - least).all()
    past = SystemIntervals("other", ("a", "b"), tuple("wxyz"), observed, bias, deviations, 10.0, 0.0)
    assert past.means()["high"].max() > 1
