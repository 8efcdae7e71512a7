"""Per-topic adjusted gains [Sakai, AIRS 2005, 4.5]: the more common a level is, the less it is worth.

gain′(l) = gain(l) − R_l/R · (gain(l) − gain(next level down)), where R_l counts the topic's relevant
documents of level l and R all of them. The level below the lowest is 0. If R_l = R, nothing changes. The
measure AGR is WAP with such gains; `adjust="agr"` asks for them in any measure that uses gains.

A written scheme declares its levels, even those that no document of the topic has: under `0-1-2-3`, a 3 held
by a tenth of the relevant documents is worth 3 − 1/10 · (3 − 2) = 2.9, with or without a 2. Real-valued gains
have no declared levels. Their levels are the distinct gains of the topic's judged documents. Gains within
1e-12 of each other are the same level, because equal magnitudes differ slightly after normalisation. Example:
the gains 12, 7, 7, 3 become 12 − 1/4 · 5 = 10.75, 7 − 2/4 · 4 = 5 twice, 3 − 1/4 · 3 = 2.25.
"""

import numpy as np

from evaluation.arrays import BoolArray, FloatArray, IntArray
from evaluation.measures.schemes import is_written, places, steps

ROUNDING = 1e-12


def adjusted_gains(
    scheme: str, judged: FloatArray, gains: FloatArray, topic: IntArray, relevant: BoolArray
) -> FloatArray:
    """Return the adjusted gain of every judged document (documents,); so are all arguments but `scheme`.

    `judged` has the judged values, `gains` what they are worth under `scheme`, and `topic` the topics as
    ascending numbers. A document judged only for relevance (`judged` is NaN) belongs to no level.
    """
    level, below = _declared(scheme, judged, topic) if is_written(scheme) else _distinct(gains, topic)
    has_level = ~np.isnan(judged)
    of_level = np.bincount(level, relevant & has_level)[level]
    of_topic = np.maximum(np.bincount(topic, relevant), 1)[topic]
    lower = gains - of_level / of_topic * (gains - below)
    return np.where(has_level & (of_level < of_topic), lower, gains)


def _declared(scheme: str, judged: FloatArray, topic: IntArray) -> tuple[IntArray, FloatArray]:
    """Return each document's level, numbered across the topics, and the gain of the level below it."""
    place, _ = places(scheme, np.nan_to_num(judged))
    listed = steps(scheme)[1]
    return topic * len(listed) + place, np.concatenate([[0.0], listed])[place]


def _distinct(gains: FloatArray, topic: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the same as `_declared`, with every distinct gain of a topic as a level."""
    order = np.lexsort((gains, topic))
    topics, values = topic[order], gains[order]
    new_topic = np.diff(topics, prepend=-1) > 0
    new_level = new_topic | (np.diff(values, prepend=-1) > ROUNDING * values)
    under = np.concatenate([[0.0], values[:-1]])[new_level]
    under[new_topic[new_level]] = 0.0
    level = np.empty(len(order), dtype=np.int64)
    level[order] = np.cumsum(new_level) - 1
    return level, under[level]
