"""What Celery calls: a shell for each kind of job, and the one that a scheduler rings every few minutes.

What a shell calls is imported when it is called: a worker's processes are forked, and threads that polars has
started before do not come along.
"""

from celery import shared_task

from judging.selectors.clock import now
from judging.services import jobs
from judging.services.figures import request_figures
from judging.services.notices import request_notices


@shared_task(name="judging.export")
def export(pk: int) -> None:
    from judging.tasks.exporting import write_export
    from judging.tasks.running import run

    run(pk, write_export)


@shared_task(name="judging.score")
def score(pk: int) -> None:
    from judging.tasks.running import run
    from judging.tasks.scoring import compute_scores

    run(pk, compute_scores)


@shared_task(name="judging.expire")
def expire(pk: int) -> None:
    from judging.tasks.expiring import free_what_lapsed
    from judging.tasks.running import run

    run(pk, free_what_lapsed)


@shared_task(name="judging.import")
def import_(pk: int) -> None:
    from judging.tasks.importing import bring_in
    from judging.tasks.running import run

    run(pk, bring_in)


@shared_task(name="judging.check")
def check(pk: int) -> None:
    from judging.tasks.checking import check_draft
    from judging.tasks.running import run

    run(pk, check_draft)


@shared_task(name="judging.notice")
def notice(pk: int) -> None:
    from judging.tasks.notifying import tell_people
    from judging.tasks.running import run

    run(pk, tell_people)


@shared_task(name="judging.figures")
def figures(pk: int) -> None:
    from judging.tasks.figuring import figure_workers
    from judging.tasks.running import run

    run(pk, figure_workers)


@shared_task(name="judging.webhook")
def webhook(pk: int) -> None:
    from judging.tasks.posting import post_notice
    from judging.tasks.running import run

    run(pk, post_notice)


@shared_task(name="judging.report")
def report(pk: int) -> None:
    from judging.tasks.reporting import make_reports
    from judging.tasks.running import run

    run(pk, make_reports)


@shared_task(name="judging.tidy")
def tidy() -> None:
    """Pick up lost jobs, ask for figures and final reports, tell what is due, look at what has lapsed.

    What is picked up may be an earlier such look.
    """
    from judging.tasks.completing import request_final_reports

    jobs.reap(now=now())
    request_figures(now=now())
    request_final_reports(now=now())
    request_notices(now=now())
    jobs.request(kind=jobs.JobKind.EXPIRE, now=now())
