"""The steps of a set-up that are forms of single values: the study, its texts, its terms."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from judging import access
from judging.intake.draft_fields import SECTIONS, shown, take
from judging.intake.draft_merging import Parts, stamp
from judging.intake.drafting import Values, values_of
from judging.intake.updating import begun
from judging.pages.console.guard import console_page
from judging.pages.console.setup.common import Setup, conflicts_of, estimated, save_form, setup_page, show
from judging.protocol.settings import Kind, Setting
from judging.services.errors import RefusedError

_LONGEST_PREVIEW = 200_000


@setup_page
def fields(request: HttpRequest, setup: Setup, section: str) -> HttpResponseBase:
    """One step: its fields under their headings, each with what is wrong with it."""
    if section not in SECTIONS:
        raise Http404
    typed: Parts = {}
    said: dict[str, Any] = {}
    locked = _locked(request, setup)
    if request.method == "POST":
        typed = typed_in(section, request)
        labels = {field.name: field.label for field in _fields(section)}

        def write(values: Values, taken: Parts) -> None:
            _refuse_locked(section, values, taken, locked)
            take_all(section, taken, values)

        try:
            merged = save_form(
                request,
                setup,
                parts=lambda values: parts_of(section, values),
                typed=typed,
                write=write,
                labels=labels,
            )
        except RefusedError as refusal:
            messages.error(request, str(refusal))
            said = {"status": 403}
        else:
            if not merged.conflicts:
                return redirect("console:setup_fields", pk=setup.draft.pk, section=section)
            setup.draft.refresh_from_db()
            setup.values, typed = values_of(setup.draft), merged.values
            said = conflicts_of(setup, merged, parts_of(section, setup.values), labels)
    groups = {
        heading: [_row(one, setup, typed, locked) for one in found]
        for heading, found in SECTIONS[section].items()
    }
    seen = request.POST.get("seen", "") if said.get("status") == 403 else ""
    context = {"groups": groups, "section": section, "seen": seen or stamp(parts_of(section, setup.values))}
    return show(request, setup, "fields", step=section, **context, **said)


def _locked(request: HttpRequest, setup: Setup) -> tuple[str, ...]:
    """Return the keys that this user may not change: the terms of a study that has begun, unless an owner."""
    study = setup.draft.study
    if study is None or access.may_change_terms(request.user, study) or not begun(study):
        return ()
    return access.TERMS


def _refuse_locked(section: str, values: Values, taken: Parts, locked: tuple[str, ...]) -> None:
    saved = parts_of(section, values)
    changed = [
        field.label
        for field in _fields(section)
        if field.key in locked and taken.get(field.name, saved[field.name]).strip() != saved[field.name]
    ]
    if changed:
        raise RefusedError(
            f"Nothing was saved. The study has begun, so only its owners can change: {', '.join(changed)}."
            " Put back what is there, or ask an owner."
        )


def parts_of(section: str, values: Values) -> Parts:
    """The fields of a step as its form shows them."""
    return {
        field.name: shown(field, values) or (field.default if field.kind == Kind.CHOICE else "")
        for field in _fields(section)
    }


def typed_in(section: str, request: HttpRequest) -> Parts:
    """What the form of a step says, for the fields that it holds."""
    return {one.name: request.POST[one.name] for one in _fields(section) if one.name in request.POST}


def take_all(section: str, typed: Parts, values: Values) -> None:
    """Put what the form of a step says into the values; what it does not hold stays as it is."""
    for field in _fields(section):
        if field.name in typed:
            take(field, typed[field.name], values)


def _fields(section: str) -> list[Setting]:
    return [field for found in SECTIONS[section].values() for field in found]


@setup_page
def estimate(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The estimate's box for what is typed at this moment: nothing is stored."""
    for section in SECTIONS:
        take_all(section, typed_in(section, request), setup.values)
    if (depth := request.POST.get("pool.depth")) is not None:
        take(DEPTH, depth, setup.values)
    context = estimated(request, setup.values, setup.reading)
    return render(request, "console/setup/_estimate.html", context)


DEPTH = Setting("depth", "Depth", "The first documents of every run.", Kind.WHOLE, "pool")


@require_POST
@console_page
def preview(request: HttpRequest) -> HttpResponseBase:
    """A text in Markdown as workers would see it: nothing is stored."""
    context = {"text": request.POST.get("text", "")[:_LONGEST_PREVIEW]}
    return render(request, "console/setup/_preview.html", context)


def _row(field: Setting, setup: Setup, typed: Parts, locked: tuple[str, ...]) -> dict[str, Any]:
    faults = [fault for fault in setup.faults if fault.name in (field.name, f"{field.name}_file")]
    value = typed.get(field.name, shown(field, setup.values))
    return {"field": field, "value": value, "faults": faults, "locked": field.key in locked}
