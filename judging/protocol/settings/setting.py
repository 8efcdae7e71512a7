"""How to declare a setting, and how the documentation and the forms show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from judging.protocol.settings.groups import Group

UNLIMITED: Final = "unlimited"
"""Users write this word instead of a number if there is no limit. It is stored as None."""


class Kind(StrEnum):
    """The type of a setting's value."""

    LINE = "line"
    """Text without line breaks."""
    MARKDOWN = "markdown"
    """Text in Markdown. Instead of the text, the study file can give the path of a file, as `KEY_file`."""
    WHOLE = "whole"
    NUMBER = "number"
    AMOUNT = "amount"
    """An exact decimal number with at most two decimal places."""
    CHOICE = "choice"
    MOMENT = "moment"
    ADDRESS = "address"
    """A web address."""
    TEXTS = "texts"
    """A list of short texts, each on one line. Its value is a tuple."""


class Change(StrEnum):
    """Whether a setting can still be changed after a worker has seen a topic."""

    NEVER = "no"
    RAISED = "upwards"
    ALWAYS = "yes"


@dataclass(frozen=True)
class Pattern:
    """A regular expression that the whole text must match, and the error message if it does not."""

    regex: str
    fault: str


@dataclass(frozen=True)
class Setting:
    """A setting of a study: a field of the model `Study` and a key of `study.toml`.

    `table` is the table of the study file that contains the key; it is empty for top-level keys, and
    `outer.inner` for a table in a table. `written` is the key in the file, if it is not the model's field.
    `needs` is the key of a setting without which this one has no effect, so files leave it out. `default` is
    None for a setting without a default, and `absent` says what happens if the setting is missing. `least`
    and `most` limit a number, or how many texts a list has. `longest` limits the number of characters of
    text. If `by_owners` is true, only owners can change the setting once the study has begun. If `by_arm` is
    true, the arms of a study can have different values: the setting changes neither the units nor what
    workers consent to, or the page with the consent form shows its range. If `bundled` is true, bundles
    contain the setting. If `later` is true, the first version of bundles did not have the setting yet, so a
    bundle without it gets the default. `group` is the group of the setting in forms, or None if no form shows
    it. If `extensible` is true, installed packages can add options. `package` is true for the settings of
    installed packages. `source` names the paper that the default comes from. `help` is one or two plain
    sentences, and `option_help` has a sentence for each option. Forms offer only the options in `offered`, if
    there are any. `more` is Markdown that only the documentation shows.
    """

    key: str
    label: str
    help: str
    kind: Kind = Kind.LINE
    table: str = ""
    default: Any = None
    least: int = 0
    most: int | Decimal = 0
    longest: int | None = None
    pattern: Pattern | None = None
    options: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    option_help: tuple[str, ...] = ()
    unlimited: bool = False
    placeholders: tuple[str, ...] = ()
    needed: bool = False
    absent: str = ""
    change: Change = Change.NEVER
    by_owners: bool = False
    by_arm: bool = False
    bundled: bool = True
    later: bool = False
    group: Group | None = None
    extensible: bool = False
    package: bool = False
    written: str = ""
    needs: str = ""
    source: str = ""
    more: str = ""

    @property
    def written_key(self) -> str:
        """Return the key in the study file."""
        return self.written or self.key

    @property
    def name(self) -> str:
        """Return the name that forms and error messages use: `table.key`."""
        return f"{self.table}.{self.written_key}" if self.table else self.key

    def put(self, values: dict[str, Any], value: Any) -> None:
        """Set the setting's value in the values of a study file. Add its table if the values lack it."""
        for name in filter(None, self.table.split(".")):
            values = values.setdefault(name, {})
        values[self.written_key] = value

    def get(self, values: Mapping[str, Any]) -> Any:
        """Return the setting's value in the values of a study file, or None if they lack it."""
        for name in filter(None, self.table.split(".")):
            values = values.get(name, {})
        return values.get(self.written_key)

    @property
    def help_sentences(self) -> tuple[str, ...]:
        """Return the sentences of the help, each to be translated on its own."""
        return tuple(sentence for sentence in (self.help, *self.option_help) if sentence)

    @property
    def offers(self) -> tuple[str, ...]:
        """Return the options that forms offer."""
        return self.offered or self.options

    @property
    def help_in_forms(self) -> tuple[str, ...]:
        """Return the sentences of the help in a form, which has none for options that it does not offer."""
        hidden = set(self.options) - set(self.offers)
        known = dict(zip(self.option_help, self.options, strict=False))
        return tuple(sentence for sentence in self.help_sentences if known.get(sentence) not in hidden)

    @property
    def meaning(self) -> str:
        """Return the description of the setting for the tables of the documentation."""
        return " ".join([f"{self.label}.", *self.help_sentences])

    @property
    def shown_default(self) -> str:
        """Return the default as a user would type it into a form, or "" if there is none."""
        if isinstance(self.default, float):
            return f"{self.default:g}"
        if self.default is None:
            return UNLIMITED if self.unlimited else ""
        if self.kind == Kind.TEXTS:
            return "\n".join(self.default)
        return str(self.default)

    @property
    def can_be_empty(self) -> bool:
        """Return whether the value can be None: there is no limit, no moment, or no number is set."""
        return self.unlimited or self.kind == Kind.MOMENT or (self.is_number and self.default is None)

    @property
    def is_number(self) -> bool:
        """Return whether the value is a number."""
        return self.kind in (Kind.WHOLE, Kind.NUMBER, Kind.AMOUNT)

    def type_in_docs(self) -> str:
        """Return a description of the allowed values, for the documentation."""
        bounds = f"{self.least}–{self.most}"
        match self.kind:
            case Kind.AMOUNT:
                text = f'{bounds}, or text such as `"0.20"`'
                return f'{text}, or `"{UNLIMITED}"`' if self.unlimited else text
            case Kind.WHOLE if self.unlimited:
                return f'{bounds} or `"{UNLIMITED}"`'
            case Kind.WHOLE if self.least < 0:
                return "whole number"
            case Kind.WHOLE | Kind.NUMBER:
                return bounds
            case Kind.CHOICE:
                return ", ".join(f'`"{option}"`' for option in self.options)
            case Kind.MOMENT:
                return "date with time"
            case Kind.ADDRESS:
                return "web address"
            case Kind.TEXTS:
                return f"list of {bounds} texts, each up to {self.longest} characters"
        return f"text, up to {self.longest} characters" if self.longest else "text"

    def default_in_docs(self) -> str:
        """Return a description of the default, for the documentation."""
        if self.kind == Kind.TEXTS:
            texts = ", ".join(f'"{text}"' for text in self.default)
            value = f"`[{texts}]`"
        elif not self.shown_default:
            value = "" if self.default is None or self.kind == Kind.MARKDOWN else f'`"{self.default}"`'
        elif self.kind in (Kind.LINE, Kind.CHOICE):
            value = f'`"{self.default}"`'
        else:
            value = f"`{self.shown_default}`"
        needed = "needed" if self.needed else self.absent
        return ", ".join(part for part in (value, self.source, needed) if part)
