"""Owners send invitations; each works once, until it expires or is cancelled, by e-mail or by its link."""

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils.html import escape

from judging.core.clock import now
from judging.core.services.errors import RefusedError
from judging.core.services.members import remove_member, set_role
from judging.limits import INVITATION
from judging.models import AuditEntry, Invitation, Membership, Role, SiteRole, Study
from judging.people.services.accounts import delete_account
from judging.people.services.invitations import accept, find_invitation, invite, revoke, token_of
from tests.factories import NOW, later, make_study
from tests.people.conftest import PASSWORD, People, browser_of, text_of, told
from tests.support.concurrent import at_once
from tests.support.named import assert_names
from tests.support.problems import problems_in

MEMBERS = "/console/studies/study/members/"


def send(user: AbstractBaseUser, address: str = MEMBERS, **form: str) -> Any:
    given = {"action": "invite", "email": "New@Example.org", "role": "editor", **form}
    return browser_of(user).post(address, given, follow=True)


def link_in(text: str) -> str:
    match = re.search(r"/console/invitations/[^\s<]+", text)
    assert match, text
    return match[0]


def new_account(link: str, name: str = "nora", client: Client | None = None) -> Any:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return (client or Client()).post(link, form, follow=True)


def test_an_owner_hands_a_link_over_and_who_follows_it_is_in(study: Study, people: People) -> None:
    answer = send(people["owner"])
    told(answer, "success", "new@example.org")
    link = link_in(text_of(answer))
    browser = Client()
    shown = text_of(browser.get(link))
    assert study.title in shown
    assert Role.EDITOR in shown
    answer = new_account(link, client=browser)
    assert answer.redirect_chain[-1] == ("/console/studies/study/", 302)
    assert answer.status_code == 200
    nora = get_user_model().objects.get(username="nora")
    assert (nora.email, nora.is_staff, nora.is_superuser) == ("new@example.org", False, False)
    assert study.memberships.get(user=nora).role == "editor"
    assert browser.get("/console/studies/other/").status_code == 404
    assert browser.get("/admin/", follow=True).status_code == 403
    assert link not in text_of(browser_of(people["owner"]).get(MEMBERS))


def test_with_e_mail_the_link_is_its_readers_alone(study: Study, people: People, with_mail: Any) -> None:
    answer = send(people["owner"])
    told(answer, "success", "new@example.org")
    assert "/console/invitations/" not in text_of(answer)
    (sent,) = mail.outbox
    assert sent.to == ["new@example.org"]
    assert study.title in sent.subject
    assert_names(sent.body, "owner", study.title, "editor")
    link = re.search(r"https://judging\.example\.org(/console/invitations/\S+)", sent.body)
    assert link
    assert new_account(link[1]).status_code == 200
    assert study.memberships.filter(user__username="nora").exists()


def test_e_mail_that_is_not_taken_leaves_the_link_to_hand_over(
    people: People, with_mail: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(message: object) -> None:
        raise ConnectionRefusedError("away")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    assert link_in(text_of(send(people["owner"])))
    assert Invitation.objects.get().emailed_at is None


def test_who_is_logged_in_accepts_with_one_button_and_needs_no_new_account(
    study: Study, people: People
) -> None:
    link = link_in(text_of(send(people["owner"])))
    browser = browser_of(people["stranger"])
    shown = text_of(browser.get(link))
    assert_names(shown, "stranger")
    assert "password1" not in shown
    assert browser.post(link, follow=True).status_code == 200
    assert study.memberships.get(user=people["stranger"]).role == "editor"


def test_an_account_without_any_role_logs_in_to_accept_and_only_then_uses_the_console(
    study: Study, people: People
) -> None:
    get_user_model().objects.create_user("eve", password=PASSWORD)
    link = link_in(text_of(send(people["owner"])))
    browser = Client()
    form = {"username": "eve", "password": PASSWORD}
    assert browser.post("/console/login/", form).context["form"].non_field_errors()
    assert browser.post("/console/login/", form | {"next": link}).url == link
    assert browser.get("/console/").status_code == 403
    assert browser.post(link, follow=True).status_code == 200
    assert browser.get("/console/studies/study/").status_code == 200


@pytest.mark.parametrize("end", ["used", "revoked", "expired", "forged", "cut"])
def test_a_link_is_good_no_more(study: Study, people: People, end: str) -> None:
    invitation = invite(
        study=study, email="new@example.org", role=Role.EDITOR, now=now(), actor=people["owner"]
    )
    link = f"/console/invitations/{token_of(invitation)}/"
    if end == "used":
        assert new_account(link).status_code == 200
    elif end == "revoked":
        revoke(invitation=invitation, now=now())
    elif end == "expired":
        Invitation.objects.update(expires_at=now() - timedelta(seconds=1))
    elif end == "forged":
        link = f"/console/invitations/{invitation.key}:aaaa/"
    else:
        link = f"/console/invitations/{token_of(invitation)[:-3]}/"
    for answer in (Client().get(link), new_account(link, "late")):
        assert answer.status_code == 404
    assert not get_user_model().objects.filter(username="late").exists()


def demote(study: Study, owner: Any) -> None:
    set_role(study=study, user=owner, role=Role.VIEWER, now=later())


def remove(study: Study, owner: Any) -> None:
    remove_member(study=study, user=owner, now=later())


def deactivate(study: Study, owner: Any) -> None:
    owner.is_active = False
    owner.save()


def delete(study: Study, owner: Any) -> None:
    delete_account(user=owner, now=later())


def delete_elsewhere(study: Study, owner: Any) -> None:
    owner.delete()  # as Django's admin does


@pytest.mark.parametrize("lose", [demote, remove, deactivate, delete, delete_elsewhere])
def test_who_loses_the_role_does_not_come_back_by_an_earlier_invitation(
    study: Study, people: People, lose: Callable[[Study, Any], None]
) -> None:
    set_role(study=study, user=people["editor"], role=Role.OWNER, now=NOW)
    invitation = invite(
        study=study, email="back-door@example.org", role=Role.OWNER, now=now(), actor=people["owner"]
    )
    link = f"/console/invitations/{token_of(invitation)}/"
    assert Client().get(link).status_code == 200
    lose(study, people["owner"])
    for answer in (Client().get(link), new_account(link, "late")):
        assert answer.status_code == 404
    with pytest.raises(RefusedError):
        accept(invitation=invitation, user=people["stranger"], now=now())
    assert not get_user_model().objects.filter(username="late").exists()
    assert not study.memberships.filter(user=people["stranger"]).exists()
    assert "back-door@example.org" not in text_of(browser_of(people["editor"]).get(MEMBERS))
    told(send(people["editor"], email="back-door@example.org"), "success", "back-door@example.org")


def test_an_admin_who_loses_the_rights_leaves_no_invitation_to_the_site(people: People) -> None:
    invitation = invite(
        study=None, email="back-door@example.org", role=SiteRole.ADMIN, now=now(), actor=people["admin"]
    )
    assert find_invitation(token_of(invitation), now=now()) == invitation
    get_user_model().objects.filter(pk=people["admin"].pk).update(is_superuser=False)
    assert find_invitation(token_of(invitation), now=now()) is None


def test_the_key_in_the_database_is_no_link(study: Study, people: People) -> None:
    invitation = invite(
        study=study, email="new@example.org", role=Role.EDITOR, now=NOW, actor=people["owner"]
    )
    assert find_invitation(token_of(invitation), now=later()) == invitation
    assert find_invitation(invitation.key, now=later()) is None
    assert find_invitation(token_of(invitation), now=NOW + INVITATION) is None


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_of_two_who_accept_at_once_one_is_in(database: str) -> None:
    study = make_study(opened=False)
    users = [get_user_model().objects.create_user(f"user-{number}") for number in range(2)]
    owner = get_user_model().objects.create_superuser("owner")
    invitation = invite(study=study, email="new@example.org", role=Role.EDITOR, now=NOW, actor=owner)

    def take(user: AbstractBaseUser) -> str:
        try:
            accept(invitation=invitation, user=user, now=later())
        except RefusedError:
            return "late"
        return "in"

    output = at_once([partial(take, user) for user in users])
    assert sorted(output) == ["in", "late"]
    assert study.memberships.count() == 1


def test_accepting_never_takes_away(study: Study, people: People) -> None:
    """An invitation as viewer does not take away a higher role, not even from the last owner."""
    invitation = invite(
        study=study, email="owner@example.org", role=Role.VIEWER, now=NOW, actor=people["owner"]
    )
    accept(invitation=invitation, user=people["owner"], now=later())
    assert study.memberships.get(user=people["owner"]).role == "owner"
    assert AuditEntry.objects.order_by("pk").last().verb == "invitation_accepted"


def test_a_deactivated_account_accepts_nothing(study: Study, people: People) -> None:
    gone = people["stranger"]
    gone.is_active = False
    for where, role in ((study, Role.VIEWER), (None, SiteRole.ADMIN)):
        invitation = invite(study=where, email="a@example.org", role=role, now=NOW, actor=people["admin"])
        with pytest.raises(RefusedError, match="deactivated"):
            accept(invitation=invitation, user=gone, now=later())
        invitation.refresh_from_db()
        assert invitation.accepted_at is None


@pytest.mark.parametrize("email", ["", "ada", "ada@", "a b@example.org"])
def test_what_is_no_address_is_told_and_kept(people: People, email: str) -> None:
    answer = send(people["owner"], email=email)
    assert answer.status_code == 400
    assert [field for field, _ in problems_in(text_of(answer))] == ["email"]
    assert f'value="{escape(email)}"' in text_of(answer)
    assert not Invitation.objects.exists()


def test_an_address_is_invited_once_at_a_time(study: Study, people: People) -> None:
    send(people["owner"])
    again = send(people["owner"], email="new@example.ORG")
    told(again, "error", "new@example.org")
    (first,) = Invitation.objects.all()
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(
            study=study,
            email=first.email,
            role="viewer",
            key="another",
            created_at=NOW,
            expires_at=later(),
        )
    answer = send(people["owner"], action="revoke", invitation=str(first.pk))
    told(answer, "success", first.email)
    told(send(people["owner"]), "success", first.email)
    Invitation.objects.filter(revoked_at=None).update(expires_at=NOW)
    told(send(people["owner"]), "success", first.email)
    assert Invitation.objects.count() == 3


@pytest.mark.parametrize("role", ["boss", "admin", "staff", ""])
def test_an_owner_gives_no_role_that_is_not_of_the_study(people: People, role: str) -> None:
    told(send(people["owner"], role=role), "error")
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(("study_given", "role"), [(True, "admin"), (False, "owner")])
def test_the_database_holds_roles_apart(study: Study, study_given: bool, role: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.create(
            study=study if study_given else None,
            email="a@example.org",
            role=role,
            key="k",
            created_at=NOW,
            expires_at=later(),
        )


@pytest.mark.parametrize("who", ["editor", "viewer", "stranger"])
def test_nobody_else_invites_or_takes_back(study: Study, people: People, who: str) -> None:
    invitation = invite(
        study=study, email="new@example.org", role=Role.VIEWER, now=NOW, actor=people["owner"]
    )
    for form in ({"email": "b@example.org"}, {"action": "revoke", "invitation": str(invitation.pk)}):
        assert send(people[who], **form).status_code in {403, 404}
    page = browser_of(people[who]).get(MEMBERS)
    assert "new@example.org" not in text_of(page)
    assert Invitation.objects.get().revoked_at is None


def test_an_owner_takes_back_no_invitation_to_another_study(study: Study, people: People) -> None:
    other = Study.objects.get(slug="other")
    foreign = invite(
        study=other, email="new@example.org", role=Role.VIEWER, now=NOW, actor=people["stranger"]
    )
    for key in (str(foreign.pk), "x", "0", ""):
        answer = send(people["owner"], action="revoke", invitation=key)
        told(answer, "error")
    foreign.refresh_from_db()
    assert foreign.revoked_at is None


@pytest.mark.parametrize(("role", "staff", "admin"), [("staff", True, False), ("admin", True, True)])
def test_an_admin_invites_to_the_site(people: People, role: str, staff: bool, admin: bool) -> None:
    page = text_of(send(people["admin"], "/console/people/", role=role))
    browser = Client()
    assert new_account(link_in(page), client=browser).redirect_chain[-1][0] == "/console/"
    nora = get_user_model().objects.get(username="nora")
    assert (nora.is_staff, nora.is_superuser) == (staff, admin)
    assert browser.get("/admin/", follow=True).status_code == (200 if admin else 403)
    verbs = AuditEntry.objects.filter(study=None).order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["invited", "invitation_accepted"]


def test_a_name_or_password_that_will_not_do_loses_nothing_typed(study: Study, people: People) -> None:
    invitation = invite(
        study=study, email="new@example.org", role=Role.EDITOR, now=now(), actor=people["owner"]
    )
    link = f"/console/invitations/{token_of(invitation)}/"
    taken = new_account(link, "owner")
    assert taken.status_code == 400
    assert list(taken.context["form"].errors) == ["username"]
    assert 'value="owner"' in text_of(taken)
    short = Client().post(link, {"username": "nora", "password1": "abc", "password2": "abc"})
    assert list(short.context["form"].errors) == ["password2"]
    assert not Membership.objects.filter(user__username="nora").exists()
    assert find_invitation(token_of(invitation), now=now())


def test_invitations_are_slowed_down(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    from judging.people.pages import inviting

    monkeypatch.setattr(inviting, "INVITATIONS", inviting.INVITATIONS._replace(most=2))
    for number in range(2):
        send(people["owner"], email=f"n{number}@example.org")
    told(send(people["owner"], email="n3@example.org"), "error")
    assert Invitation.objects.count() == 2
