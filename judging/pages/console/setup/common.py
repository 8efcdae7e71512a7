"""What the pages of a set-up share: finding the draft, its last check, and saving what a form says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging import access
from judging.intake.draft_faults import PlacedFault, placed, steps_of
from judging.intake.draft_merging import Merged, Parts, merge
from judging.intake.drafting import Values, change_draft, folder_of, values_of
from judging.intake.estimating import estimate_of
from judging.intake.reading import Reading
from judging.intake.upload_limit import most_bytes, too_large
from judging.intake.uploads import files_in
from judging.models import Draft, JobState
from judging.pages.console.guard import console_page
from judging.pages.limits import was_too_large
from judging.selectors.clock import now
from judging.selectors.estimates import measured_minutes
from judging.services.drafts import request_check

AT_ONCE: Final = 32 * 1024 * 1024
"""A draft whose files are larger is checked when somebody asks for it, not after every change."""
NOTHING_SAVED: Final = (
    "Nothing was saved yet: this form has been saved since you opened it."
    " The form below holds what you typed."
)
STEPS: Final = (
    ("study", "The study"),
    ("texts", "Texts"),
    ("files", "Files and pool"),
    ("topics", "Topics and questions"),
    ("anchors", "Anchors"),
    ("terms", "Units, checks, pay"),
)


@dataclass
class Setup:
    """A draft as a page shows it. `reading` is that of its last check, empty before the first one.

    `current`: the check is of the draft as it is now; faults are told only then, as lines may have moved.
    `counts`: step → how many faults it has, those that are not told one by one too.
    """

    draft: Draft
    values: Values
    reading: Reading
    current: bool
    faults: list[PlacedFault]
    counts: dict[str, int]

    @property
    def checking(self) -> bool:
        """Whether a check waits or is under way."""
        return bool(self.draft.job and self.draft.job.live)

    @property
    def ready(self) -> bool:
        """Whether the study can be made of it as it is."""
        return self.current and not self.reading["faults"]


def setup_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page of a draft for those who may change it; 404 alike for one that is not there."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @console_page
    @wraps(view)
    def guarded(request: HttpRequest, pk: int, *args: Any, **kwargs: Any) -> HttpResponseBase:
        draft = access.visible_drafts(request.user).select_related("job").filter(pk=pk).first()
        if draft is None:
            raise Http404
        if request.method == "POST" and was_too_large(request):
            messages.error(request, f"Nothing was uploaded. {too_large()}")
            return redirect(request.get_full_path())
        return view(request, setup_of(draft), *args, **kwargs)

    return guarded


def setup_of(draft: Draft) -> Setup:
    """The draft with what its last check found."""
    job = draft.job
    reading: Reading = dict(job.result) if job and job.state == JobState.DONE else {}
    current = reading.get("serial") == draft.serial
    faults = placed(reading["faults"], draft.text) if current else []
    counts = steps_of(reading.get("counts", ())) if current else {}
    if hidden := len(reading["faults"]) - len(faults) if current else 0:
        counts["files"] -= hidden  # said along with another that is missing
    return Setup(draft, values_of(draft), reading, current, faults, counts)


def show(
    request: HttpRequest, setup: Setup, template: str, *, step: str = "", status: int = 200, **context: Any
) -> HttpResponseBase:
    """A page of the set-up, with its steps, its estimate, and the faults that belong to the step."""
    names = [name for name, _ in STEPS]
    after = names.index(step) + 1 if step in names else 0
    whole = {
        "setup": setup,
        "draft": setup.draft,
        "title": str(setup.values.get("title") or "Untitled study"),
        "steps": [(name, label, setup.counts.get(name, 0)) for name, label in STEPS],
        "labels": dict(STEPS),
        "step": step,
        "next_step": STEPS[after] if after < len(STEPS) else None,
        "step_faults": [fault for fault in setup.faults if fault.step == step],
        **estimated(request, setup.values, setup.reading),
    }
    return render(request, f"console/setup/{template}.html", {**whole, **context}, status=status)


def estimated(request: HttpRequest, values: Values, reading: Reading) -> dict[str, Any]:
    """What the estimate's box shows."""
    terms, found = estimate_of(values, reading)
    measured = measured_minutes(access.visible_studies(request.user), unit_size=terms.unit_size)
    return {"terms": terms, "estimate": found, "measured": measured, "known": found.documents > 0}


def save(
    request: HttpRequest, setup: Setup, change: Callable[[Values], object], said: str = "Saved."
) -> None:
    """Write a change into the study file, and have the whole looked at again, where that is quick."""
    _saved(request, change_draft(draft=setup.draft, change=change, now=now()), said)


def save_form(
    request: HttpRequest,
    setup: Setup,
    *,
    parts: Callable[[Values], Parts],
    typed: Parts,
    write: Callable[[Values, Parts], object],
    labels: Mapping[str, str],
) -> Merged:
    """Write a form that others may have saved since it was shown (`parts` of the values, as its stamp says).

    Where both changed the same part nothing is written: see `conflicts_of` for what is shown then.
    """
    found: list[Merged] = []

    def change(values: Values) -> None:
        merged = merge(request.POST.get("seen", ""), parts(values), typed)
        found.append(merged)
        if merged.conflicts:
            raise _StaleError
        write(values, merged.values)

    try:
        draft = change_draft(draft=setup.draft, change=change, now=now())
    except _StaleError:
        return found[-1]
    kept = ", ".join(labels.get(name, name) for name in found[-1].kept)
    _saved(request, draft, f"Saved. Kept as somebody else saved it meanwhile: {kept}." if kept else "Saved.")
    return found[-1]


def conflicts_of(setup: Setup, merged: Merged, saved: Parts, labels: Mapping[str, str]) -> dict[str, Any]:
    """What a page shows of a form that was not saved: the parts at odds, as saved and as typed."""
    rows = [(labels.get(name, name), saved.get(name, ""), merged.values[name]) for name in merged.conflicts]
    return {"stale": rows, "faults": {"differing": NOTHING_SAVED}, "status": 409}


class _StaleError(Exception):
    """Somebody else has saved the same part of the form."""


def _saved(request: HttpRequest, draft: Draft, said: str) -> None:
    messages.success(request, said)
    if sum(size for _, size in files_in(folder_of(draft))) <= min(AT_ONCE, most_bytes()):
        request_check(draft=draft, now=now(), actor=request.user)
