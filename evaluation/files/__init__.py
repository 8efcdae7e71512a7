"""Readers and writers of run files, qrels, gains, judgments and scores."""

from .inclusion import read_inclusion, write_inclusion
from .judgments import read_judgments
from .qrels import read_gains, write_gains
from .runs import read_run, read_runs
from .schemes import read_scheme
from .scores import read_scores, write_like_trec_eval, write_scores
from .verdicts import read_verdicts

__all__ = [
    "read_gains",
    "read_inclusion",
    "read_judgments",
    "read_run",
    "read_runs",
    "read_scheme",
    "read_scores",
    "read_verdicts",
    "write_gains",
    "write_inclusion",
    "write_like_trec_eval",
    "write_scores",
]
