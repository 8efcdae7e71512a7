"""How simulated workers answer in a study: from what they perceive to the numbers they give."""

from dataclasses import dataclass

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.crowds import Perceived, answer_grade
from evaluation.crowds.workers import Answer
from evaluation.scales import scale_named
from judging.crowd.pairs import perceived_level
from judging.protocol.scales import DEFAULT, AnswerSettings, compares_pairs, scale_of
from judging.protocol.settings import SETTINGS


@dataclass(frozen=True)
class DefaultSettings:
    """The settings of a study that say which answers are valid, with their defaults."""

    scale: str = DEFAULT
    labels: tuple[str, ...] = SETTINGS["labels"].default
    with_fractions: bool = True


def answers_in(study: AnswerSettings) -> Answer:
    """Return the function from what workers perceive of documents to their numbers.

    The library declares it for each scale. Where a study has its own labels, they are evenly spaced. Where
    workers compare documents, the numbers are the levels that they perceive. Raise ValueError if the answers
    on the scale cannot be simulated.
    """
    scale = scale_of(study)
    if compares_pairs(study):
        return perceived_level
    if scale.only is not None:
        labels = len(scale.only(study))

        def answers(perceived: Perceived, rng: np.random.Generator) -> FloatArray:
            return answer_grade(perceived.level, perceived.leniency, labels)

        return answers
    declared = scale_named(scale.library).answers
    if declared is None:
        raise ValueError(f"no crowd can be simulated on the scale {scale.name}")
    return declared
