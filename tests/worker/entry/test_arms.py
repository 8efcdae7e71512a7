"""A study with arms: the front gives each worker an arm at random, and the worker stays in it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from judging.core import access
from judging.core.selectors.arms import arms_of
from judging.core.services.errors import RefusedError
from judging.core.services.members import set_role
from judging.core.services.studies import close_study, open_study, pause_study
from judging.models import (
    Assignment,
    ErasedIdentity,
    Membership,
    Participation,
    PlatformIdentity,
    Role,
    Study,
    Unit,
)
from judging.protocol.judges import KINDS, PERSON
from judging.protocol.states import NoWork, ParticipationState, StudyState, UnitState
from judging.watching.services.workers import block_worker, erase_identity
from judging.worker.selectors.offer import no_work_at, range_of
from judging.worker.services.arrival import give_consent
from judging.worker.services.drawing import NoWorkError
from judging.worker.services.links import make_links
from tests.factories import NOW, judge_unit, later, make_arms, make_worker
from tests.support.concurrent import at_once
from tests.support.integrity import broken_invariants
from tests.support.visitor import Visitor, through_http
from tests.worker.pages.actions import come_back, consent, judge_all, practise, take_topic

NAMES = ("plain", "quick", "third")
ON_PLATFORM = {"platform": "generic", "id_parameter": "PID", "submission_parameter": "SID"}


@pytest.fixture(autouse=True)
def new_cache() -> None:
    cache.clear()


@pytest.fixture
def arms(db: None) -> list[Study]:
    return make_arms(*NAMES, seconds_per_document=0, own={"quick": {"numbers": "decimals"}})


def arrive(study: Study, **who: str) -> Participation:
    return give_consent(study=study, now=NOW, rng=Random(repr(sorted(who.items()))), **who)


def sound(arms: list[Study]) -> bool:
    return not [fault for arm in arms for fault in broken_invariants(arm)]


# --- the draw ----------------------------------------------------------------------------------------------


def test_every_arm_with_work_is_equally_likely(arms: list[Study]) -> None:
    rng = Random(5)
    drawn = Counter(give_consent(study=arms[0], now=NOW, rng=rng).study.arm for _ in range(300))
    assert set(drawn) == set(NAMES)
    # Four standard deviations of a share of one third of 300.
    assert all(abs(count - 100) < 33 for count in drawn.values())
    assert sound(arms)


@pytest.mark.parametrize("came_to", [0, 1, 2])
def test_an_arm_gives_nobody_an_arm_of_its_own_choice(arms: list[Study], came_to: int) -> None:
    drawn = {arrive(arms[came_to], arrival_key=f"key-{number}").study for number in range(40)}
    assert drawn == set(arms)


def test_an_arm_without_units_is_not_drawn(arms: list[Study]) -> None:
    Unit.objects.filter(topic__study__in=arms[:2]).update(state=UnitState.RETIRED)
    assert no_work_at(arms[0], now=NOW) is None
    drawn = {arrive(arms[0], arrival_key=f"key-{number}").study for number in range(20)}
    assert drawn == {arms[2]}
    Unit.objects.update(state=UnitState.RETIRED)
    assert no_work_at(arms[0], now=NOW) == NoWork.ALL_DONE
    with pytest.raises(NoWorkError):
        give_consent(study=arms[0], now=NOW, rng=Random(1), needs_unit=True)
    assert Participation.objects.count() == 20


def test_a_reason_that_passes_goes_before_one_that_stays(arms: list[Study]) -> None:
    Unit.objects.filter(topic__study=arms[0]).update(state=UnitState.RETIRED)
    Unit.objects.filter(topic__study__in=arms[1:]).update(state=UnitState.RESERVED)
    assert no_work_at(arms[0], now=NOW) == NoWork.RESERVED


# --- a person is in one arm --------------------------------------------------------------------------------


@pytest.mark.parametrize("came_to", [0, 1, 2])
def test_a_platform_id_has_one_participation_in_all_arms(came_to: int, db: None) -> None:
    arms = make_arms(*NAMES, **ON_PLATFORM)
    first = arrive(arms[0], platform_id="person", submission_id="visit 1")
    again = give_consent(
        study=arms[came_to], now=later(hours=1), rng=Random(9), platform_id="person", submission_id="visit 2"
    )
    assert again == first
    assert PlatformIdentity.objects.get().submissions.count() == 2
    assert sound(arms)


def test_the_same_form_sent_twice_begins_once(arms: list[Study]) -> None:
    rng = Random(3)
    workers = {give_consent(study=arms[0], now=NOW, rng=rng, arrival_key="form") for _ in range(6)}
    assert len(workers) == 1


def test_a_personal_link_has_one_participation_in_all_arms(db: None) -> None:
    arms = make_arms(*NAMES, entry="invite")
    links = make_links(study=arms[1], count=12, now=NOW, rng=Random(1))
    workers = [arrive(arms[0], link=link.token) for link in links]
    assert {worker.study for worker in workers} == set(arms)
    assert [arrive(arms[2], link=link.token) for link in links] == workers
    assert sound(arms)


def test_units_for_another_kind_of_judges_are_planned_in_all_arms(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assessor = replace(PERSON, name="assessor")
    monkeypatch.setitem(KINDS, assessor.name, assessor)
    arms = make_arms(*NAMES, entry="invite")
    (link,) = make_links(study=arms[0], count=1, now=NOW, rng=Random(1), kind=assessor)
    planned = [Unit.objects.filter(topic__study=arm, kind=assessor.name).count() for arm in arms]
    assert planned[0] > 0
    assert planned == [planned[0]] * 3
    assert arrive(arms[0], link=link.token).kind == assessor.name


def test_an_erased_id_cannot_start_in_any_arm(db: None) -> None:
    arms = make_arms(*NAMES, **ON_PLATFORM)
    worker = next(
        worker
        for number in range(30)
        if (worker := arrive(arms[0], platform_id=f"person {number}")).study != arms[0]
    )
    name = worker.identity.platform_id
    erase_identity(participation=worker, now=NOW)
    for arm in arms:
        with pytest.raises(RefusedError):
            arrive(arm, platform_id=name)
    close_study(study=arms[0], now=NOW)
    assert not ErasedIdentity.objects.exists()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("who", [{"platform_id": "person"}, {"arrival_key": "form"}])
def test_two_consents_at_once_are_one_participation(database: str, who: dict[str, str]) -> None:
    arms = make_arms(*NAMES, **(ON_PLATFORM if "platform_id" in who else {}))

    def begin(seed: int) -> Callable[[], Participation]:
        return lambda: give_consent(study=arms[0], now=NOW, rng=Random(seed), **who)

    workers = at_once([begin(seed) for seed in range(6)])
    assert len({worker.pk for worker in workers}) == 1
    assert Participation.objects.count() == 1
    assert sound(arms)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_one_link_used_twice_at_once_is_one_participation(database: str) -> None:
    arms = make_arms(*NAMES, entry="invite")
    (link,) = make_links(study=arms[0], count=1, now=NOW, rng=Random(1))

    def begin(seed: int) -> Callable[[], Participation]:
        return lambda: give_consent(study=arms[0], now=NOW, rng=Random(seed), link=link.token)

    assert len({worker.pk for worker in at_once([begin(seed) for seed in range(4)])}) == 1
    assert Participation.objects.count() == 1


# --- the pages, over real HTTP -----------------------------------------------------------------------------


@pytest.fixture
def newcomer(live_server: LiveServer) -> Callable[[], Visitor]:
    """A function that returns a new browser, which keeps cookies by their paths."""
    return lambda: Visitor(through_http(live_server.url))


def only_worker() -> Participation:
    return Participation.objects.select_related("study").get()


@pytest.mark.parametrize("arm", NAMES)
def test_a_worker_judges_a_whole_unit_in_the_arm(newcomer: Callable[[], Visitor], arm: str) -> None:
    real_arms(arm)
    visitor = newcomer()
    page = consent(visitor, "/s/study/")
    worker = only_worker()
    assert worker.study.arm == arm
    assert page.step == "instructions"
    assert visitor.seen[-1].url.startswith(f"/s/{worker.study.slug}/")
    practise(visitor)
    take_topic(visitor, worker)
    assert judge_all(visitor, worker).step == "units"
    assert Assignment.objects.get(state="completed").topic.study == worker.study
    assert not broken_invariants(worker.study)


def real_arms(only: str = "", **settings: object) -> list[Study]:
    """Open arms at the present time. With `only`, the other arms have no units left."""
    arms = make_arms(*NAMES, seconds_per_document=0, **settings)
    others = [arm for arm in arms if only and arm.arm != only]
    Unit.objects.filter(topic__study__in=others).update(state=UnitState.RETIRED)
    return arms


@pytest.mark.parametrize("arm", NAMES)
def test_the_cookie_leads_back_from_every_address(newcomer: Callable[[], Visitor], arm: str) -> None:
    arms = real_arms(arm)
    visitor = newcomer()
    consent(visitor, "/s/study/")
    worker = only_worker()
    for address in [f"/s/{other.slug}/" for other in arms] + ["/s/study/judge/", "/s/study/practice/"]:
        page = visitor.open(address)
        assert page.step == "instructions", address
        assert visitor.seen[-1].url.startswith(f"/s/{worker.study.slug}/")
    assert only_worker() == worker


@pytest.mark.parametrize("arm", NAMES)
def test_the_resume_link_works_in_another_browser_and_at_every_arm(
    newcomer: Callable[[], Visitor], arm: str
) -> None:
    arms = real_arms(arm)
    consent(newcomer(), "/s/study/")
    worker = only_worker()
    for other in arms:
        visitor = newcomer()
        page = visitor.open(f"/s/{other.slug}/resume/{worker.token}/")
        assert page.step == "instructions"
        assert visitor.open("/s/study/").step == "instructions"
        assert visitor.seen[-1].url.startswith(f"/s/{worker.study.slug}/")
    assert only_worker() == worker


@pytest.mark.parametrize("arm", NAMES)
def test_a_platform_id_leads_to_the_arm_from_every_address(newcomer: Callable[[], Visitor], arm: str) -> None:
    arms = real_arms(arm, **ON_PLATFORM)
    consent(newcomer(), "/s/study/?PID=person&SID=visit-1")
    worker = only_worker()
    Unit.objects.update(state=UnitState.OPEN)
    for number, other in enumerate(arms, start=2):
        page = come_back(newcomer(), f"/s/{other.slug}/?PID=person&SID=visit-{number}")
        assert page.step == "instructions", other.slug
    assert only_worker() == worker
    assert PlatformIdentity.objects.get().submissions.count() == 4


def test_a_further_arm_sends_a_new_visitor_to_the_front_with_the_ids(
    newcomer: Callable[[], Visitor],
) -> None:
    real_arms(**ON_PLATFORM)
    visitor = newcomer()
    page = visitor.open("/s/study-third/?PID=person&SID=visit")
    assert visitor.seen[-1].url == "/s/study/?PID=person&SID=visit"
    assert page.forms
    assert visitor.send(consent="yes").step == "instructions"
    assert PlatformIdentity.objects.get().platform_id == "person"


def test_a_refusal_stores_nothing(newcomer: Callable[[], Visitor]) -> None:
    real_arms()
    visitor = newcomer()
    visitor.open("/s/study/")
    visitor.send(consent="no")
    assert not any(reply.cookies for reply in visitor.seen)
    assert not Participation.objects.exists()


def test_personal_links_work_through_every_address(newcomer: Callable[[], Visitor]) -> None:
    arms = real_arms(entry="invite")
    links = make_links(study=arms[0], count=3, now=NOW, rng=Random(1))
    for link, arm in zip(links, arms, strict=True):
        visitor = newcomer()
        assert consent(visitor, f"/s/{arm.slug}/?invite={link.token}").step == "instructions"
        assert newcomer().open(f"/s/{arm.slug}/?invite={link.token}").step == "instructions"
    assert Participation.objects.count() == 3


def test_a_blocked_worker_is_blocked_at_every_address(newcomer: Callable[[], Visitor]) -> None:
    arms = real_arms("quick", **ON_PLATFORM)
    consent(newcomer(), "/s/study/?PID=person&SID=visit")
    worker = only_worker()
    Unit.objects.update(state=UnitState.OPEN)
    block_worker(participation=worker, now=NOW)
    for arm in arms:
        visitor = newcomer()
        page = come_back(visitor, f"/s/{arm.slug}/?PID=person&SID=visit")
        assert page.step == "end"
    assert only_worker().state == ParticipationState.BLOCKED


def test_without_work_in_any_arm_the_front_says_so(newcomer: Callable[[], Visitor]) -> None:
    real_arms("none")
    page = newcomer().open("/s/study/")
    assert not page.forms
    assert "all_done" in page.html


# --- what people read before consent -----------------------------------------------------------------------


def test_the_offer_is_the_range_over_all_arms(db: None, visitor: Visitor) -> None:
    arms = make_arms(
        "plain",
        "dear",
        pay_per_unit="0.20",
        expected_minutes=10,
        consent="You get {pay} for about {minutes} minutes.",
        own={"dear": {"pay_per_unit": "0.30", "expected_minutes": 12, "seconds_per_document": 5}},
    )
    offer = range_of(arms[0])
    assert not offer.is_one
    assert (offer.least.pay, offer.most.pay) == (Decimal("0.20"), Decimal("0.30"))
    assert (offer.least.unit_minutes, offer.most.unit_minutes) == (10, 12)
    assert (offer.least.seconds, offer.most.seconds) == (5, 20)
    page = visitor.open("/s/study/").text
    for text in ("0.20 to 0.30 USD", "10 to 12", "5 to 20 seconds", "0.40 to 0.60 USD"):
        assert text in page, text
    assert "0.20 USD to 0.30 USD for about 10 to 12 minutes" in page


def test_arms_that_offer_the_same_show_no_range(db: None, visitor: Visitor) -> None:
    arms = make_arms("plain", "same", pay_per_unit="0.20", own={"same": {"numbers": "decimals"}})
    assert range_of(arms[0]).is_one
    assert "0.20 USD, about 1.20 USD an hour" in visitor.open("/s/study/").text


# --- opening, pausing, closing -----------------------------------------------------------------------------


def test_all_arms_open_pause_and_close_together(db: None) -> None:
    arms = make_arms(*NAMES, opened=False)

    def states() -> set[str]:
        return set(Study.objects.values_list("state", flat=True))

    for act, after in [
        (open_study, StudyState.OPEN),
        (pause_study, StudyState.PAUSED),
        (open_study, StudyState.OPEN),
        (close_study, StudyState.CLOSED),
    ]:
        for arm in arms[1:]:
            before = states()
            with pytest.raises(RefusedError, match="study-"):
                act(study=arm, now=NOW)
            assert states() == before
        act(study=arms[0], now=NOW)
        assert states() == {after}


def test_an_arm_that_cannot_open_keeps_all_closed(db: None) -> None:
    arms = make_arms(*NAMES, opened=False)
    arms[2].topics.order_by("place")[0].question.delete()
    with pytest.raises(RefusedError, match="third"):
        open_study(study=arms[0], now=NOW)
    assert set(Study.objects.values_list("state", flat=True)) == {StudyState.DRAFT}
    assert not Unit.objects.exists()


def test_the_check_covers_all_arms(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    arms = make_arms(*NAMES, opened=False)
    call_command("check_study", "study")
    assert [f"Arm {name} " in capsys.readouterr().out for name in NAMES[:1]] == [True]
    arms[2].topics.order_by("place")[0].question.delete()
    with pytest.raises(CommandError, match="third"):
        call_command("check_study", "study")


def test_a_forced_close_cancels_in_all_arms(arms: list[Study]) -> None:
    workers = [make_worker(arms[0], upto="judging", rng=Random(number)) for number in range(12)]
    assert {worker.study for worker in workers} == set(arms)
    assert len(close_study(study=arms[0], now=later(60), force=True)) == 12
    assert sound(arms)


def test_the_arms_share_the_spending_limit(db: None) -> None:
    arms = make_arms(*NAMES, pay_per_unit="1.00", spending_limit="2.00", seconds_per_document=0)
    workers = [make_worker(arms[0], rng=Random(number)) for number in range(20)]
    by_arm = {worker.study.arm: worker for worker in workers}
    assert len(by_arm) == 3
    judge_unit(by_arm["plain"], now=NOW)
    judge_unit(by_arm["quick"], now=later(hours=1))
    assert no_work_at(arms[0], now=later(hours=2)) == NoWork.MONEY


def test_deleting_the_front_deletes_the_arms(db: None) -> None:
    arms = make_arms(*NAMES, opened=False)
    arms[0].delete()
    assert not Study.objects.exists()


def test_the_members_of_the_front_are_those_of_all_arms(arms: list[Study], django_user_model: type) -> None:
    user = django_user_model.objects.create_user("ada")
    set_role(study=arms[2], user=user, role=Role.OWNER, now=NOW)
    assert Membership.objects.get().study == arms[0]
    assert set(access.visible_studies(user)) == set(arms)
    assert all(access.may_pay(user, arm) for arm in arms_of(arms[0]))
