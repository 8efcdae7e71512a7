"""The step of a set-up with its topics: their texts, and a question for each with a checklist beside it."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from judging.intake.draft_faults import PlacedFault
from judging.intake.draft_merging import Parts, stamp
from judging.intake.draft_topics import (
    DraftTopic,
    draft_topics,
    drop_topic,
    ownerless,
    put_question,
    put_topic,
)
from judging.intake.drafting import Values, values_of
from judging.pages.console.setup.common import Setup, conflicts_of, save, save_form, setup_page, show
from judging.pages.console.tables import Column, Table, link
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.questions import question_advice

_LONGEST = 100
_GONE = "gone"
"""The stamp of a form whose topic is not there any more, once its writer was told."""
_TEXTS = ("title", "description", "narrative")


def _columns(setup: Setup) -> list[Column[DraftTopic]]:
    def question(topic: DraftTopic) -> SafeString:
        if not topic.question:
            return SafeString('<span class="fault">none yet</span>')
        faults = format_html_join(
            "", '<p class="fault">{}</p>', ((one.what,) for one in _faults_of(setup, topic))
        )
        return format_html("{}{}", Truncator(topic.question).chars(80), faults)

    return [
        Column(
            "topic",
            "Topic",
            lambda topic: link(_address(setup, topic.number), f"{topic.number} {topic.title}"),
            by=lambda topic: topic.number,
        ),
        Column("question", "Question", question, by=lambda topic: topic.question.casefold()),
    ]


@setup_page
def topics(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """All topics, which of them have a question, and a form for a new one."""
    found = draft_topics(setup.values, setup.reading)
    typed = request.POST.get("number", "").strip()
    if request.method == "POST" and request.POST.get("action") == "drop":
        save(
            request, setup, lambda values: drop_topic(values, typed), f"What belonged to {typed} is deleted."
        )
        return redirect("console:setup_topics", pk=setup.draft.pk)
    if request.method == "POST":
        if fault := _number_fault(typed, found):
            messages.error(request, fault, extra_tags="number")
        else:
            new = DraftTopic(typed, title=_typed(request, "title"))
            save(
                request,
                setup,
                lambda values: put_topic(values, new, number=typed),
                f"Topic {typed} is added.",
            )
            return redirect(_address(setup, typed))
    table = Table(request, _columns(setup), heading="all-topics", of="topics", css="", per_page=0)
    shown = table.at_hand(found)
    return show(
        request,
        setup,
        "topics",
        step="topics",
        status=shown.status,
        topics=shown,
        ownerless=ownerless(setup.values, setup.reading) if setup.current else [],
        typed=typed,
        typed_title=_typed(request, "title"),
    )


@setup_page
def topic(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """One topic with its question; `?number=` names it."""
    found = draft_topics(setup.values, setup.reading)
    mine = next((one for one in found if one.number == request.GET.get("number")), None)
    if mine is None:
        return _gone(request, setup, found)
    if request.method != "POST":
        return _show(request, setup, mine)
    if request.POST.get("action") == "drop":
        save(
            request,
            setup,
            lambda values: drop_topic(values, mine.number),
            f"Topic {mine.number} is taken out.",
        )
        return redirect("console:setup_topics", pk=setup.draft.pk)
    return _save(request, setup, mine, [one for one in found if one is not mine])


def _gone(request: HttpRequest, setup: Setup, others: list[DraftTopic]) -> HttpResponseBase:
    """A topic that is not there. What was typed for one that somebody took out meanwhile is not lost."""
    number = request.GET.get("number", "")
    if request.method != "POST" or "question" not in request.POST or _number_fault(number, others):
        raise Http404
    mine = DraftTopic(number, inline="title" in request.POST)
    if request.POST.get("seen") == _GONE:
        return _save(request, setup, mine, others)
    _take(request, mine)
    messages.error(
        request,
        f"Nothing was saved yet: topic {number} was taken out or renamed since you opened it."
        " Saving what you typed, below, adds it again.",
    )
    return _show(request, setup, mine, seen=_GONE, status=409)


def _save(request: HttpRequest, setup: Setup, mine: DraftTopic, others: list[DraftTopic]) -> HttpResponseBase:
    number, old = _typed(request, "number") or mine.number, mine.number
    _take(request, mine)
    if mine.inline and number != mine.number and (fault := _number_fault(number, others)):
        messages.error(request, fault, extra_tags="number")
        return _show(request, setup, mine, seen=request.POST.get("seen", ""))

    def write(values: Values, taken: Parts) -> None:
        _fill(mine, taken)
        if mine.inline:
            put_topic(values, mine, number=number)
        put_question(values, mine.number, question=mine.question, options=mine.options, right=mine.right)

    def saved(values: Values) -> Parts:
        now = next((one for one in draft_topics(values, setup.reading) if one.number == old), None)
        return _parts(now) if now else {}

    labels = {f"option-{place}": f"Option {place + 1}" for place in range(len(mine.options))}
    labels |= {"right": "Right option", "question": "Question", **{one: one.capitalize() for one in _TEXTS}}
    merged = save_form(request, setup, parts=saved, typed=_parts(mine), write=write, labels=labels)
    if not merged.conflicts:
        return redirect(_address(setup, number))
    setup.draft.refresh_from_db()
    now = saved(values_of(setup.draft))
    _fill(mine, merged.values)
    return _show(request, setup, mine, seen=stamp(now), **conflicts_of(setup, merged, now, labels))


def _parts(mine: DraftTopic) -> Parts:
    """What the form of a topic can change, as text."""
    texts = {key: str(getattr(mine, key)) for key in _TEXTS} if mine.inline else {}
    options = {f"option-{place}": option for place, option in enumerate(mine.options)}
    right = "" if mine.right is None else f"option {mine.right + 1}"
    return {**texts, "question": mine.question, **options, "right": right}


def _fill(mine: DraftTopic, parts: Parts) -> None:
    """The reverse of `_parts`."""
    for key in _TEXTS if mine.inline else ():
        setattr(mine, key, parts[key])
    mine.question = parts["question"]
    mine.options = [parts[f"option-{place}"] for place in range(len(mine.options))]
    mine.right = int(parts["right"].removeprefix("option ")) - 1 if parts["right"] else None


@setup_page
def advice(request: HttpRequest, setup: Setup) -> HttpResponseBase:
    """The checklist for the question that is typed at this moment: nothing is stored."""
    typed = DraftTopic("", title=_typed(request, "about"))
    _take(request, typed)
    return render(request, "console/setup/_advice.html", {"advice": _advice(typed)})


def _show(
    request: HttpRequest, setup: Setup, mine: DraftTopic, *, seen: str = "", **context: Any
) -> HttpResponse:
    """One topic's form; `seen` is its stamp, by default that of `mine` as it is."""
    context |= {"topic": mine, "advice": _advice(mine), "topic_faults": _faults_of(setup, mine)}
    context["seen"] = seen or stamp(_parts(mine))
    return show(request, setup, "topic", step="topics", **context)


def _take(request: HttpRequest, mine: DraftTopic) -> None:
    """What the form says of a topic; one from a file keeps its texts."""
    if mine.inline:
        for key in ("title", "description", "narrative"):
            setattr(mine, key, _typed(request, key))
    mine.question = _typed(request, "question")
    mine.options = [_typed(request, f"option-{place}") for place in range(max(OPTIONS, len(mine.options)))]
    while len(mine.options) > OPTIONS and not mine.options[-1]:
        mine.options.pop()
    right = request.POST.get("right", "")
    mine.right = int(right) if right in {str(place) for place in range(len(mine.options))} else None


def _typed(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n").strip()


def _number_fault(number: str, others: list[DraftTopic]) -> str:
    if not number or len(number) > _LONGEST or any(one.isspace() for one in number):
        return "Nothing was saved: give the topic a number, without white space, as the runs have it."
    if any(one.number == number for one in others):
        return f"Nothing was saved: there is a topic {number} already."
    return ""


def _advice(mine: DraftTopic) -> list[object]:
    return list(question_advice(mine.question, mine.options, mine.right, mine.texts))


def _faults_of(setup: Setup, mine: DraftTopic) -> list[PlacedFault]:
    """The faults that are about one topic: in its tables, or that name it."""
    numbers = {
        name: [str(one.get(key)) for one in setup.values.get(name, ()) if isinstance(one, dict)]
        for name, key in (("topic", "number"), ("question", "topic"))
        if isinstance(setup.values.get(name), list)
    }
    return [
        fault
        for fault in setup.faults
        if fault.step == "topics"
        and (
            (
                fault.place is not None
                and numbers.get(fault.name.partition(".")[0], [])[fault.place : fault.place + 1]
                == [mine.number]
            )
            or fault.what.startswith(f"topic {mine.number} ")
        )
    ]


def _address(setup: Setup, number: str) -> str:
    return f"{reverse('console:setup_topic', args=[setup.draft.pk])}?{urlencode({'number': number})}"
