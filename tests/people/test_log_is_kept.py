"""No code, no SQL and no deletion of other rows can change or delete an entry of the audit log."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction

from judging.core.services.events import audit
from judging.core.services.studies import open_study
from judging.models import AppendOnlyError, AuditEntry, Study
from judging.watching.services.workers import erase_identity
from tests.factories import NOW, make_study, make_worker
from tests.support.empty_database import empty_tables


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
    with pytest.raises(AppendOnlyError), transaction.atomic():
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
