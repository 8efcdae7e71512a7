"""The step of a set-up in which a topic's anchors are chosen: candidates by grade, two texts side by side."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from judging import access
from judging.intake.draft_merging import Parts, stamp
from judging.intake.draft_topics import DraftTopic, draft_topics, named_anchors, put_anchors
from judging.intake.drafting import Values, folder_of, values_of
from judging.intake.reading import candidates
from judging.pages.console.setup.common import Setup, conflicts_of, save_form, setup_page, show
from judging.pages.console.tables import Column, Table, link
from judging.protocol.planning import UNEVEN, unevenness
from judging.selectors.anchors import earlier_judgments

GRADES = ("H", "N")
PARTS = (*GRADES, "reason")


def _columns(setup: Setup) -> list[Column[DraftTopic]]:
    def found(topic: DraftTopic) -> dict[str, Any]:
        return setup.reading["topics"][topic.place]

    def anchor(grade: str) -> Column[DraftTopic]:
        def of(topic: DraftTopic) -> dict[str, Any] | None:
            return found(topic)["anchors"].get(grade)

        return Column(
            grade.lower(),
            grade,
            lambda topic: f"{one['id']}, {one['words']} words" if (one := of(topic)) else "none",
            by=lambda topic: (one := of(topic)) and one["id"],
        )

    def named(topic: DraftTopic) -> bool:
        return bool(named_anchors(setup.values, topic.number))

    def how(topic: DraftTopic) -> SafeString:
        warnings = ((one,) for one in found(topic).get("anchor_warnings", []))
        return format_html(
            '<span data-chosen="{}">{}</span>{}',
            "yes" if named(topic) else "no",
            "chosen" if named(topic) else "drawn",
            format_html_join("", '<p class="small">{}</p>', warnings),
        )

    return [
        Column(
            "topic",
            "Topic",
            lambda topic: link(f"{_address(setup, topic.number)}#choose", f"{topic.number} {topic.title}"),
            by=lambda topic: topic.number,
        ),
        *map(anchor, GRADES),
        Column("how", "How", how, by=named),
    ]


@setup_page
def anchors(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """All topics with their anchors; `?number=` opens one, `&H=` and `&N=` look at other documents."""
    topics = [one for one in draft_topics(setup.values, setup.reading) if one.place is not None]
    mine = next((one for one in topics if one.number == request.GET.get("number")), None)
    if request.method == "POST" and mine is not None:
        return _act(request, setup, mine)
    return _show(request, setup, mine)


def _show(
    request: HttpRequest, setup: Setup, mine: DraftTopic | None, wanted: Parts | None = None, **context: Any
) -> HttpResponseBase:
    topics = [one for one in draft_topics(setup.values, setup.reading) if one.place is not None]
    table = Table(request, _columns(setup), heading="all-anchors", of="topics", css="", per_page=0)
    shown = table.at_hand(topics)
    context |= {"topics": shown, "topic": mine}
    if mine is not None and mine.place is not None:
        asked = {name: request.GET.get(name, "") for name in PARTS}
        context |= _chosen(request, setup, mine, mine.place, wanted or asked)
        context["seen"] = stamp(_parts(setup.values, mine.number))
    context.setdefault("status", shown.status)
    return show(request, setup, "anchors", step="anchors", **context)


def _act(request: HttpRequest, setup: Setup, mine: DraftTopic) -> HttpResponseBase:
    wanted = {name: request.POST.get(name, "").strip() for name in PARTS}
    if "look" in request.POST:
        return redirect(f"{_address(setup, mine.number)}&{urlencode(wanted)}#choose")
    if "draw" in request.POST:
        wanted = dict.fromkeys(PARTS, "")
    elif wanted["H"] and wanted["H"] == wanted["N"]:
        messages.error(request, "Nothing was saved: H and N must be two documents.", extra_tags="H")
        return redirect(f"{_address(setup, mine.number)}&{urlencode(wanted)}")
    elif not wanted["reason"] and (odd := _against_the_grades(setup, mine, wanted)):
        what = f"Nothing was saved: the known grades disagree with {odd}. Say why you choose it."
        messages.error(request, what, extra_tags="reason")
        return redirect(f"{_address(setup, mine.number)}&{urlencode(wanted)}")
    merged = save_form(
        request,
        setup,
        parts=lambda values: _parts(values, mine.number),
        typed=wanted,
        write=lambda values, taken: put_anchors(values, mine.number, taken),
        labels={},
    )
    if not merged.conflicts:
        return redirect(_address(setup, mine.number))
    setup.draft.refresh_from_db()
    setup.values = values_of(setup.draft)
    saved = _parts(setup.values, mine.number)
    return _show(request, setup, mine, merged.values, **conflicts_of(setup, merged, saved, {}))


def _parts(values: Values, number: str) -> Parts:
    named = named_anchors(values, number)
    return {name: named.get(name, "") for name in PARTS}


def _against_the_grades(setup: Setup, mine: DraftTopic, wanted: Parts) -> str:
    """Return the chosen documents that the grades of the topic do not grade as they are chosen."""
    assert mine.place is not None
    grades = {one["id"]: one["grade"] for one in candidates(folder_of(setup.draft), mine.place)}
    if not any(grades.values()):
        return ""
    chosen = ((grade, wanted[grade]) for grade in GRADES if wanted[grade])
    return " and ".join(
        f"{document} as {grade}" for grade, document in chosen if grades.get(document) != grade
    )


def _chosen(
    request: HttpRequest, setup: Setup, mine: DraftTopic, place: int, wanted: Parts
) -> dict[str, Any]:
    found = candidates(folder_of(setup.draft), place)
    earlier = earlier_judgments(
        access.visible_studies(request.user),
        topic=mine.number,
        title=mine.title,
        documents={one["id"] for one in found},
    )
    for one in found:
        one["earlier"] = earlier.get(one["id"])
    settled = setup.reading["topics"][place]["anchors"]
    named = named_anchors(setup.values, mine.number)
    sides = []
    for grade in GRADES:
        chosen = wanted[grade] or named.get(grade) or settled.get(grade, {}).get("id", "")
        sides.append(
            {
                "grade": grade,
                "chosen": chosen,
                "document": next((one for one in found if one["id"] == chosen), None),
                "candidates": [one for one in found if one["grade"] == grade],
                "others": [one for one in found if one["grade"] != grade],
            }
        )
    words = [side["document"]["words"] for side in sides if side["document"]]
    uneven = len(words) == len(GRADES) and unevenness(words) > UNEVEN
    return {
        "sides": sides,
        "uneven": uneven,
        "graded": any(one["grade"] for one in found),
        "reason": wanted["reason"] or named.get("reason", ""),
        "warnings": setup.reading["topics"][place].get("anchor_warnings", []),
    }


def _address(setup: Setup, number: str) -> str:
    return f"{reverse('console:setup_anchors', args=[setup.draft.pk])}?{urlencode({'number': number})}"
