"""Adjusted gains [Sakai, AIRS 2005, 4.5]: the more common a level is in a topic, the less it is worth.

gain′(l) = gain(l) − R_l/R · (gain(l) − gain(next level down)). R is the number of relevant documents in the
topic, and R_l is the number of these that have level l. The gain below the lowest level is 0. As an exception
to this formula, the gains do not change if all relevant documents have the same level (R_l = R). The measure
AGR is WAP with adjusted gains. `adjust="agr"` adjusts the gains of any other measure that uses gains.

A written scheme, such as `0-1-2-3`, lists its levels. A listed level counts even if no document of the topic
has it. For example, if a tenth of the relevant documents have grade 3, the gain of grade 3 is 3 − 1/10 · (3 −
2) = 2.9. This is so even if no document has grade 2. Other schemes, such as `linear`, list no levels. Their
levels are the distinct gains of the topic's judged documents. Gains with a relative difference of at most
1e-12 count as one level, because equal magnitudes can differ slightly after normalisation.

Example: of four relevant documents, one has a gain of 12, two have 7, and one has 3. The adjusted gains are
12 − 1/4 · 5 = 10.75 for the first, 7 − 2/4 · 4 = 5 for the next two, and 3 − 1/4 · 3 = 2.25 for the last.
"""

import numpy as np

from ..arrays import BoolArray, FloatArray, IntArray
from .schemes import is_written, places, steps

ROUNDING = 1e-12


def adjusted_gains(
    scheme: str, judged: FloatArray, gains: FloatArray, topic: IntArray, relevant: BoolArray
) -> FloatArray:
    """Return the adjusted gain of every judged document (documents,).

    All arguments except `scheme` have the same shape. `judged` has the judged values, and `gains` has their
    gains under `scheme`. `topic` has the index of each document's topic, in ascending order. A document that
    was judged only for relevance (`judged` is NaN) has no level.
    """
    level, below = _declared(scheme, judged, topic) if is_written(scheme) else _distinct(gains, topic)
    has_level = ~np.isnan(judged)
    of_level = np.bincount(level, relevant & has_level)[level]
    of_topic = np.maximum(np.bincount(topic, relevant), 1)[topic]
    lower = gains - of_level / of_topic * (gains - below)
    return np.where(has_level & (of_level < of_topic), lower, gains)


def _declared(scheme: str, judged: FloatArray, topic: IntArray) -> tuple[IntArray, FloatArray]:
    """Return each document's level, numbered across all topics, and the gain of the level below it."""
    place, _ = places(scheme, np.nan_to_num(judged))
    listed = steps(scheme)[1]
    return topic * len(listed) + place, np.concatenate([[0.0], listed])[place]


def _distinct(gains: FloatArray, topic: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the same as `_declared`, but treat each distinct gain of a topic as a level."""
    order = np.lexsort((gains, topic))
    topics, values = topic[order], gains[order]
    new_topic = np.diff(topics, prepend=-1) > 0
    new_level = new_topic | (np.diff(values, prepend=-1) > ROUNDING * values)
    under = np.concatenate([[0.0], values[:-1]])[new_level]
    under[new_topic[new_level]] = 0.0
    level = np.empty(len(order), dtype=np.int64)
    level[order] = np.cumsum(new_level) - 1
    return level, under[level]
