"""`score`: what the study's gains, or a set of its known grades, say about its runs."""

from judging.core.services.jobs import Progress
from judging.models import Job, Result
from judging.understanding.scoring import evaluate_study


def compute_scores(job: Job, progress: Progress) -> Result:
    """Score the runs of a study; returns the means over topics.

    `{"measures": [name, …], "rows": [[run, [value or None, …]], …], "topics": n, "notices": [sentence, …]}`,
    the values of a run in the order of the measures. Raises InputError as `evaluate_study` does.
    """
    scores = evaluate_study(
        job.own_study, job.parameters["measures"], gains=job.parameters["gains"], progress=progress
    )
    values = {(row.run, row.measure): row.value for row in scores.means()}
    return {
        "measures": list(scores.measures),
        "rows": [[run, [values[run, measure] for measure in scores.measures]] for run in scores.runs],
        "topics": len(scores.topics),
        "notices": scores.notices.sentences(),
    }
