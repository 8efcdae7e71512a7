"""All queries of the Cranfield collection that have a document of code 1: one study, three rankings."""

import os
from pathlib import Path
from typing import Any

from judging.core.clock import now
from judging.core.faults import Faults, Where
from judging.models import Study
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.cranfield import read_cranfield_documents, read_cranfield_topics
from judging.setup.study_files.importing import import_study
from tests.main_job.rankings import write_runs, write_study


def write_whole_study(folder: Path, **settings: Any) -> Path:
    """The study file, with its three runs beside it; the collection is read where it lies.

    `settings` are those of `write_study`.
    """
    cranfield = Path(os.environ["PLUMBLINE_COLLECTIONS"]) / "cranfield"
    rows = (line.split() for line in (cranfield / "cranqrel").read_text().splitlines())
    gradable = {query for query, _, code in rows if code == "1"}
    documents = list(read_cranfield_documents(_source(cranfield / "cran.all.1400")))
    queries = read_cranfield_topics(_source(cranfield / "cran.qry"))
    topics = [topic for topic in queries if topic.number in gradable]
    runs = write_runs(folder, documents, topics)
    return write_study(folder, cranfield, topics, runs, **settings)


def imported(folder: Path, *, seconds: float, judgments: int, depth: int) -> Study:
    file = write_whole_study(folder, seconds=seconds, judgments=judgments, depth=depth)
    return import_study(file, slug="cranfield", now=now()).study


def _source(path: Path) -> SourceFile:
    return SourceFile(path, Where("the collection"), "path", Faults())
