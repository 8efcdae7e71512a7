"""Pages about pay: see the totals, download payments, mark payments as paid, and look up completion codes."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from judging.core import access
from judging.core.clock import now
from judging.core.faults import InputError
from judging.core.formats.texts import file_name
from judging.core.pages.attachment import attachment
from judging.core.pages.guard import console_page, console_refusal, find_study, refuse, row_key
from judging.core.pages.limits import takes_files
from judging.core.published.payments import PAYMENTS
from judging.core.selectors.judgments import unit_id
from judging.core.selectors.payments import assignment_by_code, totals
from judging.core.services.errors import RefusedError
from judging.core.words import translated
from judging.models import Participation, Study
from judging.models.payable import LONGEST_NOTE
from judging.payments.export import payment_chunks
from judging.payments.reading import read_payments
from judging.payments.selectors.held import held_payments
from judging.payments.services.deciding import resolve_payment
from judging.payments.services.payments import Marked, mark_paid
from judging.protocol.codes import read_completion_code

_OWNERS_ONLY = gettext_lazy(
    "The list of payments identifies the workers, so only owners of the study can use it."
    " Ask an owner to pay the workers."
)


def _refusal(request: HttpRequest, slug: str) -> HttpResponseBase | None:
    """Return the answer to visitors who cannot pay the workers of a study, and None for those who can."""
    if answer := console_refusal(request):
        return answer
    return (
        None
        if access.may_pay(request.user, find_study(request, slug))
        else refuse(request, str(_OWNERS_ONLY))
    )


@takes_files(_refusal)
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def payments(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if request.method == "POST":
        if refusal := _refusal(request, slug):
            return refusal
        return _decide(request, study) if "payment" in request.POST else _mark(request, study)
    may_pay = access.may_pay(request.user, study)
    money = totals(study)
    context = {
        "study": study,
        "totals": money,
        "held": held_payments(study) if money.held.count else [],
        "formats": PAYMENTS.formats if may_pay else (),
        "longest_note": LONGEST_NOTE,
    }
    return render(request, "payments/payments.html", context)


def _decide(request: HttpRequest, study: Study) -> HttpResponseBase:
    worker, _slash, number = request.POST["payment"].replace("\0", "").partition("/")
    participation = get_object_or_404(Participation, study=study, pseudonym=worker)
    action = request.POST.get("action", "")
    try:
        if action not in ("pay", "refuse"):
            raise RefusedError(gettext("Unknown action: nothing was done. Use one of the buttons."))
        resolve_payment(
            participation=participation,
            number=row_key(number) if number else None,
            pays=action == "pay",
            note=request.POST.get("note", "").replace("\0", ""),
            now=now(),
            actor=access.account_of(request.user),
        )
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, gettext("The payment is due.") if action == "pay" else gettext("The payment is refused.")
        )
    return redirect(f"{reverse('console:payments', args=[study.slug])}#held")


def _mark(request: HttpRequest, study: Study) -> HttpResponseBase:
    file = request.FILES.get("file")
    try:
        if file is None or file.file is None:
            raise InputError("no-payments-file", "You did not choose a file. Choose the exported file.")
        marked = mark_paid(
            study=study,
            payments=read_payments(str(file.name), file.file),
            now=now(),
            actor=access.account_of(request.user),
        )
    except InputError as error:
        place = f"{error.where}: " if error.where else ""
        messages.error(request, f"{place}{translated(error)}", extra_tags="file")
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="file")
    else:
        messages.success(request, _success(study, marked))
    return redirect("console:payments", slug=study.slug)


def _success(study: Study, marked: Marked) -> str:
    """Return a message that says how many payments are newly marked, and how many were marked before."""
    new = ngettext(
        "{n} payment marked as paid, {amount} {currency} in all.",
        "{n} payments marked as paid, {amount} {currency} in all.",
        marked.new,
    ).format(n=marked.new, amount=number_format(marked.amount), currency=study.currency)
    if not marked.already:
        return new
    already = ngettext(
        "{n} payment was already marked as paid.",
        "{n} payments were already marked as paid.",
        marked.already,
    ).format(n=marked.already)
    return f"{new} {already}"


@require_safe
@console_page
def download_payments(request: HttpRequest, slug: str, form: str) -> HttpResponseBase:
    study = find_study(request, slug)
    if form not in PAYMENTS.formats:
        raise Http404
    if not access.may_export(request.user, study, PAYMENTS.name):
        return refuse(request, str(_OWNERS_ONLY))
    chunks = payment_chunks(study, form, now=now(), actor=access.account_of(request.user))
    return attachment(chunks, file_name(study, PAYMENTS.name, form), form)


@require_safe
@console_page
def code(request: HttpRequest) -> HttpResponseBase:
    """Show the assignment that has the typed completion code, if the visitor can see its study."""
    typed = request.GET.get("code", "").strip()
    completion_code = read_completion_code(typed)
    assignment = None
    if completion_code is not None:
        studies = access.visible_studies(request.user).order_by()
        assignment = assignment_by_code(completion_code).filter(topic__study__in=studies).first()
    context = {
        "typed": typed,
        "code": completion_code,
        "assignment": assignment,
        "unit_name": unit_id(assignment.topic.number, assignment.unit.number) if assignment else "",
    }
    return render(request, "payments/code.html", context)
