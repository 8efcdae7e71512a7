"""Anchors are proposed from runs and pilots, and their reasons name the runs that proposed them."""

import random

import pytest

from judging.protocol.anchor_pairs import Anchor
from judging.protocol.anchor_proposals import (
    LEAST_JUDGMENTS,
    MOST,
    PilotProposal,
    RunProposal,
    favour_warning,
    proposal_reason,
    propose_from_other_topics,
    propose_from_pilot,
    propose_from_runs,
    proposing_runs,
    replace_proposal,
)
from judging.protocol.states import Grade

H, N = Grade.H, Grade.N


def documents(proposals: dict[Grade, list[RunProposal]]) -> dict[str, list[str]]:
    return {grade.value: [entry.document for entry in listed] for grade, listed in proposals.items()}


def test_the_example_of_the_rule() -> None:
    ranks = {
        "top": {"a": 1, "b": 2},
        "alone": {"a": 2},
        "middle": {"a": 9, "b": 9, "c": 9},
        "deep": {"c": 18},
        "end": {"a": 20, "b": 20},
    }
    proposals = propose_from_runs(ranks, runs=3)
    assert documents(proposals) == {
        "H": ["top"],
        "N": ["deep"],
    }  # 2 of 3 have top; 18 > 3/4 · 20; end is in two
    assert proposals[H][0].ranks == {"a": 1, "b": 2}
    assert proposals[N][0].ranks == {"c": 18}


def test_more_runs_and_better_ranks_come_first_and_ids_decide_between_equals() -> None:
    ranks = {
        "z": {"a": 1, "b": 2, "c": 3},
        "y": {"a": 2, "b": 1},
        "x": {"b": 3, "c": 1},
        "w": {"a": 3, "c": 1},
        "v": {"a": 5, "b": 5, "c": 5},
    }
    assert documents(propose_from_runs(ranks, runs=3))["H"] == ["z", "v", "y"]
    shuffled = list(ranks.items())
    random.Random(4).shuffle(shuffled)
    assert propose_from_runs(dict(shuffled), runs=3) == propose_from_runs(ranks, runs=3)
    del ranks["z"], ranks["v"]
    assert documents(propose_from_runs(ranks, runs=3))["H"] == ["y", "w", "x"]


def test_a_quarter_of_many_runs_may_share_a_bottom_document() -> None:
    ranks = {"one": {"a": 38}, "two": {"a": 40, "b": 39}, "three": {"a": 40, "b": 40, "c": 40}}
    assert documents(propose_from_runs(ranks, runs=8))["N"] == ["one", "two"]
    assert documents(propose_from_runs(ranks, runs=7))["N"] == ["one"]


@pytest.mark.parametrize(
    ("ranks", "runs"),
    [
        ({}, 3),
        ({"d": {}}, 3),
        ({"d": {"a": 1}}, 1),  # one run agrees with nobody
        ({"d": {"a": 1}, "e": {"b": 1}}, 2),  # half of the runs are not most of them
        ({"d": {"a": 5}, "e": {"b": 4}}, 2),  # a shallow pool has no bottom
    ],
)
def test_without_agreement_there_is_no_proposal(ranks: dict[str, dict[str, int]], runs: int) -> None:
    assert documents(propose_from_runs(ranks, runs=runs)) == {"H": [], "N": []}


def test_the_top_of_other_topics_is_proposed_as_n() -> None:
    high = {"1": ["a", "b"], "2": ["c", "d"], "3": ["c", "e", "f"], "4": []}
    proposed = propose_from_other_topics("2", high, retrieved={"e"})
    assert [(entry.document, entry.top_of) for entry in proposed] == [("c", "3"), ("a", "1"), ("f", "3")]
    assert [entry.document for entry in propose_from_other_topics("2", high, retrieved={"c"})] == [
        "e",
        "a",
        "f",
    ]
    assert propose_from_other_topics("1", {"1": ["a"]}, retrieved=set()) == []


def test_a_proposal_from_another_topic_is_recorded_and_favours_no_run() -> None:
    reason = proposal_reason(N, RunProposal("d", {}, top_of="1e5"), None)
    assert "topic 1e5" in reason
    assert proposing_runs(reason, N) == ([], 0)
    assert favour_warning(topic="7", anchor=Anchor.N, reason=reason) is None
    assert replace_proposal(f"As agreed. {reason}", N, "") == "As agreed."
    assert replace_proposal(f"As agreed. {reason}", H, "") == f"As agreed. {reason}"


def test_few_are_proposed_and_none_for_both_anchors() -> None:
    ranks = {f"d{number:02}": {"a": number, "b": 41 - number} for number in range(1, 41)}
    ranks |= {f"e{number:02}": {"a": number} for number in range(30, 60)}
    proposals = documents(propose_from_runs(ranks, runs=2))
    assert all(len(listed) <= MOST for listed in proposals.values())
    assert not set(proposals["H"]) & set(proposals["N"])


def test_a_pilot_proposes_by_its_medians() -> None:
    medians = {
        "best": (3, 4.0),
        "good": (9, 2.0),
        "average": (9, 1.0),
        "poor": (3, 0.5),
        "worst": (3, 0.1),
        "seldom": (LEAST_JUDGMENTS - 1, 9.0),
    }
    proposals = propose_from_pilot(medians)
    assert [entry.document for entry in proposals[H]] == ["best", "good"]
    assert [entry.document for entry in proposals[N]] == ["worst", "poor"]
    assert propose_from_pilot({}) == {H: [], N: []}


def test_a_reason_names_the_runs_and_the_pilot() -> None:
    runs, pilot = RunProposal("d", {"bm25": 1, "rm3": 2}), PilotProposal("d", 5, 3.14159)
    assert proposal_reason(H, runs, None) == "H proposed by the runs bm25, rm3 (ranks 1, 2)."
    assert proposal_reason(N, RunProposal("d", {"x": 98}), None) == "N proposed by the run x (rank 98)."
    both = proposal_reason(H, runs, pilot)
    assert "5 judgments" in both
    assert "3.14" in both
    assert proposing_runs(both, H) == (["bm25", "rm3"], 0)
    assert proposing_runs(both, N) == ([], 0)
    assert proposal_reason(H, None, None) == ""


@pytest.mark.parametrize("tag", ["a,b", "(rank", "run(s).", "ranks(1)", "and", "5", "ä" * 200])
def test_any_tag_can_be_read_back(tag: str) -> None:
    reason = f"As agreed. {proposal_reason(N, RunProposal('d', {tag: 7, 'other': 8}), None)}"
    assert proposing_runs(reason, N) == ([tag, "other"], 0)
    assert replace_proposal(reason, N, "") == "As agreed."


def test_long_lists_of_runs_are_cut_and_counted() -> None:
    ranks = {f"{place:02}{'x' * 98}": place for place in range(1, 21)}
    reason = proposal_reason(H, RunProposal("d", ranks, more=5), None)
    runs, more = proposing_runs(reason, H)
    assert len(reason) < 500
    assert len(runs) + more == 25
    assert runs == list(ranks)[: len(runs)]
    assert replace_proposal(reason, H, "") == ""


def test_a_new_anchor_takes_the_place_of_the_earlier_proposal() -> None:
    by_h = proposal_reason(H, RunProposal("d", {"a": 1, "b": 2}), PilotProposal("d", 3, 2))
    by_n = proposal_reason(N, RunProposal("e", {"a": 90}), None)
    reason = replace_proposal(replace_proposal("Read by two of us.", H, by_h), N, by_n)
    assert reason == f"Read by two of us. {by_h} {by_n}"
    assert replace_proposal(reason, H, "") == f"Read by two of us. {by_n}"
    assert replace_proposal(replace_proposal(reason, N, ""), H, "") == "Read by two of us."


def test_anchors_that_runs_proposed_are_warned_about() -> None:
    reason = proposal_reason(H, RunProposal("d", {"a": 1, "b": 2}), None)
    warning = favour_warning(topic="7", anchor=Anchor.H, reason=reason)
    assert warning is not None
    assert warning.values == {"topic": "7", "anchor": "H", "runs": "a, b"}
    assert favour_warning(topic="7", anchor=Anchor.N, reason=reason) is None
    assert favour_warning(topic="7", anchor=Anchor.H, reason="The runs agree.") is None
    more = favour_warning(
        topic="7", anchor=Anchor.H, reason="H proposed by the runs a, b and 3 more (ranks 1, 2)."
    )
    assert more is not None
    assert more.values["more"] == 3
    by_pilot = proposal_reason(H, None, PilotProposal("d", 5, 3))
    assert favour_warning(topic="7", anchor=Anchor.H, reason=by_pilot) is None
