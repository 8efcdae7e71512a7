"""Read values from the tables of a study file and check their types. A key that no code reads is a fault."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, Final

from judging.core.faults import Faults, Where, shown
from judging.core.storable import parse_decimal, unstorable
from judging.core.words import as_sentence
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.toml_lines import Path as KeyPath

_LONG_NUMBER: Final = 10**20
"""Faults do not show numbers of this size or larger."""
TOO_LONG: Final = _("The text has {number} characters; the limit is {limit}. Shorten it.")
_MUST_BE_TEXT: Final = _("The value must be text. Write it in quotes.")
_MUST_BE_TEXTS: Final = _('The value must be a list of strings. Write a list such as ["one", "two"].')
_MUST_BE_TABLE: Final = _("The value is not a table. Write a TOML table instead.")


class Table:
    """A table of a study file or of a stored study. `locate` returns the place of the key at a path.

    If a value is invalid, the method that reads it adds a fault and returns a default, so that one attempt
    finds all faults. `close` adds a fault for every unread key.
    """

    def __init__(
        self, values: dict[str, Any], locate: Callable[[KeyPath], Where], faults: Faults, path: KeyPath = ()
    ) -> None:
        self._values = values
        self._locate = locate
        self._path = path
        self.faults = faults
        self._read_keys: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._read_keys.add(key)
        return key in self._values

    def is_text(self, key: str) -> bool:
        return key in self and isinstance(self._values[key], str)

    def is_table(self, key: str) -> bool:
        return key in self and isinstance(self._values[key], dict)

    def where(self, key: str | None = None) -> Where:
        """Return the place of a key, or of the table itself if `key` is None."""
        return self._locate(self._path if key is None else (*self._path, key))

    def name(self, key: str) -> str:
        """Return the name of a key as faults show it: `table.key`, without the table's index in an array."""
        return ".".join([*(part for part in self._path if isinstance(part, str)), key])

    def fault(self, key: str | None, text: Sentence | str, /, **values: object) -> None:
        """Add a fault for a key, or for the table itself if `key` is None."""
        name = self.name(key) if key else self.name("").removesuffix(".")
        self.faults.add(self.where(key), name, as_sentence(text, values))

    def text(self, key: str, default: str = "", *, longest: int | None = None, needed: bool = False) -> str:
        """Return a string of at most `longest` characters, without white space at its ends."""
        value: str | None = self._get(key, str, _MUST_BE_TEXT, needed=needed)
        if value is None:
            return default
        if (fault := unstorable(value)) is not None:
            self.fault(key, fault)
            return default
        value = value.strip()
        if needed and not value:
            self.fault(key, _("This value is empty. Fill it in."))
        if longest is not None and len(value) > longest:
            self.fault(key, TOO_LONG, number=len(value), limit=longest)
            return default
        return value

    def choice(self, key: str, options: Collection[str], default: str = "", *, needed: bool = False) -> str:
        """Return a string that is one of the options."""
        value = self.text(key, default, needed=needed)
        if self.is_text(key) and value not in options:
            listed = ", ".join(f'"{option}"' for option in options)
            text = _("The value {value} is not allowed. Use one of these: {options}.")
            self.fault(key, text, value=shown(value), options=listed)
            return default
        return value

    def whole(self, key: str, default: int, *, least: int, most: int | Decimal) -> int:
        """Return a whole number from `least` to `most`."""
        value = self._get(
            key, int, _("The value is not a whole number. Write a whole number, without quotes.")
        )
        if value is None:
            return default
        if least <= value <= most:
            return int(value)
        if abs(value) < _LONG_NUMBER:
            text = _("The number {value} is out of range. Write a whole number from {least} to {most}.")
            self.fault(key, text, value=str(value), least=least, most=most)
        else:
            text = _("The number is out of range. Write a whole number from {least} to {most}.")
            self.fault(key, text, least=least, most=most)
        return default

    def number(
        self, key: str, default: Decimal, *, least: int, most: int | Decimal, text: bool = False
    ) -> Decimal:
        """Return a number from `least` to `most`. If `text` is true, the number can also be in quotes."""
        if text and self.is_text(key):
            value: Decimal | int | None = parse_decimal(self.text(key))
        else:
            fault = _("The value is not a number. Write a number, without quotes.")
            value = self._get(key, (int, Decimal), fault)
        if value is None:
            return default
        value = Decimal(value)
        if not value.is_finite() or not least <= value <= most:
            self.fault(
                key,
                _("The value is not a number from {least} to {most}. Write a number such as {example}."),
                least=least,
                most=most,
                example=str(default or "0.20"),
            )
            return default
        return value

    def moment(self, key: str) -> datetime | None:
        """Return a time in UTC, or None if it is missing or invalid.

        A time without an offset counts as UTC.
        """
        must_be = _("The value is not a date with a time. Write one such as 2030-01-31 12:00:00.")
        value: datetime | None = self._get(key, datetime, must_be)
        try:
            return value and (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
        except OverflowError:
            self.fault(key, _("The date is out of range. Write one such as 2030-01-31 12:00:00."))
            return None

    def texts(self, key: str) -> list[str] | None:
        """Return a list of strings, or None if the key is missing or its value has a fault."""
        value = self._get(key, list, _MUST_BE_TEXTS)
        if value is None:
            return None
        for entry in value:
            if not isinstance(entry, str):
                self._fault_of_type(key, entry, _MUST_BE_TEXTS)
                return None
            if (fault := unstorable(entry)) is not None:
                self.fault(key, fault)
                return None
        return [entry.strip() for entry in value]

    def mapping(self, key: str) -> dict[str, str] | None:
        """Return an inline table of strings, or None if the key is missing or its value has a fault."""
        value: dict[str, str] | None = self._get(key, dict, _MUST_BE_TABLE)
        for entry in (value or {}).values():
            if not isinstance(entry, str):
                self.fault(key, _("The table has a value that is not text. Write all its values in quotes."))
                return None
        return value

    def columns(self, key: str) -> dict[str, str | int] | None:
        """Return an inline table of columns, which are given by name or position.

        Return None if the key is missing or its value has a fault.
        """
        values: dict[str, str | int] | None = self._get(key, dict, _MUST_BE_TABLE)
        for entry in (values or {}).values():
            is_position = type(entry) is int and 0 < entry < _LONG_NUMBER
            if not isinstance(entry, str) and not is_position:
                text = _("A column must be a name in quotes, or a whole number of 1 or more. Correct it.")
                self.fault(key, text)
                return None
            if isinstance(entry, str) and (fault := unstorable(entry)) is not None:
                self.fault(key, fault)
                return None
        return values

    def table(self, key: str) -> "Table":
        """Return a `[table]`, or an empty table if the file does not have it."""
        values = self._get(key, dict, _MUST_BE_TABLE) or {}
        return Table(values, self._locate, self.faults, (*self._path, key))

    def tables(self, key: str) -> list["Table"]:
        """Return all `[[table]]` entries, in the order of the file."""
        if isinstance(self._values.get(key), dict):
            self._read_keys.add(key)
            one_table = _("A study can have several [[{table}]] tables. Use double brackets, not [{table}].")
            self.fault(key, one_table, table=key)
            return []
        must_be_tables = _("The value is not a list of tables. Begin each table with [[{table}]].")
        value = self._get(key, list, must_be_tables, table=key) or []
        if any(not isinstance(entry, dict) for entry in value):
            self.fault(key, must_be_tables, table=key)
            return []
        return [
            Table(entry, self._locate, self.faults, (*self._path, key, place))
            for place, entry in enumerate(value)
        ]

    def over(self, base: "Table", *, without: Collection[str]) -> "Table":
        """Return the base table with the values of this table in the place of its own.

        The entries of a table within the table replace those of the base one by one. `without` names keys of
        both tables to leave out. Each value keeps its place in the file, and the faults go to `faults` of
        this table.
        """
        own = {key: value for key, value in self._values.items() if key not in without}
        merged = {key: value for key, value in base._values.items() if key not in without}
        for key, value in own.items():
            inside = merged.get(key)
            if isinstance(value, dict) and isinstance(inside, dict):
                merged[key] = {**inside, **value}
            else:
                merged[key] = value

        def locate(path: KeyPath) -> Where:
            values: Any = own
            for part in path[:2]:
                if not isinstance(values, dict) or part not in values:
                    return base._locate((*base._path, *path))
                values = values[part]
            return self._locate((*self._path, *path)) if path else base._locate(base._path)

        return Table(merged, locate, self.faults)

    def collecting(self, faults: Faults) -> "Table":
        """Return the same table, with other faults to add to."""
        return Table(self._values, self._locate, faults, self._path)

    def pass_over(self, *keys: str) -> None:
        """Mark these keys as read, or all keys if none are given, so that `close` adds no faults for them."""
        self._read_keys.update(keys or self._values)

    def close(self, refused: Collection[str] = (), refusal: str = "") -> None:
        """Add a fault for every unread key. Suggest the most similar known key, or list all known keys.

        `refused` names keys that other tables can have. Their fault is `refusal`.
        """
        for key in self._values:
            if key in self._read_keys:
                continue
            if key in refused:
                self.fault(key, refusal)
                continue
            if similar := get_close_matches(key, self._read_keys, n=1):
                self.fault(key, _("This key is unknown. Did you mean {suggestion}?"), suggestion=similar[0])
            else:
                known = ", ".join(sorted(self._read_keys))
                self.fault(key, _("This key is unknown. Remove it, or use one of these: {keys}."), keys=known)

    def _get(
        self,
        key: str,
        kinds: type | tuple[type, ...],
        must_be: str,
        *,
        needed: bool = False,
        **values: object,
    ) -> Any:
        """Return the value of a key, or None if the key is missing or its value has the wrong type.

        If `needed` is true, a missing key is a fault. If the value's type is not in `kinds`, add the fault
        `must_be`.
        """
        if key not in self:
            if needed:
                text = _("This key is missing. Add {key} = …")
                self.faults.add(self.where(), self.name(key), text, key=key)
            return None
        value = self._values[key]
        if not isinstance(value, kinds) or isinstance(value, bool):
            self._fault_of_type(key, value, must_be, **values)
            return None
        return value

    def _fault_of_type(self, key: str, value: object, must_be: str, /, **values: object) -> None:
        """Add a fault for a value of the wrong type. If text is expected, suggest quotes around a number."""
        if type(value) is int and abs(value) < _LONG_NUMBER and must_be in (_MUST_BE_TEXT, _MUST_BE_TEXTS):
            self.fault(key, _('The value must be text. Write "{value}", in quotes.'), value=str(value))
        else:
            self.fault(key, must_be, **values)
