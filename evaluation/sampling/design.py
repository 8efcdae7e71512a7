"""Draw a sample of the pool, in which each document has a known chance."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ..arrays import BoolArray, FloatArray, IntArray
from ..conventions import Design
from ..errors import InputError
from ..options import checked
from ..pairs import PAIR
from ..showing import short_repr
from .inclusion import LEAST, inclusion_probabilities
from .pool import Pool


@checked
@short_repr
@dataclass(frozen=True, eq=False)
class Sample:
    """A drawn sample.

    `table` has the columns `topic_id, document_id, inclusion, sampled`, with a row for each document of the
    pool. `inclusion` is the document's chance to be sampled.
    """

    design: Design
    table: pl.DataFrame

    @property
    def sampled(self) -> pl.DataFrame:
        """The sampled documents: `topic_id, document_id, inclusion`."""
        return self.table.filter("sampled").drop("sampled")


@checked
def draw(
    pool: Pool,
    size: FloatArray,
    budget: int,
    *,
    rng: np.random.Generator,
    design: Design = "systematic",
    least: float = LEAST,
    always: pl.DataFrame | None = None,
    earlier: Sample | None = None,
) -> Sample:
    """Draw a sample of about `budget` documents of the pool, and return it.

    `size` (documents,) is the influence of each document, or this times its expected spread. Chances are
    computed by `inclusion_probabilities`. The designs are:

    - `"systematic"`, the default: exactly `budget` documents. The topics are put into a random order, and the
      documents of each topic too. Steps of length 1 from a random start along the cumulated chances then
      choose the documents. So each topic has nearly the number of documents that its chances add up to.
    - `"poisson"`: each document is drawn independently of all others. So the number of documents varies.

    `always` lists documents, such as anchors, that are always in the sample. Its columns are `topic_id,
    document_id`. With `earlier`, only the documents that this earlier sample does not have are drawn, and
    `budget` is for these. The rows of the earlier sample come first and stay as they are. The same state of
    `rng` gives the same sample.

    Raise `InputError` in the same cases as `inclusion_probabilities`, if a document in `always` is not in the
    pool, and for another design than that of the earlier sample.
    """
    table = pool.table
    certain = _listed(table, always)
    topic = pool.topic
    if earlier is not None:
        if earlier.design != design:
            raise InputError(
                "designs-differ",
                "the earlier sample was drawn with the design {earlier}; use it again",
                earlier=earlier.design,
            )
        is_new = table.with_row_index("place").join(earlier.table, on=PAIR, how="anti")["place"].to_numpy()
        table, size, certain, topic = table[is_new], size[is_new], certain[is_new], topic[is_new]
    chances = inclusion_probabilities(size, budget, least=least, always=certain)
    is_poisson = design == "poisson"
    sampled = rng.random(len(chances)) < chances if is_poisson else _systematic(chances, topic, rng)
    drawn = table.with_columns(inclusion=pl.Series(chances, dtype=pl.Float64), sampled=pl.Series(sampled))
    return Sample(design, drawn if earlier is None else pl.concat([earlier.table, drawn]))


def _listed(table: pl.DataFrame, listed: pl.DataFrame | None) -> BoolArray:
    """Return which documents of the table are listed. Raise `InputError` if a listed one is not in it."""
    if listed is None:
        return np.zeros(len(table), dtype=np.bool_)
    for topic, document in listed.join(table, on=PAIR, how="anti").select(PAIR).head(1).iter_rows():
        raise InputError(
            "always-document-not-in-pool",
            "document {document} of topic {topic} is always to be in, but no run retrieves it to this depth; "
            "remove it, or choose a greater depth",
            document=document,
            topic=topic,
        )
    marked = table.join(listed.select(PAIR).unique().with_columns(listed=True), on=PAIR, how="left")
    found: BoolArray = marked["listed"].fill_null(value=False).to_numpy().astype(np.bool_)
    return found


def _systematic(chances: FloatArray, topic: IntArray, rng: np.random.Generator) -> BoolArray:
    """Return which documents a systematic sample in random order has (documents,)."""
    number = int(topic.max(initial=-1)) + 1
    order = np.lexsort((rng.random(len(chances)), rng.permutation(number)[topic]))
    reached = np.cumsum(chances[order])
    if len(reached):
        # Rounding must not change the number of steps.
        reached[-1] = round(reached[-1])
    steps = np.floor(reached + rng.random())
    sampled = np.zeros(len(chances), dtype=np.bool_)
    sampled[order] = np.diff(steps, prepend=0.0) > 0
    return sampled
