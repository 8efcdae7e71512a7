"""Every service by which people change a study, an exclusion, an export or an account writes an entry.

Who acts is the `actor` of a service. So each public function of a service that takes one stands in `ACTIONS`
with what it must write; each module without such a function says in `NOT_PEOPLE` whose acts it holds.
"""

import inspect
import pkgutil
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from django.contrib.auth import get_user_model

import judging
from judging.core.services.events import record_export
from judging.core.services.members import remove_member, set_role
from judging.core.services.studies import close_study, mark_simulated, open_study, pause_study, retire_topic
from judging.models import AuditEntry, Participation, Role, Setup, Study, Unit, Watch
from judging.payments.services.deciding import resolve_payment
from judging.payments.services.payments import ExportedPayment, mark_paid, unmark_paid
from judging.people.services.accounts import after_new_password, delete_account
from judging.people.services.invitations import accept, accept_with_new_account, invite, revoke
from judging.protocol.anchor_pairs import Anchor
from judging.setup.services.imported import write_imported
from judging.setup.services.setups import delete_draft
from judging.understanding.services.labels import AddedLabels, add_labels, remove_labels
from judging.understanding.services.verdicts import record_verdict
from judging.watching.services.curation import exclude_unit, exclude_units_of, include_unit, include_units_of
from judging.watching.services.mending import compensate_topic, replace_topic
from judging.watching.services.thresholds import FIELDS, set_watch
from judging.watching.services.workers import (
    block_worker,
    clear_record,
    erase_identity,
    free_reservation,
    unblock_worker,
)
from judging.worker.services.leaving import return_unit
from judging.worker.services.links import cancel_links, make_links, make_secret
from tests.factories import NOW, inverted, judge_unit, later, make_study, make_worker

NOT_PEOPLE = {
    "address_limit": "counted while workers take units, for minutes",
    "arrival": "the worker's own way in",
    "comprehension": "the worker's answer",
    "deleting": "a part of what deletes a draft, replaces a topic or changes a study",
    "gating": "what the end of a unit brings about; kept as an event",
    "paying": "decided as a unit ends; kept with the payment",
    "drawing": "the arm of a worker who comes in",
    "ending": "what a worker's action, or a lapse, brings about; kept as events",
    "entries": "the worker's own way in",
    "errors": "nothing is written",
    "finishing": "the worker's answer",
    "lapse": "time has run out, or the worker goes on; kept as events",
    "leaving": "the worker's own way out",
    "locking": "nothing is written",
    "outcome": "nothing is written",
    "pace": "counted in the cache for minutes",
    "pictures": "a part of importing and updating a study",
    "planning": "a part of opening and updating, which say how many units were planned",
    "practice": "the worker's answer",
    "previews": "a throw-away copy for the person who looks at it, for hours",
    "reservation": "the worker's unit",
    "settling": "each payment is audited as it is marked",
    "submissions": "what the platform says; kept with the submission",
    "submitting": "the worker's answer",
    "visits": "that a worker looks at a document",
    "wanted": "asks for jobs",
}
KEPT_ELSEWHERE = {
    "events.audit": "writes the entry",
    "allocating.request_decision": "asks for a job",
    "allocating.plan_next_batch": "tests/understanding/test_allocating.py looks at its entry",
    "jobs.request": "the job's row says who asked for it; what it does is audited as it is done",
    "setups.request_check": "asks for a job",
    "setups.request_changes": "asks for a job",
    "setups.request_upload": "asks for a job",
    "requests.request_study_statistics": "asks for a job",
    "reports.request_report": "asks for a job",
}
Action = Callable[[Study, Any], object]


def labelled(study: Study, actor: Any) -> AddedLabels:
    data = f"{study.topics.all()[0].number} 0 d 3\n".encode()
    return add_labels(study=study, name="model", data=data, file_name="m.qrels", now=NOW, actor=actor)


def account(name: str = "vera") -> Any:
    return get_user_model().objects.create_user(name)


def done_unit(study: Study) -> Unit:
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    return judge_unit(make_worker(study)).unit


def excluded(study: Study) -> Unit:
    unit = done_unit(study)
    exclude_unit(unit=unit, reason="Odd.", now=later())
    return unit


def worker_of(unit: Unit) -> Participation:
    return unit.assignments.get().participation


def blocked(study: Study) -> Participation:
    worker = make_worker(opened(study))
    block_worker(participation=worker, now=NOW)
    return worker


def opened(study: Study) -> Study:
    open_study(study=study, now=NOW)
    study.refresh_from_db()
    return study


def paid(study: Study, actor: Any) -> tuple[object, ExportedPayment]:
    Study.objects.filter(pk=study.pk).update(pay_per_unit=Decimal("0.20"))
    study.refresh_from_db()
    unit = done_unit(study)
    attempt = unit.assignments.select_related("participation").get()
    name = f"{unit.topic.number}-{unit.number:04}"
    one = ExportedPayment("line 2", "completed", attempt.participation.pseudonym, name, Decimal("0.20"))
    return mark_paid(study=study, payments=[one], now=later(), actor=actor), one


def stopped(study: Study) -> Participation:
    worker = make_worker(opened(study))
    Participation.objects.filter(pk=worker.pk).update(gate="closed", gated_at=NOW)
    return worker


def held(study: Study) -> Participation:
    worker = make_worker(opened(study))
    Participation.objects.filter(pk=worker.pk).update(compensation=1, pay_decision="hold", pay_reason="limit")
    return worker


def refused_payment(study: Study, actor: Any) -> object:
    _, one = paid(study, None)
    return unmark_paid(study=study, payments=[one], now=later(), actor=actor)


def compensated(study: Study, actor: Any) -> object:
    Study.objects.filter(pk=study.pk).update(pay_per_unit=Decimal("0.20"))
    worker = make_worker(opened(study))
    unit = judge_unit(worker, magnitude=inverted)
    return_unit(participation=worker, now=later())
    retire_topic(topic=unit.topic, now=later())
    return compensate_topic(topic=unit.topic, now=later(), actor=actor)


def replaced(study: Study, actor: Any) -> object:
    topic = opened(study).topics.order_by("place")[0]
    topic.pool.filter(anchor="").update(grade="")
    others = topic.pool.filter(anchor="").select_related("document").order_by("pk")
    h, n = (row.document.document_id for row in others[:2])
    return replace_topic(topic=topic, anchors={Anchor.H: h, Anchor.N: n}, now=later(), actor=actor)


def invited(study: Study, email: str = "vera@example.org") -> Any:
    sender = get_user_model().objects.create_superuser("sender-of-" + email.partition("@")[0])
    return invite(study=study, email=email, role=Role.VIEWER, now=NOW, actor=sender)


def with_owner(study: Study, user: Any) -> Any:
    set_role(study=study, user=account("first"), role=Role.OWNER, now=NOW)
    set_role(study=study, user=user, role=Role.VIEWER, now=NOW)
    return user


def entered(study: Study, entry: str) -> Study:
    """Return the study with entry by personal or signed links."""
    study.entry = entry
    if entry == "signed":
        study.platform, study.id_parameter = "generic", "PID"
    study.save()
    return study


def with_links(study: Study) -> Study:
    make_links(study=entered(study, "invite"), count=2, now=NOW, rng=Random(1))
    return study


ACTIONS: dict[str, tuple[str, Action]] = {
    "accounts.delete_account": (
        "account_deleted",
        lambda study, actor: delete_account(user=account(), now=NOW, actor=actor),
    ),
    "accounts.after_new_password": (
        "password_set",
        lambda study, actor: after_new_password(user=actor, now=NOW, actor=actor),
    ),
    "curation.exclude_unit": (
        "unit_excluded",
        lambda study, actor: exclude_unit(unit=done_unit(study), reason="Odd.", now=later(), actor=actor),
    ),
    "curation.include_unit": (
        "unit_included",
        lambda study, actor: include_unit(unit=excluded(study), now=later(), actor=actor),
    ),
    "curation.exclude_units_of": (
        "unit_excluded",
        lambda study, actor: exclude_units_of(
            participation=worker_of(done_unit(study)), reason="Odd.", now=later(), actor=actor
        ),
    ),
    "curation.include_units_of": (
        "unit_included",
        lambda study, actor: include_units_of(
            participation=worker_of(excluded(study)), now=later(), actor=actor
        ),
    ),
    "verdicts.record_verdict": (
        "verdict_changed",
        lambda study, actor: record_verdict(
            pooled=study.topics.all()[0].pool.get(anchor="N"),
            grades=study.grade_sets.create(name="trec", place=0),
            verdict="crowd_wrong",
            note="",
            now=NOW,
            actor=actor,
        ),
    ),
    "labels.add_labels": ("labels_added", lambda study, actor: labelled(study, actor)),
    "labels.remove_labels": (
        "labels_removed",
        lambda study, actor: remove_labels(
            study=study, name=labelled(study, None).label_set.name, now=NOW, actor=actor
        ),
    ),
    "events.record_export": (
        "exported",
        lambda study, actor: record_export(study=study, what="units", form="csv", now=NOW, actor=actor),
    ),
    "invitations.invite": (
        "invited",
        lambda study, actor: invite(
            study=study, email="vera@example.org", role=Role.VIEWER, now=NOW, actor=actor
        ),
    ),
    "invitations.revoke": (
        "invitation_revoked",
        lambda study, actor: revoke(invitation=invited(study), now=NOW, actor=actor),
    ),
    "workers.free_reservation": (
        "reservation_freed",
        lambda study, actor: free_reservation(
            participation=make_worker(opened(study), upto="question"), number=1, now=NOW, actor=actor
        ),
    ),
    "workers.clear_record": (
        "record_cleared",
        lambda study, actor: clear_record(participation=stopped(study), now=later(), actor=actor),
    ),
    "deciding.resolve_payment": (
        "payment_decided",
        lambda study, actor: resolve_payment(
            participation=held(study), number=None, pays=True, now=later(), actor=actor
        ),
    ),
    "workers.unblock_worker": (
        "unblocked",
        lambda study, actor: unblock_worker(participation=blocked(study), now=later(), actor=actor),
    ),
    "workers.block_worker": (
        "blocked",
        lambda study, actor: block_worker(participation=make_worker(opened(study)), now=later(), actor=actor),
    ),
    "workers.erase_identity": (
        "identity_erased",
        lambda study, actor: erase_identity(
            participation=make_worker(opened(study), platform_id="p"), now=later(), actor=actor
        ),
    ),
    "links.make_links": (
        "links_made",
        lambda study, actor: make_links(
            study=entered(study, "invite"), count=2, now=NOW, rng=Random(1), actor=actor
        ),
    ),
    "links.cancel_links": (
        "links_taken_back",
        lambda study, actor: cancel_links(study=with_links(study), now=later(), actor=actor),
    ),
    "links.make_secret": (
        "entry_secret_made",
        lambda study, actor: make_secret(study=entered(study, "signed"), now=NOW, actor=actor),
    ),
    "members.set_role": (
        "member_changed",
        lambda study, actor: set_role(study=study, user=account(), role=Role.EDITOR, now=NOW, actor=actor),
    ),
    "members.remove_member": (
        "member_changed",
        lambda study, actor: remove_member(
            study=study, user=with_owner(study, account()), now=NOW, actor=actor
        ),
    ),
    "payments.mark_paid": ("payments_marked", paid),
    "payments.unmark_paid": ("payments_unmarked", refused_payment),
    "mending.compensate_topic": ("compensated", compensated),
    "mending.replace_topic": ("topic_replaced", replaced),
    "studies.open_study": ("opened", lambda study, actor: open_study(study=study, now=NOW, actor=actor)),
    "studies.pause_study": (
        "paused",
        lambda study, actor: pause_study(study=opened(study), now=NOW, actor=actor),
    ),
    "studies.close_study": (
        "closed",
        lambda study, actor: close_study(study=opened(study), now=NOW, force=True, actor=actor),
    ),
    "studies.retire_topic": (
        "topic_retired",
        lambda study, actor: retire_topic(topic=study.topics.first(), now=NOW, actor=actor),
    ),
    "thresholds.set_watch": (
        "watch_changed",
        lambda study, actor: set_watch(
            study=study,
            wanted={field: getattr(Watch(), field) for field in FIELDS} | {"bad_anchor": True},
            now=NOW,
            actor=actor,
        ),
    ),
    "imported.write_imported": (
        "judgments_imported",
        lambda study, actor: write_imported(
            study=study, units=[], simulated=False, now=NOW, rng=Random(1), actor=actor, file="old.csv"
        ),
    ),
    "setups.delete_draft": (
        "deleted",
        lambda study, actor: delete_draft(
            setup=Setup.objects.create(study=study, changed_at=NOW), now=NOW, actor=actor
        ),
    ),
    "studies.mark_simulated": (
        "simulated",
        lambda study, actor: mark_simulated(study=study, now=NOW, actor=actor),
    ),
}
"""Function → the verb that it writes, and a call of it for a draft study and an actor."""


@cache
def service_modules() -> dict[str, ModuleType]:
    """Return the modules of all packages of services by name."""
    packages = [
        import_module(info.name)
        for info in pkgutil.walk_packages(judging.__path__, "judging.")
        if info.name.endswith(".services")
    ]
    return {
        info.name: import_module(f"{package.__name__}.{info.name}")
        for package in packages
        for info in pkgutil.iter_modules(package.__path__)
    }


def public_functions() -> dict[str, Callable[..., object]]:
    """Return `module.function` → function, for all public functions of services."""
    return {
        f"{module_name}.{name}": function
        for module_name, module in service_modules().items()
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


def test_every_service_stands_in_a_table() -> None:
    functions = public_functions()
    by_people = {name for name, one in functions.items() if "actor" in inspect.signature(one).parameters}
    assert by_people == {*ACTIONS, *KEPT_ELSEWHERE}
    without_people = service_modules().keys() - {name.partition(".")[0] for name in by_people}
    assert without_people == {*NOT_PEOPLE}


@pytest.mark.parametrize("name", ACTIONS)
def test_each_writes_who_did_what_to_which_study(db: None, name: str) -> None:
    verb, action = ACTIONS[name]
    study, actor = make_study(opened=False), account("olga")
    before = set(AuditEntry.objects.values_list("pk", flat=True))
    action(study, actor)
    written = AuditEntry.objects.exclude(pk__in=before).filter(verb=verb, actor_name="olga")
    (entry,) = written
    assert entry.actor_id == actor.pk
    assert entry.study_slug == ("" if name.startswith("accounts.") else "study")


def test_accepting_an_invitation_names_who_accepted(db: None) -> None:
    study, vera = make_study(opened=False), account()
    accept(invitation=invited(study), user=vera, now=later())
    another = invited(study, "nora@example.org")
    accept_with_new_account(invitation=another, username="nora", password="a-long-phrase", now=later())
    rows = AuditEntry.objects.order_by("pk").values_list("verb", "actor_name", "study_slug")
    assert list(rows) == [
        ("invited", "sender-of-vera", "study"),
        ("member_changed", "vera", "study"),
        ("invitation_accepted", "vera", "study"),
        ("invited", "sender-of-nora", "study"),
        ("member_changed", "nora", "study"),
        ("invitation_accepted", "nora", "study"),
    ]
    assert "example.org" not in str(list(AuditEntry.objects.values()))


def test_the_documentation_names_everything_that_is_written() -> None:
    root = Path(__file__).resolve().parents[2]
    code = "\n".join(path.read_text() for path in (root / "judging").rglob("*.py"))
    verbs = set(re.findall(r"\b_?audit\(\s*\"(\w+)\"", code))
    assert {verb for verb, _ in ACTIONS.values()} < verbs
    text = (root / "docs" / "guides" / "people.md").read_text()
    assert {verb for verb in verbs if f"`{verb}`" not in text} == set()
