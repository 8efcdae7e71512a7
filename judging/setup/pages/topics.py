"""The step of a set-up with its topics: their texts, and a question for each with a checklist beside it."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.study_values import TOPIC
from judging.core.intake.topics import LONGEST_NUMBER
from judging.core.pages.guard import row_key
from judging.core.pages.tables import Column, Table, link
from judging.core.stored_sentences import in_language
from judging.models import Setup, Study, Topic
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.questions import question_advice
from judging.setup.pages.common import SetupPage, changed, setup_page, show
from judging.setup.pages.topic_forms import NewTopicForm, TopicForm
from judging.setup.reading import FaultFound
from judging.setup.services.setups import locked
from judging.setup.topics import add_topic, delete_topic, next_place

GONE = "gone"
"""The version of a form whose topic is not there any more, once its writer was told."""


@setup_page
def topics(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """All topics, which of them have a question, and a form for a new one."""
    form = NewTopicForm(Topic(study=page.draft))
    if request.method == "POST":
        with locked(page.setup) as setup:
            form = NewTopicForm(Topic(study=setup.study), request.POST)
            if form.is_valid():
                typed = form.cleaned_data
                topic = add_topic(setup.study, number=typed["number"], title=typed["title"])
                changed(request, setup, f"Topic {topic.number} is added.")
                return redirect(page.address("topic", number=topic.number))
    rows = Topic.objects.filter(study=page.draft, retired_at__isnull=True).select_related("question")
    table = Table(request, _columns(page), heading="all-topics", of="topics", css="", per_page=0)
    shown = table.at_hand(list(rows.order_by("place")))
    return show(request, page, "topics", step="topics", status=shown.status, topics=shown, form=form)


def _columns(page: SetupPage) -> list[Column[Topic]]:
    def question(topic: Topic) -> SafeString:
        text = topic.question.text if hasattr(topic, "question") else ""
        faults = ((in_language(fault["what"]),) for fault in _faults_of(page, topic.number))
        return format_html(
            "{}{}",
            Truncator(text).chars(80) or SafeString('<span class="fault">none yet</span>'),
            format_html_join("", '<p class="fault">{}</p>', faults),
        )

    return [
        Column(
            "topic",
            "Topic",
            lambda topic: link(page.address("topic", number=topic.number), f"{topic.number} {topic.title}"),
            by=lambda topic: topic.number,
        ),
        Column("question", "Question", question, by=lambda topic: hasattr(topic, "question")),
    ]


@setup_page
def topic(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """One topic with its question; `?number=` names it."""
    number = request.GET.get("number", "")
    if request.method != "POST":
        found = Topic.objects.filter(study=page.draft, number=number).first()
        if found is None:
            raise Http404
        return _show(request, page, TopicForm(found))
    with locked(page.setup) as setup:
        found = _stored(request, setup.study, number)
        if request.POST.get("action") == "delete":
            return _delete(request, page, setup, found)
        if found is None:
            found = _written_again(request, setup.study, number)
        form = TopicForm(found, request.POST)
        if found.pk is None and request.POST.get("version") != GONE:
            return _show_gone(request, page, form)
        if not form.is_accepted():
            return _show(request, page, form)
        changed(request, setup, f"Topic {form.save().number} is saved.")
    return redirect(page.address("topic", number=form.topic.number))


def _stored(request: HttpRequest, study: Study, number: str) -> Topic | None:
    """Return the topic that a form is about, even if somebody has given it another number since."""
    topics = Topic.objects.filter(study=study)
    by_key = topics.filter(pk=row_key(request.POST.get("topic_key", ""))).first()
    return by_key or topics.filter(number=number).first()


def _delete(request: HttpRequest, page: SetupPage, setup: Setup, topic: Topic | None) -> HttpResponseBase:
    if topic is None:
        messages.warning(request, "This topic was already deleted.")
    else:
        delete_topic(topic)
        changed(request, setup, f"Topic {topic.number} is deleted.")
    return redirect(page.address("topics"))


def _written_again(request: HttpRequest, study: Study, number: str) -> Topic:
    """Return a topic that somebody deleted while its form was open, to be added again with what was typed."""
    if "question" not in request.POST or not number or id_fault(number, LONGEST_NUMBER):
        raise Http404
    return Topic(study=study, number=number, place=next_place(study))


def _show_gone(request: HttpRequest, page: SetupPage, form: TopicForm) -> HttpResponseBase:
    messages.error(
        request,
        f"Nothing was saved yet: topic {form.topic.number} was deleted since you opened it."
        " Save what you typed, below, to add it again.",
    )
    form.data = {**form.data, "version": GONE}
    return _show(request, page, form, status=409)


def _show(request: HttpRequest, page: SetupPage, form: TopicForm, *, status: int = 200) -> HttpResponseBase:
    number = form.topic.number
    options = [(place, option, place == form.right_place) for place, option in enumerate(form.options)]
    return show(
        request,
        page,
        "topic",
        step="topics",
        status=status,
        form=form,
        number=number,
        kept=page.address("topic", number=number),
        options=options,
        advice=_advice(form),
        topic_faults=_faults_of(page, number),
    )


@setup_page
def advice(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """The checklist for the question that is typed at this moment: nothing is stored."""
    form = TopicForm(Topic(study=page.draft), request.POST)
    return render(request, "setup/_advice.html", {"advice": _advice(form)})


def _advice(form: TopicForm) -> list[object]:
    def typed(name: str) -> str:
        return str(form[name].value() or "").replace("\r\n", "\n").strip()

    options = [typed(f"option-{place}") for place in range(OPTIONS)]
    texts = "\n".join(map(typed, ("title", "description", "narrative")))
    return list(question_advice(typed("question"), options, form.right_place, texts))


def _faults_of(page: SetupPage, number: str) -> list[FaultFound]:
    """Return the faults that are about one topic and its question."""
    place = f"{TOPIC}{number}"
    return [fault for fault in page.faults if fault["step"] == "topics" and fault["place"] == place]
