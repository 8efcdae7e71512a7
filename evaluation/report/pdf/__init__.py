"""The report as a tagged PDF (PDF/UA-1), laid out by typst with the template in `template.typ`."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

try:
    import typst
except ModuleNotFoundError as missing:
    if missing.name != "typst":
        raise
    message = "the report as PDF needs typst: run pip install 'plumbline-ir[report]'"
    raise ModuleNotFoundError(message, name=missing.name) from missing

from ...figures.letters import SANS, letter_names, name_letters
from ..building import Report
from .blocks import blocks_of, blocks_of_letters
from .fonts import BOLD, ITALIC, SERIF, Font, choose_fonts, fonts_in, printable

__all__ = ["fonts_in", "to_pdf"]
TEMPLATE: Final = Path(__file__).with_name("template.typ")
FIXED_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""A date in the file, so that the same report gives the same bytes. The report itself has no date."""


def to_pdf(report: Report, drawings: Mapping[str, bytes], fonts: str | Path | None = None) -> bytes:
    """Return the PDF file. `drawings` maps the key of each figure to its SVG file.

    `fonts` is a folder with fonts for letters that DejaVu lacks. Fonts of the system come after them. Letters
    for which there is no font are printed as their codes, and named at the end. Raise `InputError` if the
    folder has no font.
    """
    pictures = {key: number for number, key in enumerate(drawings)}
    document = _each_text({"title": report.title, "blocks": blocks_of(report, pictures)}, printable)
    choice = choose_fonts(_texts(document), fonts)
    is_missing = frozenset(choice.missing).__contains__
    document = _each_text(document, lambda text: name_letters(text, is_missing))
    document["blocks"] += blocks_of_letters(letter_names(choice.missing))
    document["families"] = [font.family for font in choice.fonts]
    document["pictures"] = [svg.decode() for svg in drawings.values()]
    return _compile(document, choice.fonts)


def _compile(document: dict[str, Any], fonts: tuple[Font, ...]) -> bytes:
    # typst searches whole folders. In this one, it finds the fonts that were chosen and no others.
    with TemporaryDirectory() as folder:
        for number, path in enumerate((SERIF, ITALIC, SANS, BOLD, *(font.path for font in fonts))):
            shutil.copyfile(path, Path(folder, f"{number}{path.suffix}"))
        return typst.compile(
            TEMPLATE.read_bytes(),
            font_paths=typst.Fonts(False, False, [folder]),
            sys_inputs={"report": json.dumps(document)},
            pdf_standards=["ua-1"],
            timestamp=FIXED_DATE,
        )


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of the value in which each text in its dicts and lists is changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each_text(content, change) for key, content in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(content, change) for content in value]
    return value


def _texts(value: Any) -> Iterator[str]:
    """Yield each text in the dicts and lists of the value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for content in value.values() if isinstance(value, dict) else value:
            yield from _texts(content)
