"""Admins delete accounts in Django's admin, one at a time; the audit log keeps the names."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.urls import reverse
from rest_framework.authtoken.models import Token

from judging.core import access
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.models import AuditEntry, Job, JobKind, Membership, Role, Study
from judging.people.services.accounts import delete_account
from tests.factories import NOW
from tests.people.conftest import People, browser_of


def send_deletion(user: AbstractBaseUser, by: AbstractBaseUser) -> Any:
    address = reverse("admin:auth_user_delete", args=[user.pk])
    return browser_of(by).post(address, {"post": "yes"}, follow=True)


def is_there(user: AbstractBaseUser) -> bool:
    return bool(get_user_model().objects.filter(pk=user.pk).exists())


def test_a_member_s_account_is_deleted_and_what_it_did_stays(people: People, study: Study) -> None:
    editor, admin_of_site = people["editor"], people["admin"]
    Token.objects.create(user=editor)
    job = Job.objects.create(
        kind=JobKind.STATISTICS, study=study, requested_by=editor, created_at=NOW, heartbeat_at=NOW
    )
    logged_in = browser_of(editor)
    before = list(AuditEntry.objects.order_by("pk").values_list("pk", "verb", "actor_name"))
    assert send_deletion(editor, admin_of_site).status_code == 200
    assert not is_there(editor)
    assert not Membership.objects.filter(user=editor.pk).exists()
    assert not Token.objects.exists()
    assert logged_in.get("/console/").status_code == 302
    job.refresh_from_db()
    assert job.requested_by is None
    log = AuditEntry.objects.order_by("pk")
    assert list(log.values_list("pk", "verb", "actor_name"))[:-2] == before
    assert list(log.values_list("verb", "study_slug", "actor_name", "detail"))[-2:] == [
        ("member_changed", study.slug, "admin", {"user": "editor", "before": "editor", "after": ""}),
        ("account_deleted", "", "admin", {"user": "editor"}),
    ]


def test_the_last_owner_of_a_study_is_not_deleted(people: People, study: Study) -> None:
    owner, admin_of_site = people["owner"], people["admin"]
    page = browser_of(admin_of_site).get(reverse("admin:auth_user_delete", args=[owner.pk]))
    assert any(study.slug in reason for reason in page.context["protected"])
    send_deletion(owner, admin_of_site)
    assert is_there(owner)
    set_role(study=study, user=people["editor"], role=Role.OWNER, now=NOW)
    send_deletion(owner, admin_of_site)
    assert not is_there(owner)


def test_who_becomes_the_last_owner_meanwhile_is_not_deleted(
    people: People, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, admin_of_site = people["owner"], people["admin"]
    monkeypatch.setattr("judging.admin.deletion_refusals", lambda user: [])  # as of the page that was shown
    assert send_deletion(owner, admin_of_site).status_code == 200
    assert is_there(owner)
    with pytest.raises(RefusedError):
        delete_account(user=owner, now=NOW, actor=admin_of_site)
    assert Membership.objects.filter(user=owner, study=study).exists()


def test_accounts_are_not_deleted_by_the_list(people: People) -> None:
    form = {"action": "delete_selected", "_selected_action": [people["viewer"].pk], "post": "yes"}
    browser_of(people["admin"]).post(reverse("admin:auth_user_changelist"), form)
    assert is_there(people["viewer"])


def test_a_deactivated_account_may_do_nothing(people: People, study: Study) -> None:
    for name in ("admin", "owner"):
        user = people[name]
        user.is_active = False
        assert not access.may_use_console(user), name
        assert not access.may_administer(user), name
        assert not access.visible_studies(user).exists(), name


def test_a_job_without_a_study_is_seen_by_admins_and_by_who_asked_for_it(people: People) -> None:
    job = Job.objects.create(
        kind=JobKind.IMPORT, requested_by=people["editor"], created_at=NOW, heartbeat_at=NOW
    )
    address = reverse("console:import", args=[job.pk])
    status = {
        name: browser_of(people[name]).get(address).status_code for name in ("editor", "admin", "owner")
    }
    assert status == {"editor": 200, "admin": 200, "owner": 404}
