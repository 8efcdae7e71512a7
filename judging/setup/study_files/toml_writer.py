"""Write the values of a study file as TOML. `tables.read_study_file` reads the same values back.

Comments are lost. Plain keys come before tables, as TOML requires. Tables within tables are written inline.

The library `tomli_w` is not suitable. It writes short `[[run]]`, `[[grades]]` and `[[anchor]]` tables as
inline lists, in which all problems would have the same line number. Also, it either joins the lines of a
string or loses the carriage returns. This module gives each table at the top level its own header, and keeps
the lines and characters of each string.
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
    """Return a study file as TOML: first plain keys, then each `[table]` and `[[table]]` in order.

    The values have the types that `tomllib` returns: text, numbers (a `Decimal` keeps its digits), booleans,
    dates, lists and tables.
    """
    plain = {key: value for key, value in values.items() if not _is_table(value)}
    parts = ["\n".join(_pair(key, value) for key, value in plain.items())]
    for key, value in values.items():
        if isinstance(value, Mapping):
            parts.append(_table(f"[{_key(key)}]", value))
        elif isinstance(value, list) and _is_table(value):
            parts.extend(_table(f"[[{_key(key)}]]", table) for table in value)
    return "\n\n".join(part for part in parts if part) + "\n"


def _is_table(value: object) -> bool:
    """Return whether a value is written as one or more tables with headers."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, Mapping) for entry in value)
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
        return "{ " + ", ".join(f"{_key(key)} = {_inline(entry)}" for key, entry in value.items()) + " }"
    assert isinstance(value, Iterable), value
    return "[" + ", ".join(_inline(entry) for entry in value) + "]"


def _inline(value: object) -> str:
    return _line(value) if isinstance(value, str) else _value(value)


def _number(value: Decimal) -> str:
    if not value.is_finite():
        return "nan" if value.is_nan() else str(float(value))
    text = str(value)
    return text if "." in text or "E" in text else f"{text}.0"


def _line(text: str) -> str:
    """Return text as a one-line TOML string.

    The escapes are those of JSON. TOML also requires an escape for U+007F.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _paragraphs(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('""', '"\\"')
    if text.endswith('"'):
        text = text[:-1] + '\\"'
    text = _CONTROL.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
    return f'"""\n{text}"""'
