"""The job `score`, which scores the runs of a study with the study's gains or with known grades."""

from judging.core.services.jobs import Progress
from judging.models import Job, Result
from judging.understanding.scoring import evaluate_study


def compute_scores(job: Job, progress: Progress) -> Result:
    """Score the runs of a study, and return the means over topics.

    The result is `{"measures": [name, …], "rows": [[run, [value or None, …]], …], "topics": number,
    "notices": [sentence, …]}`. The values of a run are in the order of the measures. Raise InputError as
    `evaluate_study` does.
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
