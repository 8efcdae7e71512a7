"""The paragraph on methods, ready for a paper: the data, settings, seeds and versions."""

from collections.abc import Iterator, Mapping, Set
from typing import Final

from ..conventions import Statistic
from ..magnitudes.normalisation import Method, methods_of
from ..showing import counted
from ..versions import versions
from .catalogue import ADAPTIVE
from .data import ReportData

METHODS: Final[Mapping[Method, str]] = {
    "geometric": "Magnitudes were normalised by geometric averaging: each unit of a topic was scaled to the "
    "same geometric mean (Turpin et al., SIGIR 2015).",
    "additive": "Magnitudes were normalised additively: logarithms are the sum of a document and a unit, "
    "fitted by least squares in each topic.",
    "zlog": "Logarithms of magnitudes were standardised in each unit, and scaled to the mean and standard "
    "deviation of their topic.",
    "n": "Each magnitude was divided by that of the N anchor in its unit.",
    "anchors": "The logarithms of each unit were scaled so that its anchors have the topic’s mean values.",
    "model": "Magnitudes were normalised by a log-normal model with the location of each unit, and the "
    "exponent and noise of each worker, fitted with shrinkage.",
}
STATISTICS: Final[Mapping[Statistic, str]] = {
    "median": "median",
    "gmean": "geometric mean",
    "trimmed": "trimmed mean",
    "model": "estimate by a log-normal model",
}


def methods_sentences(data: ReportData, parts: Set[str]) -> Iterator[str]:
    """Yield the sentences of the paragraph. `parts` has the keys of the parts that the report has."""
    choices = data.parameters
    table = data.judgments.table
    kind = data.scale.numbers
    yield (
        f"We analysed {counted(len(table), 'judgment')} ({kind}) of "
        f"{counted(table.select('topic_id', 'document_id').n_unique(), 'document')} in "
        f"{counted(table['topic_id'].n_unique(), 'topic')}."
    )
    default, *_ = methods_of(data.scale)
    method = data.method or default
    if method in METHODS:
        yield METHODS[method]
    elif method == "none":
        yield f"The {kind} were used as they are."
    else:
        yield f"The {kind} were normalised by the method {method}."
    yield f"The gain of a document is the {STATISTICS[data.statistic]} of its normalised judgments."
    if data.known:
        sets = ", ".join(f"{name} (n = {known.table.height})" for name, known in data.known.items())
        yield f"The known grades are {sets}."
    if data.runs:
        yield (
            f"We scored {counted(len(data.runs), 'run')} by {', '.join(choices.measures)}; ties in a run "
            "were broken as trec_eval does, and unjudged documents have gain 0."
        )
    for name, value in data.settings.items():
        yield f"{name}: {value}."
    yield f"Intervals have the level {choices.level * 100:g} %."
    if "means" in parts:
        yield (
            f"Intervals of means by the crowd’s gains come from {choices.worker_resamples} bootstrap samples "
            "of the workers, without the estimated bias of noisy gains. Those of means by known grades are "
            "Student’s."
        )
    if "gains" in parts:
        yield (
            f"Intervals of gains come from {choices.document_resamples} bootstrap samples of the judgments "
            "of a document."
        )
    yield f"Other intervals come from {choices.resamples} bootstrap samples of topics, documents or units."
    if data.is_adaptive:
        yield str(ADAPTIVE)
    if parts & {"means", "systems", "top-sets", "ranges", "transformations"}:
        yield (
            f"Top sets come from Wilcoxon’s signed-rank test at α = {choices.alpha:g}, without adjustment "
            "for the number of runs."
        )
    if "tau" in parts:
        yield f"The distribution of τ has {choices.draws} draws."
    if parts & {"reliability", "battery"}:
        yield f"Stability and discrimination have {choices.trials} trials."
    if "simulated" in parts:
        yield f"There are {choices.systems} simulated systems, graded to rank {choices.depth}."
    yield f"Every analysis started a new random generator (PCG64) with the seed {choices.seed}."
    numbers = versions() | dict(data.software)
    yield f"Versions: {', '.join(f'{name} {number}' for name, number in numbers.items())}."
    if data.inputs:
        sums = "; ".join(f"{given.name} {given.sha256}" for given in data.inputs)
        yield f"SHA-256 of the inputs: {sums}."
