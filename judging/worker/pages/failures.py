"""What the pages say after a failed attempt to finish a unit."""

from judging.core.words import translated
from judging.models import Assignment
from judging.worker.selectors.participations import told_at_last_attempt


def told_words(assignment: Assignment, *, can_revise: bool = True) -> str:
    """Return what was wrong at the last attempt, or "" if the page says the paper's sentence.

    If the worker can revise the answers, also return what to do.
    """
    study = assignment.participation.study
    sentences = []
    for told in told_at_last_attempt(assignment):
        sentences += [told.fault(study), told.remedy] if can_revise else [told.fault(study)]
    return " ".join(map(translated, sentences))
