"""The kinds of files in a set-up."""

from enum import StrEnum


class FileKind(StrEnum):
    """The kinds of files. Each value is also the table of `study.toml` that names files of this kind."""

    DOCUMENTS = "documents"
    RUN = "run"
    GRADES = "grades"
    POOL = "pool"
