"""A study file as text, from its values: what `tables.read_study_file` reads back is the same.

Comments are not kept. Tables stand at the end, as TOML wants it; tables within them are written inline.
The library for this, `tomli_w`, would put short `[[run]]`, `[[grades]]` and `[[anchor]]` tables into lists
above all others, where faults could not be told by their lines, and write a text of many lines as one or, in
its other mode, lose its `\\r`. Here each table keeps its header, and each text its lines and characters.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def toml_text(values: Mapping[str, object]) -> str:
    """The TOML of a top table: plain keys, then each `[table]` and `[[table]]` in the order of the values.

    Takes what `tomllib` gives: text, numbers (`Decimal` keeps its digits), booleans, dates, lists and tables.
    """
    plain = {key: value for key, value in values.items() if not _is_table(value)}
    parts = ["\n".join(_pair(key, value) for key, value in plain.items())]
    for key, value in values.items():
        if isinstance(value, Mapping):
            parts.append(_table(f"[{_key(key)}]", value))
        elif isinstance(value, list) and _is_table(value):
            parts.extend(_table(f"[[{_key(key)}]]", one) for one in value)
    return "\n\n".join(part for part in parts if part) + "\n"


def _is_table(value: object) -> bool:
    """Whether it is written as a table of its own, or as several."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, Mapping) for one in value)
    return isinstance(value, Mapping)


def _table(header: str, values: Mapping[str, object]) -> str:
    return "\n".join([header, *(_pair(key, value) for key, value in values.items())])


def _pair(key: str, value: object) -> str:
    return f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _line(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _paragraphs(value) if "\n" in value else _line(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(one)}" for key, one in value.items()) + " }"
    assert isinstance(value, Iterable), value
    return "[" + ", ".join(_inline(one) for one in value) + "]"


def _inline(value: object) -> str:
    return _line(value) if isinstance(value, str) else _value(value)


def _number(value: Decimal) -> str:
    if not value.is_finite():
        return "nan" if value.is_nan() else str(float(value))
    text = str(value)
    return text if "." in text or "E" in text else f"{text}.0"


def _line(text: str) -> str:
    """As JSON writes it, whose escapes TOML shares; it forbids one character more."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraphs(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('""', '"\\"')
    if text.endswith('"'):
        text = text[:-1] + '\\"'
    text = _CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    return f'"""\n{text}"""'
