"""The paragraph on methods, ready for a paper: the data, settings, seeds and versions."""

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from evaluation.rendering import counted
from evaluation.report.data import ReportData

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
    if data.has_ratios:
        yield (
            "Magnitudes were normalised by geometric averaging: each unit of a topic was scaled to the same "
            "geometric mean (Turpin et al., SIGIR 2015)."
        )
    else:
        yield "Ratings were used as they are, because all workers share their scale."
    yield "The gain of a document is the median of its normalised judgments."
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
        f"Intervals are percentile intervals at {choices.level * 100:g} %, from {choices.resamples} "
        f"bootstrap samples of the topics, or from {choices.document_resamples} bootstrap samples of the "
        "judgments of a document."
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
