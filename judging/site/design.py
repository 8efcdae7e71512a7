"""The page that shows the design of the console: type, spacing, colours, forms, tables, states and charts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from judging.core import access
from judging.core.pages.guard import console_page, refuse
from judging.core.pages.number_fields import WholeField
from judging.protocol.states import StudyState
from judging.site.colours import LEAST_PICTURE, LEAST_TEXT, SIGHTS, contrast, least_difference
from judging.site.design_charts import sample_charts
from judging.site.tokens import DARK, LIGHT, SCHEMES, SERIES, TEXTS, colours_in, css, lengths_in

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

USES: "Final[Mapping[str, StrOrPromise]]" = {
    "ink": gettext_lazy("Text"),
    "muted": gettext_lazy("Less important text: hints, captions, column headings"),
    "accent": gettext_lazy("Links, the primary button, the current page"),
    "good": gettext_lazy("Success (always shown in words too)"),
    "bad": gettext_lazy("Errors and flags (always shown in words too)"),
    "accent-ink": gettext_lazy("Text on a button"),
    "paper": gettext_lazy("Background of the page"),
    "card": gettext_lazy("Background of cards, fields and charts"),
    "notice": gettext_lazy("Background of notices"),
    "success": gettext_lazy("Background of success notices"),
    "line": gettext_lazy("Lines between rows and around cards"),
} | dict.fromkeys(SERIES, gettext_lazy("A data series in a chart"))
"""Maps each colour token to what the colour is used for."""


class Shade(NamedTuple):
    """A colour in the light or dark scheme, and its contrast with the backgrounds of the page and of cards.

    `paper` and `card` are the colours of these backgrounds.
    """

    colour: str
    on_paper: float
    on_card: float
    paper: str
    card: str


class Colour(NamedTuple):
    """A colour token. `least` is the lowest contrast that it may have, or None if there is no limit."""

    token: str
    use: "StrOrPromise"
    least: float | None
    shades: list[Shade]


class SampleForm(forms.Form):
    """A form that shows a hint and an error. The page has no button that sends the form."""

    contact = forms.EmailField(
        label=gettext_lazy("Contact"), help_text=gettext_lazy("Workers see this address on every page.")
    )
    judgments = WholeField(
        label=gettext_lazy("Judgments per document"),
        min_value=1,
        error_messages={"min_value": gettext_lazy("The number is too small. Enter 1 or more.")},
        widget=forms.TextInput(attrs={"class": "short"}),
    )


@require_safe
@console_page
def design(request: HttpRequest) -> HttpResponseBase:
    """Show the design to members of staff."""
    if not access.is_staff(request.user):
        return refuse(request, _("Only members of staff of this site can see its design."))
    sheets = css()
    colours, lengths = colours_in(sheets), lengths_in(sheets)
    context = {
        "sizes": [
            (token.removeprefix("size-"), rem, lengths.console[token])
            for token, rem in lengths.site.items()
            if token.startswith("size-")
        ],
        "gaps": [
            (token.removeprefix("gap-"), rem)
            for token, rem in lengths.console.items()
            if token.startswith("gap-")
        ],
        "colours": [_colour(token, colours) for token in USES],
        "least_text": LEAST_TEXT,
        "least_picture": LEAST_PICTURE,
        "differences": _differences(colours),
        "sample": SampleForm({"contact": "ada@example.org", "judgments": "0"}, auto_id="sample_%s"),
        "states": [(state.value, _(state.value)) for state in StudyState],
        "charts": sample_charts(),
    }
    return render(request, "site/design.html", context)


def _colour(token: str, colours: dict[str, dict[str, str]]) -> Colour:
    least = LEAST_TEXT if token in TEXTS else LEAST_PICTURE if token in SERIES else None
    return Colour(token, USES[token], least, [_shade(token, colours[scheme]) for scheme in SCHEMES])


def _shade(token: str, scheme: dict[str, str]) -> Shade:
    colour, paper, card = scheme[token], scheme["paper"], scheme["card"]
    return Shade(colour, contrast(colour, paper), contrast(colour, card), paper, card)


def _differences(colours: dict[str, dict[str, str]]) -> "list[tuple[StrOrPromise, float, float]]":
    """Return a tuple (name, difference, difference) for each kind of colour vision.

    The two numbers are the smallest differences between any two series, in the light and in the dark scheme.
    """
    names = {
        "trichromacy": _("Usual colour vision"),
        "protanopia": _("Protanopia: no red cones"),
        "deuteranopia": _("Deuteranopia: no green cones"),
        "tritanopia": _("Tritanopia: no blue cones"),
    }
    series = {scheme: [colours[scheme][token] for token in SERIES] for scheme in SCHEMES}
    return [
        (names[sight], least_difference(series[LIGHT], sight), least_difference(series[DARK], sight))
        for sight in SIGHTS
    ]
