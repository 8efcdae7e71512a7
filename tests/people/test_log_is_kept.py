"""The audit log is only ever added to: no code, no SQL and no other deletion changes it."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from judging.models import AuditEntry, LogIsKeptError, Study
from judging.services.events import audit
from judging.services.studies import open_study
from judging.services.workers import erase_identity
from tests.factories import NOW, make_study, make_worker
from tests.support.databases import as_default, configured
from tests.support.emptying import empty_tables


def entry() -> AuditEntry:
    user = get_user_model().objects.create_user("olga")
    return audit("paused", study=make_study(opened=False), actor=user, now=NOW, why="lunch")


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.save(),
        lambda one: one.save(update_fields=["verb"]),
        lambda one: one.delete(),
        lambda one: AuditEntry.objects.update(verb="opened"),
        lambda one: AuditEntry.objects.filter(pk=one.pk).delete(),
        lambda one: AuditEntry.objects.bulk_update([one], ["verb"]),
        lambda one: AuditEntry.objects.update_or_create(pk=one.pk, defaults={"verb": "opened"}),
        lambda one: one.study.audit.all().delete(),
    ],
)
def test_no_code_changes_an_entry(db: None, change: Callable[[AuditEntry], object]) -> None:
    one = entry()
    one.verb = "opened"
    with pytest.raises(LogIsKeptError), transaction.atomic():
        change(one)
    assert AuditEntry.objects.get().verb == "paused"


@pytest.mark.parametrize(
    "statement", ["UPDATE judging_auditentry SET verb = 'opened'", "DELETE FROM judging_auditentry"]
)
def test_no_statement_changes_an_entry(database: str, statement: str) -> None:
    entry()
    with pytest.raises(IntegrityError), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditEntry.objects.get().verb == "paused"


def test_entries_outlive_their_study_and_their_actor(database: str) -> None:
    one = entry()
    get_user_model().objects.get(username="olga").delete()
    Study.objects.get().delete()
    kept = AuditEntry.objects.get()
    assert (kept.pk, kept.study_slug, kept.actor_name, kept.detail) == (
        one.pk,
        "study",
        "olga",
        {"why": "lunch"},
    )
    connection.check_constraints()


def test_erasing_an_identity_and_opening_a_study_still_do_what_they_must(database: str) -> None:
    study = make_study(opened=False)
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    worker = make_worker(study, platform_id="person-1")
    erase_identity(participation=worker, now=NOW + timedelta(hours=1))
    assert list(AuditEntry.objects.order_by("pk").values_list("verb", flat=True)) == [
        "opened",
        "identity_erased",
    ]
    assert "person-1" not in str(list(AuditEntry.objects.values()))


def test_a_test_database_is_emptied_and_its_log_is_kept_again(database: str) -> None:
    entry()
    empty_tables()
    assert not AuditEntry.objects.exists()
    entry()
    with pytest.raises(IntegrityError), transaction.atomic():
        connection.cursor().execute("DELETE FROM judging_auditentry")


def check_names_of_earlier_entries() -> None:
    """Migrate from before entries had names to the migration that writes these."""
    executor = MigrationExecutor(connection)
    executor.migrate([("judging", "0006_watching")])
    old = executor.loader.project_state([("judging", "0006_watching")]).apps
    user = old.get_model("auth", "User").objects.create(username="olga")
    study = old.get_model("judging", "Study").objects.create(slug="old", title="Old", created_at=NOW)
    entries = old.get_model("judging", "AuditEntry").objects
    entries.create(study=study, actor=user, at=NOW, verb="opened")
    entries.create(study=study, actor=None, at=NOW, verb="imported")
    MigrationExecutor(connection).migrate([("judging", "0007_people")])
    with connection.cursor() as cursor:
        cursor.execute("SELECT study_slug, actor_name, verb FROM judging_auditentry ORDER BY id")
        assert cursor.fetchall() == [("old", "olga", "opened"), ("old", "", "imported")]
        with pytest.raises(IntegrityError), transaction.atomic():
            cursor.execute("DELETE FROM judging_auditentry")


@pytest.mark.slow
def test_the_migration_writes_the_names_into_earlier_entries(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> None:
    file = {"NAME": str(tmp_path / "old.sqlite3")}
    with django_db_blocker.unblock(), as_default(configured("") | file):
        check_names_of_earlier_entries()


@pytest.mark.long
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_the_migration_writes_the_names_on_postgresql(database: str) -> None:
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        check_names_of_earlier_entries()
    finally:
        MigrationExecutor(connection).migrate(latest)
