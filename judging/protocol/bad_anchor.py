"""When to suspect a pair of anchors rather than the workers who fail it.

The rule: at least `LEAST_WORKERS` different workers came to a finish on the topic, and the share of them who
failed check (c) at least once is surely above `SHARE`: the lower end of its 95 % interval is. In the original
study fewer than one unit in ten failed any check, so one in four is far from what a sound pair meets.
"""

from dataclasses import dataclass
from typing import Final

from judging.protocol.proportion import percent, surely

LEAST_WORKERS: Final = 5
SHARE: Final = 0.25
RULE: Final = (
    f"At least {LEAST_WORKERS} different workers came to a finish on the topic, and the share of them who"
    f" failed check (c) is above {percent(SHARE)} even at the lower end of its 95 % interval."
)


@dataclass(frozen=True)
class PairRecord:
    """What a pair of anchors met: different workers at a finish, and those of them who failed check (c).

    `tied` and `inverted` count failed tries, of which a worker may have several.
    """

    workers: int
    failed: int
    tied: int = 0
    inverted: int = 0

    @property
    def share(self) -> float:
        return self.failed / self.workers if self.workers else 0.0

    @property
    def percent(self) -> int:
        """The share in whole percent."""
        return round(100 * self.share)


def is_bad(pair: PairRecord) -> bool:
    """Whether the rule finds the pair bad. Raises ValueError for more failures than workers."""
    return surely(pair.failed, pair.workers) > SHARE and pair.workers >= LEAST_WORKERS


def evidence(pair: PairRecord) -> str:
    """What speaks against the pair, in one sentence."""
    least = percent(surely(pair.failed, pair.workers))
    return (
        f"{pair.failed} of {pair.workers} different workers failed it ({percent(pair.share)}, surely more"
        f" than {least}): {pair.inverted} tries with the N document above the H document, {pair.tied} with"
        " both alike."
    )
