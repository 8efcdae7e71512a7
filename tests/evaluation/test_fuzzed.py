"""Whatever stands in their files, commands end with results or with one line, never in a traceback."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.cli import COMMANDS, main

GOOD = {
    "judgments": "topic_id,unit_id,document_id,relevance_score,gold\nt,1,a,2,H\nt,1,b,8,N\nt,2,a,1,H\n",
    "pilot": "topic_id,unit_id,document_id,relevance_score,gold\n"
    "t,1,a,2,H\nt,1,b,8,N\nt,1,c,5,\nt,2,a,4,H\nt,2,b,9,N\nt,2,c,3,\n"
    "u,1,a,3,H\nu,1,b,1,N\nu,1,c,2,\nu,2,a,6,H\nu,2,b,2,N\nu,2,c,9,\n",
    "normalised": "topic_id,unit_id,document_id,relevance_score,normalized_relevance_score\n"
    "t,1,a,2,4\nt,1,b,8,1\n",
    "gains": "t 0 a 2.5\nt 0 b 0\nu 0 a 1e-30\n",
    "run": "t Q0 a 1 2.5 r\nt Q0 b 2 1e-3 r\nu Q0 a 0 -inf r\n",
    "other": "t Q0 b 1 2 o\nt Q0 a 2 1 o\n",
    "sample": "topic_id,document_id,inclusion\nt,a,.5\nt,b,1\nu,a,.25\n",
    "scores": "a\t1\tAP\t.5\nb\t1\tAP\t.4\na\t2\tAP\t.1\nb\t2\tAP\t-\na\tall\tAP\t9\n",
    "json": '[{"run": "a", "topic": "1", "measure": "AP", "value": 0.5},\n'
    ' {"run": "b", "topic": "1", "measure": "AP", "value": null}]',
}
WORDS = {
    "normalise": [["judgments"], ["judgments", "--method", "zlog"], ["judgments", "--method", "anchors"]],
    "gains": [["normalised"], ["normalised", "--statistic", "gmean"]],
    "check": [["gains", "run", "other"], ["gains", "run", "--negative", "zero", "--format", "json"]],
    "score": [
        ["gains", "run", "-m", "nDCG@2", "AP", "ERR", "Q", "RBP", "11pt_avg"],
        [
            "gains",
            "run",
            "--rel",
            "gains",
            "--negative",
            "zero",
            "--ties",
            "as_ranked",
            "-m",
            "P@1",
            "nCG(gain=exp)",
            "bpref",
            "infAP",
            "Judged@2",
            "RBP_residual",
        ],
        [
            "gains",
            "run",
            "--unjudged",
            "drop",
            "--average",
            "ratio_of_means",
            "--per-topic",
            "-m",
            "AnDCG@3",
            "AGR",
            "NumRet",
            "nERR(stop=share)@3",
            "nDCG(ties=averaged)@2",
        ],
        ["gains", "run", "other", "-m", "official", "--format", "trec_eval", "--per-topic", "--depth", "1"],
    ],
    "correlate": [
        ["scores", "json"],
        ["json", "scores", "--statistic", "tau_ap"],
        ["json", "scores", "--statistic", "rbo(p=0.5)"],
    ],
    "topset": [["scores"], ["json"]],
    "compare": [
        ["gains", "run", "other", "-m", "P@1", "AP", "--resamples", "9", "--tests", "sign_test", "conover"],
        ["scores", "--tests", "wilcoxon", "tukey", "--part", "pairs", "--format", "json", "--resamples", "9"],
        ["json", "--part", "means", "--format", "latex", "--interval", "t"],
    ],
    "arms": [
        ["--judgments", "a=pilot", "b=pilot", "--runs", "run", "other", "-m", "nDCG@2", "--draws", "2"],
        ["--judgments", "pilot", "--by", "unit_id", "--resamples", "5", "--format", "json"],
    ],
    "judges": [
        [
            *("gains", "--labels", "a=gains", "--runs", "run", "other", "-m", "nDCG@2", "--resamples", "5"),
            *("--family", "r=a", "--documents", "sample", "--rel", "1"),
        ],
        ["--judgments", "pilot", "--labels", "a=gains", "--resamples", "5", "--format", "json"],
    ],
    "intervals": [["--judgments", "pilot", "--runs", "run", "other", "-m", "nDCG@2", "--resamples", "5"]],
    "allocate": [
        ["judgments", "run", "other", "--unit-size", "3", "-m", "nDCG@2"],
        ["judgments", "run", "other", "--check", "json"],
    ],
    "sample": [
        ["run", "other", "--depth", "2", "--budget", "2", "--measure", "DCG@2", "--seed", "1"],
        [
            *("run", "other", "--depth", "1", "--budget", "1", "--measure", "RBP@1", "--seed", "1"),
            *("--pairs", "baseline", "--baseline", "r", "--design", "poisson", "--always", "gains"),
        ],
    ],
    "estimate": [
        ["gains", "run", "other", "-m", "DCG@2", "--inclusion", "sample"],
        [
            *("gains", "run", "other", "-m", "CG@2", "--inclusion", "sample", "--predictions", "gains"),
            *("--baseline", "r", "--design", "poisson"),
        ],
    ],
    "plan": [
        ["pilot", "--topics", "2", "--judgments", "2"],
        ["pilot", "--runs", "run", "other", "-m", "nDCG@2", "--topics", "2", "--judgments", "2"],
        [
            *("pilot", "--runs", "run", "other", "-m", "DCG@2", "--topics", "2", "--judgments", "2"),
            *("--shares", ".5", "--explained", ".2", "--half-width", "9"),
        ],
    ],
    "report": [
        ["--judgments", "pilot", "--parts", "gains", "-o", "folder"],
        [
            "--judgments",
            "pilot",
            "--labels",
            "model=labels",
            "--parts",
            "judges-beside-people",
            "-o",
            "folder",
        ],
    ],
    "stability": [["scores", "--trials", "5", "--topics", "1"]],
    "discrimination": [["scores", "--trials", "5", "--topics", "1"]],
    "distance": [
        ["gains", "gains", "-m", "ndpm", "tau_b"],
        ["gains", "gains", "-m", "adm", "--scale", "minmax"],
    ],
}
SEPARATORS = [" ", "\t", "\n", "\r\n", "\r", ",", '"', "", "\x00", "\ufeff", "\u2028", "{", "]"]
NUMBERS = ["0", "-1", "-0.0", "1e308", "1e999", "nan", "-inf", "5e-324", "9" * 400]
TEXTS = ["é", "t", "a", "all", "null", "t 0 a 1\n", "t Q0 z 1 1e39 r\n"]
PIECES = st.sampled_from([*SEPARATORS, *NUMBERS, *TEXTS])
SPOILT = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), PIECES), max_size=3)


def spoilt(text: str, changes: list[tuple[float, int, str]]) -> str:
    """The text with pieces put in, each at a place and instead of so many characters."""
    for place, length, piece in changes:
        start = round(place * len(text))
        text = text[:start] + piece + text[start + length :]
    return text


def test_every_command_is_fuzzed():
    reads_no_files = {"conformance"}
    assert set(WORDS) >= set(COMMANDS) - reads_no_files


@pytest.mark.parametrize(
    "words", [[name, *more] for name, cases in WORDS.items() for more in cases], ids=" ".join
)
@given(changes=st.fixed_dictionaries(dict.fromkeys(GOOD, SPOILT)))
def test_a_command_ends_with_results_or_with_one_line(tmp_path_factory, words, changes):
    folder = tmp_path_factory.getbasetemp()
    for name, text in GOOD.items():
        (folder / name).write_bytes(spoilt(text, changes[name]).encode())
    paths = {*GOOD, "folder"}
    line = [str(folder / word) if word in paths and place else word for place, word in enumerate(words)]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(line)
    if status:
        assert (status, out.getvalue()) == (1, "")
        assert err.getvalue().count("\n") == 1
        assert err.getvalue().endswith("\n")
    else:
        assert out.getvalue()
