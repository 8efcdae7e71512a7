"""Judgments on other scales than magnitudes: ratings from 0 up, which have differences but no ratios."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.analyses import adjacent_grades, disagreements
from evaluation.analyses.agreement import agreement
from evaluation.comparison import alpha_of_magnitudes, krippendorff_alpha
from evaluation.frames import Gains, Judgments
from evaluation.magnitudes import gain_profile, gains, intervals, normalise, unit_ratios
from tests.evaluation.refusals import OPTION, refused

ROWS = [
    ("1", "u", "a", 0),
    ("1", "u", "b", 60),
    ("1", "v", "a", 20),
    ("1", "v", "b", 100),
    ("1", "v", "c", 90),
]


def ratings(rows=ROWS, **more):
    return Judgments(rows, scale="rating", **more)


def test_ratings_are_unchanged_unless_a_method_is_named():
    assert normalise(ratings()).tolist() == [0, 60, 20, 100, 90]
    assert gains(ratings()).table["gain"].to_list() == [10, 80, 90]


def test_the_mean_of_every_unit_becomes_that_of_the_topic():
    # μ_u = 30, μ_v = 70 and μ_topic = 54: the first unit moves up by 24, the second down by 16.
    assert normalise(ratings(), "mean") == pytest.approx([24, 84, 4, 84, 74])


def test_every_unit_gets_the_spread_of_the_topic():
    values = normalise(ratings(), "z")
    spread = np.array([0, 60, 20, 100, 90]).std()
    # The units are 30 ∓ 30 and 70 + (−50, 30, 20), with σ = 30 and 35.59.
    expected = [54 - spread, 54 + spread, *(54 + spread * np.array([-50, 30, 20]) / np.std([20, 100, 90]))]
    assert values == pytest.approx(np.maximum(expected, 0))


def test_results_below_zero_become_zero():
    rows = [("1", "u", "a", 0), ("1", "u", "b", 100), ("1", "v", "a", 0), ("1", "v", "b", 0)]
    assert normalise(ratings(rows), "mean").tolist() == [0, 75, 25, 25]


@given(
    st.lists(st.tuples(st.sampled_from("uvw"), st.sampled_from("abcd"), st.integers(0, 100)), min_size=1),
    st.sampled_from(["none", "mean", "z"]),
)
def test_a_rating_is_never_negative_and_order_within_a_unit_is_kept(rows, method):
    judgments = ratings([("1", unit, document, value) for unit, document, value in rows])
    values = normalise(judgments, method)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    for unit in "uvw":
        of_unit = [(row[2], value) for row, value in zip(rows, values, strict=True) if row[0] == unit]
        for lower, higher in zip(sorted(of_unit)[:-1], sorted(of_unit)[1:], strict=True):
            assert lower[1] <= higher[1] + 1e-9


def test_each_scale_has_its_own_methods():
    with refused("unknown-method"):
        normalise(ratings(), "geometric")
    with refused("unknown-method"):
        normalise([row for row in ROWS if row[3]], "mean")
    with refused(OPTION):
        Judgments(ROWS, scale="likert")


def test_zero_is_a_rating_but_no_magnitude():
    with refused("magnitude-not-positive", at="row 1"):
        Judgments(ROWS)
    for value in (-1, 1000.5, float("nan"), float("inf")):
        with refused("rating-out-of-bounds", at="row 1"):
            ratings([("1", "u", "a", value)])


def test_a_file_can_hold_ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("topic_id,unit_id,document_id,relevance_score\n1,u,a,0\n1,u,b,3\n", encoding="utf-8")
    assert Judgments(path, scale="rating").magnitudes.tolist() == [0, 3]
    with refused("magnitude-not-positive", at=f"{path}:2"):
        Judgments(path)


def test_a_judgments_object_keeps_its_scale():
    assert Judgments(ratings()).scale == "rating"
    assert ratings().replaced().scale == "rating"


def test_ratios_are_refused():
    marked = Judgments.from_columns(["1"] * 2, ["u"] * 2, ["a", "b"], [2, 4], gold=["N", "H"], scale="rating")
    with refused("numbers-without-ratios"):
        unit_ratios(marked)
    with refused("unknown-method"):
        gain_profile(marked, Gains([("1", "a", 0)]))
    with refused("numbers-without-ratios"):
        gains(marked, median="geometric")
    with refused("statistic-of-another-scale"):
        gains(marked, statistic="gmean")


@pytest.mark.parametrize(("scale", "code"), [("0-100", "rating-out-of-bounds"), ("grades", "not-a-grade")])
def test_each_scale_has_its_own_bounds(scale, code):
    for value in (-1, 100.5, float("nan")):
        with refused(code, at="row 1"):
            Judgments([("1", "u", "a", value)], scale=scale)
    for value in (0.5, 7):
        if scale == "grades":
            with refused(code, at="row 1"):
                Judgments([("1", "u", "a", value)], scale=scale)


def test_a_normalised_rating_can_be_above_the_largest(tmp_path, shell):
    rows = "1,u,a,0\n1,u,b,100\n1,v,a,90\n1,v,b,100\n"
    (tmp_path / "a.csv").write_text(f"topic_id,unit_id,document_id,relevance_score\n{rows}")
    shell("normalise", "a.csv", "--scale", "0-100", "--method", "mean", "-o", "b.csv")
    written = shell("gains", "b.csv", "--scale", "0-100", "--statistic", "mean").stdout
    assert [float(line.split()[-1]) for line in written.splitlines()] == pytest.approx([45, 100])


def test_agreement_is_that_of_the_ratings_themselves():
    table = alpha_of_magnitudes(ratings(), ratings().magnitudes)
    both = [row for row in ROWS if row[2] in "ab"]
    expected = krippendorff_alpha([row[2] for row in both], [row[3] for row in both])
    assert table.row(-1, named=True)["alpha"] == pytest.approx(expected)
    assert agreement(ratings())["value"].to_list() == pytest.approx([expected, expected])


def test_intervals_and_comparisons_with_grades():
    grades = Gains([("1", "a", 0), ("1", "b", 3), ("1", "c", 3)])
    table = intervals(ratings(), normalise(ratings()), np.random.default_rng(0))
    assert (table["low"] <= table["gain"]).all()
    assert (table["gain"] <= table["high"]).all()
    medians = gains(ratings([*ROWS, ("1", "w", "a", 0)]))
    assert adjacent_grades(medians, grades)["higher_mean"].to_list() == [85]
    odd = Gains([("1", "a", 0), ("1", "b", 3), ("1", "c", 3), ("1", "d", 3)])
    values = Gains([("1", "a", 0), ("1", "b", 80), ("1", "c", 90), ("1", "d", 0)])
    assert disagreements(values, odd, log=False)["document_id"].to_list() == ["d"]
    with refused("no-logarithm-of-zero"):
        disagreements(values, odd)
