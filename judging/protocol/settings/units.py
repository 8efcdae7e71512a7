"""What units hold, how many there are, and who gets them."""

from typing import Final

from judging.protocol.settings.base import Change, Kind, Setting

ANCHORS_PER_UNIT: Final = 2

UNITS: Final = (
    Setting(
        "seed",
        "Seed",
        "All draws follow from it: units, and anchors that are not named.",
        Kind.WHOLE,
        default=0,
        least=-(2**63),
        most=2**63 - 1,
    ),
    Setting(
        "unit_size",
        "Documents in a unit",
        "How many a worker judges at once, the two anchors among them.",
        Kind.WHOLE,
        "units",
        default=8,
        least=ANCHORS_PER_UNIT + 1,
        most=100,
        source="[T15]",
    ),
    Setting(
        "judgments_per_document",
        "Judgments per document",
        "Each document of the pool gets at least this many completed judgments.",
        Kind.WHOLE,
        "units",
        default=10,
        least=1,
        most=1000,
        change=Change.RAISED,
        source="[T15]",
    ),
    Setting(
        "lapse_minutes",
        "Minutes until a unit lapses",
        "A unit that is not completed within this time goes back.",
        Kind.WHOLE,
        "units",
        default=60,
        least=1,
        most=10_080,
        change=Change.ALWAYS,
    ),
    Setting(
        "reservations_per_address",
        "Units held from one address",
        "Workers on one network, such as a class, may hold this many units at once.",
        Kind.WHOLE,
        "units",
        default=60,
        least=1,
        most=30_000,
        change=Change.ALWAYS,
        bundled=False,
    ),
    Setting(
        "topic_choice",
        "Next topic",
        "Which topic a worker gets: weighted, likelier where more units are left; uniform, all alike.",
        Kind.CHOICE,
        "units",
        default="weighted",
        options=("weighted", "uniform"),
    ),
)
