"""The report `scores`: mean scores of the runs with intervals, and how much judgments and grades agree."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import polars as pl

from evaluation import analyses
from evaluation.arrays import FloatArray
from evaluation.comparison import bootstrap_interval, rho, t_interval, tau_a, tau_ap, tau_c, top_set, wilcoxon
from evaluation.errors import InputError
from evaluation.measures import Measure, parse
from evaluation.score_table import Scores
from evaluation.scores import score
from judging.core.intake.columns import MAGNITUDES
from judging.core.services.jobs import Progress
from judging.protocol.words import Sentence, ngettext_noop
from judging.protocol.words import gettext_noop as _
from judging.understanding.reports.catalogue import ALPHA
from judging.understanding.reports.study_data import StudyData
from judging.understanding.reports.tables import Parts, StoredTable, table_to_store, words_to_store
from judging.understanding.reports.words import sentence_of

LEVEL: Final = 0.95
RESAMPLES: Final = 9999
_MOST_NAMED: Final = 5
AGREEMENT: Final = _("Agreement with the known grades")
NO_KNOWN_SCORES: Final = _(
    "the study has no known grades, so the runs cannot be scored by grades; name a set in the study file"
)
_MORE_TIED: Final = ngettext_noop(
    "{run} has the best mean. The test does not separate it from {others} and {number} more run.",
    "{run} has the best mean. The test does not separate it from {others} and {number} more runs.",
)
COMPARED: Final = ("difference", "difference_low", "difference_high", "p")
"""The columns that compare a run with the best run."""
_MEANS: Final = {
    "run": pl.String,
    "topics": pl.Int64,
    "mean": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    **dict.fromkeys(COMPARED, pl.Float64),
    "judged_share": pl.Float64,
}


def scores_content(data: StudyData, measures: Sequence[str], progress: Progress) -> dict[str, object]:
    """Return a dict with the keys `measures`, `tables`, `missing`, `notices` and `measure_notices`.

    There is a table of means for each pair of a measure and gains, with the key `MEASURE/GAINS`. If relevance
    is random, the tables by the judgments do not compare the runs. Another table has the agreement between
    judgments and grades. `notices` are about runs, and `measure_notices` maps each measure to its notices.
    Raise InputError if the study has no runs. Also raise InputError in the cases in which `score` does.
    """
    if not data.runs:
        raise InputError("study-without-runs", "the study has no runs; name them in the study file")
    judged = analyses.scores_by({MAGNITUDES: data.medians}, data.runs, measures)
    known: dict[str, Scores] = {}
    parts = Parts()
    for done, (name, gains) in enumerate(data.known.items(), start=1):
        try:
            known |= analyses.scores_by({name: gains}, data.runs, measures)
        except InputError as error:
            parts.leave_out(Sentence(_("Scores by {gains}"), {"gains": name}), sentence_of(error))
        progress(done, len(data.known) + 2)
    for name, scores in {**judged, **known}.items():
        shares = judged_shares(data, name, scores.measures)
        for measure in scores.measures:
            try:
                table = means_table(data, scores, measure, shares)
            except InputError as error:
                parts.leave_out(_means_title(measure, name), sentence_of(error))
                continue
            if data.is_random and name == MAGNITUDES:
                table = table.drop(COMPARED)
            parts.tables.append(_means(table, measure, name))
    progress(len(data.known) + 1, len(data.known) + 2)
    if known:
        parts.add(AGREEMENT, lambda: [_agreement(judged, known)])
    else:
        parts.leave_out(AGREEMENT, NO_KNOWN_SCORES)
    measured = {**judged, **known}

    def sentences(measure: str | None) -> list[str]:
        """Return the notices about a measure or, without a measure, those about runs."""
        return [
            f"{name}: {notice}"
            for name, scores in measured.items()
            for notice in scores.notices.of(measure).sentences()
        ]

    names = list(judged[MAGNITUDES].measures)
    return {
        "measures": names,
        "tables": parts.tables,
        "missing": parts.missing,
        "notices": sentences(None),
        "measure_notices": {measure: sentences(measure) for measure in names},
    }


def _means_title(measure: str, gains: str) -> Sentence:
    return Sentence(_("{measure} by {gains}"), {"measure": measure, "gains": gains})


def judged_shares(data: StudyData, name: str, measures: Sequence[str]) -> Scores:
    """Return the `Judged@k` scores of the runs by the gains `name`, where k is the cut-off of each measure.

    For a measure without a cut-off, the score is the share of judged documents in the whole list.
    """
    gains = data.medians if name == MAGNITUDES else data.known[name]
    return score(gains, data.runs, list(dict.fromkeys(map(_judged_of, measures))))


def _judged_of(measure: str) -> str:
    return str(Measure("Judged", (("topics", "judged"),), parse(measure).cutoff))


def _means(table: pl.DataFrame, measure: str, name: str) -> StoredTable:
    is_compared = "p" in table.columns
    note = [
        _(
            "The intervals (95 %) are for new topics, judged by other workers. They come from a bootstrap "
            "over topics, and do not correct the bias of noisy gains."
        )
    ]
    if is_compared:
        note.append(
            _(
                "The difference is the mean of the run minus that of the best run, over the topics that both "
                "have. Its interval (95 %) is Student’s, because with few topics, a bootstrap is too narrow. "
                "p comes from Wilcoxon’s test of the same pairs. Neither is adjusted for the number of runs."
            )
        )
    note.append(
        _(
            "“Judged” is the share of judged or graded documents among those down to the cut-off. All other "
            "documents have gain 0."
        )
    )
    stored = table_to_store(f"{measure}/{name}", _means_title(measure, name), table, note=note)
    if is_compared:
        stored["verdict"] = words_to_store(verdict(table))
    return stored


def verdict(table: pl.DataFrame) -> list[Sentence]:
    """Return sentences that name the best run, and the runs that the test does not separate from it.

    `table` is a `means_table`. For n differences, the p-value of Wilcoxon's exact two-sided test is at least
    2 / 2ⁿ. If 2 / 2ⁿ is .05 or more, a sentence says that the test cannot separate any two runs.
    """
    best, topics = table["run"][0], max(table["topics"].to_list())
    tied = table.filter(pl.col("p") >= ALPHA)["run"].to_list()
    if table.height == 1:
        return [Sentence(_("{run} is the only run."), {"run": best})]
    if not tied:
        text = _("{run} has the best mean. The test separates it from all other runs.")
        return [Sentence(text, {"run": best})]
    values = {"run": best, "others": ", ".join(tied[:_MOST_NAMED]), "number": len(tied) - _MOST_NAMED}
    if len(tied) > _MOST_NAMED:
        sentences = [Sentence(_MORE_TIED[0], values, _MORE_TIED[1])]
    else:
        text = _("{run} has the best mean. The test does not separate it from {others}.")
        sentences = [Sentence(text, {"run": best, "others": values["others"]})]
    least = 2 / 2**topics
    if least >= ALPHA:
        text = _("With {topics} topics, p cannot be below {least}, so the test cannot separate any two runs.")
        sentences.append(Sentence(text, {"topics": topics, "least": f"{least:.3g}"}))
    return sentences


def means_table(data: StudyData, scores: Scores, measure: str, shares: Scores) -> pl.DataFrame:
    """Return a table of the runs, the best mean first.

    The columns are `run, topics, mean, low, high, difference, difference_low, difference_high, p` and
    `judged_share`.

    `judged_share` is the mean share of judged documents down to the cut-off, from `judged_shares`. `low` and
    `high` are the ends of the percentile interval of the mean, which scipy computes from 9,999 bootstrap
    samples of the topics. They are null for fewer than two topics. Each run gets a new generator with the
    study's seed. So runs with equally many topics get the same samples, and no interval depends on other runs
    or other measures.

    `difference` is the mean of the run minus that of the best run, over the topics in which both have a
    value. Its interval is Student's: with few topics, a bootstrap interval is too narrow. `p` is the p-value
    of Wilcoxon's two-sided test of the same pairs, and is not adjusted. The top set contains the best run and
    the runs with p ≥ .05. p is 1 for a run that has no topic in common with the best run. For the best run
    and for runs without a value, these four columns are null. Raise InputError if no run has a value.
    """
    values = scores.values[..., scores.measures.index(measure)]
    means = {row.run: row.value for row in scores.means() if row.measure == measure}
    share = {row.run: row.value for row in shares.means() if row.measure == _judged_of(measure)}
    best = top_set(scores.runs, values, alpha=ALPHA)[0].run
    of_best = values[scores.runs.index(best)]
    rows = []
    for run, of_run in zip(scores.runs, values, strict=True):
        present = of_run[~np.isnan(of_run)]
        compared: tuple[float | None, ...] = (None,) * len(COMPARED)
        if run != best and len(present):
            compared = _compared(of_run, of_best)
        interval = bootstrap_interval(present, data.random, level=LEVEL, resamples=RESAMPLES) or (None, None)
        rows.append((run, len(present), means[run], *interval, *compared, share[run]))
    table = pl.DataFrame(rows, schema=_MEANS, orient="row")
    by = [pl.col("run") != best, "mean", "run"]
    return table.sort(by, descending=[False, True, False], nulls_last=True)


def _compared(values: FloatArray, best: FloatArray) -> tuple[float | None, ...]:
    """Return the columns `COMPARED` of a run with these values. `best` has the values of the best run."""
    differences = (values - best)[~np.isnan(values - best)]
    if not len(differences):
        return None, None, None, 1.0
    interval = t_interval(differences, level=LEVEL) or (None, None)
    return float(differences.mean()), *interval, wilcoxon(values, best).p


def _agreement(judged: dict[str, Scores], known: dict[str, Scores]) -> StoredTable:
    note = _(
        "Means over the topics that have both judgments and grades. Overlap is the Jaccard index of the top "
        "sets. τ_AP treats the known grades as the truth."
    )
    table = agreement_table(judged, known)
    return table_to_store("agreement", AGREEMENT, table, note=note)


def agreement_table(judged: dict[str, Scores], known: dict[str, Scores]) -> pl.DataFrame:
    """Return the table of `analyses.system_agreement` with further correlations.

    The columns are `measure, known, systems, topics, tau_b, tau_ap, tau_a, tau_c, rho, judged_top, known_top,
    shared, overlap`. The correlations are null if all systems are tied.
    """
    points = analyses.system_scatter(judged, known, alpha=ALPHA)
    points = points.drop_nulls(["judged_value", "known_value"])
    others = []
    for (name, measure), rows in points.group_by("known", "measure", maintain_order=True):
        truth, crowd = rows["known_value"].to_numpy(), rows["judged_value"].to_numpy()
        values = (correlate(truth, crowd) for correlate in (tau_ap, tau_a, tau_c, rho))
        others.append((name, measure, *values))
    columns = ("tau_ap", "tau_a", "tau_c", "rho")
    schema = {"known": pl.String, "measure": pl.String, **dict.fromkeys(columns, pl.Float64)}
    table = analyses.system_agreement(judged, known, alpha=ALPHA)
    correlations = pl.DataFrame(others, schema=schema, orient="row")
    table = table.join(correlations, on=["known", "measure"], how="left", maintain_order="left")
    sizes = ("systems", "topics", "tau_b", *columns, "judged_top", "known_top", "shared", "overlap")
    return table.select("measure", "known", *sizes)
