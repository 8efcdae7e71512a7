"""When to suspect the anchors of a topic, instead of the workers who fail check (c).

The rule: at least `LEAST_WORKERS` different workers tried to finish a unit on the topic. Also, the 95 %
interval for the share of workers who failed check (c) at least once lies above `SHARE`, one in four. In the
original study, fewer than one unit in ten failed any check. So with good anchors, the share stays far below
`SHARE`.

With two pairs of anchors, the rule looks at each pair on its own. A failed check counts only for the pairs
whose anchors were in the wrong order, so that one bad pair does not make the other suspect.
"""

from dataclasses import dataclass
from typing import Final

from judging.protocol.proportion import lower_bound, percent
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LEAST_WORKERS: Final = 5
SHARE: Final = 0.25
RULE: Final = Sentence(
    _(
        "At least {workers} different workers tried to finish a unit on the topic. The 95 %"
        " interval for the share of workers who failed check (c) is above {share}."
    ),
    {"workers": LEAST_WORKERS, "share": percent(SHARE)},
)


@dataclass(frozen=True)
class PairRecord:
    """The record of a pair of anchors.

    `workers` is the number of workers who tried to finish a unit on the topic, and `failed` is the number of
    these workers who failed check (c) at least once. `tied` is the number of failed attempts in which both
    anchors have the same magnitude. `inverted` is the number of failed attempts in which N has the larger
    magnitude. One worker can have several failed attempts. `is_only` says whether the topic has no other
    pair.
    """

    workers: int
    failed: int
    tied: int = 0
    inverted: int = 0
    is_only: bool = True

    @property
    def share(self) -> float:
        return self.failed / self.workers if self.workers else 0.0

    @property
    def percent(self) -> int:
        """Return the percentage of workers who failed, rounded to a whole number."""
        return round(100 * self.share)


def is_bad(pair: PairRecord) -> bool:
    """Return whether the anchors are suspect. Raise ValueError if more workers failed than tried."""
    return lower_bound(pair.failed, pair.workers) > SHARE and pair.workers >= LEAST_WORKERS


def evidence(pair: PairRecord) -> Sentence:
    """Return a sentence with the figures that make the anchors suspect."""
    if pair.is_only:
        text = _(
            "{failed} of {workers} workers ({share}) failed check (c). The 95 % interval for this share "
            "starts at {least}. In {inverted} failed attempts, N had the larger number; in {tied}, both "
            "anchors had the same number."
        )
    else:
        text = _(
            "{failed} of {workers} workers ({share}) failed check (c) with this pair. The 95 % interval for "
            "this share starts at {least}. In {inverted} failed attempts, the document that is not relevant "
            "had the larger number; in {tied}, both documents had the same number."
        )
    return Sentence(
        text,
        {
            "failed": pair.failed,
            "workers": pair.workers,
            "share": percent(pair.share),
            "least": percent(lower_bound(pair.failed, pair.workers)),
            "inverted": pair.inverted,
            "tied": pair.tied,
        },
    )
