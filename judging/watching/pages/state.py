"""The pages for opening, pausing and closing a study. They first say what will happen."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.core.services.studies import close_study, open_study, pause_study
from judging.models import Study
from judging.watching.pages.moves import moves_of
from judging.watching.selectors.consequences import consequences

ACTIONS = ("open", "pause", "close")


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def state(request: HttpRequest, slug: str, action: str) -> HttpResponseBase:
    """Ask for confirmation, and change the state when the form is sent."""
    study = find_study(request, slug)
    if action not in ACTIONS:
        raise Http404
    if not access.may_manage(request.user, study):
        return refuse(request, _("You cannot open, pause or close this study. Ask one of its owners."))
    if study.front is not None:
        text = _("This study is an arm of {front}. Open, pause and close all arms together here.")
        messages.error(request, text.format(front=study.front.slug))
        return redirect("console:study", slug=study.front.slug)
    if request.method == "POST":
        return _move(request, study, action)
    move = next((move for move in moves_of(study) if move.action == action), None)
    if move is None:
        messages.error(
            request,
            _("The state of the study is “{state}”, so you cannot do this now.").format(
                state=_(study.get_state_display())
            ),
        )
        return redirect("console:study", slug=study.slug)
    context = {"study": study, "move": move, "consequences": consequences(study, action, now=now())}
    return render(request, "watching/state.html", context)


def _move(request: HttpRequest, study: Study, action: str) -> HttpResponseBase:
    try:
        messages.success(request, _perform(request, study, action))
    except RefusedError as refusal:
        messages.error(request, str(refusal))
    return redirect("console:study", slug=study.slug)


def _perform(request: HttpRequest, study: Study, action: str) -> str:
    """Perform an action and return a sentence that confirms it.

    Raise RefusedError if the state of the study does not allow the action, or if closing is not confirmed.
    """
    by: By = {"now": now(), "actor": access.account_of(request.user)}
    if action == "open":
        open_study(study=study, **by)
        return _("The study is open.")
    if action == "pause":
        pause_study(study=study, **by)
        return _("The study is paused. Workers get no new units.")
    if "sure" not in request.POST:
        raise RefusedError(_("The study was not closed. Tick the box “I am sure” to confirm."))
    cancelled = close_study(study=study, force="cancel_live" in request.POST, **by)
    if not cancelled:
        return _("The study is closed.")
    names = ", ".join(sorted(assignment.participation.pseudonym for assignment in cancelled))
    if amount := cancelled[0].compensation:
        return _(
            "The study is closed. These workers lost the unit they were judging, and each gets {amount}"
            " {currency} for it: {workers}."
        ).format(amount=amount, currency=study.currency, workers=names)
    return _(
        "The study is closed. These workers lost the unit they were judging. Please pay them: {workers}."
    ).format(workers=names)
