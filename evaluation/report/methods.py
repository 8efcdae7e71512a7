"""The paragraph on methods, which can be pasted into a paper, and the study in ten lines."""

from collections.abc import Iterator, Mapping, Set
from typing import Final

import numpy as np

from ..analyses.cost import cost
from ..conventions import SpreadOf, Statistic
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
    "mean": "mean",
    "worth": "worth by the model of Bradley, Terry and Davidson for preferences with ties",
    "chance": "chance to be preferred to another document of its topic, by the model of Bradley, Terry and "
    "Davidson for preferences with ties",
}
SPREADS: Final[Mapping[SpreadOf, str]] = {
    "document": "of a document",
    "topic": "of all documents of a topic, in units of their shrunk standard deviation",
}
CHECKS: Final = {"failed_c": "(c), of the anchors", "failed_d": "(d), of the time"}
"""The prefix of the columns of Table 1 that count units by failures of a check, and the name of the check."""


def methods_sentences(data: ReportData, parts: Set[str], *, is_of_paper: bool = False) -> Iterator[str]:
    """Yield the sentences of the paragraph. `parts` has the keys of the parts that the report has.

    If `is_of_paper` is true, the parts state their measures and settings themselves.

    The paragraph says who judged what for which pay, what was checked and excluded, and how the numbers were
    computed, with the versions of the software. Settings and checksums are not in it.
    """
    yield from _of_judging(data)
    yield from _of_gains(data)
    if not is_of_paper:
        yield from _of_runs(data, parts)
        yield from _of_draws(data, parts)
    numbers = versions() | dict(data.software)
    yield (
        f"Every analysis started a new random generator (PCG64) with the seed {data.parameters.seed}. "
        f"Numbers come from {', '.join(f'{name} {number}' for name, number in numbers.items())}."
    )


def _of_judging(data: ReportData) -> Iterator[str]:
    table = data.judgments.table
    number = len(table)
    documents = table.select("topic_id", "document_id").n_unique()
    units = table.select(data.judgments.unit_keys).n_unique()
    judges = _judges(data)
    yield (
        f"{judges[0].upper()}{judges[1:]} gave {counted(number, 'judgment')} ({data.scale.numbers}) of "
        f"{counted(documents, 'document')} in {counted(table['topic_id'].n_unique(), 'topic')}, in "
        f"{counted(units, 'unit')}."
    )
    if data.judgments.has_anchors:
        yield "Each unit contained anchors, documents that are known to be highly relevant (H) or not (N)."
    if data.pay is not None:
        fee = f", and the platform {data.fee * 100:g} % of this" if data.fee else ""
        yield f"A worker received {data.money(data.pay)} for a unit{fee}."
    failed = failed_units(data)
    if failed:
        checks = ", and ".join(
            f"{counted(number, 'unit')} failed check {CHECKS[name]}" for name, number in failed.items()
        )
        yield f"Units counted once they passed all checks. Before that, {checks}."
    if data.excluded:
        yield f"{counted(sum(data.excluded.values()), 'unit')} were excluded, and paid."
    if data.is_adaptive:
        yield str(ADAPTIVE)


def _of_gains(data: ReportData) -> Iterator[str]:
    kind = data.scale.numbers
    default, *_ = methods_of(data.scale)
    method = data.normalisation or default
    if method in METHODS:
        yield METHODS[method]
    elif method == "none":
        yield f"The {kind} were used as they are."
    else:
        yield f"The {kind} were normalised by the method {method}."
    of_numbers = "" if data.scale.compares_pairs else " of its normalised judgments"
    yield f"The gain of a document is the {STATISTICS[data.gain_statistic]}{of_numbers}."
    if data.known:
        sets = ", ".join(f"{name} (n = {known.table.height})" for name, known in data.known.items())
        yield f"The known grades are {sets}."


def _of_runs(data: ReportData, parts: Set[str]) -> Iterator[str]:
    choices = data.parameters
    if not data.runs:
        return
    first, *others = choices.measures
    further = f" (further looks: {', '.join(others)})" if others else ""
    baseline = f", with {data.baseline} as the baseline" if data.baseline else ""
    unjudged = ", and unjudged documents have gain 0" if data.sampling is None else ""
    yield (
        f"We scored {counted(len(data.runs), 'run')} by {first}{further}{baseline}; ties in a run were "
        f"broken as trec_eval does{unjudged}."
    )
    if data.sampling is not None:
        yield _of_sample(data)
    elif "means" in parts:
        yield (
            f"Means by the crowd’s gains are corrected for the estimated bias of noisy gains, and their "
            f"{choices.level * 100:g} % intervals are for new topics ({choices.worker_resamples} bootstrap "
            "samples of the workers)."
        )
    if "means" in parts:
        yield (
            "Intervals of means by known grades are Student’s. Runs are compared by Wilcoxon’s signed-rank "
            "test; "
            "p is adjusted by Holm’s method for all pairs of runs, and a run with p below "
            f"{choices.alpha:g} can be told from the best run."
        )
    if parts & {"systems", "top-sets", "ranges", "transformations"}:
        yield (
            f"Top sets in comparisons with known grades come from Wilcoxon’s test at α = {choices.alpha:g}, "
            "without adjustment (Turpin et al., SIGIR 2015)."
        )


def _of_sample(data: ReportData) -> str:
    choices = data.parameters
    sample = data.samples[choices.measures[0]]
    helped = " and by calibrated predictions of all gains" if sample.evidence == "predictions" else ""
    return (
        f"Means by the crowd’s gains are estimated from a sample of {sample.sampled:,} of "
        f"{sample.documents:,} pooled documents, drawn with known chances in proportion to their influence "
        f"on "
        "the differences between runs, by the difference estimator (Särndal, Swensson & Wretman, "
        f"1992){helped}. Their {choices.level * 100:g} % intervals are for new topics, and cover the sample "
        f"and "
        f"the workers ({choices.worker_resamples} bootstrap samples of the workers)."
    )


def _of_draws(data: ReportData, parts: Set[str]) -> Iterator[str]:
    choices = data.parameters
    if "gains" in parts:
        yield (
            f"Intervals of gains come from {choices.document_resamples} bootstrap samples of the judgments "
            f"{SPREADS[data.spread]}."
        )
    yield (
        f"Other {choices.level * 100:g} % intervals come from {choices.resamples} bootstrap samples of "
        "topics, documents or units."
    )
    if "tau" in parts:
        yield f"The distribution of τ has {choices.draws} draws."
    if parts & {"reliability", "battery"}:
        yield f"Stability and discrimination have {choices.trials} trials."
    if "simulated" in parts:
        yield f"There are {choices.systems} simulated systems, graded to rank {choices.depth}."


def study_lines(data: ReportData) -> Iterator[tuple[str, str]]:
    """Yield the study in at most ten lines, each as a name and a text."""
    table = data.judgments.table
    yield "Judges", _judges(data)
    documents = table.select("topic_id", "document_id").n_unique()
    topics = counted(table["topic_id"].n_unique(), "topic")
    yield "Collection", f"{topics}, {counted(documents, 'document')} with judgments"
    per = table.group_by("topic_id", "document_id").len()["len"].to_numpy()
    yield (
        "Judgments",
        f"{len(table):,} {data.scale.numbers}, {per.min()} to {per.max()} for a document (median "
        f"{np.median(per):g})",
    )
    excluded = sum(data.excluded.values())
    units = table.select(data.judgments.unit_keys).n_unique()
    yield "Units", f"{units:,} that count" + (f", {excluded} excluded" if excluded else "")
    if data.pay is not None:
        total = cost(data.judgments, data.pay, fee=data.fee, excluded=data.excluded or None)["total"][-1]
        also = ", excluded units too" if excluded else ""
        yield (
            "Pay",
            f"{data.money(data.pay)} for a unit; {data.money(total)} in all, with the platform’s fee{also}",
        )
    if data.topics is not None:
        failed = failed_units(data)
        texts = (f"check {CHECKS[name]}: {number} units" for name, number in failed.items())
        yield "Failed checks", "; ".join(texts) or "none"
    if data.dates is not None:
        first, last = data.dates
        yield "Dates", first if first == last else f"{first} to {last}"
    if data.known:
        sets = (f"{name} (n = {known.table.height:,})" for name, known in data.known.items())
        yield "Known grades", ", ".join(sets)
    if data.runs:
        baseline = f", baseline {data.baseline}" if data.baseline else ""
        measure = data.parameters.measures[0]
        chosen = " (chosen beforehand)" if measure == data.measure else ""
        yield "Runs", f"{len(data.runs)}, by {measure}{chosen}{baseline}"


def failed_units(data: ReportData) -> dict[str, int]:
    """Return how many units had failed each check before they passed, from the last row of Table 1."""
    if data.topics is None or not data.topics.height:
        return {}
    total = data.topics.row(-1, named=True)
    counts = {}
    for name in CHECKS:
        columns = [column for column in total if column.startswith(name) and not column.endswith("_0")]
        if columns:
            counts[name] = sum(int(total[column] or 0) for column in columns)
    return counts


def _judges(data: ReportData) -> str:
    table = data.judgments.table
    workers = counted(table["worker_id"].n_unique(), "worker") if "worker_id" in table.columns else "workers"
    kinds = ", ".join(map(str, data.judges))
    return f"{workers} ({kinds})" if kinds else workers
