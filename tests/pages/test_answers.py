"""The form below a document: what is refused, where the buttons lead, and that nothing typed is lost."""

from collections.abc import Callable

import pytest

from judging.limits import LONGEST_NUMBER, LONGEST_REASON
from judging.models import Participation, Study
from judging.protocol.magnitude import MESSAGES
from judging.services.submitting import MISSING_JUSTIFICATION, TOO_LONG_JUSTIFICATION
from tests.factories import current, live_assignment
from tests.pages.deeds import REASON, judge, judge_all, stored
from tests.support.visitor import Visitor

Enter = Callable[..., tuple[Visitor, Participation]]

REFUSED = [
    ("", MESSAGES["empty"]),
    ("   ", MESSAGES["empty"]),
    ("0", MESSAGES["zero"]),
    ("0/5", MESSAGES["zero"]),
    ("-3", MESSAGES["negative"]),
    ("−3", MESSAGES["negative"]),
    ("1,000", "1,000 could mean two numbers. Write 1000 or 1."),
    ("1,000.5", MESSAGES["comma"]),
    ("1,2,3", MESSAGES["comma"]),
    ("NaN", MESSAGES["text"]),
    ("inf", MESSAGES["text"]),
    ("∞", MESSAGES["text"]),
    ("1e400", MESSAGES["range"]),
    ("1e-101", MESSAGES["range"]),
    ("1/0", MESSAGES["text"]),
    ("ten", MESSAGES["text"]),
    ('5" <b>', MESSAGES["text"]),
]


@pytest.mark.parametrize(("typed", "message"), REFUSED)
def test_a_refused_magnitude_says_why_and_keeps_what_was_typed(
    typed: str, message: str, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    page = visitor.send("next", magnitude=typed, justification="Some\n\nreason & <more>")
    assert page.step == "judge"
    assert "1 of 8" in page.text
    assert message in page.text
    assert page.value("magnitude") == typed
    assert page.value("justification") == "Some\n\nreason & <more>"
    box = next(attributes for tag, attributes in page.tags if attributes.get("id") == "magnitude")
    assert box["aria-invalid"] == "true"
    assert "magnitude-fault" in box["aria-describedby"].split()
    assert visitor.open("/s/study/").value("magnitude") == typed
    assert current(worker).magnitude is None


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("12", 12),
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("1/3", 1 / 3),
        ("2 1/2", 2.5),
        ("2½", 2.5),
        ("1e3", 1000),
        (" 7 ", 7),
        ("1e-100", 1e-100),
        ("1e100", 1e100),
    ],
)
def test_an_accepted_magnitude_leads_on_and_is_kept_as_typed(
    typed: str, value: float, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    judgment = current(worker)
    assert "2 of 8" in visitor.send("next", magnitude=typed, justification=REASON).text
    judgment.refresh_from_db()
    assert (judgment.raw_input, judgment.magnitude, judgment.position) == (typed, value, 0)


@pytest.mark.parametrize("reason", ["", "  \n "])
def test_a_missing_reason_is_asked_for_and_the_number_kept(reason: str, enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    page = visitor.send("next", magnitude="1/3", justification=reason)
    assert MISSING_JUSTIFICATION in page.text
    assert (page.value("magnitude"), page.value("justification")) == ("1/3", reason)


def test_both_faults_are_told_at_once(enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    page = visitor.send("next", magnitude="zero", justification="")
    assert MESSAGES["text"] in page.text
    assert MISSING_JUSTIFICATION in page.text


def test_a_reason_of_the_longest_length_passes_and_one_more_does_not(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    page = visitor.send("next", magnitude="5", justification="é" * (LONGEST_REASON + 1))
    assert TOO_LONG_JUSTIFICATION in page.text
    assert page.value("justification") == "é" * (LONGEST_REASON + 1)
    # A browser counts a line end as one character and sends it as two.
    longest = "a\r\n" * (LONGEST_REASON // 2)
    assert "2 of 8" in visitor.send("next", magnitude="5", justification=longest).text
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
    assert "2 of 8" in page.text
    assert (page.value("magnitude"), page.value("justification")) == (magnitude, reason)
    assert stored(live_assignment(worker)) == before
    assert live_assignment(worker).back_uses == 0


@pytest.mark.parametrize("reason", ["\n first line empty", "trailing\n\n", "tab\there  two", "a\nb\n\nc"])
def test_a_reason_comes_back_to_the_letter(reason: str, enter: Enter, study: Study) -> None:
    visitor, _ = enter(study, "judging")
    visitor.send("next", magnitude="5", justification=reason)
    page = visitor.send("back", magnitude="", justification="")
    assert page.value("justification") == reason


@pytest.mark.parametrize(("magnitude", "reason"), [("", ""), ("-1", ""), ("1,000", "draft"), ("7", "")])
def test_back_keeps_a_draft_that_is_not_valid_yet(
    magnitude: str, reason: str, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    page = visitor.send("back", magnitude=magnitude, justification=reason)
    assert "1 of 8" in page.text
    assert page.value("justification") == REASON
    assert live_assignment(worker).back_uses == 1
    page = judge(visitor, worker)
    assert "2 of 8" in page.text
    assert (page.value("magnitude"), page.value("justification")) == (magnitude, reason)


def test_back_is_not_offered_on_document_one_and_does_nothing_there(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    assert visitor.page.presses() == ["next", "return"]
    form = visitor.page.form_with("magnitude")
    page = visitor.post("/s/study/judge/", visitor.filled(form, magnitude="3") | {"action": "back"})
    assert "1 of 8" in page.text
    assert page.value("magnitude") == "3"
    assert live_assignment(worker).back_uses == 0


def test_which_buttons_stand_on_which_document(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    expected = [["next"]] + [["next", "back"]] * 6 + [["finish", "back"]]
    for presses in expected:
        assert visitor.page.presses() == [*presses, "return"]
        judge(visitor, worker, press=presses[0], magnitude=lambda judgment: "5")
    revising = [["finish", "back"]] + [["next", "finish", "back"]] * 6 + [["next", "finish"]]
    for presses in revising:
        assert visitor.page.presses() == [*presses, "return"]
        if "back" in presses:
            visitor.send("back")
    assert (live_assignment(worker).revisions, live_assignment(worker).back_uses) == (7, 0)


def test_finish_is_not_taken_before_the_eighth_document(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    form = visitor.page.form_with("magnitude")
    fields = visitor.filled(form, magnitude="3", justification=REASON) | {"action": "finish"}
    assert "2 of 8" in visitor.post("/s/study/judge/", fields).text
    assert live_assignment(worker).failed_finishes == 0


def test_something_missing_leads_to_the_first_gap_and_runs_no_check(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge_all(visitor, worker, magnitude=lambda judgment: "5")
    visitor.send("back")
    visitor.send("back", magnitude="5", justification="")  # The seventh is spoilt too, but later.
    for _ in range(3):
        visitor.send("back")
    visitor.send("back", magnitude="none", justification="")  # The third is spoilt; the second is shown.
    assert "2 of 8" in visitor.page.text
    page = visitor.send("finish", magnitude="6")
    assert "3 of 8" in page.text
    assert page.value("magnitude") == "none"
    assert live_assignment(worker).failed_finishes == 1


def test_a_change_of_an_answer_is_counted_as_a_revision(enter: Enter, study: Study) -> None:
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    visitor.send("back", magnitude="", justification="")
    visitor.send("next", magnitude="77", justification=REASON)
    first = live_assignment(worker).judgments.get(position=0)
    assert (first.magnitude, first.revisions) == (77, 1)


@pytest.mark.parametrize(
    ("sent", "kept"), [("12", 12), ("", 0), ("-5", 0), ("1e9", 0), ("9999999", 0), ("²", 0), ("4.5", 0)]
)
def test_seconds_that_a_browser_reports_are_whole_and_bounded(
    sent: str, kept: float, enter: Enter, study: Study
) -> None:
    visitor, worker = enter(study, "judging")
    judgment = current(worker)
    visitor.send("next", magnitude="5", justification=REASON, visible_seconds=sent)
    judgment.refresh_from_db()
    assert judgment.visible_seconds == kept
