"""The kinds of file that a study is made from."""

from enum import StrEnum


class FileKind(StrEnum):
    """Each is also the table of `study.toml` that names files of this kind."""

    DOCUMENTS = "documents"
    RUN = "run"
    GRADES = "grades"
    POOL = "pool"
