"""Lists that the database sorts and filters come out the same on SQLite and on PostgreSQL."""

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from judging.core.services.events import audit
from judging.models import PoolDocument, Topic
from judging.people.selectors.audit_list import SORTED_BY, AuditFilter
from judging.people.selectors.audit_list import matching as entries
from judging.people.selectors.members import ACCOUNTS_BY, MEMBERS_BY, accounts, members_of
from judging.protocol.checks import seconds
from judging.site.job_list import JOBS_BY, jobs_of, jobs_page
from judging.understanding.selectors.documents import JUDGMENTS_BY, judgments_of
from judging.watching.selectors.event_list import EVENTS_BY, EventFilter, matching, rows_of
from judging.watching.selectors.live import RESERVATIONS_BY, reservations
from judging.watching.selectors.quality import back_rows, back_sorts, used_back
from judging.watching.selectors.worker_list import workers_page
from tests.benchmarks.large_study import LargeStudy
from tests.factories import judge_unit, later, make_study, make_worker
from tests.site.test_pages import add_events, tries
from tests.site.test_studies import page


def test_lists_are_the_same_on_both_databases(database: str) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    for sort, sign in (("completed", -1), ("failures", -1), ("seen", -1)):
        workers = workers_page(study, sort=sort, descending=True, start=0, stop=100)
        keys = {
            "completed": lambda worker: worker.units.get("completed", 0),
            "failures": lambda worker: sum(worker.failures.values()),
            "seen": lambda worker: worker.last_seen.timestamp(),
        }
        assert workers == sorted(workers, key=lambda worker: (sign * keys[sort](worker), worker.pseudonym))
    assert len({worker.last_seen for worker in workers}) > 5
    assert len(rows_of(matching(study, EventFilter(check="c")), 0, 3)) == 3


def test_every_list_is_sorted_on_both_databases(database: str) -> None:
    study = LargeStudy(judgments=320, topics=4).study
    for topic, number in zip(study.topics.order_by("place"), ("10", "9", "MB2", "1"), strict=True):
        Topic.objects.filter(pk=topic.pk).update(number=number)
    make_worker(study, upto="question", now=later(hours=1))
    audit("paused", study=study, actor=None, now=later())
    pooled = PoolDocument.objects.filter(topic__study=study, anchor="H")[0]
    everything = EventFilter()
    for descending in (False, True):
        asked = {"descending": descending}
        assert all(rows_of(matching(study, everything, sort=sort, **asked), 0, 9) for sort in EVENTS_BY)
        assert all(back_rows(used_back(study, sort=sort, **asked), 0, 9) for sort in back_sorts(study))
        assert all(reservations(study, now=later(), most=9, sort=sort, **asked) for sort in RESERVATIONS_BY)
        assert all(judgments_of(pooled, sort=sort, **asked)[:9] for sort in JUDGMENTS_BY)
        assert all(entries(study, AuditFilter(), sort=sort, **asked)[:9] for sort in SORTED_BY)
        assert not any(accounts(sort=sort, **asked) for sort in ACCOUNTS_BY)
        assert not any(members_of(study, sort=sort, **asked) for sort in MEMBERS_BY)
        assert not any(jobs_page(jobs_of(study), 0, 9, sort=sort, **asked) for sort in JOBS_BY)
    events = rows_of(matching(study, everything, sort="unit", descending=False), 0, 9999)
    assert list(dict.fromkeys(row.topic_id for row in events)) == ["1", "9", "10", "MB2", ""]
    units = back_rows(used_back(study, sort="unit", descending=True), 0, 9999)
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
