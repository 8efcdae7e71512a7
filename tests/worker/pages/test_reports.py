"""Workers who cannot judge a document end the unit without blame, and the researchers are told."""

from collections.abc import Callable
from csv import DictReader
from decimal import Decimal

import pytest
from django.test import Client

from judging.core.selectors.payments import totals
from judging.core.selectors.units import no_work_for
from judging.integrity import INVARIANTS, breaches
from judging.models import Event, Judgment, Participation, Watch
from judging.watching.selectors.reported import reported_documents
from judging.watching.selectors.thresholds import reached
from tests.factories import NOW, live_assignment, make_study
from tests.support.exports import export_lines
from tests.support.visitor import Visitor
from tests.worker.pages.actions import judge

Enter = Callable[..., tuple[Visitor, Participation]]


def report(visitor: Visitor, fault: str) -> None:
    form = visitor.page.form_with("action", "report")
    visitor.post(visitor.target(form), visitor.filled(form, "report") | {"fault": fault})


@pytest.mark.parametrize("fault", ["broken", "language", "other"])
@pytest.mark.parametrize("pay", ["0", "0.15"])
def test_a_report_ends_the_unit_without_blame(pay: str, fault: str, enter: Enter) -> None:
    study = make_study(topics=2, pay_per_unit="0.20", pay_cancelled=pay)
    visitor, worker = enter(study, "judging")
    judge(visitor, worker)
    attempt = live_assignment(worker)
    document = attempt.judgments.get(position=1).pool_document
    report(visitor, fault)
    attempt.refresh_from_db()
    assert (attempt.state, attempt.unit.state) == ("reported", "open")
    assert (attempt.failed_finishes or 0, attempt.compensation) == (0, Decimal(pay))
    assert totals(study).held.amount == Decimal(pay), "the visitor reads in no time"
    assert not Judgment.objects.filter(assignment=attempt).exists()
    event = Event.objects.get(kind="reported")
    assert (event.document, event.fault, event.check_name) == (document, fault, "")
    assert visitor.page.step == "units"
    assert no_work_for(worker, now=NOW) is None
    assert not list(breaches(INVARIANTS))


@pytest.mark.parametrize("fault", ["", "boring"])
def test_a_report_without_a_reason_is_asked_again(fault: str, enter: Enter) -> None:
    visitor, worker = enter(make_study(), "judging")
    judge(visitor, worker)
    report(visitor, fault)
    assert (visitor.page.step, live_assignment(worker).state) == ("judge", "judging")
    assert 'href="#fault"' in visitor.page.html
    assert not Event.objects.exists()


def test_an_old_form_reports_nothing(enter: Enter) -> None:
    visitor, worker = enter(make_study(), "judging")
    form = visitor.page.form_with("action", "report")
    judge(visitor, worker)
    visitor.post(visitor.target(form), visitor.filled(form, "report") | {"fault": "broken"})
    assert (live_assignment(worker).state, live_assignment(worker).cursor) == ("judging", 1)


def test_the_researchers_see_the_document_and_the_reasons(enter: Enter, console: Client) -> None:
    study = make_study(topics=1)
    for fault in ("broken", "language"):
        visitor, worker = enter(study, "judging")
        document = live_assignment(worker).judgments.get(position=0).pool_document
        report(visitor, fault)
        first = reported_documents(study)[0]
        assert (first.document, first.topic) == (document.document.document_id, document.topic.number)
    page = console.get("/console/studies/study/quality/").content.decode()
    assert f'data-reported="{document.document.document_id}"' in page
    assert sum(row.workers for row in reported_documents(study)) == 2
    watch = Watch.objects.create(study=study, reported=True)
    assert {item.key for item in reached(watch)} == {
        f"report of document {row.key}" for row in reported_documents(study)
    }
    rows = [row for row in DictReader(export_lines(study, "events")) if row["kind"] == "reported"]
    assert all(row["document_id"] for row in rows)
    assert sorted(row["fault"] for row in rows) == ["broken", "language"]
