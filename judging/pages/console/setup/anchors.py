"""The step of a set-up in which a topic's anchors are chosen: candidates by grade, two texts side by side."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from judging import access
from judging.intake.draft_merging import Parts, stamp
from judging.intake.draft_topics import DraftTopic, draft_topics, named_anchors, put_anchors
from judging.intake.drafting import Values, folder_of, values_of
from judging.intake.reading import candidates
from judging.pages.console.setup.common import Setup, conflicts_of, save_form, setup_page, show
from judging.pages.console.sorting import sorting_of
from judging.protocol.planning import UNEVEN, unevenness
from judging.selectors.anchors import earlier_judgments

GRADES = ("H", "N")
PARTS = (*GRADES, "reason")
ROWS_BY: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "topic": lambda row: row["topic"].number,
    "h": lambda row: row["anchors"][0] and row["anchors"][0]["id"],
    "n": lambda row: row["anchors"][1] and row["anchors"][1]["id"],
    "how": itemgetter("named"),
}


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
    rows = [_row(setup, topic) for topic in topics]
    sorting = sorting_of(request, *ROWS_BY, default="")
    if sorting.key:
        rows = sorting.rows(rows, ROWS_BY)
    context |= {"topics": rows, "topic": mine, "sorting": sorting}
    if mine is not None and mine.place is not None:
        asked = {name: request.GET.get(name, "") for name in PARTS}
        context |= _chosen(request, setup, mine, mine.place, wanted or asked)
        context["seen"] = stamp(_parts(setup.values, mine.number))
    context.setdefault("status", sorting.status)
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


def _row(setup: Setup, topic: DraftTopic) -> dict[str, Any]:
    found = setup.reading["topics"][topic.place]["anchors"]
    return {
        "topic": topic,
        "address": _address(setup, topic.number),
        "anchors": [found.get(grade) for grade in GRADES],
        "named": bool(named_anchors(setup.values, topic.number)),
        "warnings": setup.reading["topics"][topic.place].get("anchor_warnings", []),
    }


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
