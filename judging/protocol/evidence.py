"""Evidence that a person wrote the reasons: what was pasted, and how long the page was out of sight.

The evidence comes from the browser, which the worker controls, and honest people paste too. So the evidence
only suggests which workers' reasons to read, and Plumbline never acts on it. Missing evidence is not
suspicious, because a browser without scripts sends nothing. Dictation, swiping and input methods count as
typing, because browsers report them as inserted text and not as pasted text.

Source: the values of `inputType` in Input Events Level 2, https://www.w3.org/TR/input-events-2/.
"""

import re
from dataclasses import dataclass
from typing import Final

EVIDENCE: Final = ("none", "input")
"""The values of the setting `evidence`: keep no evidence, or keep the evidence that the browser sends."""
PASTED: Final = 0.5
"""A reason counts as pasted if at least this share of its characters was pasted."""
REMARKABLE: Final = 0.5
"""A worker is worth checking if at least this share of the worker's reasons counts as pasted.

Only reasons whose pasted share is known are counted.
"""
LEAST_REASONS: Final = 8
"""A worker can be worth checking only if the pasted share is known for at least this many reasons."""
_TOLD: Final = re.compile(r"([0-9]{1,6}) ([0-9]{1,6}) ([01])")


def pasted_share(reason: str, told: str, *, earlier: str, earlier_share: float | None) -> float | None:
    """Return the share of a reason's characters that was pasted, in [0, 1], or None if it is unknown.

    `told` holds three numbers from the browser. The first says how often the text was changed, and the second
    says how many characters were pasted. The third is 1 if the box was empty at some time, which means that
    no part of the `earlier` reason is left. Otherwise, it is 0. `earlier_share` is the pasted share of the
    earlier reason, or None if it is unknown.
    """
    if reason == earlier:
        return earlier_share
    match = _TOLD.fullmatch(told)
    if match is None or not reason or match[1].strip("0") == "":
        return None
    pasted = float(match[2])
    if earlier and match[3] == "0":
        if earlier_share is None:
            return None
        pasted += earlier_share * len(earlier)
    return min(1.0, pasted / len(reason))


@dataclass(frozen=True)
class Evidence:
    """The evidence about a worker's completed units.

    `reasons` is the number of reasons. `known` is the number of reasons whose pasted share is known, and
    `pasted` is the number of these that count as pasted. `open` is the time for which documents were open, in
    seconds. `visible` is the part of this time in which the page was in sight. Both numbers leave out
    documents for which either time is unknown.
    """

    reasons: int
    known: int
    pasted: int
    open: float
    visible: float

    @property
    def away_share(self) -> float | None:
        """Return the share of `open` during which the page was out of sight, or None if `open` is 0."""
        return max(0.0, 1 - self.visible / self.open) if self.open > 0 else None

    @property
    def is_remarkable(self) -> bool:
        """Return whether the worker is worth checking: see `REMARKABLE` and `LEAST_REASONS`."""
        return self.known >= LEAST_REASONS and self.pasted >= REMARKABLE * self.known
