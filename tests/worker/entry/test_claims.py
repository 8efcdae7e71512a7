"""Whoever types another person's id into a link moves nothing, ends nothing, and learns no personal link."""

from datetime import timedelta
from decimal import Decimal

import pytest

from judging.core.published.payments import payment_rows
from judging.core.selectors.visits import visits_of
from judging.core.services.studies import close_study
from judging.models import ErasedIdentity, Event, Participation, PlatformSubmission, Study
from judging.platforms.selectors.visits import paid_visits
from judging.platforms.services.submissions import note_status
from judging.watching.services.workers import block_worker, erase_identity
from judging.worker.pages.identity import STARTED
from tests.factories import NOW, judge_unit, later, live_assignment, make_study, make_worker
from tests.platforms.conftest import prolific_study
from tests.support.rows import row_counts
from tests.support.visitor import Visitor, through_client
from tests.worker.pages.actions import come_back, consent, judge_all, practise, take_topic
from tests.worker.pages.conftest import Clock

LINK = "/s/study/?PROLIFIC_PID={}&SESSION_ID={}&STUDY_ID=study-1"
OWN, MADE_UP = LINK.format("P1", "S1"), LINK.format("P1", "made-up")


@pytest.fixture
def study(clock: Clock) -> Study:
    return prolific_study(topics=4, seconds_per_document=0, pay_per_unit="0.20")


@pytest.fixture
def owner(study: Study) -> Visitor:
    """The worker P1, who has practised and waits for a unit."""
    visitor = newcomer()
    consent(visitor, OWN)
    practise(visitor)
    return visitor


def newcomer() -> Visitor:
    return Visitor(through_client())


def worker_of(person: str = "P1") -> Participation:
    return Participation.objects.get(identity__platform_id=person)


def visits() -> dict[str, bool]:
    """The submissions, and whether each is proven."""
    return {row.submission_id: not row.claim for row in PlatformSubmission.objects.all()}


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_opening_a_link_with_a_known_id_writes_nothing(owner: Visitor, method: str) -> None:
    before = row_counts()
    for name in ("S1", "made-up", "made-up too"):
        stranger = newcomer()
        reply = stranger.request(method, LINK.format("P1", name))
        assert (reply.status, reply.cookies) == (200, [])
    assert row_counts() == before
    assert visits() == {"S1": True}


def test_the_owners_browser_needs_no_button_in_the_same_visit_and_one_in_a_new_one(owner: Visitor) -> None:
    assert owner.open(OWN).step == "task"
    assert owner.open(LINK.format("P1", "S2")).told() == ["come_back"]
    assert visits() == {"S1": True}
    assert owner.send(**{"continue": "yes"}).step == "task"
    assert visits() == {"S1": True, "S2": True}


def test_the_secret_of_a_visit_proves_its_worker(owner: Visitor) -> None:
    phone = newcomer()
    assert come_back(phone, OWN).step == "task"
    assert phone.open("/s/study/withdraw/").status == 200
    assert visits() == {"S1": True}


def test_a_browser_with_a_claim_can_prove_itself_later_by_the_secret_of_a_visit(owner: Visitor) -> None:
    phone = newcomer()
    come_back(phone, LINK.format("P1", "S2"))
    assert phone.open("/s/study/withdraw/").status == 403
    assert phone.open(OWN).told() == ["come_back"]
    phone.send(**{"continue": "yes"})
    assert phone.open("/s/study/withdraw/").status == 200


def test_a_claim_moves_no_visit_of_its_worker(owner: Visitor, clock: Clock) -> None:
    clock.move(minutes=1)
    assert come_back(newcomer(), MADE_UP).step == "task"
    clock.move(minutes=1)
    take_topic(owner, worker_of())
    page = judge_all(owner, worker_of())
    assert "completed" in page.told()
    first, claimed = visits_of(worker_of())
    assert (first.total, claimed.total) == (Decimal("0.20"), 0)
    paid = {visit.submission.submission_id: bool(visit.reward) for visit in paid_visits(worker_of().study)}
    assert paid == {"S1": True, "made-up": False}
    assert [row.submission_id for row in payment_rows(worker_of().study)] == ["S1"]
    assert any("complete?cc=" in href for href in owner.open("/s/study/pay/").links())


def test_who_comes_with_nothing_but_an_id_is_paid_for_the_visit(owner: Visitor, clock: Clock) -> None:
    clock.move(hours=1)
    phone = newcomer()
    come_back(phone, LINK.format("P1", "S2"))
    take_topic(phone, worker_of())
    page = judge_all(phone, worker_of())
    assert any("complete?cc=" in href for href in page.links())
    assert visits() == {"S1": True, "S2": False}
    _, second = visits_of(worker_of())
    assert second.reward is not None
    assert [row.submission_id for row in payment_rows(worker_of().study)] == ["S2"]


def test_a_claim_ends_nothing_and_shows_no_personal_link(owner: Visitor) -> None:
    worker = worker_of()
    owner.send("next")
    stranger = newcomer()
    page = come_back(stranger, MADE_UP)
    assert page.step == "topic"
    assert page.presses() == ["next"]
    number = live_assignment(worker).number
    address = f"/s/study/topic/{number}/"
    form = {"action": "return", "number": str(number)} | {
        name: value for name, value in stranger.page.forms[0].hidden.items() if "csrf" in name
    }
    assert stranger.post(address, form).told() == ["not_proven"]
    assert live_assignment(worker).state == "question"
    assert stranger.open("/s/study/withdraw/").status == 403
    assert stranger.post("/s/study/withdraw/", form | {"action": "next"}).told() == ["not_proven"]
    worker.refresh_from_db()
    assert worker.state == "ready"
    judged = judge_unit(make_worker(worker.study, platform_id="other"))
    assert judged.state == "completed"
    for address in ("/s/study/", "/s/study/pay/", f"/s/study/?{STARTED}=yes"):
        stranger.open(address)
    sent = b"".join(reply.body + reply.url.encode() for reply in stranger.seen)
    assert worker.token.encode() not in sent


def test_a_claim_may_end_what_it_began(owner: Visitor) -> None:
    phone = newcomer()
    come_back(phone, MADE_UP)
    take_topic(phone, worker_of())
    phone.send("return")
    assert live_assignment(worker_of()).state == "returned"


def test_the_personal_link_proves_a_claim(owner: Visitor) -> None:
    phone = newcomer()
    come_back(phone, LINK.format("P1", "S2"))
    phone.open(f"/s/study/resume/{worker_of().token}/")
    come_back(phone, LINK.format("P1", "S2"))
    assert phone.open("/s/study/withdraw/").status == 200
    assert visits() == {"S1": True, "S2": True}


def test_a_platform_that_ends_a_claimed_visit_leaves_the_workers_unit(owner: Visitor, clock: Clock) -> None:
    owner.send("next")
    come_back(newcomer(), MADE_UP)

    def end(submission: str) -> str:
        return note_status(
            platform="prolific",
            submission=submission,
            worker="P1",
            status="RETURNED",
            sent_at=clock.now,
            freeing=["RETURNED"],
            now=clock.now,
        )

    assert end("made-up") == "noted"
    assert live_assignment(worker_of()).live
    assert end("S1") == "freed"


def test_an_mturk_frame_proves_no_worker_id(clock: Clock) -> None:
    make_study(platform="mturk", seconds_per_document=0)
    worker = make_worker(Study.objects.get(), platform_id="W1", submission_id="A1")
    stranger = newcomer()
    frame = "/s/study/?assignmentId={}&hitId=H1&workerId=W1"
    for name, proven in (("A9", False), ("A1", True)):
        (link,) = (href for href in stranger.open(frame.format(name)).links() if "enter=" in href)
        visitor = newcomer()
        assert come_back(visitor, link).step == "task"
        assert (visitor.open("/s/study/withdraw/").status == 200) is proven
    worker.refresh_from_db()
    assert worker.state == "ready"


def test_a_worker_with_a_cookie_brings_a_new_assignment(clock: Clock) -> None:
    study = make_study(platform="mturk", seconds_per_document=0)
    worker = make_worker(study, platform_id="W1", submission_id="A1")
    visitor = newcomer()
    visitor.open(f"/s/study/resume/{worker.token}/")
    (link,) = (
        href
        for href in newcomer().open("/s/study/?assignmentId=A2&hitId=H2&workerId=W1").links()
        if "enter=" in href
    )
    assert come_back(visitor, link).step == "task"
    assert visits() == {"A1": True, "A2": True}


# --- erased ids ---------------------------------------------------------------------------------------------


def test_an_erased_id_stays_shut_out_until_the_study_is_closed(owner: Visitor, study: Study) -> None:
    worker = worker_of()
    block_worker(participation=worker, now=NOW)
    erase_identity(participation=worker, now=NOW)
    assert newcomer().open(LINK.format("P1", "S9")).status == 403
    assert newcomer().post(LINK.format("P1", "S9"), {"consent": "yes"}).status == 403
    assert Participation.objects.count() == 1
    assert consent(newcomer(), LINK.format("P2", "S2")).step == "instructions"
    (row,) = ErasedIdentity.objects.all()
    assert "P1" not in row.id_hash
    other = prolific_study(slug="other", seconds_per_document=0, pay_per_unit="0.20")
    assert consent(newcomer(), LINK.format("P1", "S1").replace("study/?", "other/?")).step == "instructions"
    close_study(study=other, now=later())
    assert ErasedIdentity.objects.count() == 1
    close_study(study=study, now=later())
    assert not ErasedIdentity.objects.exists()


def test_nothing_links_an_erased_worker_to_others_in_the_browser(study: Study, clock: Clock) -> None:
    visitor = newcomer()
    for number, person in enumerate(("P1", "P2", "P3")):
        clock.set(NOW + timedelta(minutes=number))
        consent(visitor, LINK.format(person, f"S{number}"))
    first, second, third = (worker_of(person) for person in ("P1", "P2", "P3"))
    assert (second.same_browser, third.same_browser) == (first, second)
    erase_identity(participation=second, now=later())
    assert not Participation.objects.exclude(same_browser=None).exists()
    assert not Event.objects.filter(kind="same_browser").exists()
