"""Compute a result from scores."""

import hashlib
from collections.abc import Mapping

import numpy as np
import polars as pl

from ..arguments import refuse_alpha
from ..arrays import FloatArray
from ..comparison.choices import Choices
from ..comparison.system_intervals import SystemIntervals
from ..comparison.topset import p_of_all_pairs
from ..sampling.result import SampledScores
from ..score_table import Scores
from ..text import Text
from .basis import Basis, Warning
from .result import Result
from .sentences import few_topics
from .table import COUNTS, OF_BEST, TABLE, Estimator, result_table


def compute_results(
    scores: Scores,
    choices: Choices | None = None,
    *,
    basis: Basis | None = None,
    intervals: Mapping[str, SystemIntervals] | None = None,
    shares: Mapping[str, Mapping[str, float | None]] | None = None,
    p_of_pairs: Mapping[str, FloatArray] | None = None,
    samples: Mapping[str, SampledScores] | None = None,
    chosen: str | None = None,
) -> dict[str, Result]:
    """Return the result by each measure of `scores`, without the measures by which no run has a value.

    `chosen` is the measure that was chosen beforehand, by default the first one. The others are further
    looks. The mappings have the arguments of `compute_result` by measure.
    """
    first = scores.measures[0] if chosen is None else chosen
    return {
        measure: compute_result(
            scores,
            measure,
            choices,
            basis=basis,
            intervals=(intervals or {}).get(measure),
            shares=(shares or {}).get(measure),
            p_of_pairs=(p_of_pairs or {}).get(measure),
            sample=(samples or {}).get(measure),
            is_first=measure == first,
        )
        for place, measure in enumerate(scores.measures)
        if not np.isnan(scores.values[..., place]).all()
    }


def compute_result(
    scores: Scores,
    measure: str,
    choices: Choices | None = None,
    *,
    basis: Basis | None = None,
    intervals: SystemIntervals | None = None,
    shares: Mapping[str, float | None] | None = None,
    p_of_pairs: FloatArray | None = None,
    sample: SampledScores | None = None,
    is_first: bool = True,
) -> Result:
    """Return the result by one of the measures of `scores`.

    `choices` has the confidence level, the limit for p, the correction and the baseline. `basis` says where
    the gains come from. With `intervals`, the means are corrected for the bias of noisy gains, if this is
    possible for all runs. `shares` maps each run to its share of judged documents down to the cut-off.
    `p_of_pairs` (runs, runs) has the p-values of Wilcoxon's test of all pairs, if they are at hand.
    If only a sample of the documents was judged, `sample` has what `scores` were estimated from, and replaces
    `intervals`. `is_first` says that the measure was chosen beforehand. Raise `InputError` if no run has a
    value.
    """
    if sample is not None:
        intervals = sample.chosen
    choices, basis = choices or Choices(), basis or Basis()
    refuse_alpha(choices.alpha)
    values = scores.values[..., scores.measures.index(measure)]
    if p_of_pairs is None:
        p_of_pairs = p_of_all_pairs(values)
    table, is_corrected = result_table(scores, measure, p_of_pairs, choices, intervals, shares or {})
    estimator: Estimator = "corrected" if is_corrected else "observed"
    with_value = table.filter(pl.col("topics") > 0)
    warnings = few_topics(
        with_value.height, max(with_value["topics"].to_list()), choices.alpha, choices.correction
    )
    if choices.baseline is not None and choices.baseline not in with_value["run"].to_list():
        warnings.append(_without_baseline(choices.baseline))
    if sample is not None:
        estimator = "sampled"
        warnings += [Warning(code, text) for code, text in sample.notices()]
    elif intervals is not None:
        warnings += _of_intervals(intervals, is_corrected=is_corrected)
    for notices in (scores.notices.of(None).warnings, scores.notices.of(measure)):
        for of_kind, is_caution in ((notices.cautions, True), (notices.further, False)):
            warnings += [
                Warning(code, Text("{notice}.", notice=text), is_caution) for code, text in of_kind.kinds()
            ]
    if basis.is_random:
        table = _not_compared(table)
    return Result(
        measure,
        estimator,
        table,
        choices,
        basis,
        tuple(dict.fromkeys((*basis.warnings, *warnings))),
        _checksum(scores, measure),
        is_first,
        sample,
    )


def _without_baseline(baseline: str) -> Warning:
    return Warning("baseline-missing", Text("The baseline {run} has no score.", run=baseline))


def _of_intervals(intervals: SystemIntervals, *, is_corrected: bool) -> list[Warning]:
    """Return the warnings about the judgments behind corrected means, or a warning that they are not."""
    if not is_corrected:
        text = Text(
            "The bias of noisy gains is unknown for a run, so the means and intervals are those of the "
            "scores as they are."
        )
        return [Warning("not-corrected", text)]
    return [Warning(code, text) for code, text in intervals.notices()]


def _not_compared(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table in the order of the runs' names, without values in the columns that compare runs."""
    compared = [name for name in TABLE if name.endswith((*OF_BEST, *COUNTS)) or name == "in_top_set"]
    return table.sort("run").with_columns(pl.lit(None, TABLE[name]).alias(name) for name in compared)


def _checksum(scores: Scores, measure: str) -> str:
    """Return the SHA-256 of the scores in each topic: lines of run, topic and score, sorted."""
    place = scores.measures.index(measure)
    lines = sorted(
        f"{run}\t{topic}\t{value!r}\n"
        for run, of_run in zip(scores.runs, scores.values[..., place].tolist(), strict=True)
        for topic, value in zip(scores.topics, of_run, strict=True)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
