"""What stands around a large study on a site that is used: people, an audit log, jobs, set-ups, reports.

Pages that list such things are measured, and their queries counted, with many of them.
"""

from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model

from judging.core.clock import now
from judging.core.services.jobs import send
from judging.models import (
    AuditEntry,
    GradeSet,
    Invitation,
    Job,
    JobKind,
    JobState,
    KnownGrade,
    Membership,
    PoolDocument,
    Ranking,
    ReportKind,
    Role,
    Run,
    Setup,
    Topic,
    Watch,
)
from judging.people.services.invitations import token_of
from judging.setup.making import begin_setup
from judging.setup.services.setups import request_check
from judging.understanding.services.reports import request_report
from judging.watching.jobs.worker_statistics import compute_statistics
from tests.benchmarks import bulk
from tests.benchmarks.large_study import LargeStudy
from tests.factories import NOW, make_study

RUNS = 20
RANKED = 100
VERBS = ("unit_excluded", "unit_included", "blocked", "exported", "paused", "opened", "identity_erased")
REPORTS: tuple[tuple[ReportKind, dict[str, Any]], ...] = (
    (ReportKind.DOCUMENTS, {}),
    (ReportKind.GRADES, {}),
    (ReportKind.SCORES, {"measures": ["nDCG@10", "AP"]}),
    (ReportKind.FIGURE, {"figure": "magnitudes-by-grade"}),
)


class LargeSite:
    """A large study, and around it `rows` of most things; of entries in audit logs a hundred times as many.

    Also a study of as many topics and documents that is still to be opened, `tomorrow`, and a set-up of as
    many topics. Reports are made by their own jobs.
    """

    def __init__(
        self, *, slug: str = "large", judgments: int = 1_000_000, topics: int = 50, rows: int = 200
    ) -> None:
        self.slug, self.rows = slug, rows
        self.study = LargeStudy(slug=slug, judgments=judgments, topics=topics).study
        documents = self.study.topics.order_by("place")[0].pool.count() - 2
        self.tomorrow = make_study(slug=f"{slug}-tomorrow", topics=topics, documents=documents, opened=False)
        for number in range(rows // 5):
            make_study(slug=f"{slug}-{number}", topics=1, opened=False)
        self._people()
        self._known()
        self._audit()
        self._jobs()
        self.setup = self._setup()
        Watch.objects.create(study=self.study, shares={"failed_units": 20}, bad_anchor=True)
        compute_statistics(study=self.study, now=now())
        self._reports()

    def _people(self) -> None:
        accounts = get_user_model()
        users = bulk.write(
            accounts(
                username=f"{self.slug}-{number}", email=f"{number}@{self.slug}.example.org", password="!"
            )
            for number in range(self.rows)
        )
        roles = [role.value for role in Role]
        bulk.write(
            Membership(study=self.study, user=user, role=roles[place % len(roles)])
            for place, user in enumerate(users)
        )
        self.people = users
        admin = accounts.objects.create_superuser(f"{self.slug}-admin")
        invited = bulk.write(
            Invitation(
                study=self.study if number % 2 else None,
                email=f"new-{number}@{self.slug}.example.org",
                role="viewer" if number % 2 else "staff",
                invited_by=admin,
                key=f"{self.slug}-{number}",
                created_at=NOW,
                expires_at=now() + timedelta(days=7),
            )
            for number in range(max(2, self.rows // 10))
        )
        self.invitation = token_of(invited[1])

    def _known(self) -> None:
        """Known grades of the whole pool, and runs that rank a part of it."""
        grades = GradeSet.objects.create(study=self.study, name="grade", place=0)
        pools: dict[int, list[tuple[str, str]]] = {}
        pool = PoolDocument.objects.filter(topic__study=self.study).order_by("pk")
        for topic, document, grade in pool.values_list("topic_id", "document__document_id", "grade"):
            pools.setdefault(topic, []).append((document, grade or "N"))
        bulk.write(
            KnownGrade(grade_set=grades, topic_id=topic, document_id=document, value=grade, level=grade)
            for topic, documents in pools.items()
            for document, grade in documents
        )
        runs = bulk.write(Run(study=self.study, tag=f"run-{number:02}") for number in range(RUNS))
        bulk.write(self._ranking(run, topic, pools[topic]) for run in runs for topic in pools)

    def _ranking(self, run: Run, topic: int, documents: list[tuple[str, str]]) -> Ranking:
        number = min(RANKED, len(documents))
        ranked = [documents[(run.pk * 7 + place * 3) % len(documents)][0] for place in range(number)]
        names = list(dict.fromkeys(ranked))
        return Ranking(
            run=run,
            topic_id=topic,
            document_ids=names,
            scores=[float(number - place) for place in range(len(names))],
            ranks=list(range(1, len(names) + 1)),
        )

    def _audit(self) -> None:
        bulk.write(
            AuditEntry(
                study=self.study,
                study_slug=self.slug,
                actor=(actor := self.people[number % len(self.people)]),
                actor_name=actor.username,
                at=NOW + timedelta(minutes=number),
                verb=VERBS[number % len(VERBS)],
                detail={"unit": f"401-{number:04}", "reason": "as was found"},
            )
            for number in range(100 * self.rows)
        )

    def _jobs(self) -> None:
        done = {"heartbeat_at": NOW, "started_at": NOW, "finished_at": NOW, "state": JobState.DONE.value}
        jobs = bulk.write(
            Job(
                kind=JobKind.EXPORT.value,
                study=self.study,
                requested_by=self.people[0],
                parameters={"what": "units", "format": "csv"},
                created_at=NOW,
                **done,
            )
            for _ in range(self.rows)
        )
        self.job = jobs[0].pk
        result = Job(
            kind=JobKind.IMPORT.value, study=self.study, parameters={"path": "x"}, created_at=NOW, **done
        )
        result.save()
        self.importing = result.pk

    def _setup(self) -> Setup:
        """A set-up with all the topics."""
        setup = begin_setup(title=f"{self.slug} next", owner=self.people[0], now=now())
        bulk.write(
            Topic(
                study=setup.study,
                number=topic.number,
                title=topic.title,
                description=topic.description,
                place=topic.place,
            )
            for topic in self.study.topics.order_by("place")
        )
        request_check(setup=setup, now=now())
        setup.refresh_from_db()
        return setup

    def _reports(self) -> None:
        for kind, parameters in REPORTS:
            job = request_report(study=self.study, kind=kind, parameters=parameters, now=now())
            job.refresh_from_db()
            if job.live:
                send(job)  # as where there is no commit, in a test
                job.refresh_from_db()
            assert job.state == JobState.DONE, f"{kind}: {job.error}"
