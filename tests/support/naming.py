"""Finds code that names a declaration, such as a scale, instead of reading one of its properties."""

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tests.support.tree import ROOT


def _named_in(node: ast.AST, setting: str) -> Iterator[ast.AST]:
    """Yield the operands, arguments and defaults that can say which declaration is meant."""
    match node:
        case ast.Compare():
            for operand in (node.left, *node.comparators):
                yield from operand.elts if isinstance(operand, ast.Tuple | ast.List | ast.Set) else [operand]
        case ast.MatchValue():
            yield node.value
        case ast.keyword(arg=argument) if argument == setting:
            yield node.value
        case ast.arguments():
            named = [*node.posonlyargs, *node.args]
            pairs = [*zip(reversed(named), reversed(node.defaults), strict=False)]
            pairs += zip(node.kwonlyargs, node.kw_defaults, strict=True)
            yield from (value for argument, value in pairs if argument.arg == setting and value)


def naming(source: str, setting: str, names: Collection[str], *, common: Collection[str] = ()) -> list[int]:
    """Return the lines that compare something with a name, or give it to the setting, or as its default.

    Other things have the `common` names too, so a comparison with one counts only if it mentions the setting.
    """
    return [
        part.lineno
        for node in ast.walk(ast.parse(source))
        for part in _named_in(node, setting)
        if isinstance(part, ast.Constant)
        and part.value in names
        and (part.value not in common or setting in ast.unparse(node))
    ]


def sources(folders: Iterable[str], *suffixes: str, exempt: Iterable[str]) -> Iterator[Path]:
    """Yield the files with these suffixes, except those in the exempt folders."""
    outside = [ROOT / name for name in exempt]
    for folder in folders:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes and not any(map(path.is_relative_to, outside)):
                yield path
