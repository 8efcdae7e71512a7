"""The tables and examples of [ZY10]: as printed, by plain loops, and for the runs of a study."""

from dataclasses import replace
from itertools import combinations
from statistics import mean

import pytest
from scipy.stats import kendalltau, spearmanr

from evaluation.frames import Judgments
from evaluation.papers import PAPERS, build_paper
from evaluation.papers.zy10.example import PRINTED, SYSTEMS, USER
from evaluation.papers.zy10.of_runs import collection_size
from tests.evaluation.report_study import study_of_everything


@pytest.fixture(scope="module")
def study():
    return study_of_everything()


@pytest.fixture(scope="module")
def contents(study):
    return contents_of(study)


@pytest.fixture(scope="module")
def tables(contents):
    return {numbers.key: numbers.table for content in contents.values() for numbers in content.tables}


def contents_of(study):
    return {finished.part.key: finished.content for finished in build_paper(study, "ZY10").finished}


def lists(gains, run):
    """Each topic's gains, and the run's documents best first (trec_eval's order), with their scores."""
    for topic in gains.table["topic_id"].unique().sort():
        user = dict(gains.table.filter(topic_id=topic).select("document_id", "gain").iter_rows())
        scores = dict(run.table.filter(topic_id=topic).select("document_id", "score").iter_rows())
        ranked = sorted(sorted(scores, reverse=True), key=scores.get, reverse=True)
        yield user, scores, ranked


@pytest.mark.parametrize("column", PRINTED)
def test_table_2_as_printed(tables, column):
    printed = [float(value) for value in PRINTED[column]]
    assert tables["table-2"][column].to_list() == pytest.approx(printed, abs=0.005)


def test_table_2_by_plain_loops(tables):
    """Each cell anew: the ideal list is the user's, and the gains at the ranks are the system's scores."""
    table = tables["table-2"]
    halves = [1, 1, 1.58496250072, 2, 2.32192809489]  # log2 of the ranks, and no discount below 2
    for place, scores in enumerate(SYSTEMS.values()):
        row = table.row(place, named=True)
        cg, ideal = ([sum(values[: n + 1]) for n in range(5)] for values in (scores, USER))
        dcg, best = (
            [sum(v / h for v, h in zip(values[: n + 1], halves, strict=False)) for n in range(5)]
            for values in (scores, USER)
        )
        assert row["msr"] == pytest.approx(
            sum(s / n for n, s in enumerate(scores, 1)) / sum(u / n for n, u in enumerate(USER, 1))
        )
        assert row["dcg"] == pytest.approx(dcg[-1] / best[-1])
        assert row["ndcg"] == pytest.approx(mean(x / y for x, y in zip(dcg, best, strict=True)))
        assert row["wap"] == pytest.approx(mean(x / y for x, y in zip(cg, ideal, strict=True)))
        ratios = [(x + n) / (y + n) for n, (x, y) in enumerate(zip(cg, ideal, strict=True), 1)]
        assert row["Q"] == pytest.approx(mean(ratios))
        pairs = list(combinations(range(5), 2))
        kept = [1 if scores[i] > scores[j] else 0.5 if scores[i] == scores[j] else 0 for i, j in pairs]
        assert row["ndpm"] == pytest.approx(mean(kept))
        assert row["adm"] == pytest.approx(1 - mean(abs(s - u) for s, u in zip(scores, USER, strict=True)))


def test_agr_in_both_readings(tables):
    """R_l counted in each ranking itself, which is printed, and in the user's judgments (see test_graded)."""
    of_base = tables["table-2-printed"].row(-1, named=True)
    assert [of_base[tag] for tag in SYSTEMS] == pytest.approx([0.945, 0.781, 0.810, 0.396], abs=5e-4)
    of_ranking = tables["table-2"]["agr"].to_list()
    assert of_ranking == pytest.approx([0.941, 0.776, 0.802, 0.359], abs=5e-4)


def test_examples_as_printed(tables):
    for key in ("example-2", "example-3", "example-5"):
        for row in tables[key].iter_rows(named=True):
            printed = float(row["printed"].replace("−", "-"))
            assert row["formula"] == pytest.approx(printed, abs=0.005), row
    beside = tables["table-2-printed"]
    assert beside["measure"].to_list()[:-1] == list(PRINTED)
    for tag in SYSTEMS:
        printed = [float(value) for value in beside[f"{tag}_printed"].to_list()[:-1]]
        assert beside[tag].to_list()[:-1] == pytest.approx(printed, abs=0.005), tag


def test_correlations_of_the_runs(study, tables):
    for place, gains in enumerate(study.all_gains.values()):
        for run in study.runs:
            rho, tau = [], []
            for user, scores, _ in lists(gains, run):
                both = sorted(user.keys() & scores.keys())
                sides = [user[d] for d in both], [scores[d] for d in both]
                rho.append(spearmanr(*sides).statistic)
                tau.append(kendalltau(*sides).statistic)
            of_run = {"run": run.tag}
            assert tables[f"example-2-runs-{place}"].filter(**of_run)["rho"].item() == pytest.approx(
                mean(rho)
            )
            assert tables[f"example-3-runs-{place}"].filter(**of_run)["tau_b"].item() == pytest.approx(
                mean(tau)
            )


def test_table_2_of_the_runs(study, tables):
    """The columns of the paper by plain loops. The gains of the user are the gains of the lists."""
    collection = collection_size(study)
    assert collection == len(
        {
            d
            for frame in (study.judgments, *study.known.values(), *study.runs)
            for d in frame.table["document_id"]
        }
    )
    for place, gains in enumerate(study.all_gains.values()):
        table = tables[f"table-2-runs-{place}"]
        assert table.columns == ["run", *PRINTED]
        for run in study.runs:
            expected = {"msr": [], "wap": [], "Q": [], "ndpm": [], "adm": []}
            for user, scores, ranked in lists(gains, run):
                found = [user.get(document, 0) for document in ranked]
                ideal = sorted(user.values(), reverse=True)
                expected["msr"].append(
                    sum(g / n for n, g in enumerate(found, 1)) / sum(g / n for n, g in enumerate(ideal, 1))
                )
                relevant = sum(gain > 0 for gain in ideal)
                wap = q = count = 0
                for n, gain in enumerate(found, 1):
                    count += gain > 0
                    if gain > 0:
                        wap += sum(found[:n]) / sum(ideal[:n])
                        q += (sum(found[:n]) + count) / (sum(ideal[:n]) + n)
                expected["wap"].append(wap / relevant)
                expected["Q"].append(q / relevant)
                expected["ndpm"].append(kept_share(user, scores))
                distances = [
                    abs(scaled(scores).get(document, 0) - scaled(user).get(document, 0))
                    for document in user.keys() | scores.keys()
                ]
                expected["adm"].append(1 - sum(distances) / collection)
            row = table.filter(run=run.tag).row(0, named=True)
            assert {name: row[name] for name in expected} == pytest.approx(
                {name: mean(values) for name, values in expected.items()}
            )


def kept_share(user, scores):
    """1 − NDPM: the share of the user's preferences that the system keeps, ties half; unranked ones last."""
    kept = []
    for a, b in combinations(user, 2):
        if user[a] != user[b]:
            better, worse = (a, b) if user[a] > user[b] else (b, a)
            first, second = (scores.get(document, float("-inf")) for document in (better, worse))
            kept.append(1 if first > second else 0.5 if first == second else 0)
    return mean(kept)


def scaled(scores):
    low, high = min(scores.values()), max(scores.values())
    return {document: (score - low) / (high - low) for document, score in scores.items()}


def test_combined_preferences(study, tables):
    table = tables["table-2-combined"]
    assert table["gains"].to_list() == tables["table-2-runs-0"]["ndpm"].to_list()
    for run in study.runs:
        shares = []
        for topic in study.gains.table["topic_id"].unique().sort():
            points = {}
            judged = study.judgments.table.filter(topic_id=topic)
            for _, unit in judged.group_by("unit_id", "worker_id"):
                ranks = unit["relevance_score"].rank("average").to_list()
                for document, rank in zip(unit["document_id"], ranks, strict=True):
                    points.setdefault(document, []).append((rank - 1) / (len(ranks) - 1))
            user = {document: round(mean(values), 12) for document, values in points.items()}
            scores = dict(run.table.filter(topic_id=topic).select("document_id", "score").iter_rows())
            shares.append(kept_share(user, scores))
        assert table.filter(run=run.tag)["borda"].item() == pytest.approx(mean(shares))


def test_a_study_without_grades_has_its_crowd(study):
    contents = contents_of(replace(study, known={}))
    assert [numbers.key for numbers in contents["table-2"].tables] == [
        "table-2",
        "table-2-printed",
        "table-2-runs-0",
        "table-2-combined",
    ]


@pytest.mark.parametrize(
    "lacking",
    [{"runs": ()}, {"judgments": Judgments.from_columns([], [], [], []), "known": {}}],
    ids=["no runs", "no judgments"],
)
def test_what_is_missing_has_a_reason(study, lacking):
    """The paper's own numbers stay, and a reason stands in the place of the runs."""
    contents = contents_of(replace(study, **lacking))
    computed = {item.key for item in PAPERS["ZY10"].computed}
    assert all(content.missing for content in contents.values())
    assert {key for key, content in contents.items() if content.tables} == computed
    keys = {numbers.key for content in contents.values() for numbers in content.tables}
    assert not {key for key in keys if "-runs-" in key or key == "table-2-combined"}
