"""The “Topics and questions” step of a set-up: the texts of each topic, its question and the checklist."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import override

from judging.core.pages.guard import row_key
from judging.core.pages.page_table import Column, Table, link
from judging.core.stored_sentences import in_language
from judging.core.words import supported_language
from judging.models import PoolDocument, Setup, Study, Topic
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.question_draft import Draft, TopicText, draft_question
from judging.protocol.questions import question_advice
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.study_values import TOPIC
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.forms import plain
from judging.setup.pages.topic_deletion import CHOICES
from judging.setup.pages.topic_forms import NewTopicForm, TopicForm
from judging.setup.reading import FaultSummary
from judging.setup.replacing import judged_topics
from judging.setup.services.setups import locked
from judging.setup.topics import add_topic, delete_topics, next_place

_TEXTS = ("title", "description", "narrative")
_DRAFTED_FROM = ("description", "narrative")
"""The texts of a topic that a question is drafted from. The title stands above the question already."""
DELETED = "gone"
"""The `version` of a form whose user has been warned that the topic was deleted."""


@setup_page
def topics(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """List the topics with their questions, and add a topic."""
    form = NewTopicForm(Topic(study=page.draft))
    if request.method == "POST":
        with locked(page.setup) as setup:
            form = NewTopicForm(Topic(study=setup.study), request.POST)
            if form.is_valid():
                typed = form.cleaned_data
                topic = add_topic(setup.study, number=typed["number"], title=typed["title"])
                record_change(request, setup, _("Topic {topic} was added.").format(topic=topic.number))
                return redirect(page.address("topic", number=topic.number))
    rows = Topic.objects.filter(study=page.draft, retired_at__isnull=True).select_related("question")
    table = Table(request, _columns(page), heading="all-topics", of=_("topics"), css="", per_page=0)
    shown = table.at_hand(list(rows.order_by("place")))
    context = {"topics": shown, "form": form, "choices": CHOICES.items(), "has_topics": rows.exists()}
    return render_page(request, page, "topics", step="topics", status=shown.status, **context)


def _columns(page: SetupPage) -> list[Column[Topic]]:
    def question(topic: Topic) -> SafeString:
        text = topic.question.text if hasattr(topic, "question") else ""
        faults = [(in_language(fault["what"]),) for fault in _faults_of(page, topic.number)]
        rules = [] if faults or not text else _broken_rules(topic)
        missing = format_html('<span class="fault">{}</span>', _("No question yet"))
        return format_html(
            "{}{}{}",
            Truncator(text).chars(80) or missing,
            format_html_join("", '<p class="fault">{}</p>', faults),
            format_html_join(
                "", '<p class="small" data-advice>{} {}</p>', ((_("Not yet:"), rule) for rule in rules)
            ),
        )

    return [
        Column(
            "topic",
            _("Topic"),
            lambda topic: _selectable(page, topic),
            by=lambda topic: topic.number,
        ),
        Column("question", _("Question"), question, by=lambda topic: hasattr(topic, "question")),
    ]


def _selectable(page: SetupPage, topic: Topic) -> SafeString:
    """Return a checkbox that selects a topic for the form that deletes topics, and a link to the topic."""
    label = _("Select topic {topic}").format(topic=topic.number)
    checkbox = '<input type="checkbox" name="topic" value="{}" form="choose" aria-label="{}"> {}'
    address = page.address("topic", number=topic.number)
    return format_html(checkbox, topic.number, label, link(address, f"{topic.number} {topic.title}"))


def _broken_rules(topic: Topic) -> list[str]:
    """Return the rules of the checklist that the stored question of a topic does not follow."""
    question, texts = topic.question, "\n".join(getattr(topic, name) for name in _TEXTS)
    advice = question_advice(question.text, question.options, question.right_option, texts)
    return [_(entry.rule) for entry in advice if not entry.holds]


@setup_page
def topic(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show, save or delete the topic `?number=` and its question, or draft a question without saving it.

    The action `next` saves the topic and shows the next one.
    """
    number = request.GET.get("number", "")
    if request.method != "POST":
        stored = Topic.objects.filter(study=page.draft, number=number).first()
        if stored is None:
            raise Http404
        return _show(request, page, TopicForm(stored))
    if request.POST.get("action") == "draft":
        return _show_draft(request, page, number)
    with locked(page.setup) as setup:
        stored = _stored_topic(request, setup.study, number)
        if request.POST.get("action") == "delete":
            return _delete(request, page, setup, stored)
        edited = stored or _new_topic_like_deleted(request, setup.study, number)
        form = TopicForm(edited, request.POST)
        if stored is None and request.POST.get("version") != DELETED:
            return _show_deleted(request, page, form)
        if not form.is_accepted():
            return _show(request, page, form)
        record_change(request, setup, _("Topic {topic} was saved.").format(topic=form.save().number))
    number = form.topic.number
    if request.POST.get("action") == "next":
        number = _next_number(form.topic) or number
    return redirect(page.address("topic", number=number))


def _next_number(topic: Topic) -> str:
    """Return the number of the next topic in the study's order, or "" if `topic` is the last one."""
    following = Topic.objects.filter(study=topic.study_id, retired_at__isnull=True, place__gt=topic.place)
    return following.order_by("place").values_list("number", flat=True).first() or ""


def _stored_topic(request: HttpRequest, study: Study, number: str) -> Topic | None:
    """Return the topic of a form, even if the topic's number has changed since the user opened the form."""
    topics = Topic.objects.filter(study=study)
    by_key = topics.filter(pk=row_key(request.POST.get("topic_key", ""))).first()
    return by_key or topics.filter(number=number).first()


def _delete(request: HttpRequest, page: SetupPage, setup: Setup, topic: Topic | None) -> HttpResponseBase:
    if topic is None:
        messages.warning(request, _("This topic was already deleted."))
    elif topic.number in judged_topics(setup):
        text = _("Workers have judged documents for topic {topic}, so it must stay.")
        messages.error(request, text.format(topic=topic.number))
    else:
        delete_topics(setup.study, [topic.number])
        record_change(request, setup, _("Topic {topic} was deleted.").format(topic=topic.number))
    return redirect(page.address("topics"))


def _new_topic_like_deleted(request: HttpRequest, study: Study, number: str) -> Topic:
    """Return a new, unsaved topic with the number of a topic that was deleted after its form was opened.

    Raise Http404 if the request is not a valid form of a topic.
    """
    if "question" not in request.POST or not number or id_fault(number, LONGEST_NUMBER):
        raise Http404
    return Topic(study=study, number=number, place=next_place(study))


def _show_deleted(request: HttpRequest, page: SetupPage, form: TopicForm) -> HttpResponseBase:
    text = _(
        "Your text is not saved yet, because topic {topic} was deleted after you opened it."
        " Save the form below to add the topic again."
    )
    messages.error(request, text.format(topic=form.topic.number))
    form.data = {**form.data, "version": DELETED}
    return _show(request, page, form, status=409)


def _show_draft(request: HttpRequest, page: SetupPage, number: str) -> HttpResponseBase:
    """Show the form with what the user typed, and draft the missing parts of the question. Save nothing."""
    stored = _stored_topic(request, page.draft, number)
    form = TopicForm(stored or _new_topic_like_deleted(request, page.draft, number), request.POST)
    typed = Draft(_typed(form, "question"), _typed_options(form), form.right_place)
    others = Topic.objects.filter(study=page.draft, retired_at__isnull=True).exclude(pk=form.topic.pk)
    with override(supported_language(page.draft.language)):  # workers read the question
        question = _("What does a relevant document have to contain?")
    draft = draft_question(
        typed,
        question=question,
        topic=TopicText(_typed(form, "title"), "\n".join(_typed(form, name) for name in _DRAFTED_FROM)),
        others=[
            TopicText(topic.title, "\n".join(getattr(topic, name) for name in _DRAFTED_FROM))
            for topic in others.order_by("place")
        ],
    )
    options = {f"option-{place}": option for place, option in enumerate(draft.options)}
    right = "" if draft.right is None else str(draft.right)
    form.data = {**form.data, "question": draft.question, "right": right, **options}
    return _show(request, page, form, drafted=True, is_complete=all(draft.options))


def _show(
    request: HttpRequest, page: SetupPage, form: TopicForm, *, status: int = 200, **context: bool
) -> HttpResponseBase:
    number = form.topic.number
    options = [(place, option, place == form.right_place) for place, option in enumerate(form.options)]
    return render_page(
        request,
        page,
        "topic",
        step="topics",
        status=status,
        form=form,
        number=number,
        has_next=bool(_next_number(form.topic)),
        saved_address=page.address("topic", number=number),
        options=options,
        advice=_advice(form),
        topic_faults=_faults_of(page, number),
        **_preview(page, form),
        **context,
    )


@setup_page
def advice(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return the checklist for the question in the form, without saving the question."""
    form = TopicForm(Topic(study=page.draft), request.POST)
    return render(request, "setup/_advice.html", {"advice": _advice(form)})


def _advice(form: TopicForm) -> list[object]:
    texts = "\n".join(_typed(form, name) for name in _TEXTS)
    return list(question_advice(_typed(form, "question"), _typed_options(form), form.right_place, texts))


@setup_page
def preview(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the topic and question from the form, and a document, as workers see them. Save nothing."""
    form = TopicForm(Topic(study=page.draft), request.POST)
    return render(request, "setup/_topic_preview.html", {"draft": page.draft, **_preview(page, form)})


def _preview(page: SetupPage, form: TopicForm) -> dict[str, object]:
    """Return the template context for the preview of a topic.

    The preview shows one document of the topic's pool.
    """
    topic = form.topic.pk or row_key(_typed(form, "topic_key"))
    pool = PoolDocument.objects.filter(topic__study=page.draft, topic=topic)
    pooled = pool.select_related("document").order_by("anchor", "document__document_id").first()
    return {
        "seen": {name: _typed(form, name) for name in _TEXTS},
        "question": _typed(form, "question"),
        "filled_options": list(filter(None, _typed_options(form))),
        "worker_language": supported_language(page.draft.language),
        "sample": pooled and pooled.document,
    }


def _typed(form: TopicForm, name: str) -> str:
    return plain(str(form[name].value() or ""))


def _typed_options(form: TopicForm) -> list[str]:
    return [_typed(form, f"option-{place}") for place in range(OPTIONS)]


def _faults_of(page: SetupPage, number: str) -> list[FaultSummary]:
    """Return the problems of one topic and its question."""
    place = f"{TOPIC}{number}"
    return [fault for fault in page.faults if fault["step"] == "topics" and fault["place"] == place]
