"""SQLite and PostgreSQL sort and filter lists in the same way."""

from django.contrib.auth import get_user_model
from django.db.models import F
from django.test import Client
from django.urls import reverse

from judging.core.selectors.ordering import by_columns, place_of_topic
from judging.core.services.events import audit
from judging.core.services.members import set_role
from judging.models import Event, Participation, PoolDocument, Role, Topic
from judging.protocol.checks import seconds
from judging.protocol.states import AssignmentState
from judging.site.job_list import JOBS_BY, jobs_of, jobs_page
from judging.understanding.selectors.document_judgments import JUDGMENTS_BY, judgments_of
from judging.watching.jobs.worker_statistics import compute_statistics
from judging.watching.selectors.event_list import LATEST_FIRST, rows_of
from judging.watching.selectors.quality import back_rows, used_back
from judging.watching.selectors.worker_list import failures_of, last_seen, listed_workers, units_in
from tests.benchmarks.large_study import LargeStudy
from tests.factories import judge_unit, later, make_study, make_worker
from tests.site.test_pages import add_events, tries
from tests.site.test_studies import page

SORTED = {
    "events/?sort=": ("at", "kind", "check", "unit", "worker"),
    "quality/?sort_back=": ("unit", "worker", "back", "revisions", "c", "d", "ended"),
    "?sort_reserved=": ("unit", "worker", "state", "begun", "lapses"),
    "audit/?sort=": ("at", "actor", "verb"),
    "members/?sort=": ("name", "email", "role", "seen"),
    "worker-statistics/?sort=": ("flags", "worker", "begun", "units", "commonest", "agreement"),
    "/console/audit/?sort=": ("study",),
    "/console/people/?sort=": ("name", "email", "studies", "seen"),
}


def test_lists_are_the_same_on_both_databases(database: str) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    everybody = Participation.objects.filter(study=study)
    for by, key in (
        (units_in([AssignmentState.COMPLETED]), lambda worker: worker.units.get("completed", 0)),
        (failures_of(), lambda worker: sum(worker.failures.values())),
        (failures_of("c"), lambda worker: worker.failures.get("c", 0)),
        (last_seen(), lambda worker: worker.last_seen.timestamp()),
    ):
        workers = listed_workers(everybody.order_by(by.desc(), "pseudonym")[:100])
        assert workers == sorted(workers, key=lambda worker: (-key(worker), worker.participation.pseudonym))
    assert len({worker.last_seen for worker in workers}) > 5
    assert len(rows_of(Event.objects.filter(study=study, check_name="c").order_by("pk")[:3])) == 3


def test_every_list_is_sorted_on_both_databases(database: str) -> None:
    study = LargeStudy(slug="study", judgments=320, topics=4).study
    for topic, number in zip(study.topics.order_by("place"), ("10", "9", "MB2", "1"), strict=True):
        Topic.objects.filter(pk=topic.pk).update(number=number)
    make_worker(study, upto="question", now=later(hours=1))
    compute_statistics(study=study, now=later(hours=999))
    audit("paused", study=study, actor=None, now=later())
    pooled = PoolDocument.objects.filter(topic__study=study, anchor="H")[0]
    client = Client()
    ada = get_user_model().objects.create_superuser("ada")
    client.force_login(ada)
    set_role(study=study, user=ada, role=Role.OWNER, now=later())
    for where, sorts in SORTED.items():
        address = where if where.startswith("/") else f"/console/studies/study/{where}"
        for sort in sorts:
            assert "<tbody" in page(client, f"{address}{sort}")
            assert "<tbody" in page(client, f"{address}-{sort}")
    for descending in (False, True):
        asked = {"descending": descending}
        assert all(judgments_of(study, pooled, sort=sort, **asked)[:9] for sort in JUDGMENTS_BY)
        assert not any(jobs_page(jobs_of(study), 0, 9, sort=sort, **asked) for sort in JOBS_BY)
    by_topic = [place_of_topic(study), F("unit__number")]
    ordered = by_columns(by_topic, descending=False)
    events = rows_of(Event.objects.filter(study=study).order_by(*ordered, *LATEST_FIRST)[:9999])
    assert list(dict.fromkeys(row.topic_id for row in events)) == ["1", "9", "10", "MB2", ""]
    units = back_rows(used_back(study).order_by(*by_columns(by_topic, descending=True))[:9999])
    assert list(dict.fromkeys(row.topic_id for row in units)) == ["MB2", "10", "9", "1"]


def test_both_databases_cut_the_same_pages_of_events(database: str) -> None:
    study = make_study(topics=1, judgments_per_document=1)
    worker = make_worker(study)
    judge_unit(worker, now=later(hours=9))
    unit = worker.assignments.get()
    add_events(worker, 45, seconds.CHECK.event, assignment=unit, unit=unit.unit, topic=unit.topic)
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("ada"))
    text = page(client, reverse("console:worker", args=("study", worker.pseudonym)) + "?unit1=2")
    assert tries(text) == [*range(25, 5, -1)]
