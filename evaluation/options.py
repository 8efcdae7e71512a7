"""Checks of options. An option is a parameter whose values are listed in its annotation.

The annotation is a `Literal` or, if the values are declared elsewhere, `Annotated[str, Options(...)]`.
"""

import inspect
from collections.abc import Callable, Collection, Iterable
from functools import wraps
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from .errors import InputError, shown
from .spelling import nearest_name

Checked = TypeVar("Checked", bound=Callable[..., Any])
CHECKED: Final = "__checked_options__"
"""The attribute of a checked function that maps each of its options to the option's values."""


class Options(NamedTuple):
    """The values of an option that are known only once the program runs.

    `find` adds further values to `names`. It is called if a value is unknown.
    """

    names: Collection[str]
    find: Callable[[], None] | None = None


class Choice(NamedTuple):
    """The values of an option: `names`, instances of the types in `others`, and possibly None.

    `find` adds further names, or is None.
    """

    names: Collection[str]
    others: tuple[type, ...]
    may_be_none: bool
    find: Callable[[], None] | None = None

    @classmethod
    def of(cls, annotation: object) -> "Choice | None":
        """Return the values that an annotation allows, or None if it lists no values."""
        if get_origin(annotation) is Annotated:
            listed = (part for part in get_args(annotation) if isinstance(part, Options))
            return next((cls(part.names, (), may_be_none=False, find=part.find) for part in listed), None)
        parts = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
        names = tuple(name for part in parts if get_origin(part) is Literal for name in get_args(part))
        types = (get_origin(part) or part for part in parts if part is not NoneType)
        others = tuple(part for part in types if isinstance(part, type))
        return cls(names, others, NoneType in parts) if names else None

    def allows(self, value: object) -> bool:
        """Return whether the option can have this value."""
        if isinstance(value, str):
            if self.find is not None and value not in self.names:
                self.find()
            return value in self.names
        return self.may_be_none if value is None else isinstance(value, self.others)


def checked(function: Checked) -> Checked:
    """Decorate a function or class so that it raises `InputError` for a value that an option does not have.

    The values of an option are those in its annotation, such as `Literal["zero", "drop"]`. They are checked
    before anything else happens. A class checks the options with which it is called.
    """
    if isinstance(function, type):
        name = "__new__" if issubclass(function, tuple) else "__init__"
        setattr(function, name, checked(getattr(function, name)))
        return cast(Checked, function)
    parameters = list(inspect.signature(function).parameters.values())
    choices = {part.name: choice for part in parameters if (choice := Choice.of(part.annotation))}
    if not choices:
        raise TypeError(f"{function.__qualname__} has no option to check")
    places = {part.name: place for place, part in enumerate(parameters) if part.kind is not part.KEYWORD_ONLY}

    @wraps(function)
    def check_and_call(*arguments: Any, **named: Any) -> Any:
        for name, choice in choices.items():
            place = places.get(name, len(arguments))
            if name in named or place < len(arguments):
                value = named[name] if name in named else arguments[place]
                if not choice.allows(value):
                    raise unknown_option(name, value, choice.names)
        return function(*arguments, **named)

    setattr(check_and_call, CHECKED, choices)
    return cast(Checked, check_and_call)


def unknown_option(option: str, value: object, known: Iterable[str]) -> InputError:
    """Return the error for an option with an unknown value. It lists the values and suggests the nearest."""
    names = tuple(known)
    values = {"parameter": option, "value": shown(value), "known": ", ".join(f'"{name}"' for name in names)}
    if isinstance(value, str) and (near := nearest_name(value, names)):
        return InputError(
            "misspelt-choice",
            "{parameter} cannot be {value}; did you mean {near}? Choose from {known}",
            near=f'"{near}"',
            **values,
        )
    return InputError("unknown-choice", "{parameter} cannot be {value}; choose from {known}", **values)
