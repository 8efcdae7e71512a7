"""The buttons that open, pause and close a study, and the sentences that say what each means."""

from dataclasses import dataclass
from typing import Final

from judging.models import Study
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
