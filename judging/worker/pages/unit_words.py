"""What a page of a unit shows besides its form: its documents, and the worker's earlier answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judging.core.pages.shown_answers import shown_answer
from judging.core.pages.shown_documents import ShownDocument, show_document
from judging.models import Assignment, Judgment, Study
from judging.protocol.scales import judging_of
from judging.worker.selectors.participations import documents_of, own_answers, previous_numbers


@dataclass(frozen=True)
class PageDocument:
    """A document on the page. In a pair, `name` is its name, and "" otherwise."""

    document: ShownDocument
    name: str = ""


def shown_documents(judgment: Judgment, study: Study) -> list[PageDocument]:
    """Return the documents that the page of a judgment shows: one, or the two of a pair."""
    documents = documents_of(judgment)
    if len(documents) == 1:
        return [PageDocument(show_document(documents[0], study))]
    names = [("first-", _("First document")), ("second-", _("Second document"))]
    return [
        PageDocument(show_document(document, study, prefix=prefix, level=2), name)
        for document, (prefix, name) in zip(documents, names, strict=True)
    ]


def earlier_answers(assignment: Assignment, study: Study) -> list[SafeString]:
    """Return the earlier answers in the unit, each with its place, as far as the study shows them."""
    words = _(judging_of(study).asked.earlier)
    return [
        format_html(words, place=place, answer=format_html("<b>{}</b>", shown_answer(text, study)))
        for place, text in previous_numbers(assignment, shown=study.show_previous)
    ]


@dataclass(frozen=True)
class AnsweredPage:
    """A page of the unit in the list of pages: the titles of its documents, and what the worker answered."""

    titles: SafeString
    answer: str
    reason: str


def answered_pages(assignment: Assignment, study: Study) -> list[AnsweredPage]:
    """Return the pages of the unit in the order shown, with the answers so far."""
    return [
        AnsweredPage(_titles(titles, study), shown_answer(answer, study), reason)
        for titles, answer, reason in own_answers(assignment)
    ]


def _titles(titles: Sequence[str], study: Study) -> SafeString:
    """Return the titles of a page's documents. A document without a title is called “Document”."""
    named = [
        format_html('<bdi lang="{}">{}</bdi>', study.language, title)
        if title
        else format_html("{}", _("Document"))
        for title in titles
    ]
    return format_html_join(" / ", "{}", ((name,) for name in named))
