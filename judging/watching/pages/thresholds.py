"""What of a study is told, by e-mail and webhook: seen by all who see the study, set by its owners."""

from decimal import Decimal
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from judging.core import access, mail
from judging.core.clock import now
from judging.core.pages.guard import console_page, find_study, refuse
from judging.core.words import translated
from judging.models import Watch
from judging.models.watch import FAILED_UNITS, share_of
from judging.protocol.checks import CHECKS, unit_checks
from judging.protocol.web_address import LONGEST, webhook_fault
from judging.watching.selectors.notices import people_of
from judging.watching.selectors.thresholds import LEAST
from judging.watching.services.thresholds import FIELDS, set_watch

_SHARE: Final = "Write a whole number from 1 to 100, or nothing."
_AMOUNT: Final = "Write an amount above 0 with up to two decimals, or nothing."


def _share(label: str) -> forms.IntegerField:
    wrong = dict.fromkeys(("invalid", "min_value", "max_value"), _SHARE)
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(
        label=label, required=False, min_value=1, max_value=100, error_messages=wrong, widget=widget
    )


class WatchForm(forms.Form):
    """The thresholds; what is left empty is not watched."""

    spent = forms.DecimalField(
        label="Money spent, paid or due",
        required=False,
        min_value=Decimal("0.01"),
        max_digits=10,
        decimal_places=2,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_digits", "max_decimal_places", "max_whole_digits"), _AMOUNT
        ),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    bad_anchor = forms.BooleanField(label="A bad anchor is found", required=False)
    bad_question = forms.BooleanField(label="A bad question is found", required=False)
    flagged_worker = forms.BooleanField(
        label="A worker is flagged, and whenever the number of flagged ones has doubled", required=False
    )
    webhook_url = forms.CharField(
        label="Webhook, an address that JSON is posted to",
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {check.letter: check.failed.capitalize() for check in CHECKS.values()}
        units = " or ".join(f"({check.letter})" for check in unit_checks())
        shares = {FAILED_UNITS: _share(f"Units that failed a check {units}, %")} | {
            share_of(check): _share(f"({check.letter}) {names[check.letter]}, %") for check in CHECKS.values()
        }
        self.fields = shares | self.fields

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
            return refuse(
                request, "Only owners of the study may say what is told of it, and to which address."
            )
        form = WatchForm(request.POST, label_suffix="")
        if form.is_valid():
            set_watch(study=study, wanted=form.cleaned_data, now=now(), actor=access.account_of(request.user))
            messages.success(request, "The thresholds are set.")
            return redirect("console:thresholds", slug=study.slug)
    else:
        form = WatchForm(initial=_present(Watch.objects.filter(study=study).first()), label_suffix="")
    context = {
        "study": study,
        "form": form,
        "may_set": may_set,
        "least": LEAST,
        "mail": mail.is_set_up(),
        "hearers": [person.get_username() for person in people_of(study)],
    }
    return render(request, "watching/thresholds.html", context, status=400 if form.errors else 200)


def _present(watch: Watch | None) -> dict[str, object]:
    return watch.shares | {field: getattr(watch, field) for field in FIELDS} if watch else {}
