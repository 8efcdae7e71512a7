"""Agreement with trec_eval's own outputs on its own inputs, to the last digit it prints."""

from pathlib import Path

import pytest

from evaluation.files import read_gains, read_run
from evaluation.frames import Run
from evaluation.scores import score

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
SHARED = {
    "map": "AP",
    "recip_rank": "RR",
    "ndcg": "nDCG",
    **{f"P_{k}": f"P@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"R@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"nDCG@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"AP@{k}" for k in CUTOFFS},
}
"""trec_eval's names of the measures that both have."""


def expected(path: Path) -> dict[tuple[str, str], str]:
    """What trec_eval printed, by topic and our name of the measure."""
    rows = (line.split() for line in path.read_text().splitlines())
    return {(topic, SHARED[name]): value for name, topic, value in rows if name in SHARED}


def printed(scores) -> dict[tuple[str, str], str]:
    rows = [*scores.rows, *scores.means()]
    return {(row.topic, row.measure): f"{row.value:.4f}" for row in rows}


@pytest.fixture
def folder(collections):
    return collections / "trec_eval"


@pytest.fixture
def gains(folder):
    return read_gains(folder / "qrels.test")


@pytest.fixture
def run(folder):
    return read_run(folder / "results.test")


@pytest.fixture
def truncated(folder) -> Run:
    """The run whose lines end in remarks that trec_eval passes over and we refuse, without the remarks."""
    rows = [line.split()[:6] for line in (folder / "results.trunc").read_text().splitlines()]
    topics, _, documents, _, values, _ = zip(*rows, strict=True)
    return Run.from_columns("STANDARD", topics, documents, [float(value) for value in values])


def test_means_alone(folder, gains, run):
    wanted = expected(folder / "out.test")
    assert len(wanted) == 11
    scores = score(gains, [run], sorted({measure for _, measure in wanted}))
    assert {key: value for key, value in printed(scores).items() if key[0] == "all"} == wanted


def test_every_shared_measure_on_every_topic(folder, gains, run):
    wanted = expected(folder / "out.test.aq")
    scores = score(gains, [run], list(SHARED.values()))
    assert len(wanted) == len(SHARED) * 4
    assert printed(scores) == wanted


def test_topics_without_a_list_count_as_with_its_option_c(folder, gains, truncated):
    wanted = expected(folder / "out.test.aqc")
    scores = score(gains, [truncated], list(SHARED.values()))
    assert scores.notices.unanswered
    found = printed(scores)
    assert {key: value for key, value in found.items() if key in wanted} == wanted


def test_relevance_levels_as_with_its_option_l(folder, run):
    wanted = expected(folder / "out.test.aql")
    counting = {ours for ours in SHARED.values() if "DCG" not in ours}
    levels = read_gains(folder / "qrels.rel_level", negative="zero")
    asked = {ours: ours.replace("@", "(rel=2)@") if "@" in ours else f"{ours}(rel=2)" for ours in counting}
    found = printed(score(levels, [run], list(asked.values())))
    for (topic, ours), value in wanted.items():
        if ours in counting:
            assert found[topic, asked[ours]] == value, (topic, ours)


def test_graded_ndcg(folder, run):
    """Its nDCG takes the grades themselves as gains, whatever the level of relevance."""
    levels = read_gains(folder / "qrels.rel_level", negative="zero")
    wanted = {key: v for key, v in expected(folder / "out.test.aql").items() if "DCG" in key[1]}
    assert printed(score(levels, [run], list(dict.fromkeys(name for _, name in wanted)))) == wanted
