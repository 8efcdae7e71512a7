"""The steps of a set-up that are forms of single values: the study, its texts, its terms."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from judging.intake.draft_fields import SECTIONS, Field, shown, take
from judging.intake.drafting import Values
from judging.pages.console.guard import console_page
from judging.pages.console.setup.common import Setup, estimated, save, setup_page, show

_LONGEST_PREVIEW = 200_000


@setup_page
def fields(request: HttpRequest, setup: Setup, section: str) -> HttpResponseBase:
    """One step: its fields under their headings, each with what is wrong with it."""
    if section not in SECTIONS:
        raise Http404
    if request.method == "POST":
        save(request, setup, lambda values: take_all(section, request, values))
        return redirect("console:setup_fields", pk=setup.draft.pk, section=section)
    groups = {heading: [_row(one, setup) for one in found] for heading, found in SECTIONS[section].items()}
    return show(request, setup, "fields", step=section, groups=groups, section=section)


def take_all(section: str, request: HttpRequest, values: Values) -> None:
    """Put what the form of a step says into the values; what it does not hold stays as it is."""
    for found in SECTIONS[section].values():
        for field in found:
            if (typed := request.POST.get(field.name)) is not None:
                take(field, typed, values)


@setup_page
def estimate(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The estimate's box for what is typed at this moment: nothing is stored."""
    for section in SECTIONS:
        take_all(section, request, setup.values)
    if (depth := request.POST.get("pool.depth")) is not None:
        take(DEPTH, depth, setup.values)
    context = estimated(request, setup.values, setup.reading)
    return render(request, "console/setup/_estimate.html", context)


DEPTH = Field("depth", "Depth", "pool", "number", "The first documents of every run.")


@require_POST
@console_page
def preview(request: HttpRequest) -> HttpResponseBase:
    """A text in Markdown as workers would see it: nothing is stored."""
    context = {"text": request.POST.get("text", "")[:_LONGEST_PREVIEW]}
    return render(request, "console/setup/_preview.html", context)


def _row(field: Field, setup: Setup) -> dict[str, Any]:
    faults = [fault for fault in setup.faults if fault.name in (field.name, f"{field.name}_file")]
    return {"field": field, "value": shown(field, setup.values), "faults": faults}
