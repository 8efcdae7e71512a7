"""Measures are written, parsed and printed the same."""

import pytest

from evaluation.measures import Measure, parse
from evaluation.measures.definitions import DEFINITIONS
from tests.evaluation.refusals import OPTION, refused


@pytest.mark.parametrize(
    "text",
    [
        "P@10",
        "R@100",
        "AP",
        "AP@100",
        "RR",
        "CG@10",
        "DCG@10",
        "nCG@10",
        "nDCG@10",
        "nDCG@R",
        "P(rel=2)@R",
        "AnCG@100",
        "AnDCG@100",
        "ERR@10",
        "ERR(gmax=3)@10",
        'ERR(gmax="topic")@10',
        'nDCG(discount="jk", base=2)@10',
        'nDCG(discount="log2")@10',
        'nDCG(gain="0-1-10-100", rel=2)@10',
        'AP(rel=0.5, norm="min")@5',
    ],
)
def test_name_repr_and_key_are_one(text):
    measure = parse(text)
    assert str(measure) == repr(measure) == text
    assert {measure: 1}[parse(text)] == 1


def test_a_cutoff_is_a_number_or_r():
    assert Measure("nDCG", cutoff="R") == parse("nDCG@R")
    for wrong in ("r", "10", 0, 1_000_001, 2.5):
        with refused("cutoff-out-of-bounds", "nDCG"):
            Measure("nDCG", cutoff=wrong)


def test_spellings_of_one_measure():
    canonical = parse('nDCG(discount="jk", base=2)@10')
    for text in (" nDCG( base=2,discount='jk' ) @10", "nDCG(discount=jk,base=2)@10"):
        assert parse(text) == canonical
    assert parse("nDCG(gain=0-1-10-100)") == parse('nDCG(gain="0-1-10-100")')
    assert parse("nDCG@10") != parse("nDCG@20")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("gm_map", "GMAP"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRet(rel=1)"),
        ("set_map", "SetAP"),
        ("set_F_4", "SetF(beta=2)"),
        ("set_F.0.25", "SetF(beta=0.5)"),
        ("set_relative_P", 'SetP(relative="yes")'),
        ("set_recall", "R"),
        ("relative_P_10", "relative_P@10"),
        ("Rprec_mult_1.20", "Rprec(multiple=1.2)"),
        ("Rprec_mult.2", "Rprec(multiple=2)"),
        ("iprec_at_recall_0.10", 'IPrec(recall=0.1, levels="trec_eval")'),
        ("ndcg_cut.5", "nDCG@5"),
        ("r-precision", "Rprec"),
        ("precision@5-l2", "P(rel=2)@5"),
        ("precision", "SetP"),
        ("f1@10", "F@10"),
        ("f1-l3", "SetF(rel=3)"),
        ("dcg_burges@10", 'DCG(gain="exp")@10'),
        ("ndcg_burges", 'nDCG(gain="exp")'),
        ("hits", 'NumRet(rel=1, over_topics="mean")'),
        ("mrr-l2", "RR(rel=2)"),
        ("SetR(rel=2)", "R(rel=2)"),
        ("IPrec@0.1", 'IPrec(recall=0.1, levels="trec_eval9")'),
        ("INST-T=2.0", "INST(T=2)"),
        ("INSQ-T=1", "INSQ"),
        ("compatibility@10", "Compat@10"),
        ("NDCG@R", "nDCG@R"),
    ],
)
def test_names_of_other_programs(theirs, ours):
    found, wanted = parse(theirs), parse(ours)
    assert (found.name, found.cutoff, found.parameters) == (wanted.name, wanted.cutoff, wanted.parameters)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Rndcg", "nDCG"),
        ("rbp_resid", "RBP_residual"),
        ("s-recall@5", "StRecall"),
        ("geometric_map", "GMAP"),
        ("offical", "official"),
    ],
)
def test_names_that_suggest_ours(theirs, ours):
    with refused("misspelt-measure", theirs.partition("@")[0], ours):
        parse(theirs)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", ["''"]),
        ("nDCG@", ["'nDCG@'"]),
        ("nDCG@-1", ["'nDCG@-1'"]),
        ("nDCG@1.5", ["'nDCG@1.5'"]),
        ("nDCG@0", ["nDCG@0", "1", "1000000"]),
        ("nDGC@10", ["'nDGC'", "nDCG"]),
        ("nDCG(foo=1)@10", ["'foo'", "nDCG", "rel", "gain"]),
        ("nDCG(2)@10", ["name=value"]),
        ("nDCG(rel=1 base=2)@10", ["name=value"]),
        ("nDCG(rel=1, rel=2)@10", ["nDCG(rel=1, rel=2)@10"]),
        ('nDCG(discount="ln")@10', ["discount", "'ln'", '"log2"', '"jk"']),
        ('nDCG(discount="jk", base=1)@10', ["base=1"]),
        ("nDCG(base=3)@10", ["base", 'discount="jk"']),
        ('nDCG(gain="steep")@10', ["gain='steep'", "0-1-10-100"]),
        ("ERR(gmax=0)@10", ["gmax=0"]),
        ("ERR(gmax=nan)@10", ["gmax='nan'"]),
        ('P(rel="high")@10', ["rel='high'"]),
        ("ERR(rel=2)@10", ["'rel'", "gmax"]),
        ("AnDCG", ["AnDCG@100"]),
        ("AnCG", ["AnCG@100"]),
        ("nDCG@r", ["'nDCG@r'"]),
        ("AnCG@R", ["AnCG@R"]),
        ('nDCG(ties="averaged")@R', ['ties="averaged"', "nDCG"]),
        ('nDCG(ideal="retrieved")@R', ['ideal="retrieved"', "nDCG"]),
    ],
)
def test_what_is_no_measure(text, named):
    with refused(
        (
            "base-without-discount",
            "cutoff-missing",
            "cutoff-out-of-bounds",
            "malformed-parameters",
            "measure-at-r",
            "parameter-at-r",
            "misspelt-measure",
            "not-a-measure",
            "parameter-given-twice",
            *OPTION,
            "parameter-not-a-largest-gain",
            "parameter-not-a-number",
            "parameter-not-a-scheme",
            "parameter-not-above-one",
            "unknown-parameter",
        ),
        *named,
    ):
        parse(text)


def test_messages_list_the_measures_in_the_order_of_their_families():
    families = ("CG", "ERR", "WAP", "bpref", "P", "IPrec", "alpha_nDCG", "NR")
    assert [name for name in DEFINITIONS if name in families] == list(families)
