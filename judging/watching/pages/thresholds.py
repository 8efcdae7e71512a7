"""The page with the thresholds that trigger notices. Only owners of the study can set thresholds."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from judging.core import access, mail
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.pages.number_fields import AmountField, WholeField
from judging.core.pages.text_fields import UncutField
from judging.core.words import translated
from judging.models import Watch
from judging.models.watch import FAILED_UNITS, share_of
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.web_address import LONGEST, webhook_fault
from judging.watching.selectors.notices import people_of
from judging.watching.selectors.thresholds import LEAST
from judging.watching.services.thresholds import FIELDS, set_watch

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_SHARE: Final = _("The share is invalid. Enter a whole number from 1 to 100, or leave the field empty.")
_AMOUNT: Final = _(
    "The amount is invalid. Enter an amount above 0 with up to two decimals, or leave the field empty."
)


def _share(label: "StrOrPromise") -> WholeField:
    wrong = dict.fromkeys(("invalid", "min_value", "max_value"), _SHARE)
    return WholeField(label=label, required=False, min_value=1, max_value=100, error_messages=wrong)


class WatchForm(forms.Form):
    """The thresholds of a study. An empty field means that there is no threshold."""

    spent = AmountField(
        required=False,
        min_value=Decimal("0.01"),
        max_digits=10,
        decimal_places=2,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_digits", "max_decimal_places", "max_whole_digits"), _AMOUNT
        ),
    )
    bad_anchor = forms.BooleanField(label=_("Anchors look bad"), required=False)
    bad_question = forms.BooleanField(label=_("A question looks bad"), required=False)
    reported = forms.BooleanField(
        label=_("A worker reports that they cannot judge a document"), required=False
    )
    flagged_worker = forms.BooleanField(
        label=_(
            "The first worker is flagged, or the number of flagged workers has doubled since the last notice"
        ),
        required=False,
    )
    webhook_url = UncutField(
        label=_("Webhook: an address that receives JSON by POST"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        letters = ", ".join(f"({check.letter})" for check in unit_checks())
        failed_units = gettext("Units that failed at least one of the checks {checks}, in %")
        shares = {FAILED_UNITS: _share(failed_units.format(checks=letters))} | {
            share_of(check): _share(f"({check.letter}) {gettext(check.failed)}, %")
            for check in CHECKS.values()
        }
        self.fields = shares | self.fields
        spent = gettext("Money spent (paid or due), in {currency}")
        self.fields["spent"].label = spent.format(currency=currency)

    def clean_webhook_url(self) -> str:
        url: str = self.cleaned_data["webhook_url"]
        if url and (fault := webhook_fault(url)):
            raise forms.ValidationError(translated(fault))
        return url


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def thresholds(request: HttpRequest, slug: str) -> HttpResponseBase:
    study = find_study(request, slug)
    may_set = access.may_set_thresholds(request.user, study)
    if request.method == "POST":
        if not may_set:
            return refuse(request, _("Only owners of the study can set its thresholds and its webhook."))
        form = WatchForm(request.POST, currency=study.currency, label_suffix="")
        if form.is_valid():
            set_watch(study=study, wanted=form.cleaned_data, now=now(), actor=access.account_of(request.user))
            messages.success(request, _("The thresholds are saved."))
            return redirect("console:thresholds", slug=study.slug)
    else:
        values = _current_values(Watch.objects.filter(study=study).first())
        form = WatchForm(initial=values, currency=study.currency, label_suffix="")
    context = {
        "study": study,
        "form": form,
        "may_set": may_set,
        "least": LEAST,
        "mail": mail.is_set_up(),
        "recipients": [person.get_username() for person in people_of(study)],
    }
    return render(request, "watching/thresholds.html", context, status=400 if form.errors else 200)


def _current_values(watch: Watch | None) -> dict[str, object]:
    return watch.shares | {field: getattr(watch, field) for field in FIELDS} if watch else {}
