"""Judgments that compare two documents: reading, gains, agreement, intervals and the comparison of runs."""

import json

import krippendorff
import numpy as np
import pytest

import evaluation as ev
from evaluation.comparison import alpha_intervals, alpha_of_magnitudes
from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.frames import Judgments
from evaluation.magnitudes import intervals, normalise
from evaluation.magnitudes.gains_anew import judge_anew
from evaluation.pairwise import places, worths
from evaluation.planning.assumptions import simulate_runs
from tests.evaluation.refusals import refused

NAMES = ("unit_id", "document_id", "compared_with", "relevance_score", "gold")
RING = [
    ("u", "a", "b", 1, ""),
    ("u", "b", "H", 0, ""),
    ("u", "H", "N", 1, "H"),
    ("u", "N", "a", 0.5, "N"),
    ("v", "b", "a", 0, ""),
    ("v", "a", "N", 1, ""),
    ("v", "N", "H", 0, "N"),
    ("v", "H", "b", 1, "H"),
]


def rows(ring=RING, **changed):
    return [{"topic_id": "1", **dict(zip(NAMES, row, strict=True)), **changed} for row in ring]


def preferences(ring=RING):
    return Judgments(rows(ring), gold=True, scale="preference")


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(1)
    truth = draw_truth([{"N": 5, "M": 3, "R": 2, "H": 2, "": 6}] * 6, TYPICAL, rng)
    judged = simulate_study(truth, TYPICAL, rng, judgments_per_document=5, scale="preference").judgments
    return truth, judged, simulate_runs(truth, 5, (0.3, 2), rng)


def test_the_second_document_is_required_and_another_one():
    for scale, changed, code in (
        ("preference", {"compared_with": ""}, "empty-cell"),
        ("preference", {"compared_with": "a"}, "document-compared-with-itself"),
        ("preference", {"relevance_score": 0.7}, "not-a-preference"),
        ("grades", {}, "compared-on-another-scale"),
    ):
        with refused(code, at="row 1"):
            Judgments(rows(RING[:1], **changed), scale=scale)
    with refused("judgments-without-pairs"):
        Judgments([("1", "u", "a", 1)], scale="preference")
    assert "compared_with" not in Judgments(rows(RING[:1], compared_with=None)).table.columns


def test_files_of_every_kind_hold_pairs(tmp_path):
    table = preferences().table
    table.write_csv(tmp_path / "judgments.csv")
    (tmp_path / "judgments.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    for name in ("judgments.csv", "judgments.jsonl"):
        read = ev.read_judgments(tmp_path / name, gold=True, scale="preference")
        assert read.table.select(sorted(table.columns)).equals(table.select(sorted(table.columns)))
    (tmp_path / "bad.csv").write_text(
        "topic_id,unit_id,document_id,compared_with,relevance_score\n1,u,a,b,1\n1,u,b,b,1\n1,u,c,a,1\n"
    )
    with refused("document-compared-with-itself", at=f"{tmp_path / 'bad.csv'}:3"):
        ev.read_judgments(tmp_path / "bad.csv", scale="preference")


def test_only_pairs_of_two_anchors_are_of_anchors():
    assert preferences().is_of_anchors.tolist() == [False, False, True, False, False, False, True, False]
    assert preferences().first_repetition() is None
    assert preferences([*RING, RING[1]]).first_repetition() == len(RING)


def test_every_document_has_a_worth_whatever_the_order_of_the_rows():
    judgments = preferences()
    gains = ev.gains(judgments)
    assert gains.table["document_id"].to_list() == ["H", "N", "a", "b"]
    assert np.log(gains.values).mean() == pytest.approx(0, abs=1e-9)
    assert gains.values[0] > gains.values[2] > gains.values[3]
    assert ev.gains(preferences(RING[::-1])).table.equals(gains.table)
    chance = ev.gains(judgments, statistic="chance")
    assert chance.values.mean() == pytest.approx(0.5)
    assert np.argsort(chance.values).tolist() == np.argsort(gains.values).tolist()
    with refused("statistic-of-another-scale"):
        ev.gains(judgments, statistic="median")
    with refused("worths-without-pairs"):
        worths(Judgments([("1", "u", "a", 1)]))


@pytest.mark.parametrize("statistic", ["worth", "chance"])
def test_intervals_come_from_the_fit(statistic):
    table = intervals(preferences(), normalise(preferences()), np.random.default_rng(0), statistic=statistic)
    assert table["judgments"].to_list() == [4, 4, 4, 4]
    assert (table["low"] < table["gain"]).all()
    assert (table["gain"] < table["high"]).all()
    wider = intervals(
        preferences(), normalise(preferences()), np.random.default_rng(0), statistic=statistic, level=0.99
    )
    assert (wider["low"] < table["low"]).all()


def test_the_place_and_the_ties_are_counted():
    (row,) = places(preferences()).to_dicts()
    assert (row["comparisons"], row["ties"], row["first"]) == (8, 1 / 8, 4.5 / 8)
    assert row["low"] < row["first"] < row["high"]
    assert places(preferences(RING[:4]))["low"].item() is None


def test_agreement_is_that_of_the_pairs_in_both_directions():
    judgments = preferences()
    found = alpha_of_magnitudes(judgments, judgments.magnitudes)
    # Three pairs have two judgments: a–b (1 and 1), b–H (0 and 0), H–N (1 and 1), a–N (0.5 and 1).
    one, other = [1, 0, 1, 0.5], [1, 0, 1, 1]
    both = [[*one, *(1 - x for x in one)], [*other, *(1 - x for x in other)]]
    expected = krippendorff.alpha(both, level_of_measurement="ordinal")
    assert found["alpha"].to_list() == pytest.approx([expected, expected])
    assert found.row(0)[1:3] == (4, 8)
    assert alpha_of_magnitudes(judgments, judgments.magnitudes, anchors=False).row(0)[1:3] == (3, 6)
    turned = [(unit, other, one, 1 - x, "") for unit, one, other, x, _ in RING]
    again = preferences(turned)
    assert alpha_of_magnitudes(again, again.magnitudes)["alpha"][0] == pytest.approx(expected)


def test_resampled_workers_move_the_worths_as_far_as_the_jackknife_says(study):
    _, judgments, _ = study
    anew = judge_anew(judgments, np.random.default_rng(1), resamples=2000)
    assert anew.gain.tolist() == ev.gains(judgments).values.tolist()
    expected = worths(judgments)["se"].to_numpy()
    assert np.median(anew.deviations.std(axis=0) / expected) == pytest.approx(1, abs=0.3)


@pytest.mark.parametrize("gain", ["worth", "chance"])
def test_runs_are_compared(study, gain):
    _, judgments, runs = study
    comparison = ev.compare(judgments, runs, ["nDCG@5"], gain=gain)
    result = comparison.result("nDCG@5")
    assert result.basis.gains == "preferences"
    assert result.basis.statistic == gain
    assert not any(warning.code == "not-corrected" for warning in result.basis.warnings)


@pytest.mark.parametrize("scale", ["magnitude", "0-100", "grades", "preference"])
def test_alpha_has_an_interval_at_every_level(scale):
    rng = np.random.default_rng(2)
    truth = draw_truth([{"N": 6, "M": 4, "R": 3, "H": 3}] * 2, TYPICAL, rng)
    judgments = simulate_study(truth, TYPICAL, rng, judgments_per_document=6, scale=scale).judgments
    values = normalise(judgments)
    alphas = alpha_of_magnitudes(judgments, values, anchors=False)
    bounds = alpha_intervals(judgments, values, rng, anchors=False, resamples=500)
    assert list(bounds) == alphas["topic_id"].to_list()
    for alpha, (low, high) in zip(alphas["alpha"], bounds.values(), strict=True):
        assert low < alpha < high
        assert high - low < 0.8
