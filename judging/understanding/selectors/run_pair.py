"""Reads two runs of a study, and the gains of its documents, to see which documents make the difference."""

import numpy as np

from evaluation.frames import Gains
from evaluation.runs import Run
from judging.models import ReportKind, Study
from judging.understanding.scoring import study_runs


def two_runs(study: Study, tags: tuple[str, str]) -> tuple[Run, Run]:
    """Return two runs of a study, in one query."""
    by_tag = {run.tag: run for run in study_runs(study, tags)}
    return by_tag[tags[0]], by_tag[tags[1]]


def stored_gains(study: Study) -> Gains:
    """Return the crowd's gains that the reports of the documents store, in one query."""
    of_topics = study.reports.filter(kind=ReportKind.DOCUMENTS.value, parameters__has_key="topic")
    reports = of_topics.order_by()
    rows = sorted(
        (parameters["topic"], document["document"], document["gain"])
        for parameters, documents in reports.values_list("parameters", "content__documents")
        for document in documents
        if document["gain"] is not None
    )
    topics, documents, gains = zip(*rows, strict=True) if rows else ((), (), ())
    return Gains.from_columns(list(topics), list(documents), np.array(gains, dtype=float))
