"""Makes a large study in the site that the environment names, to be clicked through in its console.

    python -m tests.benchmarks.make_large_study [--judgments 1000000] [--topics 50] [--slug large]

The site is that of `manage.py`: `DATABASE_URL`, or SQLite in `PLUMBLINE_VAR`; its database must be migrated.
The study is marked as simulated, as nobody has judged it, and the figures of its workers are computed. All is
made in one transaction: nothing is there before everything is.
"""

import argparse
import os
import sys
import time


def make(slug: str, judgments: int, topics: int) -> str:
    """Make the study; its address in the console. Exits with one line where it cannot be made."""
    import django

    django.setup()
    from django.db import transaction
    from django.urls import reverse

    from judging.core.clock import now
    from judging.core.services.studies import mark_simulated
    from judging.models import Study
    from judging.watching.jobs.worker_statistics import compute_statistics
    from tests.benchmarks.large_study import LargeStudy

    if judgments < 1 or topics < 1 or judgments % (8 * topics):
        sys.exit(f"{judgments:,} judgments in {topics} topics: give a multiple of {8 * topics}.")
    if Study.objects.filter(slug=slug).exists():
        sys.exit(f"There is a study {slug} already: name another one by --slug.")
    with transaction.atomic():
        study = LargeStudy(slug=slug, judgments=judgments, topics=topics).study
        study.participations.update(kind="simulated", behaviour="careful")
        mark_simulated(study=study, now=now())
        compute_statistics(study=study, now=now())
    return reverse("console:study", args=[slug])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--judgments", type=int, default=1_000_000, help="a multiple of 8 times the topics")
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--slug", default="large", help="what the study is called (default: large)")
    args = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    began = time.perf_counter()
    address = make(args.slug, args.judgments, args.topics)
    sys.stdout.write(f"{args.judgments:,} judgments made in {time.perf_counter() - began:.0f} s: {address}\n")


if __name__ == "__main__":
    main()
