"""Crowds on every scale: the same truth and workers, and gains that recover the truth."""

import numpy as np
import polars as pl
import pytest
import scipy

import evaluation as ev
from evaluation.crowds import TYPICAL, answer_grade, draw_truth, simulate_study
from evaluation.pairwise import topic_fits
from evaluation.scales import SCALES
from tests.evaluation.refusals import refused

JUDGED = [name for name, scale in SCALES.items() if scale.answers is not None]
TOPICS = [{"N": 8, "M": 5, "R": 4, "H": 3, "": 8}] * 6
EVERY = pytest.mark.parametrize("scale", JUDGED)


def study(scale, judgments, seed=1):
    rng = np.random.default_rng(seed)
    truth = draw_truth(TOPICS, TYPICAL, rng)
    return truth, simulate_study(truth, TYPICAL, rng, judgments_per_document=judgments, scale=scale)


def recovered(scale, judgments):
    """Return the mean rank correlation over topics between the gains and the truth."""
    truth, result = study(scale, judgments)
    true = truth.gains().table.rename({"gain": "true"})
    both = ev.gains(result.judgments).table.join(true, on=["topic_id", "document_id"])
    assert both.height == truth.table.height
    return np.mean(
        [scipy.stats.spearmanr(part["gain"], part["true"]).statistic for _, part in both.group_by("topic_id")]
    )


@EVERY
def test_gains_recover_the_truth_and_more_judgments_do_so_better(scale):
    few, many = recovered(scale, 3), recovered(scale, 12)
    assert few > 0.7
    assert many > 0.87
    assert many > few


@EVERY
def test_answers_are_on_the_scale_and_the_anchors_pass(scale):
    _, result = study(scale, 2)
    table = result.judgments.table
    ev.Judgments(table, gold=True, scale=scale)
    assert 0 < result.failed_units < 0.4
    if not SCALES[scale].compares_pairs:
        marked = table.filter(pl.col("gold") != "").pivot("gold", index="unit_id", values="relevance_score")
        assert (marked["H"] > marked["N"]).all()


def test_a_unit_of_preferences_is_a_ring_with_neighbouring_anchors():
    _, result = study("preference", 3)
    for _, unit in result.judgments.table.group_by("unit_id"):
        assert sorted(unit["document_id"]) == sorted(unit["compared_with"])
        assert unit["document_id"].n_unique() == unit.height
        following = dict(zip(unit["document_id"], unit["compared_with"], strict=True))
        document, seen = unit["document_id"][0], set()
        while document not in seen:
            seen.add(document)
            document = following[document]
        assert len(seen) == unit.height
    marked = result.judgments.table.filter(pl.Series(result.judgments.is_of_anchors))
    assert marked.height == result.judgments.table["unit_id"].n_unique()
    assert marked["relevance_score"].to_list() == [1.0 if mark == "H" else 0.0 for mark in marked["gold"]]


def test_more_labels_divide_the_same_levels():
    levels = np.linspace(-1, 3, 50)
    for labels in range(2, 8):
        assert set(answer_grade(levels, labels=labels)) == set(range(labels))


def test_a_scale_without_answers_is_refused():
    with refused("scale-without-crowd"):
        study("rating", 1)


@pytest.mark.slow
def test_intervals_of_worths_hold():
    """95 % intervals of differences in θ, against a fit of very many judgments by the same crowd."""
    hits = []
    for seed in range(12):
        truth, many = study("preference", 150, seed)
        rng = np.random.default_rng(seed)
        for _ in range(3):
            few = simulate_study(truth, TYPICAL, rng, judgments_per_document=8, scale="preference").judgments
            for known, of_topic in zip(topic_fits(many.judgments), topic_fits(few), strict=True):
                number = len(of_topic.documents)
                one, other = np.triu_indices(number, 1)
                error = of_topic.fit.theta - known.fit.theta
                covariance = of_topic.covariance
                variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
                hits.append(np.mean(np.abs(error[one] - error[other]) < 1.96 * np.sqrt(variance)))
    assert 0.93 <= np.mean(hits) <= 0.97
