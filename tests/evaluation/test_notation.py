"""Measures are written, parsed and printed the same."""

import pytest

from evaluation.errors import InputError
from evaluation.measures import parse


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


def test_spellings_of_one_measure():
    canonical = parse('nDCG(discount="jk", base=2)@10')
    for text in (" nDCG( base=2,discount='jk' ) @10", "nDCG(discount=jk,base=2)@10"):
        assert parse(text) == canonical
    assert parse("nDCG(gain=0-1-10-100)") == parse('nDCG(gain="0-1-10-100")')
    assert parse("nDCG@10") != parse("nDCG@20")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not written as a measure"),
        ("nDCG@", "not written as a measure"),
        ("nDCG@-1", "not written as a measure"),
        ("nDCG@1.5", "not written as a measure"),
        ("nDCG@0", "cut-off .* from 1"),
        ("nDGC@10", "no measure is named 'nDGC'; did you mean nDCG"),
        ("nDCG(foo=1)@10", "no parameter 'foo'"),
        ("nDCG(2)@10", "name=value"),
        ("nDCG(rel=1 base=2)@10", "rel='1 base'|name=value"),
        ("nDCG(rel=1, rel=2)@10", "given twice"),
        ('nDCG(discount="ln")@10', '"log2" or "jk"'),
        ('nDCG(discount="jk", base=1)@10', "above 1"),
        ("nDCG(base=3)@10", 'belongs to discount="jk"'),
        ('nDCG(gain="steep")@10', "0-1-10-100"),
        ("ERR(gmax=0)@10", "above 0"),
        ("ERR(gmax=nan)@10", "above 0"),
        ('P(rel="high")@10', "a number"),
        ("ERR(rel=2)@10", "it has gmax"),
        ("AnDCG", "needs a cut-off"),
        ("AnCG", "needs a cut-off"),
    ],
)
def test_what_is_no_measure(text, complaint):
    with pytest.raises(InputError, match=complaint):
        parse(text)
