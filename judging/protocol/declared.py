"""Finds declarations: in the modules of a package of this tree, and in installed packages.

An installed package announces its declarations by entry points. The group of an entry point says what is
declared, as in `plumbline.checks`. The entry point leads to a declaration, or to a list of several.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any, TypeVar

Declaration = TypeVar("Declaration")


class DeclarationError(Exception):
    """An installed package declares something that cannot be used. The message names the package."""


def declared(package: str, path: Iterable[str], kind: type[Declaration]) -> list[Declaration]:
    """Return the declarations of a kind in the modules of a package, which are in the folders of `path`."""
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(path)]
    values = (value for module in modules for value in vars(module).values())
    # A module that imports the declaration of another one does not declare it again.
    return list({id(value): value for value in values if isinstance(value, kind)}.values())


def installed(group: str, kind: type[Declaration]) -> list[Declaration]:
    """Return the declarations that installed packages announce in an entry point group.

    They are sorted by the names of their modules. Raise DeclarationError if an entry point leads to something
    else.
    """
    points = sorted(entry_points(group=f"plumbline.{group}"), key=lambda point: point.value)
    return [declaration for point in points for declaration in _load(point, kind)]


def _load(point: EntryPoint, kind: type[Declaration]) -> list[Declaration]:
    value: Any = point.load()
    values = list(value) if isinstance(value, list | tuple) and not isinstance(value, kind) else [value]
    wrong = next((each for each in values if not isinstance(each, kind)), None)
    if wrong is not None:
        package = point.dist.name if point.dist else "a package"
        raise DeclarationError(
            f"The entry point {point.name} of {package} in the group {point.group} must lead to a"
            f" {kind.__name__}, but {point.value} leads to a {type(wrong).__name__}. Correct the package or"
            " uninstall it."
        )
    return values


def by_name(
    declarations: Iterable[Declaration], name: Callable[[Declaration], str]
) -> dict[str, Declaration]:
    """Return a dict from the name of each declaration to the declaration, sorted by name.

    Raise DeclarationError if two declarations have the same name.
    """
    named: dict[str, Declaration] = {}
    for declaration in sorted(declarations, key=name):
        if name(declaration) in named:
            raise DeclarationError(
                f"The {type(declaration).__name__} {name(declaration)!r} is declared twice. If an installed"
                " package declares it, rename it there, or uninstall the package."
            )
        named[name(declaration)] = declaration
    return named
