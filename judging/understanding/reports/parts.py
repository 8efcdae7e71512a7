"""The reports `grades`, `scores` and `systems`: parts of the library's report, stored for pages to show."""

from collections.abc import Collection

from evaluation.report import ReportData
from evaluation.report.building import finish_parts
from evaluation.report.catalogue import PARTS
from evaluation.report.content import Numbers
from judging.core.services.jobs import Progress
from judging.understanding.reports.stored_table import StoredTable, table_to_store, words_to_store
from judging.understanding.reports.words import stored


def parts_content(data: ReportData, keys: Collection[str], progress: Progress) -> dict[str, object]:
    """Compute parts of the library's report.

    Return a dict with the keys `tables`, `readings`, `sentences` and `missing`. `readings` maps the key of
    each part to the sentences that explain how to read it, and `sentences` maps it to the sentences that
    describe its results. `missing` has pairs: the title of a part that is missing or
    incomplete, and the reason.
    """
    tables: list[StoredTable] = []
    readings, sentences, missing = {}, {}, []
    for done, part in enumerate(finish_parts([PARTS[key] for key in keys], data), start=1):
        key = part.part.key
        tables += [_to_store(numbers, key) for numbers in part.content.tables]
        readings[key] = stored(part.reading)
        sentences[key] = words_to_store(part.content.sentences)
        missing += [[stored(part.part.title), stored(reason)] for reason in part.missing]
        progress(done, len(keys))
    return {"tables": tables, "readings": readings, "sentences": sentences, "missing": missing}


def _to_store(numbers: Numbers, part: str) -> StoredTable:
    table = table_to_store(numbers.key, numbers.caption, numbers.table, note=numbers.notes)
    table["part"] = part
    table["sentences"] = words_to_store(numbers.sentences)
    if numbers.about is not None:
        table["about"] = list(numbers.about)
    return table
