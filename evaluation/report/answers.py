"""Score the runs of a study, and compute which of them is best, by the crowd's gains and by known grades."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..analyses.schemes import refuse_empty
from ..result import Basis, Result, Warning, compute_results
from ..result.basis import basis_of
from ..result.gathering import Noise, Shares, noise_of, score_with_shares
from ..sampling.estimation import estimate
from ..sampling.result import SampledScores, scores_of
from ..score_table import Scores
from .catalogue import ADAPTIVE

if TYPE_CHECKING:
    from .data import ReportData

MAGNITUDES: Final = "magnitudes"
"""The name of the crowd's own gains, beside the names of the sets of known grades."""


def samples(data: "ReportData") -> dict[str, SampledScores]:
    """Return what the sample says by each measure, or an empty dict if the whole pool was judged."""
    if data.sampling is None:
        return {}
    return estimate(
        data.judgments,
        data.runs,
        data.parameters.measures,
        data.sampling.inclusion,
        predictions=data.sampling.predictions,
        design=data.sampling.design,
        method=data.normalisation,
        statistic=data.gain_statistic,
        resamples=data.parameters.worker_resamples,
        seed=data.parameters.seed,
    )


def scored(data: "ReportData", name: str) -> tuple[Scores, Shares]:
    """Return the scores of the runs based on the gains with this name, and the shares of judged documents."""
    refuse_empty(runs=data.runs, measures=data.parameters.measures)
    if name == MAGNITUDES and data.samples:
        return scores_of(data.samples), {}
    return score_with_shares(data.all_gains[name], data.runs, data.parameters.measures, {})


def results(data: "ReportData", name: str) -> dict[str, Result]:
    """Return the result by each measure, based on the gains with this name."""
    scores, shares = data.scored(name)
    if name != MAGNITUDES:
        return compute_results(scores, data.choices, basis=Basis(name), shares=shares, chosen=data.measure)
    noise = _noise(data)
    basis = basis_of(data.judgments, method=data.normalisation, statistic=data.gain_statistic)
    adaptive = (Warning("adaptive", ADAPTIVE),) if data.is_adaptive else ()
    basis = replace(
        basis,
        judges=data.judges,
        is_random=data.is_random,
        warnings=(*data.warnings, *adaptive, *basis.warnings, *noise.warnings),
    )
    return compute_results(
        scores,
        data.choices,
        basis=basis,
        intervals=noise.intervals,
        shares=shares,
        samples=data.samples,
        chosen=data.measure,
    )


def _noise(data: "ReportData") -> Noise:
    """Return the noise of the judgments, unless the estimates from a sample already have it."""
    if data.samples:
        return Noise({}, ())
    return noise_of(
        data.judgments,
        data.runs,
        data.parameters.measures,
        data.choices,
        method=data.normalisation,
        statistic=data.gain_statistic,
        resamples=data.parameters.worker_resamples,
    )
