"""What is declared of a setting, and how documentation and forms show it."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

UNLIMITED: Final = "unlimited"
"""What is written in the place of a number where there is no limit; stored as None."""


class Kind(StrEnum):
    """What a setting holds."""

    LINE = "line"
    """Text without line breaks."""
    MARKDOWN = "markdown"
    """Text in Markdown; the study file may name a file with it instead, as `KEY_file`."""
    WHOLE = "whole"
    NUMBER = "number"
    AMOUNT = "amount"
    """An exact decimal with at most two decimals."""
    CHOICE = "choice"
    MOMENT = "moment"
    ADDRESS = "address"
    """A web address."""


class Change(StrEnum):
    """Whether a setting may still change once a topic has been shown to somebody."""

    NEVER = "no"
    RAISED = "upwards"
    ALWAYS = "yes"


@dataclass(frozen=True)
class Pattern:
    """What a text must match as a whole, its length included, and what is said of one that does not."""

    regex: str
    fault: str


@dataclass(frozen=True)
class Setting:
    """One setting of a study: a field of the model `Study` and a key of `study.toml`.

    `table` is the table of the study file that holds the key, empty at the top of the file. `default` is None
    where there is none, and `absent` says what holds then. `least` and `most` bound a number, `longest` the
    characters of a text. `by_owners`: once the study has begun, only its owners change it. `bundled`: bundles
    hold it; `later`: a bundle without it is older than the setting and means its default. `source` names the
    paper that has the same default. `help` is one plain sentence or two; `more` is Markdown that only the
    documentation adds.
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
    unlimited: bool = False
    placeholders: tuple[str, ...] = ()
    needed: bool = False
    absent: str = ""
    change: Change = Change.NEVER
    by_owners: bool = False
    bundled: bool = True
    later: bool = False
    source: str = ""
    more: str = ""

    @property
    def name(self) -> str:
        """The name in forms and in faults: `table.key`."""
        return f"{self.table}.{self.key}" if self.table else self.key

    @property
    def meaning(self) -> str:
        """What documentation says of it in a row of a table."""
        return f"{self.label}. {self.help}"

    @property
    def shown_default(self) -> str:
        """The default as it is typed into a form; empty where there is none."""
        if isinstance(self.default, float):
            return f"{self.default:g}"
        return "" if self.default is None else str(self.default)

    @property
    def is_number(self) -> bool:
        """Whether digits are typed."""
        return self.kind in (Kind.WHOLE, Kind.NUMBER, Kind.AMOUNT)

    def type_in_docs(self) -> str:
        """Return what may be written, as the documentation says it."""
        bounds = f"{self.least}–{self.most}"
        match self.kind:
            case Kind.AMOUNT:
                return f'{bounds}, or text such as `"0.20"`'
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
        return f"text, up to {self.longest} characters" if self.longest else "text"

    def default_in_docs(self) -> str:
        """Return the default, as the documentation says it."""
        if self.default is None:
            value = ""
        elif self.kind in (Kind.LINE, Kind.CHOICE):
            value = f'`"{self.default}"`'
        else:
            value = f"`{self.shown_default}`"
        needed = "needed" if self.needed else self.absent
        return ", ".join(part for part in (value, self.source, needed) if part)
