"""The “Delete topics” page: choose several topics, see what is deleted with them, and confirm."""

from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judging.models import KnownGrade, PoolDocument, Question, Ranking, Setup, Study, Topic
from judging.protocol.setup_files import FileKind
from judging.setup.pages.common import SetupPage, record_change, render_page, setup_page
from judging.setup.pages.topic_files import numbers_in
from judging.setup.replacing import judged_topics, listed
from judging.setup.services.setups import locked
from judging.setup.topics import delete_topics, topics_with

SELECTED, THESE = "selected", "these"
CHOICES: Final = {
    SELECTED: gettext_lazy("Delete the selected topics"),
    FileKind.GRADES.value: gettext_lazy("Keep only topics with known grades"),
    FileKind.RUN.value: gettext_lazy("Keep only topics in the runs"),
    THESE: gettext_lazy("Keep only the topics below"),
}
"""The ways to choose the topics to delete."""


class ChoiceError(Exception):
    """Why no topics can be chosen in this way. `field` is the id of the field to correct."""

    def __init__(self, message: str, field: str) -> None:
        self.message, self.field = message, field
        super().__init__(message)


class Losses(NamedTuple):
    """How many questions, chosen anchors, pooled documents, grades and rankings are deleted with topics."""

    questions: int
    anchors: int
    pooled: int
    grades: int
    rankings: int


@setup_page
def remove_topics(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Show the topics that would be deleted, and delete them when the user confirms."""
    selected = [*request.POST.getlist("topic"), *request.POST.get("selected", "").split()]
    choice, only = request.POST.get("choice", SELECTED), request.POST.get("only", "")
    context: dict[str, Any] = {"choices": CHOICES.items(), "choice": choice, "chosen_numbers": only}
    context["selected"] = " ".join(selected)
    if request.method != "POST":
        return render_page(request, page, "delete_topics", step="topics", **context)
    try:
        if request.POST.get("action") == "delete":
            with locked(page.setup) as setup:
                _delete(request, setup, selected)
            return redirect(page.address("topics"))
        numbers = _chosen(page.setup, choice, selected, only)
        _refuse_judged(page.setup, numbers)
    except ChoiceError as problem:
        context["faults"] = {problem.field: problem.message}
        return render_page(request, page, "delete_topics", step="topics", status=400, **context)
    going = [topic for topic in _topics(page.draft) if topic.number in numbers]
    context |= {
        "going": going,
        "staying": len(_topics(page.draft)) - len(going),
        "losses": losses(page.draft, numbers),
        "has_pool_list": page.setup.files.filter(kind=FileKind.POOL).exists(),
        "selected": " ".join(topic.number for topic in going),
    }
    return render_page(request, page, "delete_topics", step="topics", **context)


def _topics(study: Study) -> list[Topic]:
    return list(Topic.objects.filter(study=study, retired_at__isnull=True).order_by("place"))


def _chosen(setup: Setup, choice: str, selected: list[str], only: str) -> set[str]:
    """Return the numbers of the topics to delete. Raise ChoiceError if the choice cannot be used."""
    numbers = [topic.number for topic in _topics(setup.study)]
    if choice == SELECTED:
        chosen = set(selected) & set(numbers)
        if not chosen:
            text = _("No topic is selected. Select topics in the list, or choose which to keep.")
            raise ChoiceError(text, "choices")
        return chosen
    if choice not in CHOICES:
        raise ChoiceError(_("Choose which topics to delete."), "choices")
    kept = set(numbers_in(only)) if choice == THESE else topics_with(setup, choice)
    if choice == THESE and (unknown := [number for number in numbers_in(only) if number not in numbers]):
        text = _("The study has no topics with these numbers: {topics}. Correct or remove them.")
        raise ChoiceError(text.format(topics=listed(unknown)), "only")
    if choice == THESE and not kept:
        raise ChoiceError(_("Enter the numbers of the topics to keep."), "only")
    if not kept & set(numbers):
        raise ChoiceError(_("No topic would be left. Choose other topics to keep."), "choices")
    if not set(numbers) - kept:
        raise ChoiceError(_("All topics would be kept, so there is nothing to delete."), "choices")
    return set(numbers) - kept


def _refuse_judged(setup: Setup, numbers: set[str]) -> None:
    if judged := sorted(numbers & judged_topics(setup)):
        text = ngettext(
            "Nothing was deleted. Workers have judged documents for topic {topics}, so it must stay. Leave it"
            " out.",
            "Nothing was deleted. Workers have judged documents for these topics, so they must stay:"
            " {topics}. Leave them out.",
            len(judged),
        )
        raise ChoiceError(text.format(topics=listed(judged)), "choices")


def losses(study: Study, numbers: set[str]) -> Losses:
    """Return how much is deleted with some topics of a study."""
    topics = Topic.objects.filter(study=study, number__in=numbers)
    keys = topics.order_by().values("pk")
    named = topics.values_list("named_h", "named_n")
    return Losses(
        questions=Question.objects.filter(topic__in=keys).count(),
        anchors=sum(bool(document) for documents in named for document in documents),
        pooled=PoolDocument.objects.filter(topic__in=keys).count(),
        grades=KnownGrade.objects.filter(topic__in=keys).count(),
        rankings=Ranking.objects.filter(topic__in=keys).count(),
    )


def _delete(request: HttpRequest, setup: Setup, selected: list[str]) -> None:
    numbers = set(selected)
    _refuse_judged(setup, numbers)
    deleted = delete_topics(setup.study, numbers)
    if not deleted:
        messages.warning(request, _("These topics were already deleted."))
        return
    text = ngettext("{number} topic was deleted.", "{number} topics were deleted.", deleted)
    record_change(request, setup, text.format(number=deleted))
