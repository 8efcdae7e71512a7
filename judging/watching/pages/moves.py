"""The buttons that open, pause and close a study, and the sentences that say what each means."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from judging.core.services.errors import RefusedError
from judging.core.services.studies import close_study, open_study, pause_study
from judging.models import Actor, Study
from judging.protocol.states import STUDY_MOVES, StudyState


@dataclass(frozen=True)
class Move:
    """A button: `final` ones ask whether one is sure."""

    action: str
    label: str
    meaning: str
    final: bool = False


_OPEN: Final = Move(
    "open",
    "Open the study",
    "Units are planned and workers may take them. What is shown to anybody can no longer be edited.",
)
_RESUME: Final = Move("open", "Open again", "Workers may take units again.")
_PAUSE: Final = Move(
    "pause", "Pause", "Nobody gets a new unit. Whoever is judging one may finish it until it lapses."
)
_CLOSE: Final = Move(
    "close",
    "Close for good",
    "Nobody gets a new unit, and a closed study cannot be opened again. Its data stays.",
    final=True,
)


def moves_of(study: Study) -> list[Move]:
    """What may be done with a study in its present state."""
    moves = {
        StudyState.OPEN: _OPEN if study.state == StudyState.DRAFT else _RESUME,
        StudyState.PAUSED: _PAUSE,
        StudyState.CLOSED: _CLOSE,
    }
    return [moves[state] for state in STUDY_MOVES[StudyState(study.state)]]


def make_move(
    *, study: Study, action: str, sure: bool, cancel_live: bool, now: datetime, actor: Actor
) -> str:
    """Do what a button says; returns a sentence on what was done.

    Raises RefusedError for an unknown action, for closing without being sure, and where the service refuses.
    """
    if action == "open":
        open_study(study=study, now=now, actor=actor)
        return "The study is open."
    if action == "pause":
        pause_study(study=study, now=now, actor=actor)
        return "The study is paused: nobody gets a new unit."
    if action != "close":
        raise RefusedError("Nothing was done: use one of the buttons.")
    if not sure:
        raise RefusedError("The study was not closed: tick the box that says you are sure.")
    cancelled = close_study(study=study, now=now, force=cancel_live, actor=actor)
    if not cancelled:
        return "The study is closed."
    names = ", ".join(sorted(assignment.participation.pseudonym for assignment in cancelled))
    if amount := cancelled[0].compensation:
        pay = f"each is due {amount} {study.currency} for it"
    else:
        pay = "please pay them"
    return f"The study is closed. These workers lost the unit they were judging; {pay}: {names}."
