"""The scale of preferences: the practice with pairs of lines, and check (c) in both orders of the anchors."""

from itertools import product
from random import Random

import pytest

from judging.models import Study
from judging.protocol.checks import anchors, failed_checks
from judging.protocol.checks.check import FinishedUnit, Observation
from judging.protocol.checks.practice import CHECK, draw_lengths
from judging.protocol.points import mean_numbers
from judging.protocol.scales import SCALES, compares_pairs, with_pairs
from judging.protocol.unit_flags import Judged, Side, unit_signs

STUDY = Study(scale="preference")


def unit(first: str, second: str, points: float) -> FinishedUnit:
    """A unit with the page of the anchors, and two pages on which everything is equal."""
    return FinishedUnit(
        [
            Observation(first, points, 30, compared_with=second),
            Observation(second, 0.5, 30, compared_with=""),
            Observation("", 0.5, 30, compared_with=first),
        ]
    )


@pytest.mark.parametrize(
    ("first", "second", "points", "order"),
    [
        ("H", "N", 1.0, "ordered"),
        ("N", "H", 0.0, "ordered"),
        ("H", "N", 0.5, "tied"),
        ("N", "H", 0.5, "tied"),
        ("H", "N", 0.0, "inverted"),
        ("N", "H", 1.0, "inverted"),
    ],
)
@pytest.mark.parametrize("ties", ["fail", "pass"])
def test_check_c_reads_the_page_of_the_anchors(
    first: str, second: str, points: float, order: str, ties: str
) -> None:
    study = Study(scale="preference", anchor_ties=ties)
    finding = anchors.CHECK.verdict(unit(first, second, points), study)
    assert finding.facts["anchors"] == order
    assert finding.passed == (order == "ordered" or (order == "tied" and ties == "pass"))
    failed = [check.letter for check, _facts in failed_checks(unit(first, second, points), study)]
    assert failed == ([] if finding.passed else ["c"])


def test_one_answer_in_27_passes_the_practice() -> None:
    for seed in range(50):
        lengths = draw_lengths(Random(seed))
        passing = [
            answers
            for answers in product((1.0, 0.5, 0.0), repeat=3)
            if CHECK.verdict(lengths, answers, STUDY).passed
        ]
        assert len(passing) == 1
        assert 0.5 not in passing[0]


def test_no_fixed_answers_pass_more_than_one_practice_in_five() -> None:
    drawn = [draw_lengths(Random(seed)) for seed in range(2000)]
    for answers in product((1.0, 0.0), repeat=3):
        passed = sum(CHECK.verdict(lengths, answers, STUDY).passed for lengths in drawn)
        assert passed / len(drawn) < 0.25


def test_only_options_are_answers() -> None:
    judging = SCALES["preference"].judging
    assert judging is not None
    assert [judging.parse(text, STUDY).value for text in ("1", "0.5", "0")] == [1.0, 0.5, 0.0]
    for text in ("", "2", "1.0", "0,5", "first"):
        typed = judging.parse(text, STUDY)
        assert typed.value is None
        assert typed.message is not None


def test_the_points_between_0_and_1_are_not_on_the_scale() -> None:
    scale, study = SCALES["preference"], Study(scale="preference")
    numbers = (0.0, 0.25, 0.5, 0.75, 1.0, 2.0)
    assert [value for value in numbers if scale.holds_in(study, value)] == [0.0, 0.5, 1.0]
    assert with_pairs() == ["preference"]
    assert not compares_pairs(Study(scale="magnitude"))
    assert not compares_pairs(Study(scale="rating"))


def test_mean_points_of_a_ring() -> None:
    """a beats b, b ties with c, c loses to a: a has 1 and 1, b has 0 and ½, c has ½ and 0."""
    ring = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0)]
    assert mean_numbers(ring) == {"a": 1.0, "b": 0.25, "c": 0.25}


def page(number: float, grade: str, other: str, *, anchor: bool = False) -> Judged:
    return Judged(number, f"because {grade} {other}", 60, anchor, grade, Side(anchor, other))


def test_signs_use_the_pairs_that_the_worker_saw() -> None:
    """N before H and H before N three times each: always choosing the first is half wrong."""
    always_first = [
        page(1.0, "N", "H"),
        page(1.0, "H", "N"),
        page(1.0, "H", "M"),
        page(0.0, "H", "N", anchor=True),
    ]
    assert unit_signs(always_first, least_seconds=20) == {"number"}
    inverted = [page(1.0, "N", "H"), page(0.0, "H", "N")] * 3
    assert unit_signs(inverted, least_seconds=20) == {"order"}
    right = [page(0.0, "N", "H"), page(1.0, "H", "N")] * 3
    assert unit_signs(right, least_seconds=20) == set()
