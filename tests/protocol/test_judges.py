"""The kinds of judges: what their declarations say together."""

import pytest

from judging.protocol.judges import (
    KINDS,
    PERSON,
    SIMULATED,
    is_simulated,
    kind_choices,
    kinds_in,
    planned_for,
)


def test_the_kinds_are_found_in_their_package() -> None:
    assert [*KINDS] == ["machine", "person", "simulated"]
    assert kind_choices() == [(name, kind.singular) for name, kind in KINDS.items()]
    assert all(kind.singular and kind.plural for kind in KINDS.values())


@pytest.mark.parametrize("rehearsal", [False, True])
def test_what_a_study_counts_is_what_its_units_are_planned_for(rehearsal: bool) -> None:
    planned = planned_for(rehearsal=rehearsal)
    assert [kind for kind in kinds_in(rehearsal=rehearsal) if kind.counts] == [planned]
    assert is_simulated(planned.name) == rehearsal


def test_people_and_the_simulated_crowd_never_judge_in_one_study() -> None:
    assert [PERSON.can_judge(rehearsal=rehearsal) for rehearsal in (False, True)] == [True, False]
    assert [SIMULATED.can_judge(rehearsal=rehearsal) for rehearsal in (False, True)] == [False, True]


def test_only_people_are_paid_and_have_a_browser() -> None:
    assert [kind for kind in KINDS.values() if kind.is_paid] == [PERSON]
    assert [kind for kind in KINDS.values() if kind.has_browser] == [PERSON]


def test_a_kind_with_a_heading_says_where_its_judgments_come_from() -> None:
    assert all(bool(kind.note) == bool(kind.source) == (kind != PERSON) for kind in KINDS.values())
