"""The reports `grades`, `scores` and `systems`: parts of the library's report, stored for pages to show."""

from collections.abc import Collection
from math import isnan

from evaluation.report import ReportData
from evaluation.report.building import finish_parts
from evaluation.report.catalogue import PARTS
from evaluation.report.content import Numbers
from evaluation.result import Result
from evaluation.score_table import Scores
from judging.core.services.jobs import Progress
from judging.understanding.reports.stored_result import StoredResult
from judging.understanding.reports.stored_table import StoredTable, table_to_store, words_to_store
from judging.understanding.reports.words import stored


def parts_content(data: ReportData, keys: Collection[str], progress: Progress) -> dict[str, object]:
    """Compute parts of the library's report.

    Return a dict with the keys `tables`, `results`, `readings`, `sentences` and `missing`. `results` has the
    results of the part `means`, in the form of `StoredResult`. `readings` maps the key of
    each part to the sentences that explain how to read it, and `sentences` maps it to the sentences that
    describe its results. `missing` has pairs: the title of a part that is missing or
    incomplete, and the reason.
    """
    tables: list[StoredTable] = []
    results: list[StoredResult] = []
    readings, sentences, missing = {}, {}, []
    for done, part in enumerate(finish_parts([PARTS[key] for key in keys], data), start=1):
        key = part.part.key
        tables += [_to_store(numbers, key) for numbers in part.content.tables]
        results += [
            result_to_store(numbers.about, numbers.result, data.scores_by(numbers.about[0]))
            for numbers in part.content.tables
            if numbers.about is not None and numbers.result is not None
        ]
        readings[key] = stored(part.reading)
        sentences[key] = words_to_store(part.content.sentences)
        missing += [[stored(part.part.title), stored(reason)] for reason in part.missing]
        progress(done, len(keys))
    return {
        "tables": tables,
        "results": results,
        "readings": readings,
        "sentences": sentences,
        "missing": missing,
    }


def _to_store(numbers: Numbers, part: str) -> StoredTable:
    table = table_to_store(numbers.key, numbers.caption, numbers.table, note=numbers.notes)
    table["part"] = part
    table["sentences"] = words_to_store(numbers.sentences)
    if numbers.about is not None:
        table["about"] = list(numbers.about)
    return table


def result_to_store(about: tuple[str, str], result: Result, scores: Scores) -> StoredResult:
    """Return a result in the form in which a report stores it."""
    return {
        "about": list(about),
        "sentence": stored(result.sentence),
        "warnings": [
            {"code": each.code, "sentence": stored(each.text), "is_caution": each.is_caution}
            for each in result.warnings
        ],
        "summary": result.to_dict(),
        "topics": list(scores.topics),
        "scores": {
            run: [None if isnan(value) else value for value in values]
            for run, values in zip(
                scores.runs, scores.values[..., scores.measures.index(result.measure)].tolist(), strict=True
            )
        },
    }
