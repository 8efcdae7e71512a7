"""The questions about uploaded files that the user has not answered yet. Each is asked in turn."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from judging.models import Setup
from judging.setup.files import is_available
from judging.setup.pages.common import SetupPage

_KEY: Final = "setup-questions"
"""The key in the session. It holds the questions of each set-up, because each user answers their own."""
_MOST: Final = 500


class Question(NamedTuple):
    """The page that asks what the columns, values or topics of some files mean."""

    names: list[str]
    address: str


def waiting(request: HttpRequest, setup: Setup) -> list[Question]:
    """Return the questions that wait for an answer. Leave out those about files that are gone or in use."""
    stored = request.session.get(_KEY, {}).get(str(setup.pk), [])
    used = set(setup.files.values_list("path", flat=True))
    return [
        Question(names, address)
        for names, address in stored
        if all(is_available(setup, name) and name not in used for name in names)
    ]


def add_questions(request: HttpRequest, setup: Setup, questions: Iterable[Question]) -> None:
    """Ask these questions after those that wait already. A new question about a file replaces its old one."""
    new = list(questions)
    names = {name for question in new for name in question.names}
    kept = [question for question in waiting(request, setup) if not names & set(question.names)]
    _store(request, setup, [*kept, *new])


def _store(request: HttpRequest, setup: Setup, questions: list[Question]) -> None:
    by_setup = request.session.get(_KEY, {})
    request.session[_KEY] = {**by_setup, str(setup.pk): [list(question) for question in questions[:_MOST]]}


def ask_next(
    request: HttpRequest, page: SetupPage, kind: str = "", *, answered: Iterable[str] = ()
) -> HttpResponseBase:
    """Redirect to the next question. If there is none, redirect to the files of a kind.

    `answered` holds the names of files whose question is answered now.
    """
    done = set(answered)
    questions = [question for question in waiting(request, page.setup) if not done & set(question.names)]
    _store(request, page.setup, questions)
    if questions:
        return redirect(questions[0].address)
    return redirect(f"{page.address('files')}#{kind}" if kind else page.address("files"))
