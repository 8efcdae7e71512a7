"""Simulate a pilot under stated assumptions, to plan a study before anybody has judged a document."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ..arguments import refuse_amount, refuse_few_runs
from ..crowds import TYPICAL, Crowd, Truth, draw_truth, simulate_study
from ..errors import InputError
from ..frames import Judgments
from ..options import checked
from ..runs import Run
from ..scales import DEFAULT, ScaleName

DOCUMENTS: Final[Mapping[str, int]] = {"N": 8, "M": 5, "R": 4, "H": 3, "": 20}
"""The default number of documents of each grade in a topic. "" means that the grade is not known."""
SIMULATED_TOPICS: Final = 24
SIMULATED_JUDGMENTS: Final = 10


@checked
@dataclass(frozen=True)
class Assumptions:
    """What you assume about a study.

    `crowd` is the crowd that judges. If `noise` is not None, it replaces the noise of the crowd's workers.
    `documents` has the number of documents of each grade in a topic, including the anchors. The grades are N,
    M, R, H and "" (not known).

    `systems` is the number of systems. Each system has a skill, and ranks the documents of a topic by
    skill · θ + noise. θ is the document's true level, the logarithm of its gain. The noise in
    this sum is normal with a standard deviation of 1. `skills` has the lowest and the highest skill. The
    other skills are evenly spaced between them. `scale` is the scale on which the crowd judges.
    """

    crowd: Crowd = TYPICAL
    noise: float | None = None
    documents: Mapping[str, int] = field(default_factory=lambda: dict(DOCUMENTS))
    systems: int = 20
    skills: tuple[float, float] = (0.5, 1.5)
    scale: ScaleName = DEFAULT

    def __post_init__(self) -> None:
        if self.noise is not None:
            refuse_amount("noise", self.noise)
        refuse_few_runs(self.systems)


def assumed_pilot(
    assumptions: Assumptions, rng: np.random.Generator, *, topics: int = SIMULATED_TOPICS
) -> tuple[Judgments, list[Run]]:
    """Return the judgments and runs of a large pilot under these assumptions, for `estimate_pilot`.

    Each document except the anchors has 10 judgments. Raise `InputError` if a topic has no document of grade
    H, or none of grade N, because it needs both as anchors.
    """
    crowd = assumptions.crowd
    if assumptions.noise is not None:
        crowd = replace(crowd, noise=assumptions.noise)
    truth = draw_truth([assumptions.documents] * topics, crowd, rng)
    study = simulate_study(
        truth, crowd, rng, judgments_per_document=SIMULATED_JUDGMENTS, scale=assumptions.scale
    )
    return study.judgments, simulate_runs(truth, assumptions.systems, assumptions.skills, rng)


def simulate_runs(
    truth: Truth, systems: int, skills: tuple[float, float], rng: np.random.Generator
) -> list[Run]:
    """Return runs in ascending order of skill.

    Each run ranks all documents by skill · level + normal noise.
    """
    table = truth.table
    return [
        Run.from_columns(
            f"system{number:02}",
            table["topic_id"],
            table["document_id"],
            skill * truth.level + rng.normal(size=len(truth.level)),
        )
        for number, skill in enumerate(np.linspace(*skills, systems), start=1)
    ]


def grades_like(documents: int) -> dict[str, int]:
    """Divide the documents of a topic among the grades, in the proportions of `DOCUMENTS`.

    Return the number of documents of each grade, which is at least 1 for known grades. Raise `InputError` for
    fewer than 4 documents.
    """
    if documents < len(DOCUMENTS) - 1:
        raise InputError(
            "too-few-documents-to-plan",
            "{documents} documents in a topic are too few; give {least} or more, so that each known grade "
            "has a document",
            documents=documents,
            least=len(DOCUMENTS) - 1,
        )
    total = sum(DOCUMENTS.values())
    grades = {grade: max(1, documents * number // total) for grade, number in DOCUMENTS.items() if grade}
    return {**grades, "": documents - sum(grades.values())}
