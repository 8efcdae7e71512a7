"""When to suspect a comprehension question rather than the workers who fail it.

The rule: at least `LEAST_WORKERS` different workers answered it, most of them wrongly, and the share of wrong
answers is surely above `SHARE`: the lower end of its 95 % interval is. The second half keeps three wrong
answers of five, which chance brings about, from being taken for a fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from judging.protocol.proportion import percent, surely

LEAST_WORKERS: Final = 5
SHARE: Final = 0.25
RULE: Final = (
    f"At least {LEAST_WORKERS} different workers answered it, more than half of them wrongly, and the share"
    f" of wrong answers is above {percent(SHARE)} even at the lower end of its 95 % interval."
)


@dataclass(frozen=True)
class QuestionRecord:
    """How a question was answered; nobody meets a topic twice, so each answer is another worker's.

    `options`: the place of a wrong option in the study file, from 0 → how often it was chosen.
    """

    workers: int
    wrong: int
    options: Mapping[int, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        return self.wrong / self.workers if self.workers else 0.0

    @property
    def percent(self) -> int:
        """The share in whole percent."""
        return round(100 * self.share)


def is_bad(question: QuestionRecord) -> bool:
    """Whether the rule finds the question bad. Raises ValueError for more wrong answers than workers."""
    surely_often = surely(question.wrong, question.workers) > SHARE
    return surely_often and question.workers >= LEAST_WORKERS and 2 * question.wrong > question.workers


def evidence(question: QuestionRecord) -> str:
    """What speaks against the question, in one sentence or two."""
    share, least = percent(question.share), percent(surely(question.wrong, question.workers))
    said = (
        f"{question.wrong} of {question.workers} different workers answered it wrongly ({share}, surely more"
        f" than {least})."
    )
    if not question.options:
        return said
    option, chosen = min(question.options.items(), key=lambda one: (-one[1], one[0]))
    return f"{said} Of the wrong answers {chosen} chose option {option + 1} of the study file."
