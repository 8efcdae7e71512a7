"""Normalisation: bringing the scales of different workers onto one scale per topic."""

import numpy as np

from evaluation.arrays import FloatArray
from evaluation.frames import Judgments
from evaluation.magnitudes.groups import Groups


def normalise(judgments: Judgments) -> FloatArray:
    """Normalised magnitudes by geometric averaging, one per judgment, in the same row order.

    s′ = exp(ln s − μ_unit + μ_topic), where μ_unit is the mean of ln s over the judgments present in the
    unit and μ_topic the mean over all judgments of the topic (not over unit means) [Turpin, Scholer,
    Mizzaro & Maddalena, SIGIR 2015]. A unit is (topic, unit, worker where given). Ratios inside a unit are
    preserved, and all units of a topic have one geometric mean.

    Example: units ⟨1, 10⟩ and ⟨2, 8, 4⟩ have the means ln √10 and ln 4, the topic ln 640^(1/5); the first
    becomes ⟨640^(1/5)/√10, 640^(1/5)·√10⟩ = ⟨1.15, 11.52⟩.
    """
    logs = np.log(judgments.magnitudes)
    units = Groups.by(judgments.table, judgments.unit_keys, logs)
    topics = Groups.by(judgments.table, ["topic_id"], logs)
    shift = topics.means()[topics.member] - units.means()[units.member]
    # s·exp(μ_topic − μ_unit) is the same, and leaves the magnitudes of a topic's only unit as they are.
    normalized: FloatArray = judgments.magnitudes * np.exp(shift)
    return normalized
