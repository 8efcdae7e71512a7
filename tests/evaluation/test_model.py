"""The log-normal model of magnitudes: worked by hand, under its laws, and on crowds whose truth is known."""

import argparse
import itertools
from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.cli import gains as gains_command
from evaluation.cli import normalise as normalise_command
from evaluation.conventions import Statistic
from evaluation.crowds import CROWDS, draw_truth, simulate_study
from evaluation.frames import Judgments
from evaluation.magnitudes import METHODS, STATISTICS, fit_levels, gains, intervals, normalise
from evaluation.magnitudes.document_gains import KEYS, TRIM
from evaluation.magnitudes.normalisation import Method
from tests.benchmarks import normalisations
from tests.evaluation.refusals import OPTION, refused

ROWS = st.lists(
    st.tuples(
        st.sampled_from("tu"), st.sampled_from("123"), st.sampled_from("abcd"), st.floats(0.01, 1000),
        st.sampled_from(["x", "y", ""]),
    ),
    min_size=1,
    max_size=24,
)  # fmt: skip


def judgments_of(rows):
    """Rows of (topic, unit, document, magnitude) and, if there is a fifth column, worker."""
    return Judgments.from_columns(*zip(*rows, strict=True))


def model_gains(rows):
    return dict(zip(*gains(judgments_of(rows), statistic="model").table["document_id", "gain"], strict=True))


# --- by hand -----------------------------------------------------------------------------------------------


def test_units_that_share_a_document_by_hand():
    """Without noise, units ⟨1, 2, 4⟩ of a, b, c and ⟨12, 24⟩ of c, d say a : b : c : d = 1 : 2 : 4 : 8.

    Thirteen workers judge each, on scales of their own. In powers of 2, the levels are x, x + 1, x + 2, x
    + 3, and their mean over the judgments is x + (0 + 1 + 2 + 2 + 3)/5. It is log₂(1·2·4·12·24)/5, the mean
    of the magnitudes, so 2^x = (2304 ÷ 2^8)^(1/5) = 9^(1/5). Geometric averaging finds c at the upper end of
    one unit and at the lower end of the other, so its numbers for c differ by a factor of 2^1.5.
    """
    units = {"1": {"a": 1, "b": 2, "c": 4}, "2": {"c": 12, "d": 24}}
    scales = [3.0**power for power in range(-6, 7)]
    rows = [
        ("t", f"{unit}-{place}", document, magnitude * scale)
        for place, scale in enumerate(scales)
        for unit, magnitudes in units.items()
        for document, magnitude in magnitudes.items()
    ]
    levels = {"a": 9**0.2, "b": 2 * 9**0.2, "c": 4 * 9**0.2, "d": 8 * 9**0.2}
    assert model_gains(rows) == pytest.approx(levels, rel=0.02)
    judgments = judgments_of(rows)
    assert normalise(judgments, "model") == pytest.approx([levels[row[2]] for row in rows], rel=0.02)
    averaged = normalise(judgments)
    assert averaged[2] / averaged[3] == pytest.approx(2**1.5)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("t", "1", "a", 3)], {"a": 3}),
        # Units of one document have no ratios: all documents get the topic's geometric mean.
        ([("t", "1", "a", 3), ("t", "2", "b", 12)], {"a": 6, "b": 6}),
        # Units that share nothing: like geometric averaging, which gives both the same mean.
        (
            [("t", "1", "a", 1), ("t", "1", "b", 4), ("t", "2", "c", 3), ("t", "2", "d", 12)],
            {"a": 3**0.5, "b": 4 * 3**0.5, "c": 3**0.5, "d": 4 * 3**0.5},
        ),
        # All alike, and a unit of the smallest and largest magnitudes that exist.
        ([("t", "1", "a", 7), ("t", "1", "b", 7), ("t", "2", "a", 7)], {"a": 7, "b": 7}),
        (
            [("t", u, d, m) for u in "12" for d, m in (("a", 1e-100), ("b", 1e100))],
            {"a": 1e-100, "b": 1e100},
        ),
    ],
)  # fmt: skip
def test_small_cases(rows, expected):
    assert model_gains(rows) == pytest.approx(expected, rel=1e-3)


def test_no_judgments():
    nothing = Judgments.from_columns([], [], [], [])
    assert normalise(nothing, "model").shape == (0,)
    for statistic in ("model", "trimmed"):
        assert gains(nothing, statistic=statistic).table.is_empty()


@pytest.mark.parametrize(
    ("numbers", "trim", "expected"),
    [
        ([1, 2, 1024], TRIM, 2 ** (11 / 3)),  # ⌊0.2·3⌋ = 0: nothing is dropped
        ([1024, 4, 1, 2, 2], TRIM, 2 ** (4 / 3)),  # 1 and 1024 are dropped: (2·2·4)^(1/3)
        ([1024, 4, 1, 2, 2], 0.4, 2),  # only the middle is left
        ([1024, 4, 1, 2, 2], 0, 2 ** (14 / 5)),
    ],
)
def test_a_trimmed_mean_by_hand(numbers, trim, expected):
    judged = judgments_of([("t", str(place), "a", number) for place, number in enumerate(numbers)])
    values = judged.magnitudes
    assert gains(judged, values, "trimmed", trim=trim).values == pytest.approx([expected], rel=1e-14)
    table = intervals(judged, values, np.random.default_rng(1), statistic="trimmed", trim=trim, resamples=50)
    assert table["gain"].to_list() == pytest.approx([expected])
    assert min(numbers) <= table["low"].item() <= table["high"].item() <= max(numbers)


# --- laws --------------------------------------------------------------------------------------------------


@settings(max_examples=8)
@given(rows=ROWS, random=st.randoms(use_true_random=False))
def test_bits_do_not_depend_on_the_order_of_rows(rows, random):
    shuffled = rows.copy()
    random.shuffle(shuffled)
    for statistic in ("model", "trimmed"):
        first, second = (gains(judgments_of(of), statistic=statistic).table for of in (rows, shuffled))
        assert first.equals(second)
    first, second = (
        sorted(zip(of, normalise(judgments_of(of), "model").tolist(), strict=True)) for of in (rows, shuffled)
    )
    assert first == second


def study(name="typical", seed=1, judgments=5, crowd=None, topics=4):
    rng = np.random.default_rng(seed)
    chosen = crowd or CROWDS[name]
    truth = draw_truth([{"H": 3, "R": 6, "M": 8, "N": 25}] * topics, chosen, rng)
    return truth, simulate_study(truth, chosen, rng, judgments_per_document=judgments).judgments


def test_a_workers_numbers_times_a_constant():
    """They multiply all results of a topic by one factor, c^(judgments of the worker ÷ judgments)."""
    _, judgments = study()
    worker = judgments.table["worker_id"][0]
    is_theirs = pl.col("worker_id") == worker
    factors = pl.when(is_theirs).then(1000.0).otherwise(1.0)
    raised = judgments.replaced(
        table=judgments.table.with_columns(relevance_score=pl.col("relevance_score") * factors)
    )
    share = judgments.table.group_by("topic_id").agg(share=is_theirs.mean())
    before, after = (gains(of, statistic="model") for of in (judgments, raised))
    expected = before.table.join(share, on="topic_id").sort(KEYS)
    factor = 1000 ** expected["share"].to_numpy()
    assert after.values == pytest.approx(before.values * factor, rel=1e-6)
    assert fit_levels(raised, raised.magnitudes).noise == pytest.approx(
        fit_levels(judgments, judgments.magnitudes).noise, rel=1e-5
    )


def test_normalising_by_a_factor_of_each_unit_changes_no_estimate():
    _, judgments = study()
    given, averaged = (
        gains(judgments, normalise(judgments, method), "model").values for method in ("none", "geometric")
    )
    assert averaged == pytest.approx(given, rel=1e-6)


def test_documents_judged_alike_have_the_same_gain():
    """To the last digit, and whatever they are called; and without noise it is the one all agree on."""
    rows = [
        (t, u, d, m) for t in "tu" for u, d, m in [("1", "a", 2), ("1", "z", 2), ("1", "b", 9), ("1", "c", 1)]
    ]
    rows += [(t, "2", d, m) for t in "tu" for d, m in (("c", 3), ("z", 5), ("a", 5), ("b", 8))]  # fmt: skip
    table = gains(judgments_of(rows), statistic="model").table.pivot(
        "document_id", index="topic_id", values="gain"
    )
    assert table["a"].to_list() == table["z"].to_list()
    assert table["a"][0] == table["a"][1]
    agreed = [
        ("t", str(unit), d, m * 3**unit)
        for unit in range(4)
        for d, m in zip("abcd", (1, 2, 4, 8), strict=True)
    ]
    assert gains(judgments_of(agreed), statistic="model").values == pytest.approx(
        gains(judgments_of(agreed), statistic="gmean").values, rel=1e-4
    )


def test_topics_keep_their_geometric_mean_as_in_geometric_averaging():
    _, judgments = study()
    values = [np.log(normalise(judgments, method)) for method in ("none", "geometric", "model")]
    table = judgments.table.with_columns(**dict(zip("abc", values, strict=True))).group_by("topic_id")
    means = table.agg(pl.col("a", "b", "c").mean())
    assert means["b"].to_numpy() == pytest.approx(means["a"].to_numpy())
    assert means["c"].to_numpy() == pytest.approx(means["a"].to_numpy())
    exponents = fit_levels(judgments, judgments.magnitudes).exponent
    assert exponents.mean() == pytest.approx(1)


@settings(max_examples=8)
@given(rows=ROWS)
def test_order_survives_in_a_unit_and_its_logs_are_stretched(rows):
    judgments = judgments_of(rows)
    result = np.log(normalise(judgments, "model"))
    before = np.log(judgments.magnitudes)
    for _, unit in judgments.table.with_row_index("row").group_by(judgments.unit_keys):
        low, high = (
            unit["row"][place]
            for place in (unit["relevance_score"].arg_min(), unit["relevance_score"].arg_max())
        )
        slope = (result[high] - result[low]) / max(before[high] - before[low], 1e-300)
        assert slope > 0 or before[high] == before[low]
        places = unit["row"].to_numpy()
        assert result[places] - result[low] == pytest.approx(slope * (before[places] - before[low]), abs=1e-9)


# --- known truth -------------------------------------------------------------------------------------------


def error(result, truth):
    """The RMSE of log gains after the best shift of each topic."""
    pair = result.table.join(truth.gains().table.rename({"gain": "true"}), on=KEYS)
    away = pair.select(pl.col("topic_id"), away=pl.col("gain").log() - pl.col("true").log())
    rest = away.select(pl.col("away") - pl.col("away").mean().over("topic_id"))["away"].to_numpy()
    return float(np.sqrt(np.mean(rest**2)))


@pytest.mark.parametrize("name", list(CROWDS))
@pytest.mark.parametrize("judgments", [3, 10])
def test_the_model_is_closer_to_the_truth_than_geometric_averaging(name, judgments):
    truth, judged = study(name, judgments=judgments)
    model = error(gains(judged, statistic="model"), truth)
    assert model < 0.95 * min(error(gains(judged, statistic=of), truth) for of in ("median", "gmean"))


def test_workers_are_recovered():
    """Exponents and noise of 12 workers with 15 units each, drawn as the model has them."""
    rng = np.random.default_rng(4)
    workers, units, size, documents = 12, 15, 8, 60
    exponent, noise = np.exp(rng.normal(0, 0.3, workers)), np.exp(rng.normal(-1, 0.4, workers))
    level = rng.normal(0, 0.8, documents)
    worker = np.repeat(np.arange(workers), units * size)
    unit = np.repeat(np.arange(workers * units), size)
    document = np.concatenate([rng.permutation(documents)[:size] for _ in range(workers * units)])
    logs = rng.normal(0, 1, workers * units)[unit] + exponent[worker] * level[document]
    logs += rng.normal(size=len(logs)) * noise[worker]
    texts = [part.astype(str) for part in (unit, document, worker)]
    judgments = Judgments.from_columns(["t"] * len(unit), texts[0], texts[1], np.exp(logs), texts[2])
    fit = fit_levels(judgments, judgments.magnitudes)
    assert fit.exponent == pytest.approx((exponent / exponent.mean())[worker], abs=0.12)
    assert fit.noise == pytest.approx(noise[worker], rel=0.2)
    assert np.corrcoef(fit.level, level[document])[0, 1] > 0.99


def test_a_worker_who_never_reads_counts_for_little():
    """Seven workers agree but for little noise; the numbers of the eighth are random, over three decades."""
    rng = np.random.default_rng(2)
    level = rng.normal(0, 1, 30)
    logs = [*(level + rng.normal(0, 0.2, (7, 30))), rng.normal(0, 3, 30)]
    rows = [("t", str(w), str(d), np.exp(logs[w][d]), str(w)) for w in range(8) for d in range(30)]
    judgments = judgments_of(rows)
    fit = fit_levels(judgments, judgments.magnitudes)
    assert fit.noise[-1] == pytest.approx(3, rel=0.3)
    moved = np.ptp(np.log(normalise(judgments, "model")[-30:]))
    assert moved < 0.2 * np.ptp(np.log(judgments.magnitudes[-30:]))


# --- the comparison, in short ------------------------------------------------------------------------------


def test_the_comparison_covers_every_method_and_statistic():
    table = normalisations.compare(
        seeds=[0], topics=1, settings=normalisations.SETTINGS[-2:], numbers=[3], spammers=[0.2]
    )
    combinations = set(itertools.product(METHODS, STATISTICS)) - {
        (method, "model") for method in normalisations.SAME_FIT
    }
    assert set(table.select("method", "statistic").iter_rows()) == combinations
    assert (table["rmse"] > 0).all()
    assert table["tau"].is_between(-1, 1).all()
    assert table["crowd"].n_unique() == 2


def test_agreement_with_the_ratings_of_rankme(collections):
    """A tie counts as half: .899 with the default, as in test_rankme.py; the model has .891."""
    table = normalisations.rankme_agreement(collections / "rankme", "informativeness", resamples=20)
    shares = {(method, statistic): share for method, statistic, share, *_ in table.iter_rows()}
    assert shares["geometric", "median"] == pytest.approx(0.899, abs=0.0005)
    assert shares["geometric", "gmean"] == pytest.approx(0.900, abs=0.0005)
    assert shares["geometric", "model"] == pytest.approx(0.891, abs=0.001)
    assert table["error"].to_list()[0] == 0


# --- what is refused, and the commands ---------------------------------------------------------------------


def test_unknown_choices_are_refused():
    judgments = judgments_of([("t", "1", "a", 3)])
    with refused(OPTION, "'mode'", *STATISTICS):
        gains(judgments, statistic="mode")
    for trim in (-0.1, 0.5, np.nan):
        with refused("trim-out-of-bounds", str(trim)):
            gains(judgments, statistic="trimmed", trim=trim)
    with refused("model-without-intervals", "median", "gmean", "trimmed"):
        intervals(judgments, judgments.magnitudes, np.random.default_rng(1), statistic="model")


def option(module, name):
    parser = argparse.ArgumentParser()
    module.arguments(parser)
    return next(action for action in parser._actions if name in action.option_strings)


def test_commands_offer_what_the_library_has():
    """Help must load nothing slow, so the commands write out the names."""
    assert option(normalise_command, "--method").choices == get_args(Method)
    statistic = option(gains_command, "--statistic")
    assert (statistic.choices, statistic.default) == (get_args(Statistic), None)
    assert option(gains_command, "--trim").default == TRIM


def test_gains_of_the_command_line(tmp_path, shell):
    _, judgments = study(topics=1, judgments=5)
    judgments.table.write_csv(tmp_path / "judgments.csv")
    shell("normalise", "judgments.csv", "-o", "normalised.csv")
    for statistic in ("model", "trimmed"):
        done = shell("gains", "normalised.csv", "--statistic", statistic)
        values = [float(line.split("\t")[3]) for line in done.stdout.splitlines()]
        assert values == pytest.approx(gains(judgments, statistic=statistic).values, rel=1e-9)
