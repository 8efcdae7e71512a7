"""What the checks (a)–(d) ask for, and how often a worker may fail each."""

from typing import Final

from judging.protocol.settings.base import UNLIMITED, Kind, Setting

CHECKS: Final = (
    Setting(
        "seconds_per_document",
        "Least seconds on a document",
        "Check (d): the time that each document needs, summed over visits.",
        Kind.NUMBER,
        "checks",
        default=20.0,
        most=3600,
        source="[T15] 3.4",
    ),
    Setting(
        "anchor_ties",
        "Equal numbers for H and N",
        "Check (c): whether equal numbers for the two anchors fail or pass.",
        Kind.CHOICE,
        "checks",
        default="fail",
        options=("fail", "pass"),
    ),
    Setting(
        "check_attempts",
        "Failed finishes",
        f"A unit is over after this many failed finishes; or write {UNLIMITED}.",
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
        unlimited=True,
    ),
    Setting(
        "practice_attempts",
        "Tries at the practice",
        "Check (a): tries at the practice lines before a worker is screened out.",
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
    ),
    Setting(
        "comprehension_attempts",
        "Wrong answers",
        "Check (b): wrong answers to questions, over all topics, before a worker is screened out.",
        Kind.WHOLE,
        "checks",
        default=3,
        least=1,
        most=1000,
    ),
    Setting(
        "visit_minutes",
        "Most minutes of a visit",
        "The most that one visit to a document counts towards its time.",
        Kind.WHOLE,
        "checks",
        default=15,
        least=1,
        most=1440,
    ),
)
