"""Normalised recall and search lengths: worked values, and every order inside a level tried."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frames import Gains
from evaluation.runs import Run
from evaluation.scores import score
from tests.evaluation.refusals import OPTION, refused
from tests.support.named import assert_names


def levelled(levels, rest=(), tag="run", topic="t"):
    """Gains and a run of which each level is a list of gains that share one score; `rest` not retrieved."""
    gains = [gain for level in levels for gain in level]
    scores = [-float(place) for place, level in enumerate(levels) for _ in level]
    documents = [str(place) for place in range(len(gains) + len(rest))]
    judged = Gains.from_columns([topic] * len(documents), documents, [float(g) for g in [*gains, *rest]])
    return judged, Run.from_columns(tag, [topic] * len(gains), documents[: len(gains)], scores)


def value(measure, levels, rest=()):
    judged, run = levelled(levels, rest)
    return score(judged, [run], [measure]).means()[0].value


def test_worked_mean_ranks():
    """N = 10, L = 4, relevant at rank 2 and one not retrieved, at 4 + (10 − 4 + 1)/2 = 7.5 on average."""
    levels = [[0], [1], [0], [0]]
    assert value("ASL(N=10)", levels, [1]) == (2 + 7.5) / 2 == 4.75
    # 1 − ((2 + 7.5) − (1 + 2)) / (2·(10 − 2)) = 1 − 6.5/16.
    assert value("NR(N=10)", levels, [1]) == pytest.approx(0.59375)


def test_levels_count_at_their_mean_rank():
    # Ranks 1 and, of the level 2 … 4, 3: ASL 2; NR 1 − (4 − 3)/(2·(5 − 2)).
    levels = [[1], [0, 1, 0], [0]]
    assert value("ASL", levels) == 2
    assert value("NR(N=5)", levels) == pytest.approx(1 - 1 / 6)


def test_normalised_recall_from_the_best_list_to_the_worst():
    assert value("NR(N=4)", [[1], [1], [0], [0]]) == 1
    assert value("NR(N=4)", [[0], [0], [1], [1]]) == 0
    # All documents on one level, retrieved or not: neither.
    assert value("NR(N=4)", [[0, 1, 0, 1]]) == value("NR(N=4)", [], [1, 1]) == 0.5


def test_worked_expected_search_length():
    """Levels {1 relevant, 2 irrelevant}, {2 relevant, 2 irrelevant}, q = 2: 2 + 2·1/(2 + 1) = 2.667."""
    levels = [[1, 0, 0], [1, 1, 0, 0]]
    assert value("ESL(q=2)", levels) == pytest.approx(8 / 3)
    assert value('ESL(q=2, count="all")', levels) == pytest.approx(8 / 3 + 2)
    # q = 1 needs the first level alone, 0 + 2·1/(1 + 1); q = 3 both relevant of the second, 2 + 2·2/3.
    assert value("ESL", levels) == value("ESL(q=1)", levels) == 1
    assert value("ESL(q=3)", levels) == pytest.approx(2 + 4 / 3)


def test_expected_search_length_beyond_the_list():
    """N = 10, L = 2, one relevant at rank 2, two among the 8 others: q = 2 takes 1 + 6·1/(2 + 1) = 3."""
    assert value("ESL(q=2, N=10)", [[0], [1]], [1, 1]) == 3
    assert value("ESL(q=3, N=10)", [[0], [1]], [1, 1]) == 1 + 6 * 2 / 3
    # The first needs no N: it is retrieved.
    assert value("ESL(q=1)", [[0], [1]], [1, 1]) == 1


def test_scores_a_hair_apart_are_levels_of_their_own():
    """With the rule of trec_eval 9, ranks follow the scores in 32 bits, levels those in 64."""
    judged = Gains.from_columns(["t"] * 3, ["a", "b", "c"], [0, 1, 0])
    run = Run.from_columns("run", ["t"] * 3, ["a", "b", "c"], [1, 1 + 1e-10, 0.5])
    assert score(judged, [run], ["ESL", "ASL"]).values[0, 0].tolist() == [0, 1]
    # And the other way round, though b, the greater id, is ranked first.
    run = Run.from_columns("run", ["t"] * 3, ["a", "b", "c"], [1 + 1e-10, 1, 0.5])
    assert score(judged, [run], ["ESL", "ASL", "RR"], ties="trec_eval9").values[0, 0].tolist() == [1, 2, 1]


def test_levels_out_of_the_order_of_ranks():
    """32 bits rank d c b a, 64 bits a b c d: the second relevant document is c, behind b."""
    judged = Gains.from_columns(["t"] * 4, ["a", "b", "c", "d"], [1, 0, 1, 1])
    scores, names = [1 + 3e-10, 1 + 2e-10, 1 + 1e-10, 1], ["ESL(q=1)", "ESL(q=2)", "ESL(q=3)"]
    run = Run.from_columns("run", ["t"] * 4, ["a", "b", "c", "d"], scores)
    assert score(judged, [run], names, ties="trec_eval9").values[0, 0].tolist() == [0, 1, 1]


def test_fewer_relevant_documents_than_asked_for_is_no_value():
    judged, run = levelled([[1], [0], [1]])
    scores = score(judged, [run], ["ESL(q=2)", "ESL(q=3)"])
    assert scores.values[0, 0].tolist() == pytest.approx([1, np.nan], nan_ok=True)
    assert scores.notices.topics("topics-without-value") == {"ESL(q=3)": ("t",)}
    (notice,) = scores.notices.sentences()
    assert_names(notice, "ESL(q=3)", "1", "t")


def test_relevance_levels():
    # The 2 at rank 3 alone: 2 irrelevant before it, also the 1.
    assert value("ESL(rel=2)", [[1], [0], [2]]) == 2
    assert value("ASL(rel=2)", [[1], [0], [2]]) == 3


def test_what_is_not_retrieved_asks_for_the_size_of_the_collection():
    for measure in ("ASL", "ESL(q=2)"):
        with refused("collection-size-needed", measure.partition("(")[0], "N", "'run'", "'t'", "1"):
            value(measure, [[1], [0]], [1])


def test_condensed_lists_have_levels_of_judged_documents_alone():
    judged = Gains.from_columns(["t", "t"], ["a", "b"], [0, 1])
    run = Run.from_columns("run", ["t"] * 3, ["b", "x", "a"], [1, 1, 1])
    assert score(judged, [run], ["ASL"]).values[0, 0, 0] == 2
    assert score(judged, [run], ["ASL"], unjudged="drop").values[0, 0, 0] == 1.5


@pytest.mark.parametrize("name", ["NR", "ASL", "ESL"])
def test_no_cutoff_goes_through_levels(name):
    with refused("cutoff-on-whole-lists", name, "@10"):
        value(f"{name}@10", [[1]])


@pytest.mark.parametrize("bad", ["ESL(q=0)", "ESL(q=1.5)", 'ESL(count="some")'])
def test_parameters_out_of_range(bad):
    with refused((*OPTION, "parameter-not-a-count")):
        value(bad, [[1]])


LEVELS = st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=3), min_size=1, max_size=3)


@given(levels=LEVELS, rest=st.lists(st.integers(0, 1), max_size=3), q=st.integers(1, 3))
def test_levels_are_the_mean_over_all_orders_inside_them(levels, rest, q):
    """Search lengths of every order that keeps to the levels, the last one the documents not retrieved."""
    whole = [*levels, rest]
    relevant = sum(map(sum, whole))
    size = sum(map(len, whole))
    if relevant < q or relevant == size:
        return
    means, lengths = [], []
    for orders in product(*map(permutations, whole)):
        ranks = [rank for rank, gain in enumerate((g for order in orders for g in order), start=1) if gain]
        means.append(np.mean(ranks))
        lengths.append(ranks[q - 1] - q)  # the irrelevant before the q-th relevant
    judged, run = levelled(levels, rest)
    measures = [
        f"ASL(N={size})",
        f"ESL(q={q}, N={size})",
        f'ESL(q={q}, N={size}, count="all")',
        f"NR(N={size})",
    ]
    result = dict(zip(measures, score(judged, [run], measures).values[0, 0], strict=True))
    best, worst = (relevant + 1) / 2, size - (relevant - 1) / 2
    assert list(result.values()) == pytest.approx(
        [np.mean(means), np.mean(lengths), np.mean(lengths) + q, (worst - np.mean(means)) / (worst - best)]
    )


@given(data=st.data())
def test_many_lists_at_once_are_as_each_alone(data):
    """Runs and topics with lists of all kinds, empty ones too."""
    kinds = data.draw(st.lists(LEVELS, min_size=1, max_size=4))
    measures = ["NR(N=50)", "ASL(N=50)", "ESL(q=1, N=50)", "ESL(q=2, N=50)"]
    alone, rows, judgments = [], [], []
    for topic, levels in enumerate(kinds):
        judged, run = levelled(levels, [1], topic=str(topic))
        alone.append(score(judged, [run], measures).values[0, 0])
        rows += run.table.rows()
        judgments += judged.table.rows()
    gains = Gains.from_columns(*zip(*judgments, strict=True))
    both = [Run.from_columns(tag, *zip(*rows, strict=True)) for tag in ("one", "two")]
    for found in score(gains, both, measures).values:
        assert found == pytest.approx(np.array(alone), nan_ok=True)
