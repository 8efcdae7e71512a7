"""Agreement with what trec_eval 10 prints for scores apart beyond 32 bits, codes, `#` lines and remarks."""

import pytest
import pytrec_eval

from evaluation.files import read_gains, read_run
from evaluation.frames import Gains
from evaluation.order import sort_by_score
from evaluation.runs import Run
from evaluation.scores import score
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
    first = sort_by_score(run.table, "topic_id").group_by("topic_id", maintain_order=True).head(20)
    short = Run.from_columns("made", first["topic_id"], first["document_id"], first["score"])
    assert compared(folder / "out.all_trec-M20", gains, short, leave_out=WITH_UNJUDGED_ONLY) == VALUES


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
    assert set(CLOSE) <= set(notices.close["made"])
    assert "t6" not in notices.close["made"]  # tied in 64 bits too
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
