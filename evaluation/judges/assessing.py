"""Compare labels with the judgments of people: the one call that answers how good a judge is."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from ..arguments import refuse_level, refuse_resamples
from ..comparison.kappa import Weights
from ..conventions import Design, Statistic
from ..errors import InputError
from ..frames import Judgments
from ..magnitudes.normalisation import Method
from ..measures import parse
from ..options import checked
from ..runs import Runs
from ..sampling.chances import Sampling
from ..sources import Source
from .agreement import agreement_table
from .annotators import EPSILON, annotators_table
from .assessment import Assessment
from .bias import bias_table, calibration_table, checked_documents, spread_table
from .following import followers_table
from .labels import named_labels
from .pairing import Drawing, Pairing
from .people import people_of
from .systems import FAVOUR, SYSTEMS, Rankings
from .worth import worth_table

SAMPLES: Final = 999
"""The number of samples of topics. Each of them costs a rank correlation for every judge."""
WORKER_SAMPLES: Final = 50
"""The number of resamples of the workers. Each of them costs a rank correlation in every topic."""


@checked
def assess(
    people: Source,
    labels: Mapping[str, Source],
    runs: Source | None = None,
    measure: str = "nDCG@10",
    *,
    families: Mapping[str, str] | None = None,
    documents: pl.DataFrame | None = None,
    rel: float | None = None,
    weights: Weights = "quadratic",
    epsilon: float = EPSILON,
    inclusion: Source | None = None,
    design: Design = "systematic",
    method: Method | None = None,
    statistic: Statistic | None = None,
    level: float = 0.95,
    resamples: int = SAMPLES,
    worker_resamples: int = WORKER_SAMPLES,
    seed: int = 0,
) -> Assessment:
    """Compare sets of labels with what people say of the same documents.

    `people` is `Judgments`, or anything that `Gains` accepts. `labels` maps the names of judges to their
    labels: files as `files.read_labels` reads them, or dicts, rows or tables of the columns `topic_id,
    document_id, label`.
    Only documents that people judged count, without anchors. The tables of the result say how well each judge
    agrees with people, where its labels are too high, what they mean in gains, how widely they are spread,
    whether the judge stands up to the workers, and how many judgments it saves.

    With `runs`, `measure` scores them by people and by the labels. `families` maps runs to judges: the result
    says whether a judge favours the runs of its own family. `documents` has further columns by which bias is
    grouped, such as `length` or `language`: see `bias_table`. `rel` is the lowest relevant gain for `auc`,
    and `weights` are those of κ. `epsilon` is what a judge may be worse than a worker: see
    `annotators_table`. If only a sample was judged, `inclusion` and `design` are those of `score`, and the
    measure must be linear in gains, such as DCG@10. `method` and `statistic` make gains of judgments.

    Intervals have the confidence `level`. They come from `resamples` samples of the topics and, if `people`
    is `Judgments`, from `worker_resamples` resamples of the workers. The same seed gives the same result.

    Raise `InputError` for sources that cannot be read, for a judge without a document that people judged, for
    a name such as "people" that the tables use, and for an option out of bounds.

    Example: `assess(judgments, {"umbrela": "umbrela.qrels"}, ["runs/bm25.run", "runs/dense.run"]).sentences`.
    """
    parse(measure)
    refuse_level(level)
    refuse_resamples(resamples)
    if not 0 <= epsilon < 1:
        raise InputError(
            "epsilon-out-of-bounds", "epsilon {epsilon} is out of bounds; give 0 to 1", epsilon=str(epsilon)
        )
    drawing = Drawing(level, resamples, seed)
    read = named_labels(labels)
    crowd = people_of(people, method=method, statistic=statistic, resamples=worker_resamples, seed=seed)
    pairings = {name: Pairing.of(name, ratings, crowd) for name, ratings in read.items()}
    listed = list(pairings.values())
    described = None if documents is None else checked_documents(documents)
    systems, favour = pl.DataFrame(schema=SYSTEMS), pl.DataFrame(schema=FAVOUR)
    if runs is not None:
        sampling = None if inclusion is None else Sampling(inclusion, design=design)
        source = people if isinstance(people, Judgments) else crowd.gains
        rankings = Rankings(
            source, read, Runs(runs), measure, drawing, sampling, method=method, gain=statistic
        )
        systems, favour = rankings.systems_table(), rankings.favour_table(families or {})
    return Assessment(
        measure=measure,
        agreement=agreement_table(listed, drawing, weights=weights, rel=rel),
        worth=worth_table(listed, read, crowd, drawing),
        systems=systems,
        favour=favour,
        annotators=annotators_table(pairings, crowd, drawing, method=method, epsilon=epsilon),
        followers=followers_table(read, crowd, method=method),
        spread=spread_table(listed, drawing),
        bias=bias_table(listed, drawing, described),
        calibration=calibration_table(listed, drawing),
        weights=weights,
        level=level,
        resamples=resamples,
        seed=seed,
    )
