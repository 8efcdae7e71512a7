"""The settings of the sample: how many documents of the pool are judged, and how they are drawn."""

from typing import Final

from judging.protocol.settings import groups
from judging.protocol.settings.setting import Change, Kind, Setting
from judging.protocol.words import gettext_noop as _

DESIGNS: Final = ("systematic", "poisson")
"""How a sample is drawn: the designs of `evaluation.sampling`. The first is the default."""
_TABLE: Final = "pool.sample"
_BUDGET: Final = "sample_budget"

SAMPLING: Final = (
    Setting(
        _BUDGET,
        _("Documents to judge"),
        _(
            "How many documents of the pools are judged, over all topics and including the anchors. The more"
            " a document matters for the differences between the runs, the larger its chance to be judged."
            " If this is empty, all documents are judged."
        ),
        Kind.WHOLE,
        _TABLE,
        least=1,
        most=10_000_000,
        later=True,
        group=groups.SAMPLE,
        absent="needed in this table",
        written="budget",
        more="See [Judging a sample](../guides/sampling.md).",
    ),
    Setting(
        "sample_design",
        _("Design of the sample"),
        _(
            "systematic: exactly the budget is drawn, and each topic gets nearly its share. poisson: each"
            " document is drawn independently, so the number of documents varies."
        ),
        Kind.CHOICE,
        _TABLE,
        default=DESIGNS[0],
        options=DESIGNS,
        later=True,
        group=groups.SAMPLE,
        written="design",
        needs=_BUDGET,
    ),
    Setting(
        "sample_seed",
        _("Seed of the sample"),
        _("The same seed always gives the same sample. If this is empty, the study’s seed is used."),
        Kind.WHOLE,
        _TABLE,
        least=0,
        most=2**53,
        later=True,
        group=groups.SAMPLE,
        absent="the study's `seed`",
        written="seed",
        needs=_BUDGET,
    ),
    Setting(
        "sample_added",
        _("Documents to judge from later runs"),
        _(
            "How many of the documents that a later run or topic adds to the pools are judged. If this is"
            " empty, their share is the same as in the first draw."
        ),
        Kind.WHOLE,
        _TABLE,
        least=1,
        most=10_000_000,
        later=True,
        change=Change.ALWAYS,
        group=groups.SAMPLE,
        absent="the share of the first draw",
        written="added",
        needs=_BUDGET,
    ),
)
