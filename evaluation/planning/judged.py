"""The noise in the judgments of a pilot: residuals, numbers of judgments, and how anchors differ."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from ..arrays import BoolArray, FloatArray, IntArray
from ..conventions import Statistic
from ..errors import InputError
from ..frames import Judgments
from ..magnitudes.document_gains import KEYS, middle
from ..magnitudes.groups import Groups
from ..options import checked
from ..pairwise import topic_fits
from ..scales import scale_of

_NORMAL: Final = 2000
"""The number of residuals that stand for a normal distribution."""
OF_MEANS: Final = ("gmean", "mean", "worth", "chance")
"""The statistics whose noise is that of a mean of residuals. That of the others is that of a median."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What a pilot's judgments say about noise. `Pilot` explains the residuals and the kinds of noise.

    `counts` and `is_anchor` have a value for each document, sorted by topic and id: the number of its
    judgments (or of units, if judgments compare two documents), and whether it is an anchor.
    """

    residuals: FloatArray
    counts: IntArray
    is_anchor: BoolArray
    anchor_noise: float
    offset_noise: float
    relative_noise: FloatArray | float = 1.0


@checked
def judged_of(judgments: Judgments, normalized: FloatArray, statistic: Statistic) -> Judged:
    """Return the noise of a pilot.

    Raise `InputError` if no document besides the anchors has two judgments.
    """
    if scale_of(judgments).compares_pairs:
        return _of_pairs(judgments, normalized, statistic)
    return _of_documents(judgments, normalized)


def _of_documents(judgments: Judgments, normalized: FloatArray) -> Judged:
    values = np.log(normalized) if scale_of(judgments).has_ratios else normalized
    documents = Groups.by(judgments.table, KEYS)
    is_gold = judgments.is_of_anchors
    means = documents.sums(values).means()
    sizes = documents.sizes[documents.member]
    used = (sizes > 1) & ~is_gold
    _refuse_single(used)
    stretched = (values - means[documents.member]) * np.sqrt(sizes / np.maximum(sizes - 1, 1))
    residuals = np.sort(stretched[used])  # so that the order of the rows has no effect
    residuals -= residuals.mean()
    of_anchors = np.sort(stretched[is_gold & (sizes > 1)])
    is_known = of_anchors.size > 0 and residuals.std() > 0
    order = judgments.table.select(KEYS)[documents.row].with_row_index("group").sort(KEYS)["group"].to_numpy()
    return Judged(
        residuals,
        documents.sizes[order],
        is_gold[documents.row[order]],
        float(of_anchors.std() / residuals.std()) if is_known else 1.0,
        1.0 if np.array_equal(normalized, judgments.magnitudes) else _offset_noise(judgments, documents),
    )


def _of_pairs(judgments: Judgments, points: FloatArray, statistic: Statistic) -> Judged:
    """Return the noise of worths. Their errors shrink with the number of units as those of means do."""
    fits = list(topic_fits(judgments, points))
    counts = np.concatenate([of_topic.units for of_topic in fits])
    errors = np.concatenate(
        [of_topic.se if statistic == "worth" else of_topic.chance_se for of_topic in fits]
    )
    is_anchor = np.concatenate([_anchors(of_topic.rows, judgments, of_topic.documents) for of_topic in fits])
    _refuse_single((counts > 1) & ~is_anchor)
    of_one = counts * errors**2
    spread = np.sqrt(of_one[~is_anchor].mean())
    shares = (np.arange(_NORMAL) + 0.5) / _NORMAL
    residuals = spread * scipy.stats.norm.ppf(shares)
    return Judged(residuals, counts, is_anchor, 1.0, 1.0, np.sqrt(of_one) / spread)


def _anchors(rows: IntArray, judgments: Judgments, documents: tuple[str, ...]) -> BoolArray:
    """Return which documents of a topic are marked as anchors in these rows."""
    table = judgments.table[rows]
    marked = set(table.filter(table["gold"] != "")["document_id"]) if judgments.has_anchors else set()
    return np.array([document in marked for document in documents])


def _refuse_single(used: BoolArray) -> None:
    if not used.any():
        raise InputError(
            "pilot-without-repeated-judgments",
            "apart from the anchors, no document of the pilot has two judgments; have two or more workers "
            "judge each document",
        )


def _offset_noise(judgments: Judgments, documents: Groups) -> float:
    """Return how much larger the variance of log magnitudes is than that of normalised ones.

    The normalisation estimates U − 1 offsets for the U units of a topic, so the normalised magnitudes of a
    document agree more than they should. With N judgments of D documents in a topic, the factor is the sum of
    N − D over the topics, divided by the sum of N − D − U + 1, as in `evaluation.allocation.estimate`. It is
    1 if the second sum is not above 0.
    """
    table = judgments.table
    units = Groups.by(table, judgments.unit_keys)
    free = len(table) - len(documents.sizes)
    left = free - len(units.sizes) + table["topic_id"].n_unique()
    return free / left if left > 0 else 1.0


@checked
def level_noise(
    residuals: FloatArray,
    judgments: int,
    shape: tuple[int, int],
    statistic: Statistic,
    rng: np.random.Generator,
    *,
    is_log: bool = True,
) -> FloatArray:
    """Return levels of documents whose true level is 0, each from `judgments` random residuals."""
    if statistic in OF_MEANS:
        total = np.zeros(shape)
        for _ in range(judgments):
            total += residuals[rng.integers(len(residuals), size=shape)]
        return total / judgments
    drawn = residuals[rng.integers(len(residuals), size=(*shape, judgments), dtype=np.int32)]
    low, high = (judgments - 1) // 2, judgments // 2
    drawn.partition((low, high), axis=-1)
    ends = drawn[..., low], drawn[..., high]
    if not is_log:
        return middle(*ends, "arithmetic")
    levels: FloatArray = np.log(middle(np.exp(ends[0]), np.exp(ends[1]), "arithmetic"))
    return levels
