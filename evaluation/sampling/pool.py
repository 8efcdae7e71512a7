"""The pool: all documents that a run retrieves down to a depth, and their ranks in each run."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from ..arguments import refuse_unless_count
from ..arrays import FloatArray, IntArray
from ..errors import InputError
from ..order import sort_by_score
from ..pairs import PAIR
from ..runs import Runs
from ..showing import short_repr
from ..sources import Source
from .linear import LinearMeasure


@short_repr
@dataclass(frozen=True, eq=False)
class Pool:
    """The documents that a run retrieves down to the depth, sorted by topic and document.

    `table` has the columns `topic_id, document_id`, with a row for each document. `topic` (documents,) has
    the index of the document's topic. `ranks` (runs, documents) has the rank of the document in each run,
    counted from 1, or 0 if the run does not retrieve the document down to the depth.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int
    table: pl.DataFrame
    topic: IntArray
    ranks: IntArray

    def weights(self, measure: LinearMeasure) -> FloatArray:
        """Return the weight of each document's gain in each run's mean over the topics (runs, documents).

        Raise `InputError` if the measure needs deeper lists than the pool has.
        """
        cutoff = len(measure.weights)
        if cutoff > self.depth:
            raise InputError(
                "pool-not-deep-enough",
                "{measure} needs the documents down to rank {cutoff}, but the depth of the pool is {depth}; "
                "choose a greater depth or a smaller cut-off",
                measure=str(measure.measure),
                cutoff=cutoff,
                depth=self.depth,
            )
        by_rank = np.concatenate([[0.0], measure.weights, np.zeros(self.depth - cutoff)])
        weights: FloatArray = by_rank[self.ranks] / len(self.topics)
        return weights


def pool_of(runs: Source, depth: int, *, documents: pl.DataFrame | None = None) -> Pool:
    """Return the documents at the ranks 1 … `depth` of each run's lists.

    `documents` lists the documents of the pool, if they differ from these: some of these may have been left
    out, and others, such as anchors, may have been added. Its columns are `topic_id, document_id`. A document
    that no run retrieves down to the depth has the rank 0 in each run.

    Documents are ordered by score and then by id, both descending, as trec_eval does. Raise `InputError` for
    runs that cannot be read, for a depth that is not a whole number of 1 or more, and if there are no
    documents.
    """
    refuse_unless_count("depth", depth)
    read = Runs(runs)
    retrieved = [_retrieved(run.table, depth).with_columns(run=pl.lit(at)) for at, run in enumerate(read)]
    rows = pl.concat(retrieved) if retrieved else pl.DataFrame(schema={"topic_id": pl.String})
    pooled = rows if documents is None else documents
    if not len(pooled):
        raise InputError("pool-empty", "the runs have no documents; give at least one run with documents")
    table = pooled.select(PAIR).unique().sort(PAIR)
    topics = tuple(table["topic_id"].unique(maintain_order=True))
    placed = rows.join(table.with_row_index("document"), on=PAIR)
    ranks = np.zeros((len(read), len(table)), dtype=np.int64)
    ranks[placed["run"].to_numpy(), placed["document"].to_numpy()] = placed["rank"].to_numpy()
    topic = table["topic_id"].rle_id().to_numpy().astype(np.int64)
    return Pool(tuple(run.tag for run in read), topics, depth, table, topic, ranks)


def _retrieved(run: pl.DataFrame, depth: int) -> pl.DataFrame:
    """Return the documents of a run down to the depth: `topic_id, document_id, rank`."""
    ranked = sort_by_score(run, "topic_id").select(*PAIR)
    return ranked.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("topic_id")).filter(
        pl.col("rank") <= depth
    )
