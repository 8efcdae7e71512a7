"""The “Worker links” page: create and cancel personal links, and create the secret for signed links."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import MEDIA_TYPES, csv_rows
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.number_fields import typed_number
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.core.words import translated
from judging.limits import MOST_LINKS
from judging.models import Study
from judging.protocol.platforms import platform_of
from judging.protocol.platforms.base import LINK, Platform
from judging.protocol.settings import SETTINGS
from judging.worker.pages.previews import MADE_UP
from judging.worker.pages.progress import system_random
from judging.worker.selectors.links import count_links
from judging.worker.services.links import NewLink, cancel_links, make_links, make_secret


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def way_in(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show how workers enter the study. Editors can create links, and owners can also create the secret."""
    study = find_study(request, slug)
    if study.front is not None:
        return redirect("console:way_in", slug=study.front.slug)
    if request.method != "POST":
        return _show(request, study)
    action = request.POST.get("action", "")
    allowed = access.may_create_entry_secret if action == "secret" else access.may_invite_workers
    if not allowed(request.user, study):
        return refuse(
            request,
            _("You cannot manage the worker links of this study. Ask one of its owners."),
        )
    try:
        return _run_action(request, study, action)
    except RefusedError as refusal:
        messages.error(request, str(refusal), extra_tags="count" if action == "links" else "")
        return _show(request, study, typed=request.POST.get("count", ""), status=400)


def _run_action(request: HttpRequest, study: Study, action: str) -> HttpResponseBase:
    """Run the action of a button. Raise RefusedError if the action is unknown or refused."""
    by: By = {"now": now(), "actor": access.account_of(request.user)}
    if action == "links":
        count = _typed_count(request)
        number = int(count) if count.isascii() and count.isdigit() and len(count) < 10 else 0
        return _file(request, study, make_links(study=study, count=number, rng=system_random, **by))
    if action == "take_back":
        cancelled = cancel_links(study=study, **by)
        message = ngettext("{n} unused link cancelled.", "{n} unused links cancelled.", cancelled)
        messages.success(request, message.format(n=number_format(cancelled, force_grouping=True)))
        return redirect("console:way_in", slug=study.slug)
    if action == "secret":
        return _show(request, study, secret=make_secret(study=study, **by))
    raise RefusedError(_("Unknown action. Use one of the buttons on the page."))


def _typed_count(request: HttpRequest) -> str:
    try:
        return typed_number(request.POST.get("count", "").strip())
    except ValidationError as error:
        raise RefusedError(error.message) from None


def _file(request: HttpRequest, study: Study, new_links: list[NewLink]) -> HttpResponse:
    """Return the file with the new links. It is the only response that contains them."""
    address = _address(request, study)
    links = ((link.number, f"{address}?{urlencode({LINK: link.token})}") for link in new_links)
    answer = HttpResponse("".join(csv_rows([("number", "link"), *links])), content_type=MEDIA_TYPES["csv"])
    name = f"{study.slug}-links-{new_links[0].number}-{new_links[-1].number}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _show(
    request: HttpRequest, study: Study, *, secret: str = "", typed: str = "", status: int = 200
) -> HttpResponseBase:
    if secret:
        study.refresh_from_db(fields=["entry_key"])
    platform = platform_of(study)
    context = {
        "study": study,
        "platform": platform,
        "parameters": platform.parameters(study),
        "notices": [translated(notice) for notice in platform.notices(study)],
        "paste": _link_to_paste(platform, study, _address(request, study)),
        "address": _address(request, study),
        "made_up": MADE_UP,
        "counts": count_links(study),
        "most": MOST_LINKS,
        "invites": access.may_invite_workers(request.user, study),
        "signs": access.may_create_entry_secret(request.user, study),
        "entry_label": SETTINGS["entry"].label,
        "secret": secret,
        "typed": typed,
    }
    return render(request, "worker/console/way_in.html", context, status=status)


def _link_to_paste(platform: Platform, study: Study, address: str) -> str:
    """Return the link to paste into the platform.

    The placeholders are not encoded, because the platform would not recognise encoded placeholders.
    """
    query = "&".join(f"{name}={placeholder}" for name, placeholder in platform.link_query(study))
    return f"{address}?{query}" if query else address


def _address(request: HttpRequest, study: Study) -> str:
    return request.build_absolute_uri(reverse("worker:information", args=[study.slug]))
