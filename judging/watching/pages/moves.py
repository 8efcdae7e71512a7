"""The buttons that open, pause and close a study, each with a sentence that explains it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from judging.models import Study
from judging.protocol.states import STUDY_MOVES, StudyState

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Move:
    """A button that changes the state of a study. A `final` change must be confirmed."""

    action: str
    label: "StrOrPromise"
    meaning: "StrOrPromise"
    final: bool = False


_OPEN: Final = Move(
    "open",
    _("Open the study"),
    _(
        "Plumbline plans the units, and workers can take them. You can no longer edit anything that "
        "workers have already seen."
    ),
)
_RESUME: Final = Move("open", _("Open again"), _("Workers can take units again."))
_PAUSE: Final = Move(
    "pause",
    _("Pause"),
    _("Workers get no new units. Workers who are judging a unit can still finish it before it lapses."),
)
_CLOSE: Final = Move(
    "close",
    _("Close for good"),
    _("Workers get no new units, and you cannot open the study again. Its data is kept."),
    final=True,
)


def moves_of(study: Study) -> list[Move]:
    """Return the buttons for the changes that the current state of a study allows.

    An arm has none, because all arms change together at the front.
    """
    if study.front_id is not None:
        return []
    moves = {
        StudyState.OPEN: _OPEN if study.state == StudyState.DRAFT else _RESUME,
        StudyState.PAUSED: _PAUSE,
        StudyState.CLOSED: _CLOSE,
    }
    return [moves[state] for state in STUDY_MOVES[StudyState(study.state)]]
