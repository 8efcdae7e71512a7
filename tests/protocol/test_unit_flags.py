"""Flags by completed units alone: each rule where it begins, and who is not flagged by it."""

import pytest

from judging.protocol.unit_flags import REASONS, Judged, unit_flags, unit_signs


def unit(
    magnitudes: list[float],
    grades: str,
    *,
    reasons: list[str] | None = None,
    seconds: list[float] | None = None,
) -> list[Judged]:
    """Two anchors, H at 100 and N at 1, and others with these magnitudes and known grades ("-": none)."""
    values = [100.0, 1.0, *magnitudes]
    return [
        Judged(
            value,
            (reasons or [f"Reason {place}" for place in range(len(values))])[place],
            (seconds or [30 + 5 * place for place in range(len(values))])[place],
            anchor=place < 2,
            grade="HN"[place] if place < 2 else grades[place - 2].replace("-", ""),
        )
        for place, value in enumerate(values)
    ]


def signs(*args: object, **options: object) -> set[str]:
    return unit_signs(unit(*args, **options), least_seconds=20)  # type: ignore[arg-type]


def test_an_honest_unit_shows_no_sign() -> None:
    assert signs([50, 20, 10, 5, 2, 1], "HRMMNN") == set()


@pytest.mark.parametrize(
    ("magnitudes", "grades", "flagged"),
    [
        ([5] * 6, "HRMMNN", True),
        ([5] * 6, "NNRNNN", True),
        ([1] * 6, "NNNNNN", False),  # nothing relevant to tell apart
        ([1] * 6, "NMNMNM", False),  # one level apart: people may well see no difference
        ([1] * 6, "------", False),
        ([5, 5, 5, 5, 5, 6], "HRMMNN", False),
    ],
)
def test_the_same_number_for_known_grades_that_differ(
    magnitudes: list[float], grades: str, flagged: bool
) -> None:
    assert ("number" in signs(magnitudes, grades)) is flagged


@pytest.mark.parametrize(
    ("magnitudes", "grades", "flagged"),
    [
        # two H and three N: six pairs; 4 of 6 wrong, then 3 of 6
        ([3, 1, 2, 2, 2, 9], "HHNNN-", False),  # 3 of 6
        ([3, 1, 2, 4, 4, 9], "HHNNN-", True),  # 3 below both 4s, 1 below all: 5 of 6
        ([1, 1, 2, 2, 9, 9], "HHNN--", False),  # 4 of 4, but fewer than six pairs
        ([2, 2, 2, 2, 2, 9], "HHNNN-", False),  # ties are not the wrong way round
    ],
)
def test_the_order_against_the_known_grades(magnitudes: list[float], grades: str, flagged: bool) -> None:
    assert ("order" in signs(magnitudes, grades)) is flagged


def test_the_same_reason_for_every_document() -> None:
    honest = ([50, 20, 10, 5, 2, 1], "HRMMNN")
    assert signs(*honest, reasons=["Good", "good ", " GOOD", *["good"] * 5]) == {"reason"}
    assert signs(*honest, reasons=["good"] * 7 + ["bad"]) == set()


def test_time_just_at_the_least_on_every_document() -> None:
    honest = ([50, 20, 10, 5, 2, 1], "HRMMNN")
    assert signs(*honest, seconds=[20.0, 22.9, *[21.0] * 6]) == {"time"}
    assert signs(*honest, seconds=[20.0, 23.1, *[21.0] * 6]) == set()
    assert signs(*honest, seconds=[0.0] * 8) == set(), "times that are not known"
    assert unit_signs(unit(*honest, seconds=[4.0] * 8), least_seconds=4) == set()


def test_a_worker_is_flagged_by_what_every_unit_shows() -> None:
    assert unit_flags([{"time", "reason"}]) == [REASONS["reason"], REASONS["time"]]
    assert unit_flags([{"time", "reason"}, {"time"}]) == [REASONS["time"]]
    assert unit_flags([{"time"}, set()]) == []
    assert unit_flags([]) == []
