"""Evidence that a person wrote the reasons: what was pasted, and how long the page was out of sight.

The evidence comes from the browser, which a worker controls, and honest people paste, too. So it is a reason
to look at a worker's reasons, and Plumbline never acts on it. What is missing is unknown, not suspicious: a
browser without scripts sends nothing. Dictation, swiping and input methods count as typing, because browsers
report them as inserted text and not as pasted text.

Source: the values of `inputType` in Input Events Level 2, https://www.w3.org/TR/input-events-2/.
"""

import re
from dataclasses import dataclass
from typing import Final

EVIDENCE: Final = ("none", "input")
"""The values of the setting: keep no evidence, or keep it."""
PASTED: Final = 0.5
"""A reason counts as pasted if at least this share of its characters was pasted."""
REMARKABLE: Final = 0.5
"""A worker is worth checking if at least this share of the known reasons was pasted."""
LEAST_REASONS: Final = 8
"""With fewer known reasons, nothing is said about a worker."""
_TOLD: Final = re.compile(r"([0-9]{1,6}) ([0-9]{1,6}) ([01])")


def pasted_share(reason: str, told: str, *, earlier: str, earlier_share: float | None) -> float | None:
    """Return the share of the characters of a reason that were pasted, from 0 to 1; None if it is unknown.

    `told` is what the browser says: how often the text was changed, how many characters were pasted, and 1 if
    the box was empty in between, so that nothing of the `earlier` reason is left.
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

    Of `reasons`, the share that was pasted is known for `known`, and `pasted` of these count as pasted.
    `open` is the time in seconds that documents were open, and `visible` the part of it in which they could
    be seen, for the documents for which both are known.
    """

    reasons: int
    known: int
    pasted: int
    open: float
    visible: float

    @property
    def away_share(self) -> float | None:
        """Return the share of the time in which the page was out of sight; None if it is unknown."""
        return max(0.0, 1 - self.visible / self.open) if self.open > 0 else None

    @property
    def is_remarkable(self) -> bool:
        """Return whether enough reasons are known and enough of them were pasted."""
        return self.known >= LEAST_REASONS and self.pasted >= REMARKABLE * self.known
