"""Grades: the number of a label, for two to seven labels, and the steps of the practice."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.core.pages.shown_answers import shown_answer
from judging.models import Study
from judging.protocol.checks.practice import CHECK, draw_lengths
from judging.protocol.scales import judging_of, scale_of

COUNTS = pytest.mark.parametrize("count", range(2, 8))


def study_with(count: int) -> Study:
    return Study(scale="grades", labels=tuple(f"label {place}" for place in range(count)))


@COUNTS
def test_only_the_numbers_of_the_labels_are_valid(count: int) -> None:
    study = study_with(count)
    parse, scale = judging_of(study).parse, scale_of(study)
    for place in range(count):
        assert parse(str(place), study).value == place
        assert scale.holds_in(study, place)
        assert shown_answer(str(place), study) == f"label {place}"
    for text in ("", " ", "1.5", "-1", str(count), "9", "1e0", "²", "one"):
        read = parse(text, study)
        assert (read.value, bool(read.message)) == (None, True)
        assert shown_answer(text, study) == text
    assert not any(scale.holds_in(study, number) for number in (0.5, -1, count))
    assert scale.largest_in(study) == count - 1


@given(st.text(max_size=5))
def test_any_text_is_a_label_or_has_a_message(text: str) -> None:
    study = study_with(4)
    read = judging_of(study).parse(text, study)
    assert (read.value in {0, 1, 2, 3}) == (read.message is None)


@COUNTS
def test_the_right_steps_pass_with_any_number_of_labels(count: int) -> None:
    study = study_with(count)
    practice = judging_of(study).practice
    assert practice
    for seed in range(50):
        lengths = draw_lengths(Random(seed))
        steps = [float(practice.right(lengths, line, study)) for line in range(len(lengths))]
        assert (min(steps), max(steps)) == (0, count - 1)
        assert CHECK.verdict(lengths, steps, study).passed
        assert not CHECK.verdict(lengths, [count - 1 - step for step in steps], study).passed
        assert not CHECK.verdict(lengths, [1.0] * len(lengths), study).passed
