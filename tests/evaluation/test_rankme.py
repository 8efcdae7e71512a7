"""Real crowd magnitudes: RankME's estimates and ratings of 300 texts, three workers each.

The texts are the documents of one topic, and what a worker estimated is a unit: three systems' texts for one
meaning went to different workers, so that a unit for each meaning would mostly hold a single number, of which
normalisation leaves nothing. The standard of 100 is not among the judgments, so there are no anchors.
"""

import csv
from collections import defaultdict
from statistics import geometric_mean, median

import krippendorff
import numpy as np
import pytest

from evaluation.comparison import alpha_of_magnitudes, krippendorff_alpha
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, intervals, normalise, overall_agreement, pairwise_agreement

QUALITIES = {"inf": "informativeness", "nat": "naturalness"}


@pytest.fixture
def rows(collections):
    """`rows("plainME_inf")` are the file's (worker, text, number)."""

    def read(name):
        quality = QUALITIES[name.rpartition("_")[2]]
        with (collections / "rankme" / f"stp2_{name}.csv").open(encoding="utf-8", newline="") as file:
            return [(r["worker"], f"{r['mr']} {r['team']}", float(r[quality])) for r in csv.DictReader(file)]

    return read


def judgments_of(rows):
    workers, texts, numbers = zip(*rows, strict=True)
    return Judgments.from_columns(["all"] * len(rows), workers, texts, numbers, workers)


@pytest.mark.parametrize("name", ["plainME_inf", "plainME_nat"])
def test_normalised_as_by_dictionaries(rows, name):
    rows = rows(name)
    units = defaultdict(list)
    for worker, _, number in rows:
        units[worker].append(number)
    of_topic = geometric_mean([row[2] for row in rows])
    expected = [number * of_topic / geometric_mean(units[worker]) for worker, _, number in rows]
    judgments = judgments_of(rows)
    normalized = normalise(judgments)
    assert len(normalized) == 900
    assert normalized == pytest.approx(expected, rel=1e-12)

    texts = defaultdict(list)
    for (_, text, _), value in zip(rows, normalized.tolist(), strict=True):
        texts[text].append(value)
    result = gains(judgments, normalized)
    assert len(result.table) == 300
    assert dict(result.table.select("document_id", "gain").iter_rows()) == {
        text: median(values) for text, values in texts.items()
    }

    table = intervals(judgments, normalized, np.random.default_rng(1), resamples=200)
    assert table["gain"].to_list() == result.values.tolist()
    assert (table["low"] <= table["gain"]).all()
    assert (table["gain"] <= table["high"]).all()


@pytest.mark.parametrize("name", ["plainME_inf", "plainME_nat", "likert_inf", "likert_nat"])
def test_alpha_as_the_library_has_it(rows, name):
    rows = rows(name)
    numbers = defaultdict(list)
    for _, text, number in rows:
        numbers[text].append(number)
    ratings = np.array(list(numbers.values())).T
    assert ratings.shape == (3, 300)
    judgments = judgments_of(rows)
    expected = krippendorff.alpha(np.log(ratings), level_of_measurement="interval")
    result = pytest.approx(expected, abs=1e-12)
    assert alpha_of_magnitudes(judgments, judgments.magnitudes).rows() == [
        (topic, 300, 900, result) for topic in ("all", "all")
    ]
    ordinal = krippendorff_alpha([row[1] for row in rows], [row[2] for row in rows], "ordinal")
    assert ordinal == pytest.approx(krippendorff.alpha(ratings, level_of_measurement="ordinal"), abs=1e-12)


def test_normalised_magnitudes_order_texts_more_as_ratings_do(rows):
    """Pairs of texts of different median rating: .85 agree with the medians as given, .90 when normalised."""
    ratings, magnitudes = judgments_of(rows("likert_inf")), judgments_of(rows("plainME_inf"))
    reference = gains(ratings, ratings.magnitudes)
    shares = []
    for method in ("none", "geometric"):
        values = gains(magnitudes, normalise(magnitudes, method))
        overall = overall_agreement(pairwise_agreement(values, reference))
        shares.append(overall.filter(mean="pooled")["half"].item())
    assert shares == pytest.approx([0.851, 0.899], abs=0.0005)
