"""Agreement with what trec_eval 10 prints for scores apart beyond 32 bits, codes, `#` lines and remarks."""

import pytest
import pytrec_eval

from evaluation.files import read_gains, read_run
from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.command_results import output_of
from tests.evaluation.refusals import assert_warnings, refused
from tests.evaluation.test_trec_eval import WITH_UNJUDGED_ONLY, compared

VALUES = 85 * 19 + 1
"""All of trec_eval's values that Plumbline has too: of 18 topics, and over all of them; gm_map only there."""
CLOSE = ("t1", "t2", "t3", "t4", "t5")
"""Topics with two documents whose scores are tied in 32 bits alone. In 64 bits, the relevant one is first."""


@pytest.fixture
def folder(collections):
    return collections / "trec_eval10"


@pytest.fixture
def gains(folder):
    return read_gains(folder / "close.qrels", negative="zero")


@pytest.fixture
def run(folder):
    return read_run(folder / "close.run")


def test_every_shared_measure(folder, gains, run):
    assert compared(folder / "out.all_trec", gains, run, leave_out=WITH_UNJUDGED_ONLY) == VALUES


def test_judged_documents_only(folder, gains, run):
    """With -J, documents whose only judgment is a negative code are removed too."""
    path = folder / "out.all_trec-J"
    assert compared(path, gains, run, leave_out=WITH_UNJUDGED_ONLY, unjudged="drop") == VALUES


def test_another_level_of_relevance(folder, gains, run):
    path = folder / "out.all_trec-l2"
    assert compared(path, gains, run, rel=2, leave_out=WITH_UNJUDGED_ONLY, empty="zero") == VALUES


def test_the_first_documents_of_each_topic(folder, gains, run):
    path = folder / "out.all_trec-M20"
    assert compared(path, gains, run, leave_out=WITH_UNJUDGED_ONLY, depth=20) == VALUES


def test_the_rest_of_a_list_is_removed_before_unjudged_documents():
    """Of x, a, b with a depth of 2, x and a are left, and of these a is judged."""
    gains, run = {"t": {"a": 0, "b": 1}}, {"t": {"x": 3, "a": 2, "b": 1}}
    for depth in (1, 2, 3):
        kept = score(gains, run, "NumRet", depth=depth, unjudged="drop", missing="skip")
        assert kept.means()[0].value == depth - 1
    ranked = Run.from_columns("run", ["t"] * 3, ["x", "b", "a"], [1, 2, 3], [1, 2, 3])
    # By score, a and b are the first two; by rank, x and b are, and x is not judged.
    for ties, share in (("trec_eval", 1), ("as_ranked", 1 / 2)):
        assert score(gains, [ranked], "Judged", depth=2, ties=ties).means()[0].value == share
    for bad in (0, -1, 2.5, "20", True):
        with refused("argument-not-a-count", "depth"):
            score(gains, run, "NumRet", depth=bad)


def test_the_official_measures_are_printed_as_trec_eval_prints_them(collections, folder, shell):
    """Without and with its option -q."""
    old = collections / "trec_eval"
    words = "-m", "official", "--format", "trec_eval"
    done = shell("score", str(old / "qrels.test"), str(old / "results.test"), *words)
    assert output_of(done) == (old / "out.test").read_text()
    files = str(folder / "close.qrels"), str(folder / "close.run")
    done = shell("score", *files, *words, "--per-topic", "--depth", "20", "--negative", "zero")
    printed = (folder / "out.all_trec-M20").read_text().splitlines()
    names = {line.split()[0] for line in done.stdout.splitlines()}
    assert len(names) == 30
    assert done.stdout.splitlines() == [line for line in printed if line.split()[0] in names]


def test_the_rule_of_trec_eval_9_compares_32_bits(gains, run):
    judged, lists = {}, {}
    for topic, document, gain in gains.table.iter_rows():
        judged.setdefault(topic, {})[document] = int(gain)
    for topic, document, value, _ in run.table.iter_rows():
        lists.setdefault(topic, {})[document] = value
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg"}).evaluate(lists)
    by_topic = score(gains, [run], ["map", "ndcg"], ties="trec_eval9").to_dict(per_topic=True)["made"]
    for topic, values in by_topic.items():
        assert values == pytest.approx({name: theirs[topic][name] for name in values}, abs=1e-9), topic


@pytest.mark.parametrize("ties", ["trec_eval", "trec_eval9"])
def test_topics_with_scores_tied_in_32_bits_alone_are_named(gains, run, ties):
    notices = score(gains, [run], "AP", ties=ties).notices
    assert set(CLOSE) <= set(notices.topics("close-scores")["made"])
    assert "t6" not in notices.topics("close-scores")["made"]  # tied in 64 bits too
    assert any("made" in sentence and "t1" in sentence for sentence in notices.sentences())


def test_the_command_takes_both_rules_and_warns(tmp_path, shell):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0000000001 made\n1 Q0 b 2 1 made\n")
    for ties, value in (("trec_eval", "1.0000"), ("trec_eval9", "0.5000")):
        done = shell("score", "qrels", "run", "-m", "RR", "--ties", ties)
        assert_warnings(done, ("made", "1"))
        assert done.stdout.split()[-1] == value


QRELS = "# grades\n1 0 a 1\n  # more grades\n1 0 #b 0\n\n1\t0\tc 2\n#"
RUN = "#a run\n1 Q0 a 1 3 made some words\n#\n1 Q0 #b 2 2 made 7\n1\tQ0 c 3 1 made\tmore\n"


def test_lines_with_a_hash_and_words_after_the_tag_are_skipped(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    assert read_gains(tmp_path / "qrels").table.rows() == [("1", "a", 1.0), ("1", "#b", 0.0), ("1", "c", 2.0)]
    read = read_run(tmp_path / "run")
    assert (read.tag, read.table["document_id"].to_list()) == ("made", ["a", "#b", "c"])


@pytest.mark.parametrize(
    ("name", "text", "code", "line"),
    [
        ("qrels", "# grades\n1 0 a 1\n1 0 b 1 more\n", "wrong-number-of-columns", 3),
        ("qrels", "#\n#\n1 0 a x\n", "not-a-number", 3),
        ("qrels", "# grades\n# alone\n", "empty-file", 1),
        ("run", "# a run\n1 Q0 a 1 2 made\n1 Q0 b 2 1\n", "wrong-number-of-columns", 3),
        ("run", "1 Q0 a 1 2 made by us\n# now another\n1 Q0 b 2 1 other made\n", "several-tags", 3),
        ("run", "# a run\n1 Q0 my document 1 2 made\n", "not-a-number", 2),
    ],
)
def test_faults_are_found_at_their_lines_among_comments(tmp_path, name, text, code, line):
    (tmp_path / name).write_text(text)
    with refused(code, at=f"{tmp_path / name}:{line}"):
        (read_gains if name == "qrels" else read_run)(tmp_path / name)


def test_dropping_leaves_documents_with_a_value_in_either_file():
    """a has a code in both files, b a code and a gain, c a code alone, d no judgment."""
    gains = Gains.from_columns(["1"] * 3, ["a", "b", "e"], [-1, 2, 1], negative="zero")
    rel = Gains.from_columns(["1"] * 4, ["a", "b", "c", "e"], [-2, -1, -1, 1], negative="zero")
    run = Run({"1": {"a": 5, "c": 4, "d": 3, "b": 2, "e": 1}})
    assert score(gains, [run], ["NumRet"], rel=rel, unjudged="drop").means()[0].value == 2
    assert score(gains, [run], ["RR(rel=1)"], rel=rel, unjudged="drop").means()[0].value == 1 / 2
    assert score(gains, [run], ["NumRet"], unjudged="drop").means()[0].value == 2
