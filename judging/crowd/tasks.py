"""What Celery calls to let a crowd come; beside `judging.tasks`, which knows no crowd."""

from celery import shared_task


@shared_task(name="judging.rehearse")
def rehearse(pk: int) -> None:
    from judging.crowd.rehearsal import rehearse as work
    from judging.tasks.running import run

    run(pk, work)
