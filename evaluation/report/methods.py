"""The paragraph on methods, ready for a paper: the data, settings, seeds and versions."""

import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from evaluation.magnitudes.documents import Statistic
from evaluation.magnitudes.normalisation import METHODS_OF_SCALE, Method
from evaluation.rendering import counted
from evaluation.report.data import ReportData

METHODS: Final[Mapping[Method, str]] = {
    "geometric": "Magnitudes were normalised by geometric averaging: each unit of a topic was scaled to the "
    "same geometric mean (Turpin et al., SIGIR 2015).",
    "additive": "Magnitudes were normalised additively: logarithms are the sum of a document and a unit, "
    "fitted by least squares in each topic.",
}
STATISTICS: Final[Mapping[Statistic, str]] = {
    "median": "median",
    "gmean": "geometric mean",
    "trimmed": "trimmed mean",
    "model": "estimate by a log-normal model",
}
PACKAGES: Final = ("plumbline", "numpy", "polars", "scipy", "krippendorff", "matplotlib")


def methods_sentences(data: ReportData) -> Iterator[str]:
    """Yield the sentences of the paragraph."""
    choices = data.parameters
    table = data.judgments.table
    kind = "magnitudes" if data.has_ratios else "ratings"
    yield (
        f"We analysed {counted(len(table), 'judgment')} ({kind}) of "
        f"{counted(table.select('topic_id', 'document_id').n_unique(), 'document')} in "
        f"{counted(table['topic_id'].n_unique(), 'topic')}."
    )
    default, *_ = METHODS_OF_SCALE[data.judgments.scale]
    method = data.method or default
    if method in METHODS and data.has_ratios:
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
    yield (
        f"Intervals have the level {choices.level * 100:g} %. Those of means by the crowd’s gains come from "
        f"{choices.worker_resamples} bootstrap samples of the workers, without the estimated bias of noisy "
        "gains; those of means by known grades are Student’s. Those of gains come from "
        f"{choices.document_resamples} bootstrap samples of the judgments of a document, and the others from "
        f"{choices.resamples} bootstrap samples of topics, documents or units."
    )
    yield (
        f"Top sets come from Wilcoxon’s signed-rank test at α = {choices.alpha:g}, without adjustment for "
        "the number of runs."
    )
    yield (
        f"The distribution of τ has {choices.draws} draws, stability and discrimination have "
        f"{choices.trials} trials, and there are {choices.systems} simulated systems, graded to rank "
        f"{choices.depth}."
    )
    yield f"Every analysis started a new random generator (PCG64) with the seed {choices.seed}."
    yield f"Versions: {', '.join(f'{name} {number}' for name, number in versions(data).items())}."


def versions(data: ReportData) -> dict[str, str]:
    """Return the versions of Python and of the packages that the numbers come from."""
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # a checkout is not installed
            continue
    return found | dict(data.software)
