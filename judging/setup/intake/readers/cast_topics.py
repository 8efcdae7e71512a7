"""Topics of TREC's Conversational Assistance Track (CAsT): a JSON array of conversations with turns.

Each turn is a topic. Its number consists of the numbers of the conversation and the turn, such as `31_1`, as
in the track's runs and grades.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from judging.core.faults import shown
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import TopicContent
from judging.setup.intake.files import SourceFile
from judging.setup.intake.readers.marked import LeftOut
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault

Values = dict[str, Any]
_TURNS: Final = "turn"
_UTTERANCES: Final = ("raw_utterance", "utterance")
_REWRITTEN: Final = "manual_rewritten_utterance"
_CONTEXT: Final = ("title", "description")
_READ: Final = {"number", "participant", _REWRITTEN, *_UTTERANCES}
"""The keys of a turn that a topic contains."""
_SYSTEM: Final = "system"
"""The participant of a turn that answers the user, in the topics of 2022."""
_HEAD: Final = 64 * 1024
_SIGN: Final = re.compile(r'"turn"\s*:\s*\[')
_GAP: Final = re.compile(r"[\s,]*")


def is_cast(source: SourceFile) -> bool:
    """Return whether a file is a JSON array of objects with turns, as its first lines show."""
    if source.kind != "json-array":
        return False
    head = ""
    for _number, line in source.lines():
        head += f"{line}\n"
        if len(head) > _HEAD:
            break
    return _SIGN.search(head[:_HEAD]) is not None


def read_cast_topics(source: SourceFile) -> Iterator[TopicContent]:
    """Yield a topic for each turn of a user, with the utterance as its title.

    The description is the utterance as people rewrote it, so that it can be understood alone. The narrative
    is the title and the description of the conversation. Give a notice for each key whose text is left out.
    """
    if not source.is_text_of("json-array"):
        return
    left_out = LeftOut()
    for line, conversation in _conversations(source):
        yield from _turns(source, line, conversation, left_out)
    for name, (line, number) in left_out.places.items():
        text = _(
            "{place}: the text of {key} is left out of the topics ({number} times). Plumbline reads the"
            " utterances, and the title and description of the conversation."
        )
        source.notice(text, place=source.at(line), key=name, number=number)


def _conversations(source: SourceFile) -> Iterator[tuple[int, object]]:
    """Yield each entry of the array, with the number of the line on which it begins."""
    text = source.text()
    decoder = json.JSONDecoder()
    place = text.find("[") + 1
    line, counted = 1, 0
    try:
        json.loads(text)
        while (place := _after_gap(text, place)) < len(text) and text[place] != "]":
            line, counted = line + text.count("\n", counted, place), place
            entry, place = decoder.raw_decode(text, place)
            yield line, entry
    except json.JSONDecodeError as error:
        malformed = _("The file is not valid JSON ({problem}). Correct this line.")
        source.fault(error.lineno, "", malformed, problem=error.msg)
    except (ValueError, RecursionError):
        too_long = _(
            "The JSON has a number that is too long, or brackets that are nested too deeply. Correct the"
            " line."
        )
        source.fault(line, "", too_long)


def _after_gap(text: str, place: int) -> int:
    gap = _GAP.match(text, place)
    return gap.end() if gap else place


def _turns(source: SourceFile, line: int, conversation: object, left_out: LeftOut) -> Iterator[TopicContent]:
    turns = conversation.get(_TURNS) if isinstance(conversation, dict) else None
    if not isinstance(conversation, dict) or not isinstance(turns, list):
        no_turns = _(
            "The entry is not a conversation with a list `turn`, as in CAsT. Choose another format, or write"
            " one JSON object per line, for example with jq -c '.[]'."
        )
        source.fault(line, _TURNS, no_turns, like="no turns")
        return
    if (number := _number(source, line, "number", conversation)) is None:
        return
    context = [text for key in _CONTEXT if (text := _text(conversation.get(key)))]
    for place, turn in enumerate(turns):
        field = f"{_TURNS}[{place}]"
        if not isinstance(turn, dict):
            no_object = _("This turn is not a JSON object. Write an object with number and raw_utterance.")
            source.fault(line, field, no_object)
            continue
        if str(turn.get("participant", "")).lower() == _SYSTEM:
            left_out.add("response", line)
            continue
        for key in turn.keys() - _READ:
            if _text(turn[key]):
                left_out.add(key, line)
        topic = _topic(source, line, field, number, turn)
        if topic is not None:
            topic.narrative = "\n\n".join(context)
            yield topic


def _topic(source: SourceFile, line: int, field: str, number: str, turn: Values) -> TopicContent | None:
    of_turn = _number(source, line, f"{field}.number", turn)
    utterance = next((text for key in _UTTERANCES if (text := _text(turn.get(key)))), "")
    if not utterance:
        missing = _("The turn has no utterance. Add raw_utterance to it.")
        source.fault(line, f"{field}.{_UTTERANCES[0]}", missing)
    if of_turn is None or not utterance:
        return None
    rewritten = _text(turn.get(_REWRITTEN))
    return TopicContent(
        f"{number}_{of_turn}", utterance, "" if rewritten == utterance else rewritten, "", source.at(line)
    )


def _number(source: SourceFile, line: int, field: str, values: Values) -> str | None:
    """Return the number of a conversation or turn. Add a fault and return None if it cannot be used."""
    value = values.get("number")
    if value is None:
        source.fault(line, field, _("The number is missing. Add a number."))
        return None
    if type(value) not in (int, str):
        no_number = _("{value} is not a number. Write a number such as 31.")
        source.fault(line, field, no_number, value=shown(value))
        return None
    number = str(value).strip()
    fault: Sentence | None = id_fault(number, LONGEST_NUMBER)
    if fault:
        source.fault(line, field, fault)
        return None
    return number


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
