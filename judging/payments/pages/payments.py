"""Paying the workers: the sums, the list to take to the platform, what was handed over, and single codes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.formats.texts import file_name
from judging.core.intake.faults import InputError
from judging.core.pages.attachment import attachment
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.limits import takes_files
from judging.core.published.payments import PAYMENTS
from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import assignment_by_code, totals
from judging.core.services.errors import RefusedError
from judging.models import Study
from judging.payments.export import payment_chunks
from judging.payments.reading import read_payments
from judging.payments.services.payments import mark_paid
from judging.protocol.codes import read_completion_code

_OWNERS_ALONE = "Only owners of the study may see who its workers are, and pay them."


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def payments(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        return _mark(request, study)
    may_pay = access.may_pay(request.user, study)
    context = {"study": study, "totals": totals(study), "formats": PAYMENTS.formats if may_pay else ()}
    return render(request, "payments/payments.html", context)


def _mark(request: HttpRequest, study: Study) -> HttpResponseBase:
    if not access.may_pay(request.user, study):
        return refuse(request, _OWNERS_ALONE)
    file = request.FILES.get("file")
    try:
        if file is None or file.file is None:
            raise InputError("no-payments-file", "Nothing was marked: choose the exported file first.")
        marked = mark_paid(
            study=study,
            payments=read_payments(str(file.name), file.file),
            now=now(),
            actor=access.account_of(request.user),
        )
    except (InputError, RefusedError) as fault:
        messages.error(request, str(fault), extra_tags="file")
    else:
        done = f"{marked.new} payments marked as handed over, {marked.amount} {study.currency}"
        messages.success(request, f"{done}; {marked.already} had been marked before.")
    return redirect("console:payments", slug=study.slug)


@require_safe
@console_page
def download_payments(request: HttpRequest, slug: str, form: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if form not in PAYMENTS.formats:
        raise Http404
    if not access.may_export(request.user, study, PAYMENTS.name):
        return refuse(request, _OWNERS_ALONE)
    chunks = payment_chunks(study, form, now=now(), actor=access.account_of(request.user))
    return attachment(chunks, file_name(study, PAYMENTS.name, form), form)


@require_safe
@console_page
def code(request: HttpRequest) -> HttpResponseBase:
    """What a completion code belongs to, among the studies that one may see."""
    typed = request.GET.get("code", "").strip()
    read = read_completion_code(typed)
    found = None
    if read is not None:
        mine = access.visible_studies(request.user).order_by()
        found = assignment_by_code(read).filter(topic__study__in=mine).first()
    context = {
        "typed": typed,
        "read": read,
        "found": found,
        "unit_name": unit_id(found.topic.number, found.unit.number) if found else "",
    }
    return render(request, "payments/code.html", context)
