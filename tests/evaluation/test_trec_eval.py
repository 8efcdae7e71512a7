"""Agreement with trec_eval's own outputs on its own inputs, to the last digit it prints."""

from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.files import read_gains, read_run
from evaluation.frames import Gains
from evaluation.measures import parse
from evaluation.runs import Run
from evaluation.scores import score

BOTH_HAVE = {
    "map": "AP",
    "map_cut": "AP@{}",
    "P": "P@{}",
    "recall": "R@{}",
    "Rprec": "Rprec",
    "recip_rank": "RR",
    "iprec_at_recall": 'IPrec(recall={}, levels="trec_eval")',
    "11pt_avg": '11pt_avg(levels="trec_eval")',
    "success": "Success@{}",
    "ndcg": "nDCG",
    "ndcg_1=3,2=9,4=4.5": 'nDCG(gain="0:0,1:3,2:9,4:4.5")',
    "ndcg_cut": "nDCG@{}",
    "rbp": 'RBP(p=0.9, gain="linear", gmax="topic")',
    "set_P": "SetP",
    "set_relative_P": 'SetP(relative="yes")',
    "set_recall": "R",
    "set_F": "SetF",
    "set_map": "SetAP",
    "relative_P": "relative_P@{}",
    "Rprec_mult": "Rprec(multiple={})",
    "gm_map": "GMAP",
    "num_rel": "NumRel",
    "bpref": "bpref",
    "infAP": "infAP",
    "rbp_resid": "RBP_residual(p=0.9)",
    "num_ret": "NumRet",
    "num_rel_ret": "NumRet(rel=1)",
}
"""trec_eval's names, without the number at their end, and ours, with it in the braces."""

WITH_UNJUDGED_ONLY = {"rbp_resid"}
"""0 there unless a retrieved document is unjudged; here the ranks below the list count too."""

TREC_EVAL_ALONE = {
    **dict.fromkeys(("runid", "num_q"), "counts"),
    **dict.fromkeys(("num_nonrel_judged_ret", "unj", "relstring"), "counts and lists of what is judged"),
    "gm_bpref": "the geometric mean of bpref",
    **dict.fromkeys(("utility", "utility_2,-1,0,0"), "a linear utility of the four counts"),
    "11pt_avg_.25,.5,.75": "an average over three levels; each is IPrec(recall=…) here",
    "ndcg_rel": "nDCG averaged over the relevant ranks",
    "Rndcg": "nDCG at rank R",
    "G": "a gain over relevant ranks of its author's own",
    "binG": "the same with binary gains",
}
"""What we have not, and what it is."""


def ours(name: str) -> str | None:
    """Our name for one of trec_eval's, None where we have none; `KeyError` for one that is not listed."""
    if name in BOTH_HAVE or name in TREC_EVAL_ALONE:
        return BOTH_HAVE.get(name)
    family, _, number = name.rpartition("_")
    if family in BOTH_HAVE:
        return BOTH_HAVE[family].format(number)
    return TREC_EVAL_ALONE[family] and None


def rows_of(path: Path) -> list[tuple[str, str, str]]:
    """trec_eval's name, topic and value as printed."""
    rows = (line.split(maxsplit=2) for line in path.read_text().splitlines())
    return [(name, topic, value) for name, topic, value in rows]


def compared(
    path: Path,
    gains: Gains,
    run: Run,
    rel: int | None = None,
    leave_out: set[str] = frozenset(),
    **conventions: str,
) -> int:
    """How many of the values printed in the file are ours too; fails at the first that is not.

    With `rel`, measures that count relevant documents take it, as trec_eval's do with its option -l. The
    `conventions` are those of `score`.
    """
    wanted = {
        (topic, name): value
        for name, topic, value in rows_of(path)
        if ours(name) is not None and name not in leave_out
    }
    measures = {}
    for name in dict.fromkeys(name for _, name in wanted):
        measure = parse(ours(name))
        given = dict(measure.given)
        if rel is not None and (measure.counts == "relevant" or "rel" in given or name == "num_rel"):
            measure = replace(measure, given=tuple({**given, "rel": rel}.items()))
        measures[name] = str(measure)
    scores = score(gains, [run], list(dict.fromkeys(measures.values())), **conventions)
    results = {(row.topic, row.measure): row.value for row in [*scores.rows, *scores.means()]}
    for (topic, name), value in wanted.items():
        digits = 4 if "." in value else 0
        assert f"{results[topic, measures[name]]:.{digits}f}" == value, (topic, name)
    return len(wanted)


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
    """The run whose lines end in remarks."""
    return read_run(folder / "results.trunc")


def test_every_name_it_prints_is_ours_or_listed_as_not(folder):
    """A name in neither list raises; and neither list holds a name that nothing prints."""
    printed = {name for path in folder.glob("out.test*") for name, _, _ in rows_of(path)}
    for name in printed:
        ours(name)
    for name in (*BOTH_HAVE, *TREC_EVAL_ALONE):
        assert any(known == name or known.rpartition("_")[0] == name for known in printed), name


def test_means_alone(folder, gains, run):
    assert compared(folder / "out.test", gains, run) == 28
    assert compared(folder / "out.test.a", gains, run) == 87


def test_every_shared_measure_on_every_topic(folder, gains, run):
    assert compared(folder / "out.test.aq", gains, run) == 86 * 4 + 1


def test_measures_with_parameters(folder, gains, run):
    assert compared(folder / "out.test.meas_params", gains, run) == 20 * 4


def test_the_average_over_levels_of_ones_own(folder, gains, run):
    levels = [f'IPrec(recall={level}, levels="trec_eval")' for level in (0.25, 0.5, 0.75)]
    scores = score(gains, [run], levels)
    results = {"all": sum(row.value for row in scores.means()) / 3}
    results |= dict(zip(scores.topics, scores.values[0].mean(axis=-1), strict=True))
    for name, topic, value in rows_of(folder / "out.test.meas_params"):
        if name == "11pt_avg_.25,.5,.75":
            assert f"{results[topic]:.4f}" == value, topic


def test_topics_without_a_list_count_as_with_its_option_c(folder, gains, truncated):
    path = folder / "out.test.aqc"
    assert compared(path, gains, truncated, leave_out=WITH_UNJUDGED_ONLY) == 85 * 4 + 1
    assert score(gains, [truncated], ["AP"]).notices.topics("topics-not-answered")


def test_relevance_levels_as_with_its_option_l(folder, run):
    """Its nDCG takes the grades themselves as gains, whatever the level of relevance."""
    levels = read_gains(folder / "qrels.rel_level", negative="zero")
    assert compared(folder / "out.test.aql", levels, run, rel=2) == 86 * 4 + 1
