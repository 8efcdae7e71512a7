"""The “Anchors” step of a set-up: candidates by grade, and the two chosen documents side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.core import access
from judging.core.pages.tables import Column, Table, link
from judging.core.selectors.anchors import earlier_judgments
from judging.core.stored_sentences import in_language
from judging.models import Topic
from judging.protocol.planning import UNEVEN, unevenness
from judging.setup.anchors import Candidate, candidates
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.topic_forms import AnchorsForm
from judging.setup.reading import AnchorSummary, TopicSummary
from judging.setup.services.setups import locked

GRADES = ("H", "N")
PARTS = (*GRADES, "reason")


@setup_page
def anchors(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """List the topics with their anchors. `?number=` selects a topic; `&H=` and `&N=` select candidates."""
    topic = _topic(page, request)
    if request.method != "POST" or topic is None:
        return _show(request, page, topic, AnchorsForm(topic) if topic else None)
    typed = {name: request.POST.get(name, "").strip() for name in PARTS}
    if "look" in request.POST:
        return redirect(f"{page.address('anchors', number=topic.number, **typed)}#choose")
    with locked(page.setup) as setup:
        topic = Topic.objects.select_related("study").get(pk=topic.pk)
        sent = request.POST.copy()
        if "draw" in request.POST:
            for name in PARTS:
                sent[name] = ""
        form = AnchorsForm(topic, sent)
        if not form.is_accepted():
            return _show(request, page, topic, form)
        form.save()
        record_change(request, setup)
    return redirect(page.address("anchors", number=topic.number))


def _topic(page: SetupPage, request: HttpRequest) -> Topic | None:
    topics = Topic.objects.filter(study=page.draft, retired_at__isnull=True).select_related("study")
    return topics.filter(number=request.GET.get("number", "")).first()


def _show(
    request: HttpRequest, page: SetupPage, topic: Topic | None, form: AnchorsForm | None
) -> HttpResponseBase:
    read = {topic["number"]: topic for topic in page.reading.get("topics", ())}
    topics = Topic.objects.filter(study=page.draft, retired_at__isnull=True).order_by("place")
    table = Table(request, _columns(page, read), heading="all-anchors", of=_("topics"), css="", per_page=0)
    shown = table.at_hand([row for row in topics if row.number in read])
    context: dict[str, Any] = {"topics": shown, "topic": topic, "form": form}
    if topic is not None and form is not None:
        warnings = read[topic.number]["anchor_warnings"] if topic.number in read else []
        shown_warnings = [in_language(warning) for warning in warnings]
        context |= _opened_topic(request, page, topic, form, shown_warnings)
    return render_page(request, page, "anchors", step="anchors", status=shown.status, **context)


def _columns(page: SetupPage, read: Mapping[str, TopicSummary]) -> list[Column[Topic]]:
    def anchor(grade: str) -> Column[Topic]:
        def anchor_of(topic: Topic) -> AnchorSummary | None:
            return read[topic.number]["anchors"].get(grade)

        return Column(
            grade.lower(),
            grade,
            lambda topic: _document_with_length(chosen) if (chosen := anchor_of(topic)) else _("none"),
            by=lambda topic: (chosen := anchor_of(topic)) and chosen["id"],
            css="id",
        )

    def is_chosen(topic: Topic) -> bool:
        return bool(topic.named_h or topic.named_n)

    def source(topic: Topic) -> SafeString:
        warnings = ((in_language(warning),) for warning in read[topic.number]["anchor_warnings"])
        return format_html(
            '<span data-chosen="{}">{}</span>{}',
            "yes" if is_chosen(topic) else "no",
            _("chosen") if is_chosen(topic) else _("drawn at random"),
            format_html_join("", '<p class="small">{}</p>', warnings),
        )

    def name(topic: Topic) -> SafeString:
        address = page.address("anchors", number=topic.number)
        return link(f"{address}#choose", f"{topic.number} {topic.title}")

    return [
        Column("topic", _("Topic"), name, by=lambda topic: topic.number),
        *map(anchor, GRADES),
        Column("how", _("Chosen or drawn"), source, by=is_chosen),
    ]


def _document_with_length(anchor: AnchorSummary) -> str:
    text = ngettext("{document}, {number} word", "{document}, {number} words", anchor["words"])
    return text.format(document=anchor["id"], number=anchor["words"])


def _opened_topic(
    request: HttpRequest, page: SetupPage, topic: Topic, form: AnchorsForm, warnings: Sequence[str]
) -> dict[str, Any]:
    by_id = {candidate.id: candidate for candidate in candidates(topic)}
    earlier = earlier_judgments(
        access.visible_studies(request.user), topic=topic.number, title=topic.title, documents=by_id.keys()
    )
    current = {candidate.anchor: candidate.id for candidate in by_id.values() if candidate.anchor}
    sides, documents = [], []
    for grade in GRADES:
        looked_at = request.GET.get(grade, "") if not form.is_bound else ""
        chosen = looked_at or form[grade].value() or current.get(grade, "")
        document = by_id.get(chosen)
        documents.append(document)
        sides.append(
            {
                "grade": grade,
                "chosen": chosen,
                "document": document,
                "earlier": earlier.get(chosen),
                "candidates": [candidate for candidate in by_id.values() if candidate.grade == grade],
                "others": [candidate for candidate in by_id.values() if candidate.grade != grade],
            }
        )
    return {
        "sides": sides,
        "uneven": _is_uneven(documents),
        "graded": any(candidate.grade for candidate in by_id.values()),
        "reason": request.GET.get("reason", "") or form["reason"].value(),
        "warnings": warnings,
    }


def _is_uneven(chosen: list[Candidate | None]) -> bool:
    words = [document.words for document in chosen if document]
    return len(words) == len(GRADES) and unevenness(words) > UNEVEN
