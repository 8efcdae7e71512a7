"""Bringing a study in: its file, and everything the file points to, all or nothing."""

from judging.intake.faults import InputError, StudyRefusedError
from judging.intake.imported import Imported
from judging.intake.importing import import_study

__all__ = ["Imported", "InputError", "StudyRefusedError", "import_study"]
