"""Roles: who may see, manage and pay, and how roles are given and taken."""

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from judging.core import access
from judging.core.services.errors import RefusedError
from judging.core.services.members import remove_member, set_role
from judging.models import AuditEntry, Membership, Role, Study
from tests.factories import later, make_study
from tests.support.named import assert_all_name

Member = Callable[..., AbstractBaseUser]


def rights(user: AbstractBaseUser, study: Study) -> str:
    """The initials of what somebody may do: see, manage, pay, export data, export payments."""
    study = Study.objects.get(pk=study.pk)
    assert access.may_see(user, study) == (study in access.visible_studies(user))
    answers = {
        "s": access.may_see(user, study),
        "m": access.may_manage(user, study),
        "p": access.may_pay(user, study),
        "e": access.may_export(user, study, "judgments"),
        "P": access.may_export(user, study, "payments"),
    }
    return "".join(initial for initial, may in answers.items() if may)


def test_each_role(study: Study, member: Member) -> None:
    people = {role: member(role.value, study, role) for role in Role}
    assert {role: rights(user, study) for role, user in people.items()} == {
        Role.OWNER: "smpeP",
        Role.EDITOR: "sme",
        Role.VIEWER: "se",
    }
    assert rights(member("stranger"), study) == ""


def test_a_study_without_members_is_open_to_the_staff_but_for_the_payments(
    study: Study, member: Member
) -> None:
    somebody = member("somebody")
    assert rights(somebody, study) == "sme"
    set_role(study=study, user=member("olga"), role=Role.OWNER, now=later())
    assert rights(somebody, study) == ""


def test_a_role_holds_in_its_own_study_alone(study: Study, member: Member) -> None:
    owner = member("olga", study, Role.OWNER)
    open_to_all, of_others = make_study(slug="open", opened=False), make_study(slug="others", opened=False)
    member("otto", of_others, Role.OWNER)
    assert [visible_study.slug for visible_study in access.visible_studies(owner)] == ["open", "study"]
    assert (rights(owner, open_to_all), rights(owner, of_others)) == ("sme", "")


def test_superusers_may_everything_and_the_deactivated_nothing(study: Study, member: Member) -> None:
    owner = member("olga", study, Role.OWNER)
    assert rights(get_user_model().objects.create_superuser("root"), study) == "smpeP"
    owner.is_active = False
    assert rights(owner, study) == ""


def test_changes_are_audited_and_the_same_again_is_none(study: Study, member: Member) -> None:
    root, ada = member("root"), member("ada")
    for role, changed in ((Role.VIEWER, True), (Role.VIEWER, False), (Role.EDITOR, True)):
        assert set_role(study=study, user=ada, role=role, now=later(), actor=root) is changed
    for changed in (True, False):
        assert remove_member(study=study, user=ada, now=later(), actor=root) is changed
    entries = AuditEntry.objects.filter(verb="member_changed").order_by("pk")
    assert [(entry.detail["before"], entry.detail["after"]) for entry in entries] == [
        ("", "viewer"),
        ("viewer", "editor"),
        ("editor", ""),
    ]
    assert {(entry.actor, entry.detail["user"]) for entry in entries} == {(root, "ada")}


def test_a_deactivated_account_gets_no_role(study: Study) -> None:
    eve = get_user_model().objects.create_user("eve", is_active=False)
    with pytest.raises(RefusedError, match=r"\beve\b"):
        set_role(study=study, user=eve, role=Role.OWNER, now=later())
    assert not Membership.objects.exists()


def test_a_role_alone_lets_people_use_the_console_and_see_their_studies_alone(study: Study) -> None:
    vera = get_user_model().objects.create_user("vera")
    make_study(slug="open", opened=False)
    assert not access.may_use_console(vera)
    set_role(study=study, user=vera, role=Role.VIEWER, now=later())
    assert access.may_use_console(vera)
    assert rights(vera, study) == "se"
    assert list(access.visible_studies(vera)) == [study]


@pytest.mark.parametrize("change", ["lower", "remove"])
def test_the_last_owner_stays_one(study: Study, member: Member, change: str) -> None:
    olga = member("olga", study, Role.OWNER)
    gone = member("gone", study, Role.OWNER)
    get_user_model().objects.filter(pk=gone.pk).update(is_active=False)

    def leave() -> None:
        if change == "lower":
            set_role(study=study, user=olga, role=Role.EDITOR, now=later())
        else:
            remove_member(study=study, user=olga, now=later())

    with pytest.raises(RefusedError, match=r"\bolga\b"):
        leave()
    assert study.memberships.get(user=olga).role == "owner"
    member("otto", study, Role.OWNER)
    leave()
    assert not study.memberships.filter(user=olga, role="owner").exists()


@pytest.mark.parametrize("role", ["viewer", "boss"])
def test_the_database_holds_one_known_role_a_user(study: Study, member: Member, role: str) -> None:
    ada = member("ada", study, Role.OWNER) if role == "viewer" else member("ada")
    with pytest.raises(IntegrityError):
        Membership.objects.create(study=study, user=ada, role=role)


def test_the_command_says_what_it_did(
    study: Study, member: Member, capsys: pytest.CaptureFixture[str]
) -> None:
    member("ada")
    for role in ("editor", "editor", "viewer", "none", "none"):
        call_command("member", "study", "ada", role)
    lines = capsys.readouterr().out.splitlines()
    assert_all_name(
        lines, *[("ada", "study", *role) for role in (["editor"], ["editor"], ["viewer"], [], [])]
    )
    assert len(set(lines)) == 5, "each says something else"


def test_the_command_refuses_a_user_there_is_not(study: Study) -> None:
    with pytest.raises(CommandError, match=r"\bada\b"):
        call_command("member", "study", "ada", "owner")
