"""The kinds of files that a study is read from."""

from enum import StrEnum


class FileKind(StrEnum):
    """The kinds of files. Each value is also the table of `study.toml` that names files of this kind."""

    DOCUMENTS = "documents"
    RUN = "run"
    GRADES = "grades"
    POOL = "pool"
