"""One tour through every page that a worker can ever see, for tests of what must hold on all of them."""

from django.core.cache import cache

from judging.core.services.pace import ARRIVALS_FROM_ADDRESS, Pace
from judging.core.services.studies import close_study
from judging.models import Participation, Study
from judging.protocol.platforms.mturk import NOT_ACCEPTED
from judging.protocol.scales import SCALES
from judging.watching.services.workers import block_worker
from judging.worker.services.lapse import expire_assignments
from tests.factories import (
    Way,
    answer_wrongly,
    fail_practice,
    inverted,
    judge_unit,
    live_assignment,
    make_study,
    make_worker,
)
from tests.support.visitor import Reply, Visitor, through_client
from tests.worker.pages.actions import come_back, consent, judge, judge_all, measure_lines, take_topic
from tests.worker.pages.conftest import Clock

PLATFORM = {
    "platform": "generic",
    "id_parameter": "PID",
    "submission_parameter": "SID",
    "completion_url": "https://platform.example/done?cc={code}&sub={submission}",
    "no_work_url": "https://platform.example/no-work",
    "screen_out_url": "https://platform.example/screened",
}


def tour_study(**settings: object) -> Study:
    """A study with one unit to each of its six topics, on a crowd platform."""
    return make_study(topics=6, judgments_per_document=1, pay_per_unit="0.20", **PLATFORM | settings)


def tour(study: Study, clock: Clock) -> list[Reply]:
    """Every reply of a tour through `study`, which must be fresh from `tour_study`."""
    seen = [*_outside(study), *_turned_away(study), *_inside(study, clock), *_ends(study, clock)]
    close_study(study=study, now=clock.now)
    study.refresh_from_db()
    return [*seen, *_outside(study), *_framed(), *_paid(), *_scales(clock)]


def _scales(clock: Clock) -> list[Reply]:
    """The practice and the first page of a unit on each scale, with a passage to mark."""
    seen: list[Reply] = []
    judged = [scale for scale in SCALES.values() if scale.judging is not None]
    for place, scale in enumerate(judged):
        study = make_study(slug=f"scale-{place}", topics=1, scale=scale.name, highlights="optional")
        steps: tuple[Way, Way] = ("practising", "judging")
        for upto in steps:
            worker = make_worker(study, upto=upto, now=clock.now)
            visitor = Visitor(through_client())
            visitor.open(f"/s/{study.slug}/resume/{worker.token}/")
            seen += visitor.seen
    return seen


def _paid() -> list[Reply]:
    """The page about the pay of a worker who came by a plain link, with a code for each unit."""
    study = make_study(slug="paid", topics=1, pay_per_unit="0.20")
    worker = make_worker(study)
    judge_unit(worker)
    visitor = Visitor(through_client())
    visitor.open(f"/s/{study.slug}/resume/{worker.token}/")
    visitor.open(f"/s/{study.slug}/pay/")
    return visitor.seen


def _framed() -> list[Reply]:
    """What a platform's frame shows: before, during and after a unit, and if there will be none."""
    study = make_study(slug="framed", topics=1, practice_attempts=1, platform="mturk")
    stranger = Visitor(through_client())
    address = f"/s/{study.slug}/?assignmentId="
    stranger.open(f"{address}{NOT_ACCEPTED}")
    done = make_worker(study, platform_id="done", submission_id="A-done")
    make_worker(study, platform_id="begun", submission_id="A-begun")
    fail_practice(make_worker(study, platform_id="out", submission_id="A-out", upto="practising"))
    judge_unit(done)
    for name in ("new", "begun", "done", "out"):
        stranger.open(f"{address}A-{name}&workerId={name}")
    return stranger.seen


def _outside(study: Study) -> list[Reply]:
    stranger = Visitor(through_client())
    stranger.open("/")
    stranger.open("/s/no-such-study/")
    for address in (
        f"/s/{study.slug}/?PID={{{{%PID%}}}}",
        f"/s/{study.slug}/",
        f"/s/{study.slug}/?PID=stranger",
    ):
        stranger.open(address)
        stranger.post(address, {})
        stranger.post(address, {"consent": "no"})
    stranger.post(f"/s/{study.slug}/judge/", {"magnitude": "5", "justification": "No token."})
    stranger.open(f"/s/{study.slug}/judge/1/0/")
    if study.state == "closed":
        stranger.post(address, {"consent": "yes"})
    return stranger.seen


def _turned_away(study: Study) -> list[Reply]:
    """Somebody who is one too many from an address, and somebody by a link without its signature."""
    stranger = Visitor(through_client())
    address, pace = f"/s/{study.slug}/?PID=late", Pace(*ARRIVALS_FROM_ADDRESS)
    cache.set(pace._key("127.0.0.1"), pace.most, pace.seconds)
    stranger.post(address, {"consent": "yes"})
    pace.forget("127.0.0.1")
    Study.objects.filter(pk=study.pk).update(entry="signed")
    stranger.open(address)
    Study.objects.filter(pk=study.pk).update(entry="open")
    return stranger.seen


def _inside(study: Study, clock: Clock) -> list[Reply]:
    """The way of one worker, who meets every fault and every end of a unit but one."""
    visitor = Visitor(through_client())
    consent(visitor, f"/s/{study.slug}/?PID=worker&SID=visit")
    worker = Participation.objects.get(study=study, identity__platform_id="worker")
    _practise_badly(visitor)
    measure_lines(visitor)
    _choose_nothing_and_wrongly(visitor, worker)
    take_topic(visitor, worker)
    _judge_with_every_fault(visitor, worker, clock)
    take_topic(visitor, worker)
    visitor.send("return")
    take_topic(visitor, worker)
    _lapse(visitor, worker, clock)
    visitor.open(f"/s/{study.slug}/withdraw/")
    visitor.send("back")
    visitor.open(f"/s/{study.slug}/withdraw/")
    visitor.send("next")
    return visitor.seen


def _practise_badly(visitor: Visitor) -> None:
    visitor.send("next")
    visitor.send("next", magnitude="none")
    for _ in range(3):
        visitor.send("next", magnitude="5")


def _choose_nothing_and_wrongly(visitor: Visitor, worker: Participation) -> None:
    visitor.send("next")
    visitor.send("next")
    answer_wrongly(worker)
    visitor.open(f"/s/{worker.study.slug}/")


def _judge_with_every_fault(visitor: Visitor, worker: Participation, clock: Clock) -> None:
    visitor.send("next", magnitude="1,000")
    old = visitor.filled(visitor.page.forms[0], "next", magnitude="66", justification="An old form.")
    judge(visitor, worker)
    visitor.post(visitor.page.path, old)
    visitor.open(f"/s/{worker.study.slug}/")
    visitor.send("back")
    judge_all(visitor, worker, magnitude=inverted, between=lambda: clock.move(seconds=20))
    visitor.send("finish")
    while live_assignment(worker).cursor:
        visitor.send("back")
    judge_all(visitor, worker, between=lambda: clock.move(seconds=20))


def _lapse(visitor: Visitor, worker: Participation, clock: Clock) -> None:
    judge(visitor, worker)
    clock.move(hours=2)
    expire_assignments(now=clock.now)
    visitor.open(f"/s/{worker.study.slug}/")
    while make_worker(worker.study, upto="question", now=clock.now).assignments.exists():
        pass  # Others take every unit, this one too.
    visitor.open(f"/s/{worker.study.slug}/")


def _ends(study: Study, clock: Clock) -> list[Reply]:
    """Screened out, blocked, and without work from the start, after the practice and before it."""
    seen: list[Reply] = []
    screened_out = make_worker(study, upto="practising", platform_id="screened out")
    for _ in range(3):
        fail_practice(screened_out)
    blocked = make_worker(study, platform_id="blocked")
    block_worker(participation=blocked, now=clock.now)
    idle = make_worker(study, platform_id="idle")
    new = make_worker(study, upto="consented", platform_id="new")
    for worker in (screened_out, blocked, idle, new):
        visitor = Visitor(through_client())
        come_back(visitor, f"/s/{study.slug}/?PID={worker.identity.platform_id}")
        visitor.open(f"/s/{study.slug}/withdraw/")
        seen += visitor.seen
    return seen
