"""The path through a set-up: its steps, whether each is done, what is missing, and which comes next."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judging.core.selectors.texts import TextFault
from judging.protocol.settings import SETTINGS
from judging.setup.intake.study_values import TOPIC
from judging.setup.reading import FaultSummary
from judging.setup.steps import STEPS, step_of

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

State = Literal["done", "todo", "unchecked"]
STATES: Final[dict[State, "StrOrPromise"]] = {
    "done": gettext_lazy("Complete"),
    "todo": gettext_lazy("To do"),
    "unchecked": gettext_lazy("Not checked yet"),
}
_PARTS: Final[dict[str, "StrOrPromise"]] = {
    "documents": gettext_lazy("no documents yet"),
    "topics": gettext_lazy("no topics yet"),
    "pool": gettext_lazy("no pool yet"),
}
_READ_BY_CHECK: Final = ("files", "topics", "anchors")
"""The steps that only a check can find complete. The forms of the other steps refuse invalid values."""
_MOST_PLACES: Final = 3
_MOST_MISSING: Final = 4


@dataclass(frozen=True)
class Step:
    """A step of a set-up. `faults` is the number of its problems and missing texts.

    `missing` says in words what is missing or what to correct. `is_next` is True for at most one step: the
    first step with the state “To do” or, if there is none, the first step with the state “Not checked yet”.
    """

    number: int
    name: str
    label: str
    address: str
    faults: int
    state: State
    missing: list[str]
    is_next: bool = False

    @property
    def state_label(self) -> str:
        return str(STATES[self.state])


def path_of(
    addresses: Mapping[str, str],
    *,
    counts: Mapping[str, int],
    missing_texts: list[str],
    unfinished_texts: list[TextFault],
    missing_parts: list[str],
    faults: list[FaultSummary],
    is_current: bool,
    is_draft: bool,
) -> list[Step]:
    """Return the steps of a set-up.

    `addresses` maps each step to the address of its page, and `counts` maps each step to the number of its
    problems and missing texts. `missing_texts` are the keys of required texts that are empty, and
    `unfinished_texts` are the faults of texts with placeholders or with fields that cannot be filled in.
    `missing_parts` and `faults` come from the last check. `is_current` says whether that check read the
    current version of the set-up. If not, `missing_parts` and `faults` are empty. `is_draft` says whether the
    study itself is a draft. If it is not, the steps are those of a draft of changes. Each of these steps is
    complete only after a check of the current version, because a check can refuse any change.
    """
    words: dict[str, list[str]] = {name: [] for name, _label in STEPS}
    for key in missing_texts:
        words[step_of("", key)].append(_("“{label}” is empty").format(label=_(_LABELS[key])))
    for fault in unfinished_texts:
        words[step_of("", fault.key)].append(fault.summary)
    for part in missing_parts:
        words["topics" if part == "topics" else "files"].append(str(_PARTS[part]))
    if missing_parts:
        words["anchors"].append(_("needs topics and a pool first"))
    for name, of_step in words.items():
        of_step.extend(_in_words([fault for fault in faults if fault["step"] == name]))
    steps = []
    for number, (name, label) in enumerate(STEPS, start=1):
        state: State = "done"
        if words[name] or counts.get(name):
            state = "todo"
        elif not is_current and (name in _READ_BY_CHECK or not is_draft):
            state = "unchecked"
        elif name == "anchors" and counts.get("files"):
            state = "unchecked"  # the check does not look for anchors in files that it cannot read
        missing = _shortened(words[name])
        steps.append(Step(number, name, _(label), addresses[name], counts.get(name, 0), state, missing))
    following = next((step for state in ("todo", "unchecked") for step in steps if step.state == state), None)
    return [replace(step, is_next=step is following) for step in steps]


def _in_words(faults: list[FaultSummary]) -> Iterator[str]:
    """Yield a description of each kind of problem in a step.

    Problems with the same setting or the same file are combined. Problems of the same kind in several topics
    are combined too.
    """
    topics: dict[str, dict[str, None]] = {}
    others: dict[str, None] = {}
    for fault in faults:
        place, field = fault["place"], fault["field"]
        if place.startswith(TOPIC):
            topics.setdefault(field, {})[place.removeprefix(TOPIC)] = None
        elif place:
            others[_("problems in {place}").format(place=place)] = None
        elif field == "anchor":
            others[_("topics without anchors")] = None
        elif field in _LABELS:
            others[_("a problem with “{label}”").format(label=_(_LABELS[field]))] = None
        else:
            others[_("a problem that the overview lists")] = None
    for field, places in topics.items():
        yield _about_topics(field, list(places))
    yield from others


def _about_topics(field: str, topics: list[str]) -> str:
    number = len(topics)
    match field:
        case "question":
            text = ngettext("no question for topic {topics}", "no question for topics {topics}", number)
        case "anchor.H":
            text = ngettext(
                "no valid H anchor for topic {topics}", "no valid H anchor for topics {topics}", number
            )
        case "anchor.N":
            text = ngettext(
                "no valid N anchor for topic {topics}", "no valid N anchor for topics {topics}", number
            )
        case "anchor.H2":
            text = ngettext(
                "no valid H2 anchor for topic {topics}", "no valid H2 anchor for topics {topics}", number
            )
        case "anchor.N2":
            text = ngettext(
                "no valid N2 anchor for topic {topics}", "no valid N2 anchor for topics {topics}", number
            )
        case _:
            text = ngettext("problems with topic {topics}", "problems with topics {topics}", number)
    return text.format(topics=_listed(topics))


_LABELS: Final = {name: setting.label for key, setting in SETTINGS.items() for name in (key, setting.name)}


def _listed(places: list[str]) -> str:
    shown = ", ".join(places[:_MOST_PLACES])
    rest = len(places) - _MOST_PLACES
    return _("{places} and {number} more").format(places=shown, number=rest) if rest > 0 else shown


def _shortened(words: list[str]) -> list[str]:
    rest = len(words) - _MOST_MISSING
    return [*words[:_MOST_MISSING], _("and {number} more").format(number=rest)] if rest > 0 else words
