"""Templates for the texts that Plumbline has no default for. Researchers complete these templates.

The templates name pay, minutes and so on with fields, so they stay true when a setting changes.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from judging.core.words import supported_language
from judging.models import Study
from judging.protocol.scales import judging_of
from judging.protocol.text_fields import TEXT_FIELDS

TEMPLATES: Final = ("information", "consent")
"""The settings that have a template."""


def text_templates(study: Study) -> Mapping[str, str]:
    """Return a template, in the study's language, for each setting in `TEMPLATES` whose text is empty.

    Square brackets mark what the researcher must still write.
    """
    with override(supported_language(study.language)):
        texts = {"information": "\n\n".join(_information(study)), "consent": _consent()}
    return {key: texts[key] for key in TEMPLATES if not getattr(study, key).strip()}


def _information(study: Study) -> list[str]:
    fields = {name: field.written for name, field in TEXT_FIELDS.items()}
    return [
        _("**Who we are.** This is a study by {requester}. [Write why you are running the study.]").format(
            requester=fields["requester"]
        ),
        _("**What you do.** {work} A set takes about {minutes} minutes.").format(
            work=_(judging_of(study).asked.sets).format(number=fields["documents"]),
            minutes=fields["minutes"],
        ),
        _("**Pay.** You get {amount} for each finished set.").format(amount=fields["pay"]),
        _(
            "**What we store.** Your answers, reasons and times, under a random name. If you come from a"
            " crowd platform, we also store your id on that platform. We keep this id separate from your"
            " answers, and use it only to recognise you and to pay you. [Write how long you keep the data,"
            " and whether you publish it.]"
        ),
        _("**How to stop.** You can close the page at any time. [Write what happens to the data then.]"),
    ]


def _consent() -> str:
    lines = (
        _("I am at least 18 years old and take part by my own choice."),
        _("I have read the information above."),
        _("I can stop at any time."),
        _("My answers may be used for research, without anything that identifies me."),
    )
    return "\n".join(f"- {line}" for line in lines)
