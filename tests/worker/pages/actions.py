"""What a visitor does on the pages, form by form; the answers that pass come from the database."""

from collections.abc import Callable

from judging.models import Assignment, Judgment, Participation
from tests.factories import current, honest, live_assignment, right_place
from tests.support.visitor import Page, Visitor

REASON = "It tells part of what is wanted."


def consent(visitor: Visitor, address: str) -> Page:
    """Read the information sheet at `address` and agree to it."""
    visitor.open(address)
    return visitor.send(consent="yes")


def come_back(visitor: Visitor, address: str) -> Page:
    """Open a link with the id of a worker who has started, and press the button that it shows, if any."""
    page = visitor.open(address)
    return visitor.send(**{"continue": "yes"}) if "come_back" in page.told() else page


def practise(visitor: Visitor) -> Page:
    """Read the instructions and give each of the three lines its length."""
    visitor.send("next")
    return measure_lines(visitor)


def measure_lines(visitor: Visitor) -> Page:
    """Give each of the three lines of an attempt its length."""
    for _ in range(3):
        visitor.send("next", magnitude=visitor.page.line())
    return visitor.page


def take_topic(visitor: Visitor, worker: Participation) -> Page:
    """Ask for a topic, from the task page or between units, and answer its question rightly."""
    visitor.send("next")
    return visitor.send("next", answer=right_place(live_assignment(worker)))


def judge(
    visitor: Visitor,
    worker: Participation,
    *,
    press: str = "next",
    magnitude: Callable[[Judgment], str] = honest,
    reason: str = "",
) -> Page:
    """Answer the document on the page, by default with a reason of its own, and press a button."""
    judgment = current(worker)
    reason = reason or reason_for(judgment)
    return visitor.send(press, magnitude=magnitude(judgment), justification=reason)


def reason_for(judgment: Judgment) -> str:
    """Return a reason that no other document of the unit has."""
    return f"{REASON} {judgment.position + 1}"


def judge_all(
    visitor: Visitor,
    worker: Participation,
    *,
    magnitude: Callable[[Judgment], str] = honest,
    between: Callable[[], None] = lambda: None,
) -> Page:
    """Judge from the document on the page to the last, and finish; `between` runs before each answer."""
    last = worker.study.unit_size - 1
    while (cursor := live_assignment(worker).cursor) < last:
        between()
        judge(visitor, worker, magnitude=magnitude)
        assert live_assignment(worker).cursor == cursor + 1
    between()
    return judge(visitor, worker, press="finish", magnitude=magnitude)


def stored(assignment: Assignment) -> list[tuple[str, str]]:
    """What is kept of an assignment: (magnitude as typed, justification) per document, in order."""
    return list(assignment.judgments.order_by("position").values_list("raw_input", "justification"))
