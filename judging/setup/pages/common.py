"""What the pages of a set-up share: finding it with its last check, showing a step, and saving a form."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, NamedTuple, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.intake.upload_limit import most_bytes, too_large
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.limits import was_too_large
from judging.core.selectors.attempts import begun
from judging.core.selectors.readiness import missing_texts
from judging.core.services.errors import RefusedError
from judging.models import JobState, Setup, Study
from judging.setup.estimating import estimate_of, measured_minutes, terms_of
from judging.setup.making import setup_of
from judging.setup.pages.forms import SetupForm
from judging.setup.reading import FaultFound, Reading
from judging.setup.services.setups import OVER, note_change, request_check
from judging.setup.steps import SECTIONS, STEPS, step_of
from judging.setup.study_files.uploads import files_in

AT_ONCE: Final = 32 * 1024 * 1024
"""A set-up whose files are larger is checked when somebody asks for it, not after every change."""
_NOT_TYPED: Final = {"csrfmiddlewaretoken", "version", "action", "sure", "draw", "look"}
"""Fields that a form sends by itself, and its buttons."""
NOTHING_SAVED: Final = (
    "Nothing was saved yet: this form has been saved since you opened it."
    " The form below holds what you typed."
)


class Step(NamedTuple):
    """A step of a set-up; `faults`: how many faults and missing texts there are in it."""

    name: str
    label: str
    address: str
    faults: int


@dataclass
class SetupPage:
    """The set-up of a study as a page shows it; `reading` is that of its last check, empty before the first.

    `draft` is what the forms change: the study itself, or the draft of changes to it.
    """

    study: Study
    setup: Setup

    @property
    def draft(self) -> Study:
        return self.setup.study

    @property
    def reading(self) -> Reading:
        job = self.setup.job
        return cast(Reading, job.result) if job and job.state == JobState.DONE else {}

    @property
    def is_current(self) -> bool:
        """Whether the last check was of the set-up as it is now; faults are told only then."""
        return bool(self.reading.get("version") == self.setup.version)

    @property
    def faults(self) -> list[FaultFound]:
        return self.reading["faults"] if self.is_current else []

    @property
    def missing(self) -> list[str]:
        """What nobody has given yet."""
        return self.reading["missing"] if self.is_current else []

    @property
    def counts(self) -> dict[str, int]:
        """Step → how many faults it has, those that are not told one by one too."""
        return self.reading["counts"] if self.is_current else {}

    @property
    def to_do(self) -> Counter[str]:
        """Step → how many faults and missing texts it has."""
        return Counter(self.counts) + Counter(step_of("", key) for key in missing_texts(self.draft))

    @property
    def is_checking(self) -> bool:
        return bool(self.setup.job and self.setup.job.live)

    @property
    def is_sound(self) -> bool:
        """Whether the study can open with it, or the changes be made."""
        return self.is_current and self.setup.is_read

    def locked(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the settings that only owners can change: the terms of a study that has begun."""
        if access.may_change_terms(request.user, self.study) or not begun(self.study):
            return ()
        return access.TERMS

    def address(self, step: str, **query: str) -> str:
        """Return the address of a step, or of another page of the set-up."""
        if step in SECTIONS:
            return reverse("console:setup_settings", args=[self.study.slug, step])
        return reverse(f"console:setup_{step}", args=[self.study.slug], query=query or None)


def setup_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A page of the set-up of a study, for those who may manage it; without one it leads to the study."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @console_page
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            study = find_study(request, slug)
        except Http404:
            if not _typed(request):
                raise
            return _over(request, None, "Meanwhile this study was deleted, or you are not in it any more.")
        if not access.may_manage(request.user, study):
            return refuse(request, "You may see this study, but not its set-up.")
        setup = setup_of(study)
        if setup is None:
            return _over(request, study, OVER) if request.method == "POST" else _to(study)
        if request.method == "POST" and was_too_large(request):
            messages.error(request, f"Nothing was uploaded. {too_large()}")
            return redirect(request.get_full_path())
        try:
            return view(request, SetupPage(study, setup), *args, **kwargs)
        except RefusedError as refusal:
            return _over(request, study, str(refusal))

    return guarded


def _to(study: Study) -> HttpResponseBase:
    return redirect("console:study", slug=study.slug)


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the texts that were sent, by field."""
    sent = ((name, text) for name, texts in request.POST.lists() for text in texts)
    return [(name, str(text)) for name, text in sent if name not in _NOT_TYPED and text]


def _over(request: HttpRequest, study: Study | None, why: str) -> HttpResponseBase:
    """Say why nothing could be saved, and show what was typed, as there is no form any more to show it in."""
    if typed := _typed(request):
        status = 404 if study is None else 409
        context = {"study": study, "why": why, "typed": typed}
        return render(request, "setup/over.html", context, status=status)
    messages.error(request, why)
    assert study is not None
    return _to(study)


def show(
    request: HttpRequest, page: SetupPage, template: str, *, step: str = "", status: int = 200, **context: Any
) -> HttpResponseBase:
    """A page of the set-up, with its steps, its estimate, and the faults that belong to the step."""
    to_do = page.to_do
    steps = [Step(name, label, page.address(name), to_do[name]) for name, label in STEPS]
    names = [name for name, _ in STEPS]
    after = names.index(step) + 1 if step in names else 0
    form = context.get("form")
    if isinstance(form, SetupForm) and (stale := form.differences):
        form.show_again()
        status, context = 409, {**context, "stale": stale, "faults": {"differing": NOTHING_SAVED}}
    elif isinstance(form, SetupForm) and form.is_bound and status == 200:
        status = 400
    whole = {
        "page": page,
        "study": page.study,
        "draft": page.draft,
        "steps": steps,
        "step": step,
        "step_label": dict(STEPS).get(step, "Set-up"),
        "next_step": steps[after] if after < len(steps) else None,
        "step_faults": [fault for fault in page.faults if fault["step"] == step],
        **estimated(request, page.draft, page.reading, page.setup.pool_depth),
    }
    return render(request, f"setup/{template}.html", {**whole, **context}, status=status)


def estimated(request: HttpRequest, draft: Study, reading: Reading, depth: int | None) -> dict[str, Any]:
    """Return what the estimate's box shows."""
    found = estimate_of(draft, reading, depth)
    measured = measured_minutes(access.visible_studies(request.user), unit_size=draft.unit_size)
    return {"terms": terms_of(draft), "estimate": found, "measured": measured, "known": found.documents > 0}


def changed(request: HttpRequest, setup: Setup, said: str = "Saved.", *, check: bool = True) -> None:
    """Count a change that was saved, and have the whole read again if that is quick."""
    messages.success(request, said)
    if not check:
        return
    note_change(setup=setup, now=now())
    if sum(size for _, size in files_in(setup.folder)) <= min(AT_ONCE, most_bytes()):
        request_check(setup=setup, now=now(), actor=access.account_of(request.user))
