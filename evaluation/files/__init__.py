"""Readers and writers of run files, qrels, gains, judgments and scores."""

from evaluation.files.judgments import read_judgments
from evaluation.files.qrels import read_gains, write_gains
from evaluation.files.runs import read_run, read_runs
from evaluation.files.schemes import read_scheme
from evaluation.files.scores import read_scores, write_scores

__all__ = [
    "read_gains",
    "read_judgments",
    "read_run",
    "read_runs",
    "read_scheme",
    "read_scores",
    "write_gains",
    "write_scores",
]
