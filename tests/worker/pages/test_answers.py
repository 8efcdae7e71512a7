"""The form below a document: what is refused, where the buttons lead, and that nothing typed is lost."""

import re
from collections.abc import Callable

import pytest

from judging.limits import LONGEST_NUMBER, LONGEST_REASON
from judging.models import Participation, Study
from judging.protocol.magnitude import parse
from judging.protocol.scales import DEFAULT, judging_on
from judging.worker.services.submitting import TOO_LONG_JUSTIFICATION
from tests.factories import current, live_assignment
from tests.support.problems import problems_in
from tests.support.visitor import Page, Visitor
from tests.worker.pages.actions import REASON, judge, judge_all, stored

Enter = Callable[..., tuple[Visitor, Participation]]

REFUSED = {
    "": "empty",
    "   ": "empty",
    "0": "zero",
    "0/5": "zero",
    "-3": "negative",
    "−3": "negative",
    "1,000": "comma",
    "1,000.5": "comma",
    "1,2,3": "comma",
    "NaN": "text",
    "inf": "text",
    "∞": "text",
    "1e400": "range",
    "1e-101": "range",
    "1/0": "text",
    "ten": "text",
    '5" <b>': "text",
}
ACCEPTED = {
    "12": 12,
    "0.5": 0.5,
    "0,5": 0.5,
    "1/3": 1 / 3,
    "2 1/2": 2.5,
    "2½": 2.5,
    "1e3": 1000,
    " 7 ": 7,
    "1e-100": 1e-100,
    "1e100": 1e100,
}


def problems(page: Page) -> list[tuple[str, str]]:
    return problems_in(page.html)


def test_a_refused_magnitude_says_why_and_keeps_what_was_typed(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    for typed, fault in REFUSED.items():
        page = visitor.send("next", magnitude=typed, justification="Some\n\nreason & <more>")
        assert (page.step, page.value("position")) == ("judge", "0")
        read = parse(typed)
        assert read.fault == fault
        assert problems(page) == [("magnitude", str(read.message))]
        assert page.value("magnitude") == typed
        assert page.value("justification") == "Some\n\nreason & <more>"
        box = next(attributes for tag, attributes in page.tags if attributes.get("id") == "magnitude")
        assert box["aria-invalid"] == "true"
        assert "magnitude-fault" in box["aria-describedby"].split()
        assert visitor.open("/s/study/").value("magnitude") == typed
        assert current(worker).number is None


def test_an_accepted_magnitude_leads_on_and_is_kept_as_typed(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judgment = current(worker)
    for typed, value in ACCEPTED.items():
        page = visitor.send("next", magnitude=typed, justification=REASON)
        assert page.value("position") == "1", typed
        judgment.refresh_from_db()
        assert (judgment.raw_input, judgment.number, judgment.position) == (typed, value, 0)
        visitor.send("back", magnitude="", justification="")


def echo(page: Page) -> str:
    """Return what stands next to the number."""
    return page.html.split("data-parsed")[1].split(">")[1].split("<")[0]


def test_without_scripts_the_server_shows_how_it_reads_a_number(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    for typed, shown in {"½": "= 0.5", "١٢": "= 12", "1e3": "= 1000", "12": "", "10²": ""}.items():
        assert echo(visitor.send("next", magnitude=typed, justification="")) == shown
        assert echo(visitor.open("/s/study/")) == shown
    Study.with_hidden.filter(pk=study.pk).update(language="de")
    assert echo(visitor.send("next", magnitude="½", justification="")) == "= 0,5"
    assert " 1,2340" in visitor.send("next", magnitude="1,234", justification="").html


def test_without_scripts_a_fraction_has_a_field(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "practising")
    page = visitor.send("next", magnitude="0.5", fraction="1/2")
    assert page.value("magnitude") == "0.5 1/2", "nothing typed is lost"
    assert visitor.send("next", magnitude="", fraction=" 1/3 ").value("line") == "1"
    assert worker.practice_attempts.get().magnitudes == [1 / 3]
    visitor, worker = enter(study, "judging")
    visitor.send("next", magnitude="2", fraction="1/2", justification=REASON)
    judgment = live_assignment(worker).judgments.get(position=0)
    assert (judgment.raw_input, judgment.number) == ("2 1/2", 2.5)
    Study.with_hidden.filter(pk=study.pk).update(numbers="decimals")
    assert 'name="fraction"' not in visitor.open("/s/study/").html


def test_a_missing_reason_is_asked_for_and_the_number_kept(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    for reason in ("", "  \n "):
        page = visitor.send("next", magnitude="1/3", justification=reason)
        assert problems(page) == [("justification", judging_on(DEFAULT).asked.no_reason)]
        assert (page.value("magnitude"), page.value("justification")) == ("1/3", reason)


def test_both_faults_are_told_at_once(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    page = visitor.send("next", magnitude="zero", justification="")
    assert [field for field, _ in problems(page)] == ["magnitude", "justification"]


def test_a_reason_of_the_longest_length_passes_and_one_more_does_not(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    page = visitor.send("next", magnitude="5", justification="é" * (LONGEST_REASON + 1))
    assert problems(page) == [("justification", TOO_LONG_JUSTIFICATION)]
    assert page.value("justification") == "é" * (LONGEST_REASON + 1)
    assert re.search(r'id="justification-count"[^>]*>[^<]*\b1<', page.html), "the page counts the characters"
    # A browser counts a line end as one character and sends it as two.
    longest = "a\r\n" * (LONGEST_REASON // 2)
    assert visitor.send("next", magnitude="5", justification=longest).value("position") == "1"
    assert stored(live_assignment(worker))[0] == ("5", longest.replace("\r\n", "\n"))


@pytest.mark.parametrize("action", ["next", "back"])
@pytest.mark.parametrize(
    ("magnitude", "reason"), [("5", "é" * (LONGEST_REASON + 1)), ("1" * (LONGEST_NUMBER + 1), REASON)]
)
def test_what_is_too_long_is_shown_again_and_stored_nowhere(
    action: str, magnitude: str, reason: str, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    before = stored(live_assignment(worker))
    page = visitor.send(action, magnitude=magnitude, justification=reason)
    assert page.value("position") == "1"
    assert (page.value("magnitude"), page.value("justification")) == (magnitude, reason)
    assert stored(live_assignment(worker)) == before
    assert live_assignment(worker).back_uses == 0


def test_a_number_of_the_greatest_length_is_stored(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    longest = "0." + "1" * (LONGEST_NUMBER - 2)
    assert visitor.send("next", magnitude=longest, justification=REASON).value("position") == "1"
    assert stored(live_assignment(worker))[0] == (longest, REASON)


def test_a_reason_comes_back_to_the_letter(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    for reason in ("\n first line empty", "trailing\n\n", "tab\there  two", "a\nb\n\nc"):
        visitor.send("next", magnitude="5", justification=reason)
        page = visitor.send("back", magnitude="", justification="")
        assert page.value("justification") == reason


def test_back_keeps_a_draft_that_is_not_valid_yet(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    drafts = [("", ""), ("-1", ""), ("1,000", "draft"), ("7", "")]
    for uses, draft in enumerate(drafts, start=1):
        page = visitor.send("back", magnitude=draft[0], justification=draft[1])
        assert (page.value("position"), page.value("justification")) == ("0", f"{REASON} 1")
        assert live_assignment(worker).back_uses == uses
        page = judge(visitor, worker)
        assert page.value("position") == "1"
        assert (page.value("magnitude"), page.value("justification")) == draft


def test_back_is_not_offered_on_document_one_and_does_nothing_there(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    assert visitor.page.presses() == ["next", "extend", "report", "return"]
    form = visitor.page.form_with("magnitude")
    page = visitor.post("/s/study/judge/", visitor.filled(form, magnitude="3") | {"action": "back"})
    assert page.value("position") == "0"
    assert page.value("magnitude") == "3"
    assert live_assignment(worker).back_uses == 0


def test_which_buttons_stand_on_which_document(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    expected = [["next"]] + [["next", "back"]] * 6 + [["finish", "back"]]
    for presses in expected:
        assert visitor.page.presses() == [*presses, "extend", "report", "return"]
        judge(visitor, worker, press=presses[0], magnitude=lambda judgment: "5")
    revising = [["finish", "back"]] + [["next", "finish", "back"]] * 6 + [["next", "finish"]]
    for presses in revising:
        assert visitor.page.presses() == [*presses, "extend", "report", "return"]
        if "back" in presses:
            visitor.send("back")
    assert (live_assignment(worker).revisions, live_assignment(worker).back_uses) == (7, 0)


def test_finish_is_not_taken_before_the_eighth_document(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    form = visitor.page.form_with("magnitude")
    fields = visitor.filled(form, magnitude="3", justification=REASON) | {"action": "finish"}
    assert visitor.post("/s/study/judge/", fields).value("position") == "1"
    assert live_assignment(worker).failed_finishes == 0


def test_something_missing_leads_to_the_first_gap_and_runs_no_check(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=lambda judgment: "5")
    visitor.send("back")
    visitor.send("back", magnitude="5", justification="")  # The seventh is spoilt too, but later.
    for _ in range(3):
        visitor.send("back")
    visitor.send("back", magnitude="none", justification="")  # The third is spoilt; the second is shown.
    assert visitor.page.value("position") == "1"
    page = visitor.send("finish", magnitude="6")
    assert page.value("position") == "2"
    assert page.value("magnitude") == "none"
    assert live_assignment(worker).failed_finishes == 1


def test_a_change_of_an_answer_is_counted_as_a_revision(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    visitor.send("back", magnitude="", justification="")
    visitor.send("next", magnitude="77", justification=REASON)
    first = live_assignment(worker).judgments.get(position=0)
    assert (first.number, first.revisions) == (77, 1)


def test_seconds_that_a_browser_reports_are_whole_and_bounded(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judgment = current(worker)
    for sent, kept in (("", 0), ("-5", 0), ("1e9", 0), ("9999999", 0), ("²", 0), ("4.5", 0), ("12", 12)):
        visitor.send("next", magnitude="5", justification=REASON, visible_seconds=sent)
        judgment.refresh_from_db()
        assert judgment.visible_seconds == kept, sent
        visitor.send("back", magnitude="", justification="")
