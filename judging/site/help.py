"""The help page: what each page of a study is for, the words that Plumbline uses, and the documentation."""

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.core.pages.guard import console_page
from judging.site.places import PLACES, SETTINGS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

WORDS: "Final[list[tuple[StrOrPromise, StrOrPromise]]]" = [
    (
        _("Topic"),
        _("What a searcher wants to know. A topic has a statement for workers and a comprehension question."),
    ),
    (_("Pool"), _("The documents that workers judge for a topic.")),
    (
        _("Anchors H and N"),
        _(
            "Each topic has two anchors: document H is certainly highly relevant, and document N is certainly"
            " not relevant. Both are in every unit of the topic, so that units can be compared. A study can"
            " have a second pair, H2 and N2."
        ),
    ),
    (
        _("Unit"),
        _("A set of documents that one worker judges in a fixed order. It includes the anchors."),
    ),
    (
        _("Attempt"),
        _("One worker’s work on one unit. Only the judgments of completed attempts count."),
    ),
    (
        _("Lapsed"),
        _("An attempt lapses if the worker does not finish it in time. Another worker then gets the unit."),
    ),
    (
        _("Magnitude"),
        _("The positive number that a worker gives to a document. Twice as relevant means twice the number."),
    ),
    (
        _("Gain"),
        _(
            "The median of a document’s normalised magnitudes. Measures such as nDCG use it instead of a"
            " grade."
        ),
    ),
    (
        _("Completion code"),
        _(
            "The code that workers enter on their platform to get paid. To find the unit of a code, use"
            " “Look up a code”."
        ),
    ),
]
"""The terms of the research field and of Plumbline, each with its meaning."""


@require_safe
@console_page
def help_page(request: HttpRequest) -> HttpResponseBase:
    context = {
        "places": (*PLACES, SETTINGS),
        "words": WORDS,
        "docs": settings.DOCS_URL,
    }
    return render(request, "site/help.html", context)
