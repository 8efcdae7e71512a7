"""The settings of units: their size, their number, and how workers get them."""

from typing import Final

from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR, MOST_PAIRS
from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Setting
from judging.protocol.words import gettext_noop as _

SHOW_PREVIOUS: Final = ("none", "last", "all")
NUMBERS: Final = ("any", "decimals")
HIGHLIGHTS: Final = ("off", "optional")
ALLOCATIONS: Final = ("fixed", "adaptive")

UNITS: Final = (
    Setting(
        "seed",
        _("Seed"),
        _(
            "The same seed always gives the same units. It also gives the same anchors if they"
            " are drawn at random."
        ),
        Kind.WHOLE,
        default=0,
        least=-(2**63),
        most=2**63 - 1,
        group=groups.UNITS,
    ),
    Setting(
        "unit_size",
        _("Documents in a unit"),
        _("How many documents a worker judges in one unit, including the anchors."),
        Kind.WHOLE,
        "units",
        default=8,
        least=ANCHORS_PER_PAIR + 1,
        most=100,
        source="[T15]",
        group=groups.UNITS,
    ),
    Setting(
        "anchor_pairs",
        _("Pairs of anchors"),
        _(
            "How many pairs of anchors each unit has. With 2, random numbers pass check (c) less often, but a"
            " unit has fewer other documents, so a study needs more units."
        ),
        Kind.WHOLE,
        "units",
        default=1,
        least=1,
        most=MOST_PAIRS,
        later=True,
        source="[T15]",
        more="See [Two pairs of anchors](../guides/setting-up.md#two-pairs-of-anchors).",
        group=groups.UNITS,
    ),
    Setting(
        "judgments_per_document",
        _("Judgments per document"),
        _("Each document in the pool gets at least this many judgments."),
        Kind.WHOLE,
        "units",
        default=10,
        least=1,
        most=1000,
        change=Change.RAISED,
        source="[T15]",
        group=groups.UNITS,
    ),
    Setting(
        "lapse_minutes",
        _("Minutes until a unit expires"),
        _("If a worker does not complete a unit within this time, another worker can get it."),
        Kind.WHOLE,
        "units",
        default=60,
        least=1,
        most=10_080,
        change=Change.ALWAYS,
        group=groups.RESERVATIONS,
    ),
    Setting(
        "max_units_per_worker",
        _("Maximum units per worker"),
        _(
            "How many units a worker can do in this study. Units that are paid without being completed count"
            " too. With “unlimited”, a worker can do one unit per topic."
        ),
        Kind.WHOLE,
        "units",
        least=1,
        most=10_000,
        unlimited=True,
        change=Change.ALWAYS,
        later=True,
        group=groups.UNITS,
    ),
    Setting(
        "max_units_per_visit",
        _("Maximum units per visit"),
        _(
            "How many units a worker can complete in one visit from a crowd platform. The platform "
            "counts each visit as one submission. With 1, each unit has its own submission."
        ),
        Kind.WHOLE,
        "units",
        least=1,
        most=10_000,
        unlimited=True,
        change=Change.ALWAYS,
        later=True,
        more="With `generic`, it needs a `submission_parameter`; otherwise all units belong to one visit.",
        group=groups.RESERVATIONS,
    ),
    Setting(
        "reservations_per_address",
        _("Maximum reserved units per network"),
        _(
            "How many units can be reserved at the same time on one network, such as that of a classroom."
            " All workers on the network share this limit."
        ),
        Kind.WHOLE,
        "units",
        default=60,
        least=1,
        most=30_000,
        change=Change.ALWAYS,
        bundled=False,
        group=groups.RESERVATIONS,
    ),
    Setting(
        "show_previous",
        _("Earlier numbers on the page"),
        _(
            "Which of the worker’s earlier numbers the page shows below a document. Only numbers from"
            " the same unit are shown. none: no number. last: the number for the previous document. "
            "all: the numbers for all previous documents."
        ),
        Kind.CHOICE,
        "units",
        default="none",
        options=SHOW_PREVIOUS,
        later=True,
        group=groups.ANSWERS,
    ),
    Setting(
        "numbers",
        _("Numbers that workers can type"),
        _("any: whole numbers, decimals and fractions. decimals: no fractions."),
        Kind.CHOICE,
        "units",
        default="any",
        options=NUMBERS,
        later=True,
        source="[T15] 3.2",
        group=groups.ANSWERS,
    ),
    Setting(
        "highlights",
        _("Passage that decided"),
        _(
            "optional: below each document, workers can mark the passage that decided. off: they cannot. No"
            " check uses the passage."
        ),
        Kind.CHOICE,
        "units",
        default="off",
        options=HIGHLIGHTS,
        later=True,
        group=groups.ANSWERS,
    ),
    Setting(
        "topic_choice",
        _("Next topic"),
        _(
            "How Plumbline chooses a worker's next topic. weighted: topics with more open"
            " units are more likely. uniform: all topics are equally likely."
        ),
        Kind.CHOICE,
        "units",
        default="weighted",
        options=("weighted", "uniform"),
        group=groups.RESERVATIONS,
    ),
    Setting(
        "allocation",
        _("Further units"),
        _(
            "fixed: every document gets the same number of judgments. adaptive: every document first gets"
            " the same number of judgments. Further units then contain mainly the documents that matter for"
            " the ranking of the runs, until the ranking is settled."
        ),
        Kind.CHOICE,
        "units",
        default=ALLOCATIONS[0],
        options=ALLOCATIONS,
        later=True,
        more="See [Adaptive studies](../guides/adapting.md).",
        group=groups.UNITS,
    ),
    Setting(
        "ranked_by",
        _("Measure of the study"),
        _(
            "The measure by which the study ranks the runs. Choose it before the study opens. Results by"
            " other measures are marked as further looks."
        ),
        Kind.LINE,
        "units",
        default="nDCG@10",
        longest=100,
        later=True,
        group=groups.RESULTS,
        more="An adaptive study also plans its further units by it.",
    ),
    Setting(
        "baseline",
        _("Baseline"),
        _("The tag of the run with which the results compare all others. Choose it before the study opens."),
        Kind.LINE,
        "units",
        default="",
        longest=100,
        later=True,
        group=groups.RESULTS,
        absent="no baseline",
    ),
    Setting(
        "settled_level",
        _("Level at which the ranking is settled"),
        _(
            "An adaptive study stops when Kendall’s τ between its ranking and the true ranking is expected"
            " to be at least this high."
        ),
        Kind.NUMBER,
        "units",
        default=0.9,
        least=0,
        most=1,
        later=True,
        group=groups.ADAPTIVE,
    ),
    Setting(
        "most_judgments",
        _("Maximum mean number of judgments per document"),
        _(
            "An adaptive study plans at most as many units as a fixed study with this number of judgments"
            " per document."
        ),
        Kind.WHOLE,
        "units",
        default=10,
        least=1,
        most=1000,
        later=True,
        change=Change.RAISED,
        group=groups.ADAPTIVE,
    ),
)
