"""Django's admin follows the access rules of the console."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import Permission
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from judging.models import Judgment, Participation, PlatformIdentity, Study
from tests.factories import judge_unit, make_study, make_worker

OURS = [model for model in apps.get_app_config("judging").get_models() if model in admin.site._registry]
PERSONAL = ("platformidentity", "platformsubmission")


@pytest.fixture
def judged(db: None) -> Study:
    study = make_study(judgments_per_document=1)
    judge_unit(make_worker(study, platform_id="person-1", submission_id="visit-1"))
    return study


@pytest.fixture
def root(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root"))
    return client


@pytest.fixture
def colleague(researcher: AbstractBaseUser) -> Client:
    """Return a member of the staff with all permissions who is not a superuser."""
    researcher.user_permissions.set(Permission.objects.all())
    client = Client()
    client.force_login(researcher)
    return client


def address(model: type[Model], page: str, *arguments: int) -> str:
    return reverse(f"admin:judging_{model._meta.model_name}_{page}", args=arguments)


def test_every_registered_model_can_be_looked_at(root: Client, judged: Study) -> None:
    for model in OURS:
        assert root.get(address(model, "changelist")).status_code == 200
        row = model.objects.first()
        if row is not None:
            assert root.get(address(model, "change", row.pk)).status_code == 200


def test_nothing_can_be_added_changed_or_deleted_not_even_by_a_superuser(root: Client, judged: Study) -> None:
    for model in OURS:
        assert root.get(address(model, "add")).status_code == 403
        assert root.post(address(model, "add"), {}).status_code == 403
        row = model.objects.first()
        if row is not None:
            assert root.post(address(model, "change", row.pk), {}).status_code == 403
            assert root.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
        form = {"action": "delete_selected", "_selected_action": [row.pk if row else 1], "post": "yes"}
        root.post(address(model, "changelist"), form)
    assert Judgment.objects.count() == 8
    assert Study.objects.get().state == "open"


def test_who_a_worker_is_only_superusers_see(root: Client, colleague: Client, judged: Study) -> None:
    assert "person-1" in root.get(address(PlatformIdentity, "changelist")).content.decode()
    assert colleague.get(address(PlatformIdentity, "changelist")).status_code == 403
    identity = PlatformIdentity.objects.get()
    assert colleague.get(address(PlatformIdentity, "change", identity.pk)).status_code == 403
    index = colleague.get(reverse("admin:index")).content.decode()
    assert "/judging/judgment/" in index
    assert not [name for name in PERSONAL if f"/judging/{name}/" in index]


def test_no_page_shows_the_token_of_a_worker_or_a_completion_code(colleague: Client, judged: Study) -> None:
    worker = Participation.objects.get()
    code = worker.assignments.get().completion_code
    for model in OURS:
        if model._meta.model_name in PERSONAL:
            continue
        pages = [address(model, "changelist")]
        pages += [address(model, "change", row.pk) for row in model.objects.all()[:1]]
        for page in pages:
            text = colleague.get(page).content.decode()
            assert worker.token not in text
            assert code not in text


def test_users_are_managed_there(root: Client) -> None:
    form = {"username": "grace", "password1": "a-long-pass-phrase", "password2": "a-long-pass-phrase"}
    answer = root.post(reverse("admin:auth_user_add"), {**form, "usable_password": "true"})
    assert answer.status_code == 302
    assert get_user_model().objects.filter(username="grace").exists()
