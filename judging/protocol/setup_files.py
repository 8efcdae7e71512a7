"""The kinds of files in a set-up."""

from enum import StrEnum


class FileKind(StrEnum):
    """The kinds of files. Each value is also the name of the table in `study.toml` that lists such files."""

    DOCUMENTS = "documents"
    RUN = "run"
    GRADES = "grades"
    POOL = "pool"
