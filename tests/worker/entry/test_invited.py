"""`entry = "invite"`: only a personal link lets somebody begin, and each of them one participation."""

import hashlib
from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from django.core.management import CommandError, call_command

from judging.core.services.errors import RefusedError
from judging.core.services.studies import pause_study
from judging.limits import MOST_LINKS
from judging.models import AuditEntry, Participation, Study, Unit, WorkerLink
from judging.protocol.judges import KINDS, SIMULATED
from judging.watching.services.workers import erase_identity
from judging.worker.pages.refusals import BAD_LINK, NO_LINK
from judging.worker.selectors.links import LinkCounts, count_links
from judging.worker.services.arrival import give_consent
from judging.worker.services.links import cancel_links, make_links
from tests.factories import NOW, later, make_study
from tests.support.concurrent import at_once
from tests.support.named import assert_names
from tests.support.visitor import Visitor, through_client
from tests.worker.entry.conftest import everything_stored, links
from tests.worker.pages.actions import consent, practise

NO_ENTRY = "This link does not open the study"


def newcomer() -> Visitor:
    return Visitor(through_client())


def test_without_a_link_nobody_begins(invited: Study, visitor: Visitor) -> None:
    for address in ("/s/study/", "/s/study/?invite=", "/s/study/?PID=person"):
        page = visitor.open(address)
        assert (page.status, page.forms) == (403, [])
        assert NO_ENTRY in page.text
        assert str(NO_LINK.reason) in page.text
        assert "study@example.org" in page.text
        assert visitor.post(address, {"consent": "yes"}).status == 403
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()


def test_a_link_lets_one_person_begin_who_must_still_consent(invited: Study, visitor: Visitor) -> None:
    (link,) = links(invited)
    assert "I agree" in visitor.open(link).html
    assert not Participation.objects.exists()
    assert not WorkerLink.objects.exclude(used_at=None).exists()
    assert visitor.send(consent="yes").step == "instructions"
    worker = Participation.objects.get()
    assert WorkerLink.objects.get().participation == worker
    assert visitor.open("/s/study/").step == "instructions", "the cookie goes on without the link"


def test_opened_again_elsewhere_it_goes_on_with_the_same_participation(
    invited: Study, visitor: Visitor
) -> None:
    (link,) = links(invited)
    consent(visitor, link)
    practise(visitor)
    other = newcomer()
    assert other.open(link).step == "task"
    assert any("plumbline_study=" in cookie for cookie in other.seen[0].cookies)
    assert other.post(link, {"consent": "yes"}).step == "task"
    assert Participation.objects.count() == 1


def test_two_who_read_the_sheet_by_one_link_are_one_participation(invited: Study) -> None:
    (link,) = links(invited)
    first, second = newcomer(), newcomer()
    first.open(link)
    second.open(link)
    assert first.send(consent="yes").step == "instructions"
    assert second.send(consent="yes").step == "instructions"
    assert Participation.objects.count() == 1


def test_links_are_parted_from_each_other_and_from_other_studies(invited: Study) -> None:
    other = make_study(slug="other", entry="invite")
    for link in links(invited, 2):
        consent(newcomer(), link)
    assert Participation.objects.count() == 2
    (link,) = links(other)
    assert newcomer().open(link.replace("/other/", "/study/")).status == 403


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "x", lambda t: t.upper(), lambda t: "é" + t]
)
def test_a_link_that_was_cut_or_changed_is_none(
    invited: Study, visitor: Visitor, change: Callable[[str], str]
) -> None:
    (link,) = links(invited)
    address, _, token = link.partition("=")
    page = visitor.open(f"{address}={change(token)}")
    assert page.status == 403
    assert str(BAD_LINK.reason) in page.text


def test_only_hashes_are_stored(invited: Study, visitor: Visitor) -> None:
    (link,) = links(invited)
    consent(visitor, link)
    token = link.partition("=")[2]
    stored = everything_stored()
    assert token not in stored
    assert hashlib.sha256(token.encode()).hexdigest() in stored


def test_links_taken_back_let_nobody_in_and_leave_who_is_in(invited: Study) -> None:
    used, unused = links(invited, 2)
    consent(newcomer(), used)
    assert cancel_links(study=invited, now=later()) == 1
    assert cancel_links(study=invited, now=later()) == 0
    assert newcomer().open(unused).status == 403
    assert newcomer().open(used).step == "instructions"
    assert count_links(invited) == LinkCounts(made=2, used=1, taken_back=1)
    assert AuditEntry.objects.filter(verb="links_taken_back").count() == 1


def test_who_is_forgotten_cannot_be_found_by_the_link_nor_come_again(invited: Study) -> None:
    (link,) = links(invited)
    consent(newcomer(), link)
    erase_identity(participation=Participation.objects.get(), now=later())
    assert not WorkerLink.objects.exclude(participation=None).exists()
    assert newcomer().open(link).status == 403
    assert newcomer().post(link, {"consent": "yes"}).status == 403
    assert Participation.objects.count() == 1


def test_a_study_that_gives_out_no_work_burns_no_link(invited: Study, visitor: Visitor) -> None:
    (link,) = links(invited)
    visitor.open(link)
    pause_study(study=invited, now=later())
    assert visitor.send(consent="yes").status == 409
    assert count_links(invited).left == 1


def test_the_service_lets_nobody_in_without_a_good_link(invited: Study) -> None:
    for link in ("", "made-up"):
        with pytest.raises(RefusedError):
            give_consent(study=invited, now=NOW, rng=Random(1), link=link, platform_id="p")
    worker = give_consent(
        study=make_study(slug="trial", entry="invite", simulated=True),
        now=NOW,
        rng=Random(2),
        kind=SIMULATED,
        behaviour="careful",
    )
    assert worker.kind == "simulated", "a rehearsal needs no links"


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_two_who_consent_at_the_same_moment_are_one(database: str) -> None:
    study = make_study(entry="invite")
    token = make_links(study=study, count=1, now=NOW, rng=Random(1))[0].token
    result = at_once(
        [partial(give_consent, study=study, now=NOW, rng=Random(seed), link=token) for seed in range(6)]
    )
    assert len({item.pk for item in result}) == 1
    assert Participation.objects.count() == 1


# --- making them by command --------------------------------------------------------------------------------


def test_the_command_prints_links_that_work(
    invited: Study, capsys: pytest.CaptureFixture[str], visitor: Visitor
) -> None:
    call_command("invite_workers", "study", count=3, site="https://judging.example.org/")
    printed = capsys.readouterr().out.split()
    assert len(set(printed)) == 3
    assert consent(visitor, printed[1].removeprefix("https://judging.example.org")).step == "instructions"
    call_command("invite_workers", "study")
    assert list(WorkerLink.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    entries = list(AuditEntry.objects.filter(verb="links_made").values_list("detail", flat=True))
    assert entries == [{"count": 3, "first": 1}, {"count": 1, "first": 4}]
    assert not any(link.partition("=")[2] in str(entries) for link in printed)


def test_it_refuses_what_makes_no_sense(invited: Study) -> None:
    for count in (0, -1, MOST_LINKS + 1):
        with pytest.raises(CommandError, match="5000"):
            call_command("invite_workers", "study", count=count)
    make_study(slug="plain")
    with pytest.raises(CommandError, match="invite"):
        call_command("invite_workers", "plain")
    assert not WorkerLink.objects.exists()


def test_links_for_another_kind_need_an_open_study_and_a_kind_with_a_browser(invited: Study) -> None:
    for kind in ("machine", "simulated"):
        with pytest.raises(RefusedError) as refused:
            make_links(study=invited, count=1, now=NOW, rng=Random(1), kind=KINDS[kind])
        assert_names(str(refused.value), kind, invited.slug)
    assert not WorkerLink.objects.exclude(kind="person").exists()
    assert not Unit.objects.exclude(kind="person").exists()


def test_judgments_are_only_for_another_kind(invited: Study) -> None:
    with pytest.raises(CommandError, match="--judgments"):
        call_command("invite_workers", invited.slug, "--judgments", "2")
