"""The migrations one by one, with rows that were written before each of them.

`MOVES` has an example for each migration that moves rows: what was there before it, and what the newest
models find afterwards. `walk` applies the migrations in turn and also writes some rows at every step.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import count
from typing import Any, Final

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor

from judging.archive.backup.migrating import step_by_step
from judging.models import Assignment, AuditEntry, Judgment, Report, Setup, Study, Watch
from tests.factories import NOW

LATER: Final = NOW + timedelta(hours=1)
LIVE: Final = ("question", "judging", "revising")
_numbers: Final = count(1)


@dataclass(frozen=True)
class Move:
    """What a migration does to rows: `fill` writes some by the models before it, `check` looks for them."""

    fill: Callable[[Any], None]
    check: Callable[[], None]


def make_study(apps: Any, slug: str) -> Any:
    return apps.get_model("judging", "Study").objects.create(slug=slug, title="Old", created_at=NOW)


def make_attempt(
    apps: Any,
    study: Any,
    *,
    state: str = "completed",
    judgments: tuple[dict[str, Any], ...] = (),
    consent_version: str = "1",
    **values: Any,
) -> Any:
    """Write an attempt of a worker of its own at a unit of its own, and its judgments.

    Rows refer to others by their keys: between two steps, models of one table can be of different classes.
    """
    number = next(_numbers)

    def write(model: str, **fields: Any) -> Any:
        return apps.get_model("judging", model).objects.create(**fields)

    topics = apps.get_model("judging", "Topic").objects
    topic, _ = topics.get_or_create(study_id=study.pk, number="1", title="T", place=0)
    worker = write(
        "Participation",
        study_id=study.pk,
        token=f"t{number}",
        pseudonym=f"w{number}",
        consented_at=NOW,
        consent_version=consent_version,
        state="ready",
    )
    attempt = write(
        "Assignment",
        **{
            "participation_id": worker.pk,
            "unit_id": write("Unit", topic_id=topic.pk, number=number, state="done").pk,
            "topic_id": topic.pk,
            "state": state,
            "number": 1,
            "option_order": [0, 1, 2, 3],
            "started_at": NOW,
            "lapses_at": LATER,
            "ended_at": None if state in LIVE else LATER,
            "completion_code": f"AAAA-AAAA-{number:04}" if state == "completed" else None,
            "pay": Decimal("0.20"),
        }
        | values,
    )
    for position, judgment in enumerate(judgments):
        document = write("Document", study_id=study.pk, document_id=f"D{number}-{position}", text="A text.")
        pooled = write("PoolDocument", topic_id=topic.pk, document_id=document.pk)
        given = {"magnitude": 2.5, "raw_input": "2.5", "justification": "So it seems.", "saved_at": NOW}
        of = {"assignment_id": attempt.pk, "pool_document_id": pooled.pk, "position": position}
        write("Judgment", **(of | given | judgment))
    return attempt


def attempts_of(slug: str) -> list[Assignment]:
    """Return the attempts of a study in the order in which they were written."""
    return list(Assignment.objects.filter(topic__study__slug=slug).order_by("pk"))


# --- rows that a migration moves ----------------------------------------------------------------------------


def fill_audit(apps: Any) -> None:
    user = apps.get_model("auth", "User").objects.create(username="olga")
    study, entries = make_study(apps, "audited"), apps.get_model("judging", "AuditEntry").objects
    entries.create(study_id=study.pk, actor_id=user.pk, at=NOW, verb="opened")
    entries.create(study_id=study.pk, at=NOW, verb="imported")


def check_audit() -> None:
    entries = AuditEntry.objects.filter(study__slug="audited").order_by("pk")
    assert list(entries.values_list("study_slug", "actor_name", "verb")) == [
        ("audited", "olga", "opened"),
        ("audited", "", "imported"),
    ]
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM judging_auditentry")


def fill_counted(apps: Any) -> None:
    study = make_study(apps, "counted")
    make_attempt(apps, study, judgments=({}, {}))
    make_attempt(apps, study, state="returned", judgments=({},))
    make_attempt(apps, study, judgments=({},), judgments_deleted_at=LATER)


def check_counted() -> None:
    assert [attempt.judgment_count for attempt in attempts_of("counted")] == [2, 0, 0]


def fill_kept(apps: Any) -> None:
    study = make_study(apps, "kept")
    make_attempt(apps, study, state="lapsed", judgments=({},))
    make_attempt(apps, study, state="lapsed")
    make_attempt(apps, study, judgments=({},))


def check_kept() -> None:
    assert [attempt.answers_kept for attempt in attempts_of("kept")] == [True, False, False]


def fill_imported(apps: Any) -> None:
    output = make_study(apps, "said")  # whose file gave visible times, and the end of one unit
    make_attempt(apps, output, consent_version="imported", judgments=({"visible_seconds": 3}, {}))
    make_attempt(apps, output, consent_version="imported", judgments=({},), ended_at=NOW)
    unsaid = make_study(apps, "unsaid")
    make_attempt(apps, unsaid, consent_version="imported", judgments=({},))
    make_attempt(apps, unsaid, judgments=({"visible_seconds": 4},), back_uses=2)


def check_imported() -> None:
    of_attempt, of_judgment = (
        ("started_at", "back_uses", "revisions", "failed_finishes"),
        ("revisions", "visible_seconds"),
    )
    attempts = [
        [getattr(attempt, name) for name in of_attempt]
        for slug in ("said", "unsaid")
        for attempt in attempts_of(slug)
    ]
    assert attempts == [[None] * 4] * 3 + [[NOW, 2, 0, 0]]
    judgments = Judgment.objects.filter(assignment__topic__study__slug__in=("said", "unsaid")).order_by("pk")
    assert list(judgments.values_list(*of_judgment, "saved_at")) == [
        (None, 3, NOW),
        (None, 0, NOW),
        (None, 0, None),
        (None, None, NOW),
        (0, 4, NOW),
    ]


def fill_tried(apps: Any) -> None:
    study = make_study(apps, "tried")
    tried = {
        "failed_finishes": 1,
        "failed_c": 1,
        "judgments": tuple({"checked_magnitude": item} for item in (1.5, 100)),
    }
    make_attempt(apps, study, state="revising", **tried)
    make_attempt(apps, study, state="lapsed", answers_kept=True, **tried)
    make_attempt(apps, study, **tried)


def check_tried() -> None:
    assert [attempt.failed_magnitudes for attempt in attempts_of("tried")] == [
        [[1.5, 100]],
        [[1.5, 100]],
        None,
    ]


COUNTS: Final = [(3, 2, 1), (0, 0, 0), (2, 0, 2), (2, 2, 0)]
"""Failed finishes, and those that failed (c) and (d)."""


def fill_failed(apps: Any) -> None:
    study = make_study(apps, "failed")
    for finishes, c, d in COUNTS:
        make_attempt(apps, study, failed_finishes=finishes, failed_c=c, failed_d=d)
    names = ("started_at", "back_uses", "revisions", "failed_finishes", "failed_c", "failed_d")
    make_attempt(apps, study, **dict.fromkeys(names))
    apps.get_model("judging", "Watch").objects.create(study_id=study.pk, failed_units=20, failed_c=5)


def check_failed() -> None:
    failed = [attempt.failed_checks for attempt in attempts_of("failed")]
    assert failed == [{"c": 2, "d": 1}, {}, {"d": 2}, {"c": 2}, None]
    assert Watch.objects.get(study__slug="failed").shares == {"failed_units": 20, "failed_c": 5}


STUDY_FILE: Final = """
slug = "drafted"
title = "Drafted"
[units]
judgments_per_document = 4
[pool]
depth = 5
[[topic]]
number = "1"
title = "One"
question = "What?"
options = ["a", "b", "c", "d"]
answer = "c"
[[anchor]]
topic = "1"
H = "high"
[[run]]
path = "one.run"
"""
CHANGED: Final = STUDY_FILE.replace("Drafted", "Changed")


def fill_drafts(apps: Any) -> None:
    owner = apps.get_model("auth", "User").objects.create(username="drew")
    times = {"created_at": NOW, "changed_at": LATER}
    begun = make_study(apps, "begun")
    make_attempt(apps, begun)
    drafts = apps.get_model("judging", "Draft").objects
    for text, study in ((STUDY_FILE, None), ("title =", None), (CHANGED, begun.pk)):
        drafts.create(owner_id=owner.pk, text=text, study_id=study, serial=3, **times)


def check_drafts() -> None:
    setups = {setup.study.title: setup for setup in Setup.objects.select_related("study")}
    drafted = setups["Drafted"]
    study = drafted.study
    assert (study.slug, study.state, study.judgments_per_document) == ("drafted", "draft", 4)
    assert (drafted.pool_depth, drafted.version, drafted.is_read) == (5, 3, False)
    assert list(drafted.files.values_list("kind", "path")) == [("run", "one.run")]
    topic = study.topics.get()
    assert (topic.number, topic.named_h, topic.question.right_option) == ("1", "high", 2)
    assert study.memberships.get().user.get_username() == "drew"
    (unreadable,) = (setup for title, setup in setups.items() if title.startswith("Set-up "))
    assert (unreadable.folder / "unreadable-study.toml").read_text() == "title ="
    assert unreadable.study.memberships.get().user.get_username() == "drew"
    assert setups["Changed"].study.changes_to == Study.objects.get(slug="begun")
    assert Study.objects.get(slug="begun").title == "Old"


def check_dropped() -> None:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        columns = connection.introspection.get_table_description(cursor, "judging_watch")
    assert "judging_draft" not in tables
    assert not {column.name for column in columns} & {"failed_units", "failed_a", "failed_d"}


def fill_report(apps: Any) -> None:
    reported = make_study(apps, f"reported-{apps.get_model('judging', 'Study').objects.count()}")
    seen = {"seen_judgments": 8, "seen_units": 1, "seen_sum": 1}
    apps.get_model("judging", "Report").objects.create(
        study_id=reported.pk, kind="grades", key="k", made_at=NOW, **seen
    )


def check_no_report() -> None:
    assert not Report.objects.exists()


def fill_simulated(apps: Any) -> None:
    for slug, simulated in (("people", False), ("rehearsal", True)):
        study = make_study(apps, slug)
        make_attempt(apps, study)
        if simulated:
            get = apps.get_model
            get("judging", "Study").objects.filter(pk=study.pk).update(simulated=True)
            workers = get("judging", "Participation").objects.filter(study_id=study.pk)
            workers.update(simulated=True, simulated_kind="careful")


def check_kinds() -> None:
    """A simulated worker stays one, with its behaviour and its unit; everybody else is a person."""
    rows = Assignment.objects.filter(participation__study__slug__in=["people", "rehearsal"])
    assert set(rows.values_list("participation__kind", "participation__behaviour", "unit__kind")) == {
        ("person", "", "person"),
        ("simulated", "careful", "simulated"),
    }


MOVES: Final = {
    "0007_people": Move(fill_audit, check_audit),
    "0010_large_studies": Move(fill_counted, check_counted),
    "0014_kept_answers": Move(fill_kept, check_kept),
    "0015_unknown_counts": Move(fill_imported, check_imported),
    "0018_failed_magnitudes": Move(fill_tried, check_tried),
    "0023_failed_checks": Move(fill_failed, check_failed),
    "0025_drafts_to_studies": Move(fill_drafts, check_drafts),
    "0026_without_what_was_moved": Move(lambda apps: None, check_dropped),
    "0041_reports_anew": Move(fill_report, check_no_report),
    "0047_papers": Move(fill_report, check_no_report),
    "0051_kinds": Move(fill_simulated, check_kinds),
}


# --- the way from no table to the newest --------------------------------------------------------------------


def every_step() -> list[Migration]:
    """Return all migrations in an order in which they can be applied, squashed ones left out."""
    executor = step_by_step()
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    return [migration for migration, _ in plan]


def walk(*, upto: str = "") -> Iterator[list[str]]:
    """Apply the migrations one by one to a database without tables, or those before `upto`.

    Rows are written before each migration of ours. Then the names of the migrations to come are yielded.
    """
    executor, steps = step_by_step(), every_step()
    state = executor.loader.project_state(())
    latest = ""
    for place, migration in enumerate(steps):
        if migration.app_label == "judging" and latest:
            make_attempt(state.apps, make_study(state.apps, f"since-{latest[:4]}"), judgments=({},))
            if migration.name in MOVES:
                MOVES[migration.name].fill(state.apps)
            yield [step.name for step in steps[place:]]
            if migration.name == upto:
                return
        state = executor.migrate(None, plan=[(migration, False)], state=state)
        latest = migration.name if migration.app_label == "judging" else latest
    make_attempt(state.apps, make_study(state.apps, f"since-{latest[:4]}"), judgments=({},))
    yield []


def check_rows_of_every_age(*, upto: str = "") -> None:
    """What `walk` wrote, up to the same migration, is there in the newest tables."""
    for name, move in MOVES.items():
        if not upto or name <= upto:
            move.check()
    aged = Judgment.objects.filter(assignment__topic__study__slug__startswith="since-")
    steps = [
        step.name for step in every_step() if step.app_label == "judging" and (not upto or step.name < upto)
    ]
    assert sorted(
        aged.values_list("assignment__topic__study__slug", "magnitude", "assignment__pay")
    ) == sorted((f"since-{name[:4]}", 2.5, Decimal("0.20")) for name in steps)


def left_to_apply() -> list[str]:
    """Return the names of the migrations that `manage.py migrate` would apply now."""
    executor = MigrationExecutor(connection)
    return [step.name for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]
