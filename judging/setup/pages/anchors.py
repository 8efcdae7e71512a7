"""The “Anchors” step of a set-up: candidates by grade, and the two chosen documents side by side."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core import access
from judging.core.pages.page_table import Column, Table, link
from judging.core.stored_sentences import in_language
from judging.models import Topic
from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR, PAIRS, Anchor
from judging.protocol.anchor_proposals import proposing_runs
from judging.protocol.grades import gain_of
from judging.protocol.planning import UNEVEN, unevenness
from judging.protocol.states import Grade
from judging.setup.anchors import (
    GRADES,
    Candidate,
    Choice,
    Proposal,
    choice_of,
    open_proposals,
    reasons_of,
)
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.topic_forms import AnchorsForm
from judging.setup.reading import AnchorSummary, TopicSummary
from judging.setup.services.setups import locked

_MOST_AT_ONCE: Final = 50
"""The maximum number of topics whose proposals the page lists at once. After saving, it lists the next."""


@setup_page
def anchors(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """List the topics with their anchors. `?number=` selects a topic; `&H=` and so on select candidates.

    Without a topic, the page lists the proposals for all topics, and saves those that the user selects.
    """
    topic = _topics(page).filter(number=request.GET.get("number", "")).first()
    if topic is None:
        return _confirm(request, page) if request.method == "POST" else _show(request, page)
    sent = request.POST.copy()
    for anchor in topic.study.anchors:
        if typed_id := sent.get(f"other-{anchor}", "").strip():
            sent[anchor.value] = typed_id
    parts = (*topic.study.anchors, "reason")
    choice = _choice(request, page, topic)
    if request.method != "POST":
        return _show(request, page, AnchorsForm(topic), choice)
    if "look" in request.POST:
        typed = {name: sent.get(name, "").strip() for name in parts}
        return redirect(f"{page.address('anchors', number=topic.number, **typed)}#choose")
    with locked(page.setup) as setup:
        topic = Topic.objects.select_related("study").get(pk=topic.pk)
        if "draw" in request.POST:
            for name in parts:
                sent[name] = ""
        form = AnchorsForm(topic, sent, choice.reasons)
        if not form.is_accepted():
            return _show(request, page, form, choice)
        form.save()
        record_change(request, setup)
    return redirect(page.address("anchors", number=topic.number))


def _confirm(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Save the selected proposals of all topics, except where somebody else has changed the anchors."""
    saved, refused = 0, []
    with locked(page.setup) as setup:
        for topic, proposals in _open_proposals(page, _topics(page)).items():
            picked = {grade: request.POST.get(f"{grade}-{topic.pk}", "") for grade in proposals}
            if not any(picked.values()):
                continue
            sent = QueryDict(mutable=True)
            sent.update({grade.value: document for grade, document in picked.items() if document})
            sent["version"] = request.POST.get(f"version-{topic.pk}", "")
            form = AnchorsForm(topic, sent, reasons_of(proposals))
            if form.is_accepted():
                form.save()
                saved += 1
            else:
                refused.append(topic.number)
        if refused:
            text = _(
                "The anchors of these topics were not saved: {topics}. Open each topic to choose its anchors."
            )
            messages.error(request, text.format(topics=", ".join(refused)))
        if saved:
            text = ngettext(
                "The anchors of {number} topic were saved.",
                "The anchors of {number} topics were saved.",
                saved,
            )
            record_change(request, setup, text.format(number=saved))
        elif not refused:
            messages.error(request, _("Nothing was saved. Select at least one proposal."))
    return redirect(page.address("anchors"))


def _topics(page: SetupPage) -> QuerySet[Topic]:
    topics = Topic.objects.filter(study=page.draft, retired_at__isnull=True)
    return topics.select_related("study").order_by("place")


def _open_proposals(page: SetupPage, topics: Iterable[Topic]) -> dict[Topic, dict[Grade, list[Proposal]]]:
    read = _read_topics(page)
    known = (topic for topic in topics if topic.number in read)
    return open_proposals(known, read, study=page.draft, most=_MOST_AT_ONCE)


def _choice(request: HttpRequest, page: SetupPage, topic: Topic) -> Choice:
    return choice_of(
        topic,
        summary=_read_topics(page).get(topic.number),
        studies=access.visible_studies(request.user),
        study=page.study,
        viewed=[*topic.named.values(), *(request.GET.get(anchor, "") for anchor in topic.study.anchors)],
    )


def _read_topics(page: SetupPage) -> dict[str, TopicSummary]:
    """Return a dict from topic numbers to the topics' summaries from the last check."""
    return {topic["number"]: topic for topic in page.reading.get("topics", ())}


def _show(
    request: HttpRequest, page: SetupPage, form: AnchorsForm | None = None, choice: Choice | None = None
) -> HttpResponseBase:
    read = _read_topics(page)
    topics = [topic for topic in _topics(page) if topic.number in read]
    table = Table(request, _columns(page, read), heading="all-anchors", of=_("topics"), css="", per_page=0)
    shown = table.at_hand(topics)
    context: dict[str, Any] = {"topics": shown, "form": form}
    if form is not None and choice is not None:
        number = form.topic.number
        warnings = read[number]["anchor_warnings"] if number in read else []
        shown_warnings = [in_language(warning) for warning in warnings]
        context |= _opened_topic(request, form, choice, shown_warnings)
    else:
        context["waiting"] = [
            (topic, AnchorsForm(topic), proposals.items())
            for topic, proposals in _open_proposals(page, topics).items()
        ]
    return render_page(request, page, "anchors", step="anchors", status=shown.status, **context)


def _columns(page: SetupPage, read: Mapping[str, TopicSummary]) -> list[Column[Topic]]:
    def column(anchor: Anchor) -> Column[Topic]:
        def anchor_of(topic: Topic) -> AnchorSummary | None:
            return read[topic.number]["anchors"].get(anchor)

        return Column(
            anchor.lower(),
            anchor.value,
            lambda topic: _document_with_length(chosen) if (chosen := anchor_of(topic)) else _("none"),
            by=lambda topic: (chosen := anchor_of(topic)) and chosen["id"],
            css="id",
        )

    def is_chosen(topic: Topic) -> bool:
        return bool(topic.named)

    def how(topic: Topic) -> str:
        if is_chosen(topic):
            return _how(topic)
        return _("drawn at random") if read[topic.number]["anchors"] else _("not chosen yet")

    def source(topic: Topic) -> SafeString:
        warnings = ((in_language(warning),) for warning in read[topic.number]["anchor_warnings"])
        return format_html(
            '<span data-chosen="{}">{}</span>{}',
            "yes" if is_chosen(topic) else "no",
            how(topic),
            format_html_join("", '<p class="small">{}</p>', warnings),
        )

    def name(topic: Topic) -> SafeString:
        address = page.address("anchors", number=topic.number)
        return link(f"{address}#choose", f"{topic.number} {topic.title}")

    return [
        Column("topic", _("Topic"), name, by=lambda topic: topic.number),
        *map(column, page.draft.anchors),
        Column("how", _("Chosen or drawn"), source, by=is_chosen),
    ]


def _how(topic: Topic) -> str:
    """Return how the anchors of a topic were chosen."""
    if any(proposing_runs(topic.anchor_reason, grade)[0] for grade in GRADES):
        return _("proposed by runs and confirmed")
    return _("chosen")


def _document_with_length(anchor: AnchorSummary) -> str:
    text = ngettext("{document}, {number} word", "{document}, {number} words", anchor["words"])
    return text.format(document=anchor["id"], number=anchor["words"])


def _opened_topic(
    request: HttpRequest, form: AnchorsForm, choice: Choice, warnings: Sequence[str]
) -> dict[str, Any]:
    by_id = choice.candidates
    current = {candidate.anchor: candidate.id for candidate in by_id.values() if candidate.anchor}
    pooled = [candidate for candidate in by_id.values() if candidate.in_pool]
    outside = [candidate for candidate in by_id.values() if not candidate.in_pool]
    sides: dict[Anchor, dict[str, Any]] = {}
    for anchor in form.anchors:
        looked_at = request.GET.get(anchor, "") if not form.is_bound else ""
        chosen = looked_at or form[anchor].value() or current.get(anchor, "")
        grade = anchor.grade
        sides[anchor] = {
            "anchor": anchor.value,
            "grade": grade.value,
            "prefix": f"{anchor.value.lower()}-",
            "chosen": chosen,
            "document": by_id.get(chosen),
            "earlier": choice.earlier.get(chosen),
            "proposals": choice.proposals.get(grade, []) if anchor.pair == 1 else [],
            "named": form.stored[anchor],
            "candidates": [entry for entry in pooled if entry.grade == grade],
            "others": sorted(
                (entry for entry in pooled if entry.grade != grade),
                key=partial(_distance, grade),
            ),
            "outside": outside,
        }
    pairs = [[sides[anchor] for anchor in pair] for pair in PAIRS if pair[0] in sides]
    return {
        "topic": form.topic,
        "pairs": pairs,
        "proposed": pairs[0],
        "proposes": bool(choice.proposals),
        "recorded": form.stored["reason"],
        "uneven": any(_is_uneven([side["document"] for side in pair]) for pair in pairs),
        "graded": any(candidate.grade for candidate in pooled),
        "can_draw": any(candidate.grade in GRADES for candidate in pooled),
        "reason": request.GET.get("reason", "") or form["reason"].value(),
        "warnings": warnings,
    }


def _distance(anchor: Grade, candidate: Candidate) -> float:
    """Return how far the grade of a candidate is from the grade of an anchor, to list the nearest first."""
    ungraded = (gain_of(Grade.H) + gain_of(Grade.N)) / 2
    return abs(gain_of(anchor) - (gain_of(candidate.grade) if candidate.grade else ungraded))


def _is_uneven(chosen: list[Candidate | None]) -> bool:
    words = [document.words for document in chosen if document]
    return len(words) == ANCHORS_PER_PAIR and unevenness(words) > UNEVEN
