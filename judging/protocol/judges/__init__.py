"""The kinds of judges, each declared in its own file.

To add a kind, add a module to this package, or announce a `JudgeKind` of a package of your own by an entry
point in the group `plumbline.judges`. Who can start a study, what its numbers count, and the labels on pages
and in exports follow from these declarations.

The kind belongs to a participation, not to a study, so that several kinds can judge in one study. A study
decides one thing: whether it is a rehearsal (`Study.simulated`). Each kind declares where it can judge and
whether it counts there, so no study stores a list of kinds, and what a study counts never changes because
another judge starts.
"""

from typing import Final

from judging.protocol.declared import by_name, declared, installed
from judging.protocol.judges import machine, person, simulated
from judging.protocol.judges.judge_kind import JudgeKind

KINDS: Final[dict[str, JudgeKind]] = by_name(
    [*declared(__name__, __path__, JudgeKind), *installed("judges", JudgeKind)],
    lambda kind: kind.name,
)
"""Maps the name of each kind of judge to the kind, sorted by name."""
PERSON: Final = person.KIND
SIMULATED: Final = simulated.KIND
MACHINE: Final = machine.KIND


def kind_choices() -> list[tuple[str, str]]:
    """Return the choices of the fields `kind`, as (stored value, word)."""
    return [(kind.name, kind.singular) for kind in KINDS.values()]


def is_simulated(kind: str) -> bool:
    """Return whether `kind` is the name of the simulated crowd. The exports' column `simulated` says this."""
    return kind == SIMULATED.name


def kinds_in(*, rehearsal: bool) -> list[JudgeKind]:
    """Return the kinds that can judge in a rehearsal, or else in a real study."""
    return [kind for kind in KINDS.values() if kind.can_judge(rehearsal=rehearsal)]


def timed_kinds() -> list[str]:
    """Return the names of the kinds whose time per page is checked."""
    return [kind.name for kind in KINDS.values() if kind.is_timed]


def planned_for(*, rehearsal: bool) -> JudgeKind:
    """Return the kind that a study's units are planned for. Other kinds judge units of their own."""
    return SIMULATED if rehearsal else PERSON
