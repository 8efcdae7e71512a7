"""Helpers for the pages of a set-up: load its last check, show a step, and record a change."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, console_refusal, find_study, refuse
from judging.core.pages.limits import was_too_large
from judging.core.selectors.attempts import has_begun
from judging.core.selectors.readiness import missing_texts
from judging.core.selectors.texts import unfinished_texts
from judging.core.selectors.times import median_minutes
from judging.core.services.errors import RefusedError
from judging.core.upload_limit import most_bytes, too_large
from judging.models import JobState, Setup, Study
from judging.setup.estimating import estimates_of, pool_sizes, terms_of
from judging.setup.making import setup_of
from judging.setup.pages.forms import SetupForm
from judging.setup.pages.path import Step, path_of
from judging.setup.reading import FaultSummary, Reading
from judging.setup.services.setups import NOT_EDITABLE, note_change, request_check
from judging.setup.steps import SECTIONS, STEPS, step_of
from judging.setup.study_files.uploads import files_in

MOST_BYTES_TO_CHECK: Final = 32 * 1024 * 1024
"""A set-up with more bytes of files is checked only on request, not after every change."""
_NOT_TYPED: Final = {"csrfmiddlewaretoken", "version", "action", "sure", "draw", "look", "continue"}
"""The names of hidden fields, checkboxes and buttons, which do not contain text that users type."""
NOTHING_SAVED: Final = gettext_lazy(
    "Your text is not saved yet, because somebody saved this form after you opened it. Your"
    " text is still in the form below."
)


@dataclass
class SetupPage:
    """The set-up of a study as a page shows it.

    `reading` is the result of the last check. It is empty if there has been no check, or if the last check is
    not done or has failed. `draft` is the study that the forms change: the study itself, or the draft of
    changes to it.
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
        """Return whether the last check read the current version.

        If not, the pages hide the problems that the check found.
        """
        return bool(self.reading.get("version") == self.setup.version)

    @property
    def faults(self) -> list[FaultSummary]:
        return self.reading["faults"] if self.is_current else []

    @property
    def missing(self) -> list[str]:
        """Return which of `documents`, `topics` and `pool` the set-up does not have yet."""
        return self.reading["missing"] if self.is_current else []

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of problems at each step, including problems that the page does not list."""
        return self.reading["counts"] if self.is_current else {}

    @property
    def to_do(self) -> Counter[str]:
        """Return the number of problems and missing texts at each step."""
        texts = [*missing_texts(self.draft), *(fault.key for fault in unfinished_texts(self.draft))]
        return Counter(self.counts) + Counter(step_of("", key) for key in texts)

    @property
    def path(self) -> list[Step]:
        """Return the steps of the set-up with their states."""
        return path_of(
            {name: self.address(name) for name, _label in STEPS},
            counts=self.to_do,
            missing_texts=missing_texts(self.draft),
            unfinished_texts=unfinished_texts(self.draft),
            missing_parts=self.missing,
            faults=self.faults,
            is_current=self.is_current,
            is_draft=self.draft == self.study,
        )

    @property
    def is_checking(self) -> bool:
        return bool(self.setup.job and self.setup.job.live)

    @property
    def is_sound(self) -> bool:
        """Return whether the last check read the current version of the set-up and found no problems."""
        return self.is_current and self.setup.is_read

    def locked_keys(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the keys of the settings that this user cannot change because the study has begun.

        The result is empty if the study has not begun, or if the user has the rights of an owner.
        """
        if access.may_change_terms(request.user, self.study) or not has_begun(self.study):
            return ()
        return access.TERMS

    def address(self, step: str, **query: str) -> str:
        """Return the address of a page of the set-up."""
        if step in SECTIONS:
            return reverse("console:setup_settings", args=[self.study.slug, step])
        return reverse(f"console:setup_{step}", args=[self.study.slug], query=query or None)


def setup_page(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Restrict a page of a set-up to managers of the study. If there is no set-up, show the study's page."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @console_page
    @wraps(view)
    def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            study = find_study(request, slug)
        except Http404:
            if not _typed_texts(request):
                raise
            reason = _("This study was deleted while you were editing, or you no longer have access to it.")
            return _show_nothing_saved(request, None, reason)
        if answer := _refuse_all_but_managers(request, study):
            return answer
        setup = setup_of(study)
        if setup is None:
            if request.method == "POST":
                return _show_nothing_saved(request, study, _(NOT_EDITABLE))
            return _redirect_to(study)
        if request.method == "POST" and was_too_large(request):
            messages.error(request, _("Nothing was uploaded. {problem}").format(problem=too_large()))
            return redirect(request.get_full_path())
        try:
            return view(request, SetupPage(study, setup), *args, **kwargs)
        except RefusedError as refusal:
            return _show_nothing_saved(request, study, str(refusal))

    return guarded


def setup_refusal(request: HttpRequest, slug: str) -> HttpResponseBase | None:
    """Return the answer to visitors who cannot change the set-up of a study, and None for those who can.

    Raise Http404 if the study does not exist or the visitor may not see it. This does not read the form.
    """
    return console_refusal(request) or _refuse_all_but_managers(request, find_study(request, slug))


def _refuse_all_but_managers(request: HttpRequest, study: Study) -> HttpResponseBase | None:
    if access.may_manage(request.user, study):
        return None
    reason = _(
        "You can see this study, but you cannot change its set-up. Ask an owner of the study for access."
    )
    return refuse(request, reason)


def _redirect_to(study: Study) -> HttpResponseBase:
    return redirect("console:study", slug=study.slug)


def _typed_texts(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what the user typed into the form, as pairs (name of the field, text)."""
    sent = ((name, text) for name, texts in request.POST.lists() for text in texts)
    return [(name, str(text)) for name, text in sent if name not in _NOT_TYPED and text]


def _show_nothing_saved(request: HttpRequest, study: Study | None, reason: str) -> HttpResponseBase:
    """Show why nothing was saved. Also show the texts that the user typed, so that they are not lost.

    If the user typed nothing, redirect to the study's page, and show the reason there.
    """
    if typed := _typed_texts(request):
        status = 404 if study is None else 409
        context = {"study": study, "reason": reason, "typed": typed}
        return render(request, "setup/nothing_saved.html", context, status=status)
    messages.error(request, reason)
    assert study is not None
    return _redirect_to(study)


def render_page(
    request: HttpRequest, page: SetupPage, template: str, *, step: str = "", status: int = 200, **context: Any
) -> HttpResponseBase:
    """Return a page of the set-up, with the steps, the estimate and the problems of this step.

    The status is 409 if the form would overwrite values that the user has not seen, and 400 if it has errors.
    If the context contains `drafted`, Plumbline has filled in the form, so the form is not checked.
    """
    steps = page.path
    labels = {entry.name: entry.label for entry in steps}
    if step in labels:
        following = next(iter(steps[list(labels).index(step) + 1 :]), None)
    else:
        following = next((entry for entry in steps if entry.is_next), None)
    form = context.get("form")
    if context.get("drafted"):
        pass  # the user did not try to save anything, so the form needs no checks
    elif isinstance(form, SetupForm) and (stale := form.differences):
        form.show_again()
        status, context = 409, {**context, "stale": stale, "faults": {"differing": NOTHING_SAVED}}
    elif isinstance(form, SetupForm) and form.is_bound and status == 200:
        status = 400
    common = {
        "page": page,
        "study": page.study,
        "draft": page.draft,
        "steps": steps,
        "step": step,
        "step_label": labels.get(step, _("Set-up")),
        "next_step": following,
        "step_faults": [fault for fault in page.faults if fault["step"] == step],
        **estimate_context(request, page.draft, page.reading, page.setup.pool_depth),
    }
    return render(request, f"setup/{template}.html", {**common, **context}, status=status)


def estimate_context(
    request: HttpRequest, draft: Study, reading: Reading, depth: int | None
) -> dict[str, Any]:
    """Return the template context for the box that shows the estimated cost and time."""
    estimate, at_most = estimates_of(draft, reading, depth)
    measured = median_minutes(access.visible_studies(request.user), unit_size=draft.unit_size)
    return {
        "terms": terms_of(draft),
        "estimate": estimate,
        "at_most": at_most,
        "measured": measured,
        "pooled": sum(pool_sizes(reading, depth)) if draft.is_sampled else None,
        "known": estimate.documents > 0,
    }


def record_change(request: HttpRequest, setup: Setup, message: str = "", *, check: bool = True) -> None:
    """Show a message that a change was saved.

    If `check` is true, also record a new version of the set-up. Then request a check, unless the files are
    too large to check after every change.
    """
    messages.success(request, message or _("Saved."))
    if not check:
        return
    note_change(setup=setup, now=now())
    if sum(size for _name, size in files_in(setup.folder)) <= min(MOST_BYTES_TO_CHECK, most_bytes()):
        request_check(setup=setup, now=now(), actor=access.account_of(request.user))
