"""Opening, pausing and closing a study: a page that says what will happen, and the button that does it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
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
    """Ask, and do it when the form comes back."""
    study = find_study(request, slug)
    if action not in ACTIONS:
        raise Http404
    if not access.may_manage(request.user, study):
        return refuse(request, "You may see this study, but not open, pause or close it.")
    if request.method == "POST":
        return _move(request, study, action)
    move = next((one for one in moves_of(study) if one.action == action), None)
    if move is None:
        messages.error(request, f"The study is {study.state}: that cannot be done with it now.")
        return redirect("console:study", slug=study.slug)
    found = consequences(study, action, now=now())
    context = {"study": study, "move": move, "consequences": found}
    return render(request, "watching/state.html", context)


def _move(request: HttpRequest, study: Study, action: str) -> HttpResponseBase:
    try:
        messages.success(request, _act(request, study, action))
    except RefusedError as refusal:
        messages.error(request, str(refusal))
    return redirect("console:study", slug=study.slug)


def _act(request: HttpRequest, study: Study, action: str) -> str:
    """Do what the button says, and return what was done. Raises RefusedError as the services do."""
    by: By = {"now": now(), "actor": access.account_of(request.user)}
    if action == "open":
        open_study(study=study, **by)
        return "The study is open."
    if action == "pause":
        pause_study(study=study, **by)
        return "The study is paused: nobody gets a new unit."
    if "sure" not in request.POST:
        raise RefusedError("The study was not closed: tick the box that says you are sure.")
    cancelled = close_study(study=study, force="cancel_live" in request.POST, **by)
    if not cancelled:
        return "The study is closed."
    names = ", ".join(sorted(assignment.participation.pseudonym for assignment in cancelled))
    if amount := cancelled[0].compensation:
        pay = f"each is due {amount} {study.currency} for it"
    else:
        pay = "please pay them"
    return f"The study is closed. These workers lost the unit they were judging; {pay}: {names}."
