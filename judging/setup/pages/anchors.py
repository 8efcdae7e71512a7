"""The step of a set-up in which a topic's anchors are chosen: candidates by grade, two texts side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from judging.core import access
from judging.core.pages.tables import Column, Table, link
from judging.core.selectors.anchors import earlier_judgments
from judging.core.stored_sentences import in_language
from judging.models import Topic
from judging.protocol.planning import UNEVEN, unevenness
from judging.setup.anchors import Candidate, candidates
from judging.setup.pages.common import SetupPage, changed, setup_page, show
from judging.setup.pages.topic_forms import AnchorsForm
from judging.setup.reading import AnchorFound, TopicFound
from judging.setup.services.setups import locked

GRADES = ("H", "N")
PARTS = (*GRADES, "reason")


@setup_page
def anchors(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """All topics with their anchors; `?number=` opens one, `&H=` and `&N=` look at other documents."""
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
        changed(request, setup)
    return redirect(page.address("anchors", number=topic.number))


def _topic(page: SetupPage, request: HttpRequest) -> Topic | None:
    topics = Topic.objects.filter(study=page.draft, retired_at__isnull=True).select_related("study")
    return topics.filter(number=request.GET.get("number", "")).first()


def _show(
    request: HttpRequest, page: SetupPage, topic: Topic | None, form: AnchorsForm | None
) -> HttpResponseBase:
    read = {one["number"]: one for one in page.reading.get("topics", ())}
    topics = Topic.objects.filter(study=page.draft, retired_at__isnull=True).order_by("place")
    table = Table(request, _columns(page, read), heading="all-anchors", of="topics", css="", per_page=0)
    shown = table.at_hand([one for one in topics if one.number in read])
    context: dict[str, Any] = {"topics": shown, "topic": topic, "form": form}
    if topic is not None and form is not None:
        stored = read[topic.number]["anchor_warnings"] if topic.number in read else []
        context |= _chosen(request, page, topic, form, [in_language(warning) for warning in stored])
    return show(request, page, "anchors", step="anchors", status=shown.status, **context)


def _columns(page: SetupPage, read: Mapping[str, TopicFound]) -> list[Column[Topic]]:
    def anchor(grade: str) -> Column[Topic]:
        def of(topic: Topic) -> AnchorFound | None:
            return read[topic.number]["anchors"].get(grade)

        return Column(
            grade.lower(),
            grade,
            lambda topic: f"{found['id']}, {found['words']} words" if (found := of(topic)) else "none",
            by=lambda topic: (found := of(topic)) and found["id"],
            css="id",
        )

    def named(topic: Topic) -> bool:
        return bool(topic.named_h or topic.named_n)

    def how(topic: Topic) -> SafeString:
        warnings = ((in_language(warning),) for warning in read[topic.number]["anchor_warnings"])
        return format_html(
            '<span data-chosen="{}">{}</span>{}',
            "yes" if named(topic) else "no",
            "chosen" if named(topic) else "drawn",
            format_html_join("", '<p class="small">{}</p>', warnings),
        )

    def name(topic: Topic) -> SafeString:
        address = page.address("anchors", number=topic.number)
        return link(f"{address}#choose", f"{topic.number} {topic.title}")

    return [
        Column("topic", "Topic", name, by=lambda topic: topic.number),
        *map(anchor, GRADES),
        Column("how", "How", how, by=named),
    ]


def _chosen(
    request: HttpRequest, page: SetupPage, topic: Topic, form: AnchorsForm, warnings: Sequence[str]
) -> dict[str, Any]:
    found = {one.id: one for one in candidates(topic)}
    earlier = earlier_judgments(
        access.visible_studies(request.user), topic=topic.number, title=topic.title, documents=found.keys()
    )
    settled = {one.anchor: one.id for one in found.values() if one.anchor}
    sides, shown = [], []
    for grade in GRADES:
        wanted = request.GET.get(grade, "") if not form.is_bound else ""
        chosen = wanted or form[grade].value() or settled.get(grade, "")
        document = found.get(chosen)
        shown.append(document)
        sides.append(
            {
                "grade": grade,
                "chosen": chosen,
                "document": document,
                "earlier": earlier.get(chosen),
                "candidates": [one for one in found.values() if one.grade == grade],
                "others": [one for one in found.values() if one.grade != grade],
            }
        )
    return {
        "sides": sides,
        "uneven": _is_uneven(shown),
        "graded": any(one.grade for one in found.values()),
        "reason": request.GET.get("reason", "") or form["reason"].value(),
        "warnings": warnings,
    }


def _is_uneven(chosen: list[Candidate | None]) -> bool:
    words = [document.words for document in chosen if document]
    return len(words) == len(GRADES) and unevenness(words) > UNEVEN
