"""What the pages of a set-up share: finding the draft, its last check, and saving what a form says."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging import access
from judging.intake.draft_faults import PlacedFault, placed
from judging.intake.drafting import Values, change_draft, folder_of, values_of
from judging.intake.estimating import estimate_of
from judging.intake.reading import Reading
from judging.intake.uploads import files_in, most_bytes, too_large
from judging.models import Draft, JobState
from judging.pages.console.guard import console_page
from judging.pages.limits import was_too_large
from judging.selectors.clock import now
from judging.selectors.estimates import measured_minutes
from judging.services.drafts import request_check

AT_ONCE: Final = 32 * 1024 * 1024
"""A draft whose files are larger is checked when somebody asks for it, not after every change."""
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
    """

    draft: Draft
    values: Values
    reading: Reading
    current: bool
    faults: list[PlacedFault]

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
    return Setup(draft, values_of(draft), reading, current, faults)


def show(
    request: HttpRequest, setup: Setup, template: str, *, step: str = "", status: int = 200, **context: Any
) -> HttpResponseBase:
    """A page of the set-up, with its steps, its estimate, and the faults that belong to the step."""
    whole = {
        "setup": setup,
        "draft": setup.draft,
        "title": str(setup.values.get("title") or "Untitled study"),
        "steps": [(name, label, sum(fault.step == name for fault in setup.faults)) for name, label in STEPS],
        "step": step,
        "step_faults": [fault for fault in setup.faults if fault.step == step],
        **estimated(request, setup.values, setup.reading),
    }
    return render(request, f"console/setup/{template}.html", {**whole, **context}, status=status)


def estimated(request: HttpRequest, values: Values, reading: Reading) -> dict[str, Any]:
    """What the estimate's box shows."""
    terms, found = estimate_of(values, reading)
    measured = measured_minutes(access.visible_studies(request.user), unit_size=terms.unit_size)
    return {"terms": terms, "estimate": found, "measured": measured, "known": bool(reading.get("topics"))}


def save(
    request: HttpRequest, setup: Setup, change: Callable[[Values], object], said: str = "Saved."
) -> None:
    """Write a change into the study file, and have the whole looked at again, where that is quick."""
    draft = change_draft(draft=setup.draft, change=change, now=now())
    messages.success(request, said)
    if sum(size for _, size in files_in(folder_of(draft))) <= min(AT_ONCE, most_bytes()):
        request_check(draft=draft, now=now(), actor=request.user)
