"""The adaptive rule: its parts by hand and under laws, its decisions, and how they are repeated."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.allocation import Settings, decide
from evaluation.allocation.batches import draw_units
from evaluation.allocation.influence import Pairs, effects, needs
from evaluation.allocation.records import differences, to_record
from evaluation.allocation.uncertainty import estimate, variance_factor
from evaluation.crowds import TYPICAL, draw_truth, simulate_study
from evaluation.errors import InputError
from evaluation.frames import Judgments
from evaluation.magnitudes import gains, normalise
from evaluation.measures import parse
from evaluation.ranking import rank
from evaluation.runs import Run
from tests.benchmarks.adapting import short, systems
from tests.evaluation.refusals import assert_fault, refused

SETTINGS = Settings(units=12, draws=40, top_draws=4)


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(5)
    truth = draw_truth([{"N": 8, "R": 4, "H": 2, "": 6}] * 4, TYPICAL, rng)
    judgments = simulate_study(truth, TYPICAL, rng, judgments_per_document=3).judgments
    return judgments, systems(truth, rng, 6)


def test_the_variance_of_a_document_is_shrunk_to_that_of_its_topic():
    """The logs are a: 0, 2 (squares 2), b: 0, 0, 0 (0), c: 1. There are 6 − 3 = 3 degrees of freedom.

    Two units leave 2 of them, so squares are multiplied by 3/2: a has 3. So v_topic = 3/3 = 1, and a has (4·1
    + 3)/5.
    """
    logs = zip("aabbbc", (0, 2, 0, 0, 0, 1), strict=True)
    judgments = Judgments([("t", str(n % 2), name, np.exp(log)) for n, (name, log) in enumerate(logs)])
    uncertain = estimate(judgments, judgments.magnitudes)
    assert uncertain.judgments.tolist() == [2, 3, 1]
    assert uncertain.sigma**2 == pytest.approx([7 / 5, 4 / 6, 1])
    with_more = uncertain.sigma * np.sqrt(np.pi / (2 * (uncertain.judgments + 4) + np.pi - 2))
    assert uncertain.error(4) == pytest.approx(with_more)


def test_one_judgment_of_each_document_tells_no_spread():
    judgments = Judgments([("t", "u", "a", 1), ("t", "u", "b", 9)])
    assert estimate(judgments, judgments.magnitudes).sigma == pytest.approx(1)


@pytest.mark.parametrize(("number", "off"), [(1, 0.02), (3, 0.04), (4, 0.17), (10, 0.1), (25, 0.04)])
def test_the_variance_of_the_median_of_normal_values(number, off):
    """The formula is close to the truth for odd numbers, and too large for even ones."""
    draws = np.random.default_rng(0).normal(size=(40_000, number))
    factor = variance_factor(np.array([number]), "median")[0]
    assert factor == pytest.approx(np.median(draws, axis=1).var(), rel=off)
    assert variance_factor(np.array([number]), "gmean")[0] == 1 / number


@pytest.mark.parametrize("measure", ["nDCG@3", 'ERR(gmax="topic")@3', "AP(rel=2)"])
def test_an_effect_is_what_scoring_anew_with_one_moved_gain_gives(measure):
    judged = {"t": {"a": 4.0, "b": 2.0, "c": 1.0, "d": 3.0}, "u": {"a": 1.0, "e": 5.0}}
    runs = [Run({"t": {"a": 1, "b": 2, "c": 3}, "u": {"e": 2}}, "x"), Run({"t": {"d": 1}}, "y")]
    lists = rank(judged, runs).lists
    error = np.linspace(0.2, 0.9, 6)
    effect = effects(parse(measure), lists, error)

    def means(place, sign):
        moved = lists.gain.copy()
        moved[place] *= np.exp(sign * error[place])
        return parse(measure).values(lists.with_gains(moved)).mean(axis=1)

    for place in range(6):
        assert effect[:, place] == pytest.approx((means(place, 1) - means(place, -1)) / 2)


def test_pairs_and_needs_by_hand():
    """Only x and y are not settled. Their difference has the effects 3 and 4, so the error is 5 and z 1."""
    effect = np.array([[3.0, 0.0, 0.0], [0.0, -4.0, 0.0], [0.0, 0.0, 0.0]])
    pairs = Pairs.of(np.array([5.0, 0.0, -1000.0]), effect)
    assert pairs.error[0, 1] == pytest.approx(5)
    wrong = 0.15865525393145707
    assert pairs.wrong()[0, 1] == pytest.approx(wrong)
    assert pairs.unsettled(0.9).sum() == 2
    assert needs(effect, pairs, 0.9) == pytest.approx(2 * wrong * np.array([9, 16, 0]) / 25)
    assert not needs(effect, pairs, 0.8).any()


@given(
    seed=st.integers(0, 10),
    units=st.integers(0, 12),
    others=st.integers(1, 4),
    explore=st.sampled_from([0.0, 0.2, 1.0]),
    room=st.tuples(st.integers(0, 5), st.integers(0, 5)),
)
def test_drawn_units_are_of_one_topic_within_its_room_and_without_repetitions(
    seed, units, others, explore, room
):
    topic = np.repeat([0, 1], [7, 3])
    candidate = np.arange(10) != 2
    weights = np.linspace(0, 1, 10)

    def drawn():
        return draw_units(
            topic, candidate, lambda further: weights / (1 + further), np.array(room),
            units=units, others=others, explore=explore, rng=np.random.default_rng(seed),
        )  # fmt: skip

    result = drawn()
    assert result.tolist() == drawn().tolist()
    usable = [count if size >= others else 0 for count, size in zip(room, (6, 3), strict=True)]
    assert len(result) == min(units, sum(usable))
    assert 2 not in result
    for number, most in enumerate(usable):
        assert (topic[result[:, 0]] == number).sum() <= most
    for unit in result:
        assert len({*unit.tolist()}) == others
        assert len({*topic[unit].tolist()}) == 1


def test_documents_are_drawn_in_proportion_to_their_weights():
    weights = np.array([3.0, 1.0, 0.0, 0.0])
    result = draw_units(
        np.zeros(4, dtype=np.int64), np.ones(4, dtype=bool), lambda _: weights, np.array([4000]),
        units=4000, others=1, explore=0.2, rng=np.random.default_rng(0),
    )  # fmt: skip
    assert np.bincount(result.ravel()) / 4000 == pytest.approx([0.65, 0.25, 0.05, 0.05], abs=0.03)


def test_the_same_data_and_seed_give_the_same_decision_in_any_order(study):
    judgments, runs = study
    decision = decide(judgments, runs, SETTINGS, seed=3)
    shuffled = judgments.replaced(table=judgments.table.sample(fraction=1, shuffle=True, seed=1))
    again = decide(shuffled, runs, SETTINGS, seed=3)
    assert (decision.units, decision.evidence) == (again.units, again.evidence)
    assert decision.units != decide(judgments, runs, SETTINGS, seed=4).units
    assert decision.units != decide(judgments, runs, SETTINGS, seed=3, batch=2).units


def test_a_decision_plans_whole_units_without_anchors(study):
    judgments, runs = study
    decision = decide(judgments, runs, SETTINGS)
    assert (decision.reason, decision.stops, len(decision.units)) == ("unsettled", False, 12)
    anchors = set(judgments.table.filter(pl.col("gold") != "").select("topic_id", "document_id").iter_rows())
    drawn = [(topic, document) for topic, documents in decision.units for document in documents]
    assert len(drawn) == 12 * 6
    assert not anchors & set(drawn)
    assert decision.documents["planned"].sum() == len(drawn)
    assert decision.evidence.units == judgments.table["unit_id"].n_unique()


def test_no_topic_gets_more_units_than_there_are_workers(study):
    judgments, runs = study
    used = judgments.table.select("topic_id", "unit_id").unique().group_by("topic_id").len()
    most = int(used["len"].max()) + 1
    decision = decide(judgments, runs, replace(SETTINGS, units_per_topic=most))
    topics = [topic for topic, _ in decision.units]
    assert len(topics) == len(set(topics)) == 4
    used_units = int(used["len"].sum())
    assert len(decide(judgments, runs, replace(SETTINGS, most_units=used_units + 2)).units) == 2
    assert decide(judgments, runs, replace(SETTINGS, most_units=used_units)).reason == "no-room"
    open_topic, *closed = sorted(set(judgments.table["topic_id"]))
    only = decide(judgments, runs, replace(SETTINGS, closed_topics=tuple(closed)))
    assert {topic for topic, _ in only.units} == {open_topic}
    full = decide(judgments, runs, replace(SETTINGS, units_per_topic=1))
    assert (full.reason, full.stops, full.units) == ("no-room", True, ())


def test_a_settled_ranking_stops_the_study(study):
    judgments, runs = study
    table = runs[0].table
    upside_down = Run.from_columns("worst", table["topic_id"], table["document_id"], -table["score"])
    decision = decide(judgments, [runs[0], upside_down], SETTINGS)
    assert (decision.reason, decision.units) == ("settled", ())
    assert decision.evidence.tau == 1
    assert decision.evidence.unsettled == 0
    assert decision.documents["need"].sum() == 0


def test_a_record_repeats_its_decision_even_from_a_later_export(study):
    judgments, runs = study
    decision = decide(judgments, runs, SETTINGS, seed=2**63)
    record = json.loads(json.dumps(to_record(decision, judgments, runs)))
    later = judgments.table.with_columns(unit_id=pl.lit("later-") + pl.col("unit_id"))
    both = Judgments.from_checked(pl.concat([later, judgments.table]))
    assert differences(record, both, runs) == []
    assert "judgments_sha256" in differences(record, later_changed(judgments), runs)
    assert differences({**record, "units": record["units"][::-1]}, judgments, runs) == ["units"]
    assert differences({**record, "rule": 0}, judgments, runs) == ["rule"]
    with refused("decision-incomplete"):
        differences({"settings": {}}, judgments, runs)


def later_changed(judgments):
    return judgments.replaced(
        table=judgments.table.with_columns(relevance_score=pl.col("relevance_score") * 2)
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"level": 1.1}, "stopping-level-out-of-bounds"),
        ({"top_level": -0.1}, "stopping-level-out-of-bounds"),
        ({"units": 0}, "no-unit-to-plan"),
        ({"unit_size": 2}, "no-unit-to-plan"),
        ({"explore": -0.1}, "explore-out-of-bounds"),
        ({"measure": "ERR@10"}, "gain-not-whole"),
    ],
)
def test_settings_that_are_refused(study, change, code):
    with pytest.raises(InputError) as caught:
        decide(*study, replace(SETTINGS, **change))
    assert caught.value.code == code


def test_data_that_is_refused(study):
    judgments, runs = study
    with refused("too-few-runs", "1"):
        decide(judgments, runs[:1], SETTINGS)
    with refused("gold-column-missing"):
        decide(judgments.replaced(table=judgments.table.drop("gold")), runs, SETTINGS)
    with refused("numbers-without-ratios"):
        decide(judgments.on_scale("rating"), runs, SETTINGS)


def test_additive_normalisation_finds_the_gains_of_units_with_other_documents():
    """Without noise, offsets are found exactly, although one unit has the good documents."""
    levels = {"n": 0.0, "h": 3.0, "a": 2.5, "b": 2.0, "c": 0.2, "d": 0.1}
    units = {"1": ("nhab", 1.5), "2": ("nhcd", -0.7), "3": ("nhac", 0.3)}
    rows = [
        ("t", unit, document, np.exp(levels[document] + offset))
        for unit, (documents, offset) in units.items()
        for document in documents
    ]
    found = gains(rows, normalise(rows, "additive")).table
    shifts = found["gain"].log().to_numpy() - [levels[name] for name in found["document_id"]]
    assert shifts == pytest.approx(shifts[0])
    geometric = np.log(gains(rows, normalise(rows)).values)
    assert np.ptp(geometric - [levels[name] for name in found["document_id"]]) > 0.5


def test_adapting_beats_a_fixed_study_of_equal_cost():
    table = short()
    assert table["adaptive"].mean() > table["fixed"].mean()


def test_the_command_plans_and_checks(shell, tmp_path, study):
    judgments, runs = study
    judgments.table.write_csv(tmp_path / "judgments.csv")
    for run in runs[:3]:
        rows = [(t, "Q0", d, 0, s, run.tag) for t, d, s in run.table.iter_rows()]
        pl.DataFrame(rows, orient="row").write_csv(tmp_path / run.tag, separator=" ", include_header=False)
    files = ["judgments.csv", *(run.tag for run in runs[:3])]
    done = shell("allocate", *files, "--units", "3", "--seed", "7", "-o", "decision.json")
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads((tmp_path / "decision.json").read_text())
    assert (record["seed"], record["settings"]["units"]) == (7, 3)
    tsv = shell("allocate", *files, "--units", "3", "--seed", "7", "--format", "tsv").stdout
    planned = [
        f"{unit['topic_id']}\t{number}\t{document}"
        for number, unit in enumerate(record["units"], start=1)
        for document in unit["documents"]
    ]
    assert tsv.splitlines() == planned
    assert shell("allocate", *files, "--check", "decision.json").returncode == 0
    (tmp_path / "decision.json").write_text(json.dumps({**record, "seed": 8}))
    if record["units"]:
        assert_fault(shell("allocate", *files, "--check", "decision.json"), "units", at="decision.json")
    (tmp_path / "decision.json").write_text("[]")
    assert_fault(shell("allocate", *files, "--check", "decision.json"), at="decision.json:1")
