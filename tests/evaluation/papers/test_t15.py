"""The items of [T15], each against loops that read as the paper does."""

import itertools
from dataclasses import replace
from importlib import import_module
from math import floor, log2
from statistics import mean, median

import numpy as np
import polars as pl
import pytest
from pytrec_eval import RelevanceEvaluator
from scipy.stats import kendalltau

from evaluation.frames import Gains, Judgments
from evaluation.papers import PAPERS, build_paper
from evaluation.report import PARTS
from tests.evaluation.report_study import study_of_everything

PAIRS = [(lower, higher) for lower, higher in itertools.product(range(4), repeat=2) if lower < higher]
MEASURES = ("nDCG@10", 'ERR(gmax="topic")@10', 'ERR(gmax="file")@10')
TRANSFORMED = {
    "10C": lambda c: 10 * c,
    "100C": lambda c: 100 * c,
    "C+1": lambda c: c + 1,
    "C+10": lambda c: c + 10,
    "C^2": lambda c: c**2,
    "2^C": lambda c: 2**c,
    "10^C": lambda c: 10**c,
}


@pytest.fixture(scope="module")
def study():
    """The study with everything, in which some of the runs' first ten documents have no grade."""
    whole = study_of_everything()
    best, good, poor = map(lists_of, whole.runs)
    ungraded = {("1", best["1"][0]), ("1", good["1"][0])}
    for topic in ("2", "3"):
        seen = {*best[topic][:10], *good[topic][:10]}
        ungraded |= {(topic, document) for document in poor[topic][:10] if document not in seen}
    rows = [row for row in whole.known["grades"].table.rows() if row[:2] not in ungraded]
    return replace(whole, known={**whole.known, "grades": Gains.from_columns(*zip(*rows, strict=True))})


@pytest.fixture(scope="module")
def items(study):
    return {finished.part.key: finished.content for finished in build_paper(study, "T15").finished}


def table_of(content, place=0):
    return content.tables[place].table


def drawn(content, place=0):
    return content.figures[place].figure.table


def by_topic(gains: Gains) -> dict[str, dict[str, float]]:
    values: dict[str, dict[str, float]] = {}
    for topic, document, gain in gains.table.rows():
        values.setdefault(topic, {})[document] = gain
    return values


def lists_of(run) -> dict[str, list[str]]:
    """Each topic's documents, best first. No scores are tied."""
    rows = sorted(run.table.select("topic_id", "score", "document_id").rows(), key=lambda row: -row[1])
    lists: dict[str, list[str]] = {}
    for topic, _, document in rows:
        lists.setdefault(topic, []).append(document)
    return lists


def scored(documents: list[str], gains: dict[str, float], largest: float) -> tuple[float, float, float]:
    """A list's nDCG@10, and ERR@10 with the largest gain of its topic and with that of all topics."""

    def dcg(values):
        return sum(value / log2(rank + 1) for rank, value in enumerate(values[:10], start=1))

    def err(most):
        total, looking = 0.0, 1.0
        for rank, value in enumerate(found[:10], start=1):
            satisfied = 2.0 ** (value - most) - 2.0**-most
            total += looking * satisfied / rank
            looking *= 1 - satisfied
        return total

    found = [gains.get(document, 0.0) for document in documents]
    ndcg = dcg(found) / dcg(sorted(gains.values(), reverse=True))
    return ndcg, err(max(gains.values())), err(largest)


def means(gains: Gains, systems: list[dict[str, list[str]]]) -> list[list[float]]:
    """For each of the three measures, the mean of each system over its topics."""
    values = by_topic(gains)
    largest = max(gain for of_topic in values.values() for gain in of_topic.values())
    rows = [
        [scored(documents, values[topic], largest) for topic, documents in system.items()]
        for system in systems
    ]
    return [[mean(cell[place] for cell in row) for row in rows] for place in range(3)]


def tau(x, y) -> float | None:
    x, y = ([float(f"{value:.11e}") for value in values] for values in (x, y))
    value = kendalltau(x, y).statistic
    return None if np.isnan(value) else value


def runs_of(study):
    return [lists_of(run) for run in study.runs]


def simulated(study) -> list[dict[str, list[str]]]:
    """The simulated systems, after a look at how they are made."""
    grades = by_topic(study.known["grades"])
    runs = dict(zip((run.tag for run in study.runs), runs_of(study), strict=True))
    complete = {
        topic: {tag for tag, lists in runs.items() if all(d in grades[topic] for d in lists[topic][:10])}
        for topic in grades
    }
    made = study.systems({"grades": study.known["grades"]}, "simulated")["grades"].simulated
    assert set(made.topics) == {topic for topic, tags in complete.items() if len(tags) >= 2}
    assert 0 < len(made.topics) < len(grades)
    assert sum(made.complete) < len(runs) * len(made.topics)
    systems = []
    for picks in made.picks:
        tags = [made.runs[pick] for pick in picks]
        assert all(tag in complete[topic] for tag, topic in zip(tags, made.topics, strict=True))
        systems.append({topic: runs[tag][topic] for tag, topic in zip(tags, made.topics, strict=True)})
    assert len(systems) == study.parameters.systems
    return systems


def test_the_items_are_those_of_the_paper_in_its_order():
    keys = [item.key for item in PAPERS["T15"].items]
    for kind, number in (("table", 3), ("figure", 9)):
        of_kind = [key for key in keys if key.startswith(kind)]
        assert of_kind == [f"{kind}-{place}" for place in range(1, number + 1)]


def test_every_place_that_an_item_names_exists():
    for item in PAPERS["T15"].items:
        for name in item.where:
            module, _, attribute = name.rpartition(".")
            assert name in PARTS or hasattr(import_module(f"evaluation.{module}"), attribute), name


def test_table_1(study, items):
    table = study.judgments.table
    expected = []
    for topic in sorted(table["topic_id"].unique()):
        rows = table.filter(topic_id=topic).rows(named=True)
        anchors = [{row["document_id"] for row in rows if row["gold"] == mark} for mark in "HN"]
        documents, units = ({row[name] for row in rows} for name in ("document_id", "unit_id"))
        expected.append((topic, len(documents), len(units), *(" ".join(ids) for ids in anchors)))
    total = tuple(sum(row[place] for row in expected) for place in (1, 2))
    assert table_of(items["table-1"]).rows() == [*expected, ("all", *total, None, None)]
    assert items["table-1"].missing
    counts = pl.DataFrame(
        {"topic_id": ["1", "all"], "documents": [16, 16], "units": [9, 9], "back_0": [8, 8]}
    )
    (finished,) = build_paper(replace(study, topics=counts), "T15", only=["table-1"]).finished
    assert table_of(finished.content).equals(counts)
    assert not finished.missing


def five_numbers(values):
    """Whisker, quartile, median, quartile, whisker."""
    q1, middle, q3 = np.percentile(values, [25, 50, 75])
    within = [value for value in values if q1 - 1.5 * (q3 - q1) <= value <= q3 + 1.5 * (q3 - q1)]
    return [min(*within, q1), q1, middle, q3, max(*within, q3)]


@pytest.mark.parametrize("key", ["figure-1", "figure-2"])
def test_figures_1_and_2(study, items, key):
    names = ("whisker_low", "q1", "median", "q3", "whisker_high")
    letters = {"grades": "NMRHU", "binary": "01"}
    values = by_topic(study.gains)
    table = table_of(items[key])
    checked = 0
    for name, known in study.known.items():
        grades = by_topic(known)
        boxes: dict[tuple, list[float]] = {}
        for topic, documents in values.items():
            for document, value in documents.items():
                grade = letters[name][int(grades[topic].get(document, 4))]
                boxes.setdefault((grade,) if key == "figure-1" else (topic, grade), []).append(value)
        columns = ("grade",) if key == "figure-1" else ("topic_id", "grade")
        for place, numbers in boxes.items():
            row = table.filter(grades=name, **dict(zip(columns, place, strict=True))).row(0, named=True)
            assert [row[column] for column in names] == pytest.approx(five_numbers(numbers))
            assert row["documents"] == len(numbers)
            checked += 1
    assert checked == len(table)


def test_figure_3(study, items):
    values, grades, binary = (
        by_topic(gains) for gains in (study.gains, study.known["grades"], study.known["binary"])
    )
    compared = {
        "magnitudes–grades": (values, grades),
        "binary–grades": (binary, grades),
        "magnitudes–binary, by grades": (values, binary),
    }
    expected = {}
    for name, (judged, reference) in compared.items():
        for topic, (lower, higher) in itertools.product(grades, PAIRS):
            of_topic = grades[topic]
            pairs = [
                (low, high)
                for low, high in itertools.product(of_topic, repeat=2)
                if (of_topic[low], of_topic[high]) == (lower, higher)
                if reference[topic][low] != reference[topic][high]
            ]
            if pairs:
                agree = mean(
                    (judged[topic][high] - judged[topic][low])
                    * (reference[topic][high] - reference[topic][low])
                    >= 0
                    for low, high in pairs
                )
                expected[name, topic, lower, higher] = agree
    dots = drawn(items["figure-3"])
    found = {tuple(row[:4]): row[4] for row in dots.iter_rows()}
    assert found == pytest.approx(expected)
    overall = table_of(items["figure-3"]).filter(mean="cells")
    for name in compared:
        (agree,) = overall.filter(comparison=name)["agree"]
        shares = [share for (comparison, *_), share in expected.items() if comparison == name]
        assert agree == pytest.approx(mean(shares))
        assert set(dots.filter(comparison=name)["overall"].round(12)) == {round(mean(shares), 12)}


def assert_agreement(content, judged, known):
    points, table = drawn(content), table_of(content)
    assert table["measure"].to_list() == list(MEASURES)
    for measure, by_crowd, by_known in zip(MEASURES, judged, known, strict=True):
        rows = points.filter(measure=measure)
        assert rows["judged_value"].to_list() == pytest.approx(by_crowd)
        assert rows["known_value"].to_list() == pytest.approx(by_known)
        (found,) = table.filter(measure=measure)["tau_b"]
        assert found == pytest.approx(tau(by_crowd, by_known))


def test_figure_4(study, items):
    systems = runs_of(study)
    assert_agreement(items["figure-4"], means(study.gains, systems), means(study.known["binary"], systems))
    qrels = {
        topic: {document: int(gain) for document, gain in documents.items()}
        for topic, documents in by_topic(study.known["binary"]).items()
    }
    points = drawn(items["figure-4"]).filter(measure="nDCG@10")
    for run in study.runs:
        rows: dict[str, dict[str, float]] = {}
        for topic, document, score in run.table.select("topic_id", "document_id", "score").rows():
            rows.setdefault(topic, {})[document] = score
        theirs = RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(rows)
        (ours,) = points.filter(run=run.tag)["known_value"]
        assert ours == pytest.approx(mean(scores["ndcg_cut_10"] for scores in theirs.values()))


def test_figure_5(study, items):
    systems = simulated(study)
    assert_agreement(items["figure-5"], means(study.gains, systems), means(study.known["grades"], systems))


def test_figure_6(study, items):
    """If all judgments of a document are equal, each draw gives the τ of Figures 4 and 5."""
    table = study.judgments.table.join(study.gains.table, on=["topic_id", "document_id"])
    equal = Judgments.from_checked(table.with_columns(relevance_score="gain").drop("gain"))
    same = replace(study, judgments=equal, method="none")
    report = build_paper(same, "T15", only=["figure-4", "figure-5", "figure-6"])
    four, five, six = (finished.content for finished in report.finished)
    ranked = {"binary": ("runs", four), "grades": ("simulated", five)}
    summary = table_of(six)
    assert summary.select("measure", "known").rows() == list(itertools.product(MEASURES, ranked))
    for row in summary.iter_rows(named=True):
        kind, content = ranked[row["known"]]
        (wanted,) = table_of(content).filter(measure=row["measure"])["tau_b"]
        assert (row["ranked"], row["draws"]) == (kind, 0 if wanted is None else study.parameters.draws)
        assert [row[name] for name in ("low", "median", "high")] == pytest.approx([wanted] * 3)
    draws = table_of(items["figure-6"]).filter(measure="nDCG@10")["draws"]
    assert draws.to_list() == [study.parameters.draws] * len(ranked)


def test_figure_6_without_grades_uses_the_medians(study):
    (finished,) = build_paper(replace(study, known={}), "T15", only=["figure-6"]).finished
    assert set(table_of(finished.content)["known"]) == {"medians"}


def test_table_2(study, items):
    systems = simulated(study)
    grades = study.known["grades"]
    plain = means(grades, systems)
    expected = []
    for name, transform in TRANSFORMED.items():
        rows = [(topic, document, transform(gain)) for topic, document, gain in grades.table.rows()]
        gains = Gains.from_columns(*zip(*rows, strict=True))
        taus = [tau(x, y) for x, y in zip(means(gains, systems), plain, strict=True)]
        expected.append(("grades", name, *map(pytest.approx, taus)))
    table = table_of(items["table-2"])
    assert table.columns == ["grades", "transformation", *(f"τ {measure}" for measure in MEASURES)]
    assert table.rows() == expected


def range_gains(study) -> dict[str, Gains]:
    """The gains from narrow, wide and all units."""
    rows = [
        (*row, value)
        for row, value in zip(
            study.judgments.table.select(
                "topic_id", "unit_id", "document_id", "gold", "relevance_score"
            ).rows(),
            study.normalised.tolist(),
            strict=True,
        )
    ]
    anchors = {(topic, unit, mark): given for topic, unit, _, mark, given, _ in rows if mark}
    ratios = {
        (topic, unit): anchors[topic, unit, "H"] / given
        for (topic, unit, mark), given in anchors.items()
        if mark == "N"
    }
    wide = {unit for unit, ratio in ratios.items() if ratio >= median(ratios.values())}
    values: dict[tuple[str, str], dict[str, list[float]]] = {}
    for topic, unit, document, _, _, value in rows:
        kinds = values.setdefault((topic, document), {"narrow": [], "wide": [], "all": []})
        kinds["wide" if (topic, unit) in wide else "narrow"].append(value)
        kinds["all"].append(value)
    extreme = {"narrow": min, "wide": max}
    gains = {}
    for kind in ("narrow", "wide", "all"):
        medians = [
            median(kinds[kind]) if kinds[kind] else extreme[kind](kinds["all"]) for kinds in values.values()
        ]
        topics, documents = zip(*values, strict=True)
        gains[kind] = Gains.from_columns(topics, documents, medians)
    return gains


def test_table_3(study, items):
    systems = {"binary": runs_of(study), "grades": simulated(study)}
    expected: dict[tuple[str, str], list[float | None]] = {}
    for kind, gains in range_gains(study).items():
        for name, of_set in systems.items():
            both = zip(means(gains, of_set), means(study.known[name], of_set), strict=True)
            for measure, (x, y) in zip(MEASURES, both, strict=True):
                expected.setdefault((measure, kind), []).append(tau(x, y))
    table = table_of(items["table-3"])
    heads = [f"{word} {name}" for name in systems for word in ("τ", "overlap")]
    assert table.columns == ["measure", "units", *heads]
    assert table.select("measure", "units").rows() == [
        *itertools.product(MEASURES, ("narrow", "wide", "all"))
    ]
    for row in table.iter_rows(named=True):
        taus = [row[f"τ {name}"] for name in systems]
        assert taus == pytest.approx(expected[row["measure"], row["units"]])
        assert all(0 <= row[f"overlap {name}"] <= 1 for name in systems)
    overlaps = table.filter(units="all")["overlap binary"].to_list()
    assert overlaps == table_of(items["figure-4"])["overlap"].to_list()


def unit_ratios(study) -> list[tuple[dict, float]]:
    """Each judgment, with its magnitude divided by that of the N anchor of its unit."""
    rows = study.judgments.table.rows(named=True)
    low = {(row["topic_id"], row["unit_id"]): row["relevance_score"] for row in rows if row["gold"] == "N"}
    return [(row, row["relevance_score"] / low[row["topic_id"], row["unit_id"]]) for row in rows]


def test_figure_7(study, items):
    bars: dict[float, int] = {}
    for row, ratio in unit_ratios(study):
        if row["gold"] == "H":
            bar = 5.0 * floor(ratio / 5 + 0.5)
            bars[bar] = bars.get(bar, 0) + 1
    expected = [(bar, units, units < 4) for bar, units in sorted(bars.items())]
    assert table_of(items["figure-7"]).rows() == drawn(items["figure-7"]).rows() == expected


def test_figure_8(study, items):
    grades = by_topic(study.known["grades"])
    table = table_of(items["figure-8"]).filter(grades="grades")
    for anchors in ("with", "without"):
        ratios: dict[str, list[float]] = {}
        for row, ratio in unit_ratios(study):
            if anchors == "with" or not row["gold"]:
                grade = "NMRHU"[int(grades[row["topic_id"]].get(row["document_id"], 4))]
                ratios.setdefault(grade, []).append(ratio)
        for grade, values in ratios.items():
            row = table.filter(anchors=anchors, grade=grade).row(0, named=True)
            names = ("whisker_low", "q1", "median", "q3", "whisker_high")
            assert [row[name] for name in names] == pytest.approx(five_numbers(values))
            assert (row["judgments"], row["above"]) == (len(values), sum(value > 20 for value in values))
    medians = table.filter(anchors="with")["median"].to_list()
    assert drawn(items["figure-8"])["median"].to_list() == medians
    assert drawn(items["figure-8"]).select("linear", "exponential").rows() == [
        (1, 2),
        (2, 4),
        (3, 8),
        (4, 16),
        (None, None),
    ]


def test_figure_9(study, items):
    values, grades = by_topic(study.gains), by_topic(study.known["grades"])
    ratios: dict[str, list[float]] = {}
    for topic, of_topic in grades.items():
        ratios[topic] = [
            values[topic][high] / values[topic][low]
            for high, low in itertools.product(of_topic, repeat=2)
            if of_topic[high] == 3 and of_topic[low] in (1, 2)
        ]
    ratios["all"] = [ratio for of_topic in ratios.values() for ratio in of_topic]
    table = table_of(items["figure-9"])
    assert set(table["topic_id"]) == ratios.keys()
    for row in table.iter_rows(named=True):
        of_topic = ratios[row["topic_id"]]
        low, *_, high = five = five_numbers(of_topic)
        names = ("whisker_low", "q1", "median", "q3", "whisker_high")
        assert [row[name] for name in names] == pytest.approx(five)
        assert row["pairs"] == len(of_topic)
        assert row["above"] == sum(ratio > 3.5 for ratio in of_topic)
        assert row["outliers"] == sum(not low <= ratio <= high for ratio in of_topic)
    assert drawn(items["figure-9"])["topic_id"].to_list()[-1] == "all"
