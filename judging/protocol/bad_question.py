"""When to suspect a comprehension question, instead of the workers who fail it.

The rule: at least `LEAST_WORKERS` different workers answered the question, and more than half of them chose a
wrong answer. Also, the 95 % interval for the share of wrong answers lies above `SHARE`. Without the interval,
a few wrong answers by chance, such as three of five, would be enough to suspect a question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from judging.protocol.proportion import lower_bound, percent
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _

LEAST_WORKERS: Final = 5
SHARE: Final = 0.25
RULE: Final = Sentence(
    _(
        "At least {workers} different workers answered the question, and more than half of"
        " them chose a wrong answer. The 95 % interval for the share of wrong answers is above"
        " {share}."
    ),
    {"workers": LEAST_WORKERS, "share": percent(SHARE)},
)


@dataclass(frozen=True)
class QuestionRecord:
    """The answers to a question. A worker gets a topic only once, so each answer is by a different worker.

    `options` maps each wrong option to the number of workers who chose it. Options are given by their
    index in the study file, counted from 0.
    """

    workers: int
    wrong: int
    options: Mapping[int, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        return self.wrong / self.workers if self.workers else 0.0

    @property
    def percent(self) -> int:
        """Return the percentage of wrong answers, rounded to a whole number."""
        return round(100 * self.share)


def is_bad(question: QuestionRecord) -> bool:
    """Return whether the question is suspect. Raise ValueError if `wrong` exceeds `workers`."""
    is_often_wrong = lower_bound(question.wrong, question.workers) > SHARE
    return is_often_wrong and question.workers >= LEAST_WORKERS and 2 * question.wrong > question.workers


def evidence(question: QuestionRecord) -> Sentence:
    """Return a sentence with the figures that make the question suspect."""
    values = {
        "wrong": question.wrong,
        "workers": question.workers,
        "share": percent(question.share),
        "least": percent(lower_bound(question.wrong, question.workers)),
    }
    if not question.options:
        text = _(
            "{wrong} of {workers} workers ({share}) chose a wrong answer. The 95 % interval for this share"
            " starts at {least}."
        )
        return Sentence(text, values)
    option, chosen = min(question.options.items(), key=lambda item: (-item[1], item[0]))
    text = _(
        "{wrong} of {workers} workers ({share}) chose a wrong answer. The 95 % interval for this share "
        "starts at {least}. The most common wrong answer is option {option} in the study file (times chosen:"
        " {chosen})."
    )
    return Sentence(text, {**values, "option": option + 1, "chosen": chosen})
