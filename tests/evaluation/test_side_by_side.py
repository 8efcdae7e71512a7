"""Arms side by side: worked numbers, laws, and known truth."""

import json
import math
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation as ev
from evaluation.comparison.anova import anova, honest_difference, tukey
from evaluation.side_by_side import Arm, Work
from evaluation.side_by_side.agreement import GROUPS, judge_groups
from evaluation.side_by_side.between import same_order
from evaluation.side_by_side.power import draw_units
from evaluation.side_by_side.result import PARTS
from evaluation.side_by_side.sentences import leader
from evaluation.side_by_side.spending import units_of
from tests.evaluation.refusals import assert_fault, refused

TOPICS = [f"{number}" for number in range(1, 9)]
DOCUMENTS = 12
QUICK = {"draws": 8, "resamples": 99}


def truth(topic: str) -> np.ndarray:
    return np.random.default_rng(int(topic)).lognormal(1, 1, DOCUMENTS)


def judgments(noise: float, *, seed: int, scale: str = "magnitude", units: int = 12) -> ev.Judgments:
    """Six documents a unit, each worker with a factor of their own; ratings have the same factor for all."""
    rng, rows = np.random.default_rng(seed), []
    for topic in TOPICS:
        for unit in range(units):
            own = rng.lognormal() if scale == "magnitude" else 1.0
            for document in rng.permutation(DOCUMENTS)[:6]:
                value = own * truth(topic)[document] * math.exp(rng.normal(0, noise))
                number = value if scale == "magnitude" else min(1000.0, 10 * value)
                rows.append((topic, f"u{unit}", f"d{document}", number, f"w{(unit + int(topic)) % 9}"))
    names = ("topic_id", "unit_id", "document_id", "relevance_score", "worker_id")
    return ev.Judgments.from_columns(**dict(zip(names, zip(*rows, strict=True), strict=True)), scale=scale)


def runs(number: int = 5) -> dict[str, dict[str, dict[str, float]]]:
    """Runs that get worse, each with more noise than the one before."""
    made = {}
    for run in range(number):
        rng = np.random.default_rng(100 + run)
        made[f"r{run}"] = {
            topic: {
                f"d{place}": float(score)
                for place, score in enumerate(np.log(truth(topic)) + rng.normal(0, 0.2 + run, DOCUMENTS))
            }
            for topic in TOPICS
        }
    return made


@pytest.fixture(scope="module")
def compared() -> "ev.side_by_side.SideBySide":
    arms = [
        Arm("good", judgments(0.2, seed=1), Work(paid=40.0, currency="USD", attempts=50, failures={"c": 5})),
        Arm("poor", judgments(1.5, seed=2), Work(paid=20.0, currency="USD", attempts=40, failures={"c": 8})),
    ]
    return ev.compare_arms(arms, runs(), **QUICK)


# --- cost, failures ----------------------------------------------------------------------------------------


def test_the_costs_are_of_all_that_was_paid(compared):
    good, poor = compared.cost.to_dicts()
    assert (good["units"], good["documents"], good["judgments"]) == (96, 96, 576)
    assert good["per_unit"] == pytest.approx(40 / 96)
    assert good["per_document"] == pytest.approx(40 / 96)
    assert poor["per_judgment"] == pytest.approx(20 / 576)
    assert (compared.in_money, compared.currency) == (True, "USD")


def test_failures_are_shares_of_the_attempts(compared):
    assert compared.failures.rows() == [("good", "c", 5, 0.1), ("poor", "c", 8, 0.2)]


def test_without_costs_judgments_are_the_same_cost():
    arms = {"a": judgments(0.3, seed=1), "b": judgments(0.3, seed=2, units=6)}
    result = ev.compare_arms(arms, runs(3), **QUICK)
    assert not result.in_money
    assert result.power["budget"].to_list() == [144, 144]  # half of the 288 judgments of b
    assert result.power["units"].to_list() == [24, 24]
    assert result.cost["paid"].null_count() == 2


# --- agreement ---------------------------------------------------------------------------------------------


def test_alpha_is_that_of_the_agreement_alone():
    arms = {"a": judgments(0.4, seed=3), "b": judgments(0.4, seed=4)}
    result = ev.compare_arms(arms, **QUICK)
    for name, of_arm in arms.items():
        alone = ev.agreement(of_arm).filter(statistic="alpha", of="normalised")
        row = result.agreement.filter(arm=name).row(0, named=True)
        assert row["alpha"] == pytest.approx(alone["value"][0])
        assert row["low"] < row["alpha"] < row["high"] <= 1


def test_less_noise_is_more_agreement_and_the_intervals_say_so(compared):
    good, poor = compared.agreement.to_dicts()
    assert good["low"] > poor["high"]
    assert leader([good, poor], "alpha") == good


def test_the_interval_covers_the_alpha_of_other_crowds():
    """Of 20 crowds, the 95 % interval should contain nearly always what such crowds agree on average."""
    arms = [Arm(f"{seed}", judgments(0.8, seed=seed, units=8)) for seed in range(20)]
    rows = ev.compare_arms(arms, **QUICK).agreement.to_dicts()
    mean = np.mean([row["alpha"] for row in rows])
    assert sum(row["low"] <= mean <= row["high"] for row in rows) >= 16


def test_judges_are_left_out_in_groups_of_about_the_same_size():
    many = judgments(0.1, seed=1, units=80)
    by_unit = many.replaced(table=many.table.drop("worker_id"))
    group = judge_groups(by_unit, np.random.default_rng(0))
    assert set(group) == set(range(GROUPS))
    units = (
        by_unit.table.with_columns(group=group)
        .group_by("topic_id", "unit_id")
        .agg(pl.col("group").n_unique())
    )
    assert units["group"].to_list() == [1] * (80 * len(TOPICS))
    assert len(set(judge_groups(many, np.random.default_rng(0)))) == 9  # nine workers


# --- between the arms --------------------------------------------------------------------------------------


def test_the_share_in_the_same_order_of_the_docstring():
    assert same_order(np.array([1.0, 2, 3]), np.array([1.0, 3, 3])) == pytest.approx(2.5 / 3)
    assert same_order(np.array([1.0]), np.array([1.0])) is None


NUMBERS = st.lists(st.integers(0, 4).map(float), min_size=2, max_size=7)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_laws_of_the_same_order(x, random):
    y = list(x)
    random.shuffle(y)
    one, other = np.array(x), np.array(y)
    assert same_order(one, other) == same_order(other, one)
    assert same_order(one, one) == 1
    assert same_order(one, np.exp(2 * one)) == 1
    assert 0 <= same_order(one, other) <= 1
    if len(set(x)) == len(x):
        assert same_order(one, -one) == 0


def test_the_same_judgments_agree_in_everything():
    of_arm = judgments(0.5, seed=5)
    result = ev.compare_arms({"a": of_arm, "b": of_arm}, runs(), **QUICK)
    assert result.between["value"].to_list() == pytest.approx([1, 1, 1])
    assert result.rankings.row(0, named=True)["tau_b"] == pytest.approx(1)
    assert result.rankings.row(0, named=True)["overlap"] == 1
    a, b = result.power.to_dicts()
    assert {**a, "arm": ""} == {**b, "arm": ""}
    assert leader(result.power.to_dicts(), "power_at_budget") is None


def test_a_scale_of_differences_and_one_of_ratios_can_be_compared():
    arms = {"magnitude": judgments(0.2, seed=6), "rating": judgments(0.2, seed=7, scale="rating")}
    result = ev.compare_arms(arms, runs(), **QUICK)
    assert result.agreement["level"].to_list() == ["ratio", "interval"]
    (tau,) = result.between.filter(statistic="tau_b")["value"]
    assert tau > 0.6


def test_anchors_of_any_arm_count_in_no_order():
    of_arm = judgments(0.3, seed=8)
    gold = pl.when(pl.col("document_id") == "d0").then(pl.lit("H")).otherwise(pl.lit("")).alias("gold")
    marked = of_arm.replaced(table=of_arm.table.with_columns(gold))
    plain = ev.compare_arms({"a": of_arm, "b": of_arm}, **QUICK).between
    with_anchors = ev.compare_arms({"a": of_arm, "b": marked}, **QUICK).between
    assert plain["documents"].to_list() == [96, 96, 96]
    assert with_anchors["documents"].to_list() == [88, 88, 88]


# --- power -------------------------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(3, 9), st.integers(0, 10_000))
def test_the_honest_difference_tells_the_pairs_apart_that_the_test_does(systems, topics, seed):
    values = np.random.default_rng(seed).random((systems, topics))
    result = anova(values)
    p, needed = tukey(result), honest_difference(result, 0.05)
    apart = np.abs(result.means[:, None] - result.means[None])
    clear = np.abs(p - 0.05) > 1e-6
    assert ((apart > needed) == (p < 0.05))[clear].all()


def test_units_are_drawn_whole_and_in_every_topic():
    of_arm = judgments(0.2, seed=9, units=10)
    drawn = draw_units(of_arm, 0.3, np.random.default_rng(1))
    assert units_of(drawn) == 3 * len(TOPICS)
    assert drawn.table.group_by("topic_id", "unit_id").len()["len"].unique().to_list() == [6]
    assert units_of(draw_units(of_arm, 0.001, np.random.default_rng(1))) == len(TOPICS)
    assert draw_units(of_arm, 1.0, np.random.default_rng(1)).table.equals(of_arm.table)


def test_the_budget_is_half_of_the_cheapest_arm(compared):
    good, poor = compared.power.to_dicts()
    assert (good["budget"], poor["budget"]) == (10, 10)
    assert (good["units"], poor["units"]) == (24, 48)  # a quarter and a half of 96
    assert good["pairs"] == 10
    for row in (good, poor):
        assert 0 <= row["low"] <= row["power_at_budget"] <= row["high"] <= 1


def test_arms_that_cost_twice_as_much_buy_half_as_much():
    of_arm = judgments(0.5, seed=1)
    arms = [Arm("a", of_arm, Work(paid=10.0)), Arm("b", of_arm, Work(paid=20.0))]
    cheap, dear = ev.compare_arms(arms, runs(3), **QUICK).power["units"]
    assert cheap == 2 * dear


# --- the answer --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([(0.5, 0.4, 0.6), (0.2, 0.1, 0.3)], 0),
        ([(0.2, 0.1, 0.3), (0.5, 0.4, 0.6)], 1),
        ([(0.5, 0.3, 0.6), (0.2, 0.1, 0.3)], None),
        ([(0.5, 0.4, 0.6), (0.2, 0.1, 0.3), (0.45, 0.1, 0.5)], None),
        ([(0.5, None, None), (0.2, 0.1, 0.3)], None),
        ([(None, None, None), (0.2, 0.1, 0.3)], None),
    ],
)
def test_no_arm_leads_where_intervals_overlap(intervals, expected):
    rows = [
        {"arm": str(place), "value": value, "low": low, "high": high}
        for place, (value, low, high) in enumerate(intervals)
    ]
    for order in permutations(rows):
        best = leader(order, "value")
        assert (None if best is None else rows.index(best)) == expected


def test_the_ranking_is_the_one_answer_of_compare(compared):
    alone = ev.compare(judgments(0.2, seed=1), runs(), ["nDCG@10"]).result()
    rows = compared.ranking.filter(arm="good").sort("place")
    assert rows["run"].to_list() == alone.table["run"].to_list()
    assert rows["mean"].to_list() == pytest.approx(alone.table["mean"].to_list())
    assert rows.filter("in_top_set")["run"].to_list() == alone.top_set


def test_everything_is_shown_and_stored(compared):
    stored = json.loads(compared.to_json())
    assert stored["sentences"] == [str(sentence) for sentence in compared.sentences]
    assert stored["sentences"][0] == str(compared.sentence)
    assert [len(stored[part]) for part in PARTS] == [compared.to_polars(part).height for part in PARTS]
    assert compared.parts == [part for part in PARTS if part != "time"]
    for text in (repr(compared), compared._repr_html_()):
        assert "good" in text
        assert "0.417" in text


def test_the_same_seed_gives_the_same_result(compared):
    arms = [
        Arm("good", judgments(0.2, seed=1), Work(paid=40.0, currency="USD", attempts=50, failures={"c": 5})),
        Arm("poor", judgments(1.5, seed=2), Work(paid=20.0, currency="USD", attempts=40, failures={"c": 8})),
    ]
    assert ev.compare_arms(arms, runs(), **QUICK).to_json() == compared.to_json()


def test_bad_arms_are_refused():
    one = judgments(0.2, seed=1)
    with refused("too-few-arms", "1"):
        ev.compare_arms({"a": one})
    with refused("arm-named-twice", "a"):
        ev.compare_arms([Arm("a", one), Arm("a", one)])
    with refused("arms-without-common-documents", "a", "b"):
        ev.compare_arms({"a": one, "b": ev.Judgments([("99", "u", "d", 1.0)])})
    with refused("amount-out-of-bounds", "paid"):
        Work(paid=-1.0)


# --- the command -------------------------------------------------------------------------------------------


@pytest.fixture
def files(file):
    """Two arms, each in a file of its own and both in one, and runs."""
    parts = {}
    for name, scale, seed in (("ME", "magnitude", 1), ("S", "rating", 2)):
        table = judgments(0.3, seed=seed, scale=scale).table.with_columns(relevance_scale=pl.lit(name))
        parts[name] = table
    paths = [
        file("".join(f"{t} Q0 {d} 1 {s} {tag}\n" for t, of in run.items() for d, s in of.items()), tag)
        for tag, run in runs(3).items()
    ]
    return {
        **{name: file(table.write_csv(), f"{name}.csv") for name, table in parts.items()},
        "both": file(pl.concat(parts.values()).write_csv(), "both.csv"),
        "runs": paths,
    }


QUICKLY = ["--scale", "S=rating", "--draws", "8", "--resamples", "99"]


def test_a_column_divides_one_file_as_two_files_do(shell, files):
    apart = ["--judgments", f"ME={files['ME']}", f"S={files['S']}"]
    together = ["--judgments", files["both"], "--by", "relevance_scale"]
    results = [
        shell("arms", *words, *QUICKLY, "--runs", *files["runs"], "--format", "json")
        for words in (apart, together)
    ]
    assert [done.returncode for done in results] == [0, 0], results
    first, second = (json.loads(done.stdout) for done in results)
    assert first == second
    assert [row["arm"] for row in first["cost"]] == ["ME", "S"]
    assert [row["level"] for row in first["agreement"]] == ["ratio", "interval"]


@pytest.mark.parametrize("part", ["cost", "agreement", "between", "power", "ranking", "rankings"])
def test_a_part_alone(shell, files, part):
    words = [
        "arms",
        "--judgments",
        files["both"],
        "--by",
        "relevance_scale",
        *QUICKLY,
        "--runs",
        *files["runs"],
    ]
    texts = [shell(*words, "--part", part, "--format", form).stdout for form in ("csv", "tsv", "text")]
    assert all(texts)
    assert len(texts[0].splitlines()) == 1 + len(texts[1].splitlines())


def test_paid_is_the_cost(shell, files):
    words = ["arms", "--judgments", files["both"], "--by", "relevance_scale", *QUICKLY]
    done = shell(*words, "--paid", "ME=57.6", "S=28.8", "--part", "cost", "--format", "json")
    assert [row["per_judgment"] for row in json.loads(done.stdout)] == pytest.approx([0.1, 0.05])


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["--judgments", "{ME}"], ["NAME=FILE"]),
        (["--judgments", "a={ME}", "a={S}"], ["a"]),
        (["--judgments", "a={ME}"], ["1"]),
        (["--judgments", "{both}", "{ME}", "--by", "relevance_scale"], []),
        (["--judgments", "{both}", "--by", "nothing"], ["nothing"]),
        (["--judgments", "a={ME}", "b={S}", "--scale", "c=rating"], ["c"]),
        (["--judgments", "a={ME}", "b={S}", "--scale", "b=stars"], ["stars"]),
        (["--judgments", "a={ME}", "b={S}", "--paid", "a=much"], ["much"]),
        (["--judgments", "a={ME}", "b={S}", "--format", "csv"], ["csv"]),
        (["--judgments", "a={ME}", "b={S}", "--draws", "0"], ["0"]),
    ],
)
def test_bad_arguments_are_one_line(shell, files, words, values):
    given_words = [word.format(**files) for word in words]
    assert_fault(shell("arms", *given_words), *values)
