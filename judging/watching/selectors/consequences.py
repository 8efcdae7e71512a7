"""What would happen if a study were opened, paused or closed now."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from judging.core.selectors.anchors import anchor_warnings
from judging.core.selectors.readiness import Readiness, Work, opening_faults, readiness
from judging.models import Study
from judging.protocol.platforms.base import Entry
from judging.protocol.states import StudyState
from judging.watching.selectors.progress import Progress, study_progress

_ENTRIES: Final = {
    Entry.OPEN: _("Anyone who opens {address} can take part."),
    Entry.INVITE: _(
        "People who open {address} with a personal link can take part. You create the links on the "
        "“Worker links” page."
    ),
    Entry.SIGNED: _(
        "People who open {address} with a signed link can take part. On the “Worker links” page, you create"
        " the secret that signs the links."
    ),
}
"""Maps the setting `entry` of a study to a sentence that says who can take part."""


@dataclass(frozen=True)
class Consequences:
    """What an action does: `sentences` describe it, and `faults` say why it is not possible yet.

    `live` is the number of units that are being judged now.
    """

    sentences: list[str]
    faults: list[str]
    live: int = 0


def consequences(study: Study, action: str, *, now: datetime) -> Consequences:
    """Return the consequences of the action `open`, `pause` or `close`."""
    progress = study_progress([study]).get(study.pk, Progress())
    if action == "open":
        return _opening(study, progress, now)
    being_judged = ngettext(
        "{units} unit is being judged now. Its worker must finish it within {minutes} minutes of "
        "starting it.",
        "{units} units are being judged now. Their workers must finish them within {minutes} minutes "
        "of starting them.",
        progress.reserved,
    ).format(units=_number(progress.reserved), minutes=study.lapse_minutes)
    if action == "pause":
        sentences = [
            gettext("Workers get no new units."),
            being_judged,
            gettext("You can open the study again at any time."),
        ]
        return Consequences(sentences, [], progress.reserved)
    done = ngettext(
        "{done} of {wanted} units is done, with {judgments} judgments. Units that are not done: {left}.",
        "{done} of {wanted} units are done, with {judgments} judgments. Units that are not done: {left}.",
        progress.done,
    ).format(
        done=_number(progress.done),
        wanted=_number(progress.wanted),
        judgments=_number(progress.judgments),
        left=_number(progress.open + progress.reserved),
    )
    return Consequences(
        [
            gettext("Workers get no new units, and you can never open the study again."),
            done,
            being_judged,
            gettext("All data is kept. You can view it, evaluate it and pay workers as before."),
        ],
        [],
        progress.reserved,
    )


def _opening(study: Study, progress: Progress, now: datetime) -> Consequences:
    dates = _dates(study, now)
    if study.state == StudyState.PAUSED:
        reopening = ngettext(
            "Workers can take the {units} open unit again.",
            "Workers can take the {units} open units again.",
            progress.open,
        ).format(units=_number(progress.open))
        return Consequences([reopening, *dates], opening_faults(study, now=now), progress.reserved)
    ready = readiness(study, now=now)
    return Consequences(
        [
            *(_plan(study, ready) if ready.planned.units else ()),
            str(_ENTRIES[Entry(study.entry)]).format(address=f"/s/{study.slug}/"),
            gettext(
                "Once a worker has seen a topic, you can no longer change the texts, topics, "
                "questions, documents, anchors or checks. You can still change the title, dates and "
                "pay, request more judgments per document, and add topics and runs."
            ),
            *dates,
            *anchor_warnings(study),
        ],
        ready.faults,
    )


def _plan(study: Study, ready: Readiness) -> list[str]:
    units = ngettext(
        "Plumbline plans {units} unit of {size} documents: {judgments} judgments. Topics: {topics}.",
        "Plumbline plans {units} units of {size} documents each: {judgments} judgments. Topics: {topics}.",
        ready.planned.units,
    ).format(
        units=_number(ready.planned.units),
        size=study.unit_size,
        judgments=_number(ready.planned.judgments),
        topics=_number(len(ready.topics)),
    )
    if ready.planned.fee:
        cost = gettext(
            "If all units are done, workers get {currency} {cost} in total. With the platform’s fee "
            "of {fee} %, that is {currency} {total}."
        )
    else:
        cost = gettext(
            "If all units are done, workers get {currency} {cost} in total. The platform may charge a fee "
            "on top."
        )
    hours = gettext("Workers need about {hours} hours in total.")
    return [
        units,
        cost.format(
            currency=study.currency,
            cost=_money(ready.planned.cost),
            fee=study.platform_fee,
            total=_money(ready.planned.total),
        ),
        hours.format(hours=_hours(ready.planned)),
        *([_at_most(study, ready.most)] if ready.most else []),
    ]


def _at_most(study: Study, most: Work) -> str:
    return gettext(
        "That is the first round. The study is adaptive, so further units can follow. All rounds together "
        "need at most {units} units, {currency} {cost} including any fee, and {hours} hours."
    ).format(
        units=_number(most.units),
        currency=study.currency,
        cost=_money(most.total),
        hours=_hours(most),
    )


def _hours(work: Work) -> str:
    return number_format(f"{work.minutes / 60:.1f}", force_grouping=True)


def _dates(study: Study, now: datetime) -> list[str]:
    sentences = []
    if study.opens_at and study.opens_at > now:
        opening = gettext("Workers can take units from {time} UTC.")
        sentences.append(opening.format(time=date_format(study.opens_at, "DATETIME_FORMAT")))
    if study.closes_at:
        closing = gettext("Workers can take units until {time} UTC.")
        sentences.append(closing.format(time=date_format(study.closes_at, "DATETIME_FORMAT")))
    return sentences


def _number(number: int) -> str:
    return number_format(number, force_grouping=True)


def _money(amount: Decimal) -> str:
    return number_format(amount, 2, force_grouping=True)
