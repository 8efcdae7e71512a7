"""The kinds of files in a set-up."""

from enum import StrEnum


class FileKind(StrEnum):
    """The kinds of files. Each value is also the name of the table in `study.toml` that lists such files.

    Only pictures have no table: documents name them.
    """

    DOCUMENTS = "documents"
    PICTURES = "pictures"
    RUN = "run"
    GRADES = "grades"
    POOL = "pool"
