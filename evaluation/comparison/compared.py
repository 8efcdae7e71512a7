"""Gather what a comparison compares: scores, and what their results need beside them."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ..conventions import Statistic
from ..errors import InputError
from ..frames import Judgments
from ..magnitudes import gains, normalise
from ..magnitudes.normalisation import Method
from ..measures import Measures
from ..options import checked
from ..result.basis import Basis, basis_of
from ..result.gathering import Shares, noise_of, score_with_shares
from ..runs import Runs
from ..sampling.chances import Sampling
from ..sampling.estimation import estimate
from ..sampling.result import SampledScores, scores_of
from ..sampling.scoring import refuse_conventions
from ..score_table import Scores
from ..sources import Source
from .choices import Choices
from .system_intervals import SystemIntervals


class Compared(NamedTuple):
    """The scores to compare, with what their results need."""

    scores: Scores
    basis: Basis = Basis()
    intervals: Mapping[str, SystemIntervals] = MappingProxyType({})
    shares: Shares = MappingProxyType({})
    samples: Mapping[str, SampledScores] = MappingProxyType({})


@checked
def compared(
    qrels: Source | Scores,
    runs: Source | None,
    measures: Measures | None,
    conventions: dict[str, Any],
    choices: Choices,
    method: Method | None,
    gain: Statistic | None,
    sampling: Sampling | None,
) -> Compared:
    """Return what `compare` compares. The parameters are its own.

    Raise `InputError` for ready scores with more, for missing runs or measures, and in the same cases as
    `score` and `estimate`.
    """
    if isinstance(qrels, Scores):
        if runs is not None or measures is not None or conventions or sampling:
            raise InputError(
                "ready-scores-with-more",
                "the first argument already contains scores; pass it alone, or pass qrels, runs and "
                "measures instead",
            )
        return Compared(qrels)
    if runs is None or measures is None:
        raise InputError(
            "nothing-to-compare",
            "runs or measures are missing; pass qrels, runs and measures, or scores alone",
        )
    if sampling is not None:
        refuse_conventions(conventions)
        return _of_sample(qrels, runs, measures, choices, method, gain, sampling)
    if isinstance(qrels, Judgments):
        return _of_judgments(qrels, runs, measures, conventions, choices, method, gain)
    scores, shares = score_with_shares(qrels, runs, measures, conventions)
    return Compared(scores, shares=shares)


def _of_sample(
    qrels: Source,
    runs: Source,
    measures: Measures,
    choices: Choices,
    method: Method | None,
    gain: Statistic | None,
    sampling: Sampling,
) -> Compared:
    samples = estimate(
        qrels,
        runs,
        measures,
        sampling.inclusion,
        predictions=sampling.predictions,
        design=sampling.design,
        method=method,
        statistic=gain,
        seed=choices.seed,
    )
    if not isinstance(qrels, Judgments):
        return Compared(scores_of(samples), samples=samples)
    basis = basis_of(qrels, method=next(iter(samples.values())).method, statistic=gain)
    return Compared(scores_of(samples), basis, samples=samples)


def _of_judgments(
    judgments: Judgments,
    runs: Source,
    measures: Measures,
    conventions: dict[str, Any],
    choices: Choices,
    method: Method | None,
    gain: Statistic | None,
) -> Compared:
    read = Runs(runs)
    of_crowd = gains(judgments, normalise(judgments, method), gain)
    scores, shares = score_with_shares(of_crowd, read, measures, conventions)
    noise = noise_of(judgments, read, scores.measures, choices, method=method, statistic=gain)
    basis = basis_of(judgments, method=method, statistic=gain)
    basis = replace(basis, warnings=(*basis.warnings, *noise.warnings))
    return Compared(scores, basis, noise.intervals, shares)
