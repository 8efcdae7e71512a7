"""alpha_nDCG: its worked example, its definition in ndeval, and judgments by subtopic."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.files import read_gains
from evaluation.frames import Gains
from evaluation.measures import parse
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.refusals import refused

ROWS = [("t", "1", "a", 1), ("t", "2", "a", 1), ("t", "1", "b", 1), ("t", "3", "c", 1), ("t", "3", "b", 0)]
"""Topic, subtopic, document, grade: a covers the subtopics 1 and 2, b 1, c 3."""

PYNDEVAL = {
    0.5: [0, 0.6240184448077927, 0.6997316328358084, 0.6997316328358084],
    0.9: [0, 0.6607682835690979, 0.6735907744578941, 0.673590774457894],
}
"""Recorded from pyndeval 0.0.8, which has ndeval inside: alpha-nDCG at 1, 5, 10 and 20, by alpha."""


ALL_OF_PYNDEVAL = {
    ("0.5", "0.5"): {
        "ERR_IA@2": 0.26666666666666666,
        "ERR_IA@5": 0.38930912758446795,
        "ERR_IA@20": 0.4234577376562257,
        "nERR_IA@2": 0.36363636363636365,
        "nERR_IA@20": 0.5444730707888602,
        "alpha_DCG@2": 0.3197499554241752,
        "alpha_DCG@20": 0.5702752755375584,
        "P_IA@2": 0.3333333333333333,
        "P_IA@20": 0.16666666666666666,
        "StRecall@2": 0.6666666666666666,
        "StRecall@5": 1.0,
        "NRBP": 0.343994140625,
        "nNRBP": 0.45480955455132344,
        "AP_IA": 0.4509259259259259,
    },
    ("0.9", "0.3"): {
        "ERR_IA@5": 0.43670240645066716,
        "nERR_IA@5": 0.5281214130850657,
        "alpha_DCG@5": 0.5763135842856246,
        "NRBP": 0.22427701613899995,
        "nNRBP": 0.29608506040174615,
    },
}
"""From the same program, by α and β."""


def gains_of(rows):
    topics, subtopics, documents, grades = zip(*rows, strict=True)
    return Gains.from_columns(topics, documents, grades, subtopics)


def run_of(listed, topic="t"):
    return Run.from_columns(
        "run", [topic] * len(listed), list(listed), [-float(i) for i in range(len(listed))]
    )


def scored(measures, rows, listed):
    return [row.value for row in score(gains_of(rows), [run_of(listed)], measures).rows]


def by_ndeval(rows, listed, k, alpha, rel=1):
    """alpha-nDCG@k as ndeval words it, for one topic."""
    relevant = {}
    for _, subtopic, document, grade in sorted(rows, key=lambda row: int(row[1])):
        relevant.setdefault(document, []).extend([subtopic] if grade >= rel else [])

    def dcg(documents):
        worth, total = {}, 0.0
        for rank, document in enumerate(documents[:k], start=1):
            subtopics = relevant.get(document, [])
            total += sum(worth.get(s, 1.0) for s in subtopics) / math.log2(rank + 1)
            worth |= {s: worth.get(s, 1.0) * (1 - alpha) for s in subtopics}
        return total

    left, ideal, worth = sorted(relevant), [], {}
    while left:
        best = max(left, key=lambda document: (sum(worth.get(s, 1.0) for s in relevant[document]), document))
        left.remove(best)
        ideal.append(best)
        worth |= {s: worth.get(s, 1.0) * (1 - alpha) for s in relevant[best]}
    return dcg(listed) / dcg(ideal) if dcg(ideal) else None


def test_worked_value():
    """⟨a,b,c⟩ has the gains 2, ½, 1 and the ideal ⟨a,c,b⟩ 2, 1, ½."""
    log = math.log2
    expected = (2 + 0.5 / log(3) + 1 / log(4)) / (2 + 1 / log(3) + 0.5 / log(4))
    assert scored(["alpha_nDCG@3", "alpha_nDCG"], ROWS, "abc") == pytest.approx([expected, expected])
    assert scored(["alpha_nDCG@2"], ROWS, "abc") == pytest.approx([(2 + 0.5 / log(3)) / (2 + 1 / log(3))])
    # Nobody minds repetition: gains 2, 1, 1 both times. Nothing is worth a second time: 2, 0, 1 and 2, 1, 0.
    assert scored(["alpha_nDCG(alpha=0)"], ROWS, "abc") == pytest.approx([1])
    expected = (2 + 1 / log(4)) / (2 + 1 / log(3))
    assert scored(["alpha_nDCG(alpha=1)"], ROWS, "abc") == pytest.approx([expected])
    assert scored(["alpha_nDCG(rel=2)"], ROWS, "abc") == [None]


def test_ties_of_the_ideal_list_go_to_the_larger_id():
    """All of a, b and c cover two subtopics. c comes first, and then leaves 1½ to both others.

    The list ⟨a,b,c⟩, with the gains 2, 2, 1, is better than this ideal: its value is above 1, as in ndeval.
    """
    rows = [("t", s, d, 1) for d, subtopics in {"a": "12", "b": "34", "c": "13"}.items() for s in subtopics]
    log = math.log2
    ideal = 2 + 1.5 / log(3) + 1.5 / log(4)
    assert scored(["alpha_nDCG@3"], rows, "cba") == pytest.approx([1])
    assert scored(["alpha_nDCG@3"], rows, "abc") == pytest.approx([(2 + 2 / log(3) + 1 / log(4)) / ideal])
    assert scored(["alpha_nDCG@3"], rows, "abc")[0] > 1


@given(st.data())
def test_the_definition_of_ndeval(data):
    subtopics = [str(number) for number in range(1, data.draw(st.integers(1, 12)) + 1)]
    documents = [f"d{number}" for number in range(data.draw(st.integers(1, 12)))]
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(subtopics), st.sampled_from(documents)), min_size=1))
    rows = [("t", *pair, data.draw(st.integers(0, 2))) for pair in sorted(pairs)]
    listed = data.draw(st.permutations([*documents, "x", "y"]))
    alpha = data.draw(st.sampled_from([0, 0.3, 0.5, 0.9, 1]))
    for k in (1, 2, 5, 20):
        for rel in (1, 2):
            expected = by_ndeval(rows, listed, k, alpha, rel)
            value = scored([f"alpha_nDCG(alpha={alpha}, rel={rel})@{k}"], rows, listed)[0]
            assert value == (None if expected is None else pytest.approx(expected))


def test_values_of_pyndeval():
    rows = [("t", s, f"d{i}", int((i * int(s)) % 7 in (1, 3))) for i in range(12) for s in ("1", "2", "10")]
    listed = [f"d{i * 5 % 12}" for i in range(12)]
    assert scored([f"alpha_nDCG@{k}" for k in (1, 5, 10, 20)], rows, listed) == pytest.approx(PYNDEVAL[0.5])
    names = [f"alpha_nDCG(alpha=0.9)@{k}" for k in (1, 5, 10, 20)]
    assert scored(names, rows, listed) == pytest.approx(PYNDEVAL[0.9])
    for (alpha, beta), values in ALL_OF_PYNDEVAL.items():
        names = [with_parameters(name, alpha, beta) for name in values]
        assert scored(names, rows, listed) == pytest.approx([*values.values()])


def with_parameters(measure, alpha, beta):
    """The measure with α, and with β where it has one."""
    name, at, cutoff = measure.partition("@")
    if name in ("P_IA", "AP_IA", "StRecall"):
        return measure
    return f"{name}(alpha={alpha}{f', p={beta}' if 'RBP' in name else ''}){at}{cutoff}"


def test_worked_values_of_the_others():
    """M = 3; the list ⟨a,b,c⟩ has the gains 2, ½, 1, the ideal ⟨a,c,b⟩ 2, 1, ½, and the most is 3, 1½, ¾."""
    log = math.log2(3)
    expected = {
        "alpha_DCG@3": (2 + 0.5 / log + 1 / 2) / (3 + 1.5 / log + 0.75 / 2),
        "ERR_IA@3": (2 + 0.5 / 2 + 1 / 3) / (3 + 1.5 / 2 + 0.75 / 3),
        "nERR_IA@3": (2 + 0.5 / 2 + 1 / 3) / (2 + 1 / 2 + 0.5 / 3),
        "NRBP": (1 - 0.5 * 0.5) / 3 * (2 + 0.5 * 0.5 + 0.25 * 1),
        "nNRBP": (2 + 0.5 * 0.5 + 0.25 * 1) / (2 + 0.5 * 1 + 0.25 * 0.5),
        "NRBP(p=0.8)@2": (1 - 0.5 * 0.8) / 3 * (2 + 0.8 * 0.5),
        "P_IA@3": (2 / 3 + 1 / 3 + 1 / 3) / 3,
        "P_IA@2": (2 / 2 + 1 / 2 + 0 / 2) / 3,
        "AP_IA": (1 + 1 + 1 / 3) / 3,
        "StRecall@1": 2 / 3,
        "StRecall@3": 1,
    }
    assert dict(zip(expected, scored([*expected], ROWS, "abc"), strict=True)) == pytest.approx(expected)
    assert set(
        scored([f"{name}(rel=2)" for name in ("ERR_IA", "NRBP", "AP_IA", "StRecall")], ROWS, "abc")
    ) == {None}


@given(st.data())
def test_intent_aware_measures_are_means_over_subtopics(data):
    """P, AP and Success of each subtopic alone, with its own judgments, over the subtopics."""
    pairs = data.draw(st.sets(st.tuples(st.sampled_from("123456"), st.sampled_from("abcdefgh")), min_size=1))
    listed = data.draw(st.permutations("abcdefghxy"))
    rows = [("t", *pair, 1) for pair in sorted(pairs)]
    alone = [
        scored(["P@4", "AP", "Success@4"], [row for row in rows if row[1] == subtopic], listed)
        for subtopic in sorted({row[1] for row in rows})
    ]
    expected = [sum(values) / len(values) for values in zip(*alone, strict=True)]
    assert scored(["P_IA@4", "AP_IA", "StRecall@4"], rows, listed) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("alpha-nDCG@10", "alpha_nDCG@10"),
        ("nERR-IA@5", "nERR_IA@5"),
        ("strec@20", "StRecall@20"),
        ("MAP-IA", "AP_IA"),
        ("P-IA@5", "P_IA@5"),
    ],
)
def test_names_of_ndeval(theirs, ours):
    assert parse(theirs) == parse(ours)


def test_topics_and_runs_in_one_call():
    rows = [*ROWS, ("u", "1", "a", 1), ("u", "9", "b", 1), ("v", "1", "a", 0)]
    runs = [
        Run.from_columns("both", ["t", "t", "u", "u"], list("cbab"), [2, 1, 2, 1]),
        Run.from_columns("one", ["u", "u"], list("xb"), [2, 1]),
    ]
    both = 1 + 1 / math.log2(3)
    ideal = 2 + 1 / math.log2(3)
    values = score(gains_of(rows), runs, ["alpha_nDCG@2"]).values[..., 0]
    expected = [both / ideal, 1, math.nan, 0, 1 / math.log2(3) / both, math.nan]
    assert values.ravel() == pytest.approx(expected, nan_ok=True)


def test_judgments_without_subtopics_are_refused():
    for name in ("alpha_nDCG@10", "StRecall@5", "NRBP"):
        with refused("subtopics-missing", "subtopic_id", name.partition("@")[0]):
            score(Gains.from_columns(["t"], ["a"], [1]), [run_of("a")], [name])


def test_the_second_column_of_a_file_has_the_subtopics(file):
    path = file("".join(f"{' '.join(map(str, row))}\n" for row in ROWS))
    scores = score(read_gains(path), [run_of("abc")], ["alpha_nDCG@3", "P@3"])
    assert scores.values[0, 0, 0] == scored(["alpha_nDCG@3"], ROWS, "abc")[0]
    assert scores.notices.topics("several-subtopics") == {"": ("t",)}
    alone = score(read_gains(path), [run_of("abc")], ["alpha_nDCG@3"])
    assert not alone.notices.topics("several-subtopics")
    for plain in ("0", "Q0"):
        gains = read_gains(file(f"t {plain} a 1\nt {plain} b 0\n"))
        assert gains.judgments is None


@pytest.mark.parametrize(
    "source",
    [
        [(topic, subtopic, document, grade) for topic, subtopic, document, grade in ROWS],
        [dict(zip(("qid", "subtopic_id", "docno", "rel"), row, strict=True)) for row in ROWS],
        dict(zip(("query_id", "iteration", "doc_id", "relevance"), zip(*ROWS, strict=True), strict=True)),
    ],
    ids=["rows", "dicts", "table"],
)
def test_subtopics_of_whatever_can_be_passed(source):
    assert (
        score(source, [run_of("abc")], ["alpha_nDCG@3"]).values[0, 0, 0]
        == scored(["alpha_nDCG@3"], ROWS, "abc")[0]
    )


@pytest.mark.parametrize("zero", ["0", "Q0", 0])
def test_a_column_of_zeros_is_no_subtopic(zero):
    assert Gains([("t", zero, "a", 1), ("t", zero, "b", 0)]).judgments is None
    assert Gains([("t", zero, "a", 1), ("t", 1, "b", 0)]).judgments is not None


def test_other_measures_take_the_largest_gain_of_a_document(file):
    gains = read_gains(file("t 1 a 0\nt 2 a 2.5\nt 2 b 1\n\nt 1 b .5\nu 1 a 0\n"))
    assert gains.table.rows() == [("t", "a", 2.5), ("t", "b", 1), ("u", "a", 0)]
    path = file("t 1 a 0\nt 2 a 5\n\nt 2 b 1\n", "five")
    with refused("value-not-in-scheme", "5", "'a'", at=f"{path}:2"):
        score(read_gains(path), [run_of("a")], ['nDCG(gain="0-1")'])
    gains = Gains.from_columns(["t"] * 3, list("aab"), [0, 5, 1], list("121"))
    with refused("value-not-in-scheme", "5", "'a'", at="row 2"):
        score(gains, [run_of("a")], ['nDCG(gain="0-1")'])


def test_a_document_is_judged_once_for_a_subtopic(file):
    path = file("t 1 a 0\nt 2 a 1\nt 2 b 1\nt 2 a 1\n")
    with refused("document-judged-twice-for-subtopic", "'a'", "'2'", "'t'", at=f"{path}:4"):
        read_gains(path)
    path = file("t 0 a 0\nt 0 a 1\n")
    with refused("document-judged-twice", "'a'", "'t'", at=f"{path}:2"):
        read_gains(path)


def test_subtopics_of_the_judgments_that_decide_relevance():
    gains = Gains.from_columns(["t"] * 2, ["a", "x"], [7.5, 2.5])
    value = score(gains, [run_of("abc")], ["alpha_nDCG@3"], rel=gains_of(ROWS)).values[0, 0, 0]
    assert value == scored(["alpha_nDCG@3"], ROWS, "abc")[0]
