"""The small study with more documents, of which a sample is judged."""

from pathlib import Path

import polars as pl

from judging.core.selectors.sampling import inclusion_of
from judging.models import Study
from tests.setup.intake.folder import LETTERS, TOPICS, StudyFolder, document_line, run_lines

MORE = "EFGIJKLOPQSTUVWX"
ALL = LETTERS + MORE
DEPTH = len(ALL)
BUDGET = 28
LATER = ("Y", "Z", "Y2", "Z2")
"""Documents that only the run `late` retrieves."""


def sampled_folder(path: Path, *, more: str = "", budget: int = BUDGET) -> StudyFolder:
    """A study of 48 documents with a sample of 28; `more` is what else the table of the sample says."""
    folder = StudyFolder(path)
    documents = [f"{number}-{letter}" for number in TOPICS for letter in (*MORE, *LATER)]
    folder.append("documents.jsonl", "".join(map(document_line, documents)))
    folder.write("good.run", "".join(run_lines(number, ALL, "good") for number in TOPICS))
    folder.write("poor.run", "".join(run_lines(number, ALL[::-1], "poor") for number in TOPICS))
    folder.replace("study.toml", "depth = 8", f"depth = {DEPTH}\nsample = {{ budget = {budget}{more} }}")
    folder.replace("study.toml", "[units]", '[units]\nranked_by = "DCG@10"')
    return folder


def add_late_run(folder: StudyFolder) -> None:
    """Add a run whose first documents are in no other run."""
    lines = [
        f"{number} Q0 {number}-{name} {rank} {100 - rank} late\n"
        for number in TOPICS
        for rank, name in enumerate([*LATER, *ALL[:10]], start=1)
    ]
    folder.write("late.run", "".join(lines))
    folder.append("study.toml", '\n[[run]]\npath = "late.run"\n')


def table_of(study: Study) -> pl.DataFrame:
    """The sample of a study that has one."""
    table = inclusion_of(study)
    assert table is not None
    return table
