"""The page for repairing a topic: retire it, replace its anchors, or compensate its workers."""

from dataclasses import asdict

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.selectors.copies import live_copy
from judging.core.services.errors import RefusedError
from judging.core.services.events import By
from judging.core.services.studies import retire_topic
from judging.models import Study, Topic
from judging.watching.selectors.mending import already_replaced, may_be_anchor, mending_of
from judging.watching.selectors.topic_quality import topic_quality
from judging.watching.services.mending import compensate_topic, replace_topic


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def mend_topic(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the topic that `?number=` names, or perform the action of a button."""
    study = find_study(request, slug)
    topic = study.topics.filter(number=request.GET.get("number", "")).first()
    if topic is None:
        raise Http404
    if request.method != "POST":
        return _show(request, study, topic)
    action = request.POST.get("action", "")
    allowed = access.may_pay if action == "compensate" else access.may_curate
    if not allowed(request.user, study):
        return refuse(request, _("You cannot do this in this study. Ask one of its owners."))
    try:
        confirmation = _perform(request, topic, action)
    except RefusedError as refusal:
        messages.error(request, _("Nothing was changed. {reason}").format(reason=refusal))
        return _show(request, study, topic, status=400)
    messages.success(request, confirmation)
    return redirect(address_of(topic))


def address_of(topic: Topic) -> str:
    """Return the address of the page for repairing this topic."""
    page = reverse("console:mend_topic", args=[topic.study.slug])
    return f"{page}?{urlencode({'number': topic.number})}"


def _perform(request: HttpRequest, topic: Topic, action: str) -> str:
    by: By = {"now": now(), "actor": access.account_of(request.user)}
    if action == "compensate":
        due = compensate_topic(topic=topic, **by)
        return ngettext(
            "{count} unit is now due for payment: {amount} {currency} in total. See Payments.",
            "{count} units are now due for payment: {amount} {currency} in total. See Payments.",
            due.count,
        ).format(count=due.count, amount=due.amount, currency=topic.study.currency)
    if "sure" not in request.POST:
        raise RefusedError(_("Tick the box “I am sure” to confirm."))
    if action == "retire":
        retire_topic(topic=topic, **by)
        return _("Topic {topic} is retired, so no more workers get it.").format(topic=topic.number)
    if action == "replace":
        anchors = {anchor: request.POST.get(anchor, "") for anchor in topic.study.anchors}
        copy, units = replace_topic(topic=topic, anchors=anchors, exclude="exclude" in request.POST, **by)
        return ngettext(
            "Topic {topic} is retired. Topic {copy}, which has new anchors and {units} open unit, "
            "replaces it.",
            "Topic {topic} is retired. Topic {copy}, which has new anchors and {units} open units, "
            "replaces it.",
            units,
        ).format(topic=topic.number, copy=copy.number, units=units)
    raise RefusedError(_("Use one of the buttons."))


def _show(request: HttpRequest, study: Study, topic: Topic, *, status: int = 200) -> HttpResponseBase:
    """Return the page. After a refused action, the form keeps what the user entered."""
    pool = list(topic.pool.select_related("document").order_by("document__document_id"))
    copy = live_copy(topic)
    context = {
        "study": study,
        "topic": topic,
        "quality": next(quality for quality in topic_quality(study) if quality.topic.pk == topic.pk),
        **asdict(mending_of(topic)),
        "copy": copy,
        "already_replaced": already_replaced(topic.number, copy.number) if copy else "",
        "sides": [
            {
                "anchor": anchor.value,
                "grade": anchor.grade.value,
                "chosen": request.POST.get(anchor, ""),
                "candidates": [row for row in pool if may_be_anchor(row, anchor)],
            }
            for anchor in study.anchors
        ],
        "exclude": "exclude" in request.POST,
        "curates": access.may_curate(request.user, study),
        "pays": access.may_pay(request.user, study),
    }
    return render(request, "watching/mend_topic.html", context, status=status)
