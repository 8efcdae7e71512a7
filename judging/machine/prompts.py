"""Prompt files: what a machine judge reads at each step. Plumbline has ready-made ones in `prompts/`.

A prompt file begins with lines such as `version: 1`, and then has a section for each step, under a heading
such as `== document ==`. Names in braces stand for what the site fills in.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from judging.core.faults import Faults, Where, shown
from judging.core.storable import unstorable
from judging.models import Study
from judging.protocol.scales import SCALES, judging_of
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.files import SourceFile

FOLDER: Final = Path(__file__).with_name("prompts")
FIELDS: Final[dict[str, frozenset[str]]] = {
    "system": frozenset({"instructions"}),
    "practice": frozenset(
        {"place", "places", "line", "framed_line", "next_line", "all_lines", "earlier", "options"}
    ),
    "question": frozenset({"topic", "question", "options"}),
    "document": frozenset({"topic", "document", "other", "place", "places", "earlier", "options"}),
    "again": frozenset({"fault"}),
    "revise": frozenset({"earlier"}),
}
"""Maps the name of each section to the names that it can have in braces."""
_HEADS: Final = ("version", "scale", "options", "memory")
_HEADING: Final = re.compile(r"== *(\w+) *==\s*")
_FIELD: Final = re.compile(r"\{(\w+)\}")
_LONGEST_NAME: Final = 60
_LONGEST: Final = 100_000
"""The maximum number of characters in a prompt file."""


@dataclass(frozen=True)
class Prompt:
    """A prompt file.

    `name` is that of a ready-made prompt, or the name of the file. `options` is the number of answers that it
    lets the model choose from, or None. `remembers` says whether the model reads its earlier answers in the
    unit, as people remember them.
    """

    name: str
    version: str
    scale: str
    options: int | None
    remembers: bool
    sections: Mapping[str, str]
    text: str

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the whole file."""
        return sha256(self.text.encode()).hexdigest()

    def fill(self, section: str, values: Mapping[str, str]) -> str:
        """Return a section with the values filled in. Braces in the values stay as they are."""
        return _FIELD.sub(lambda field: values.get(field[1], field[0]), self.sections[section])


def ready_made() -> list[str]:
    """Return the names of the ready-made prompts."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def read_prompt(name: str, folder: Path, where: Where, faults: Faults) -> Prompt | None:
    """Return a ready-made prompt, or the prompt in a file. The path starts at `folder`.

    `where` is the place that names the prompt. If the file has faults, add them and return None.
    """
    is_ready_made = name in ready_made()
    path = FOLDER / f"{name}.txt" if is_ready_made else folder / name
    if not is_ready_made and not path.is_file():
        text = _("There is no prompt {name}. Use a ready-made prompt ({names}), or the path of a text file.")
        faults.add(where, "prompt", text, name=shown(name), names=", ".join(ready_made()))
        return None
    if len(path.name) > _LONGEST_NAME:
        too_long = _("The name of the file has more than {limit} characters. Rename it.")
        faults.add(where, "prompt", too_long, limit=_LONGEST_NAME)
        return None
    with faults.watch() as watch:
        SourceFile(path, where, "prompt", faults).text()
        if not watch.clean:
            return None
        text = path.read_bytes().decode()  # unchanged, so that its hash is that of the file
        if (fault := unstorable(text)) is not None:
            faults.add(Where(str(path)), "prompt", fault)
            return None
    return parse_prompt(text, name if is_ready_made else path.name, str(path), faults)


def parse_prompt(text: str, name: str, file: str, faults: Faults) -> Prompt | None:
    """Return the prompt that is written in a text. If the text has faults, add them and return None."""
    with faults.watch() as watch:
        if len(text) > _LONGEST:
            too_long = _("The prompt has {number} characters; the limit is {limit}. Shorten it.")
            faults.add(Where(file), "prompt", too_long, number=len(text), limit=_LONGEST)
            return None
        heads, sections = _parts(text, file, faults)
        _check_heads(heads, file, faults)
        for section in FIELDS:
            if not sections.get(section):
                missing = _("The section “{section}” is missing. Add it under the heading == {section} ==.")
                faults.add(Where(file), section, missing, section=section)
    if not watch.clean:
        return None
    return Prompt(
        name=name,
        version=heads["version"],
        scale=heads["scale"],
        options=int(heads["options"]) if "options" in heads else None,
        remembers=heads.get("memory", "no") == "yes",
        sections=sections,
        text=text,
    )


def _parts(text: str, file: str, faults: Faults) -> tuple[dict[str, str], dict[str, str]]:
    """Return the lines at the head of a prompt file, and its sections, each by name."""
    heads: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if heading := _HEADING.fullmatch(line):
            lines = _begin_section(heading[1], sections, Where(file, number), faults)
        elif lines is not None:
            lines.append(line)
            for unknown in _unknown_fields(line, next(reversed(sections), "")):
                text_of_fault = _("The name {name} is unknown in this section. Use only: {known}.")
                known = ", ".join(f"{{{field}}}" for field in sorted(FIELDS[next(reversed(sections))]))
                faults.add(Where(file, number), "prompt", text_of_fault, name=unknown, known=known)
        elif line.strip():
            name, colon, value = line.partition(":")
            if not colon or name.strip() not in _HEADS:
                expected = _("Before the first section, write only lines such as “version: 1”: {names}.")
                faults.add(Where(file, number), "prompt", expected, names=", ".join(_HEADS))
            heads[name.strip()] = value.strip()
    return heads, {name: "\n".join(written).strip() for name, written in sections.items()}


def _begin_section(
    name: str, sections: dict[str, list[str]], where: Where, faults: Faults
) -> list[str] | None:
    if name not in FIELDS or name in sections:
        text = _("The section “{section}” is unknown, or it is there twice. Use each of these once: {names}.")
        faults.add(where, "prompt", text, section=name, names=", ".join(FIELDS))
        return []
    return sections.setdefault(name, [])


def _unknown_fields(line: str, section: str) -> Iterator[str]:
    for field in _FIELD.finditer(line):
        if section in FIELDS and field[1] not in FIELDS[section]:
            yield field[0]


def _check_heads(heads: Mapping[str, str], file: str, faults: Faults) -> None:
    if not heads.get("version") or len(heads["version"]) > 20:
        faults.add(Where(file), "version", _("The version is missing. Add a line such as version: 1"))
    if heads.get("scale") not in SCALES:
        text = _(
            "The scale is missing or unknown. Add a line such as scale: magnitude, with one of: {names}."
        )
        faults.add(Where(file), "scale", text, names=", ".join(SCALES))
    if not re.fullmatch(r"[1-9][0-9]?", heads.get("options", "2")):
        faults.add(Where(file), "options", _("The number of options is not valid. Write a number such as 4."))
    if heads.get("memory", "no") not in {"yes", "no"}:
        faults.add(Where(file), "memory", _("The memory must be “yes” or “no”."))


def add_mismatch(prompt: Prompt, study: Study, where: Where, faults: Faults) -> None:
    """Add a fault if machine judges cannot judge in a study with a prompt, because of its scale."""
    scale = SCALES[study.scale]
    if scale.judging is None:
        text = _("Study {study} is on the scale “{scale}”, on which nobody can judge.")
        faults.add(where, "prompt", text, study=study.slug, scale=study.scale)
        return
    if prompt.scale != study.scale:
        fitting = ", ".join(scale.judging.prompts)
        text = (
            _(
                "The prompt “{prompt}” is for the scale “{own}”, but study {study} is on the scale “{scale}”."
                " Use this prompt: {fitting}."
            )
            if fitting
            else _(
                "The prompt “{prompt}” is for the scale “{own}”, but study {study} is on the scale “{scale}”."
                " Write a prompt file for this scale."
            )
        )
        faults.add(
            where,
            "prompt",
            text,
            prompt=prompt.name,
            own=prompt.scale,
            study=study.slug,
            scale=study.scale,
            **({"fitting": fitting} if fitting else {}),
        )
        return
    options = judging_of(study).options
    number = len(options(study)) if options else 0
    if prompt.options is not None and prompt.options != number:
        text = _(
            "The prompt “{prompt}” is for {number} answers, but study {study} has {own}. Use another prompt."
        )
        faults.add(
            where, "prompt", text, prompt=prompt.name, number=prompt.options, study=study.slug, own=number
        )
