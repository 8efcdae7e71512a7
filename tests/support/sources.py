"""The files of the project in parts: the functions of each Python file, all else in it, and its imports."""

import ast
import hashlib
import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("deploy", "evaluation", "judging", "tests")
Parts = dict[str, dict[str, str]]
"""Of each file the digest of each function, and under the name "" the digest of all else."""
MODULE_NAME = re.compile(rf"({'|'.join(PACKAGES)})(\.\w+)+")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def project_files() -> list[str]:
    """Return the paths of all files of the checkout that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return sorted({path for path in listed.stdout.split("\0") if path and (ROOT / path).is_file()})


def parts_of(paths: Iterable[str]) -> Parts:
    """Return the digests of these files."""
    return {path: digests(path) for path in paths}


def digests(path: str) -> dict[str, str]:
    """Return the digests of one file: its functions and the rest, or of another kind of file its bytes."""
    if not path.endswith(".py"):
        return {"": hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}
    tree = ast.parse((ROOT / path).read_bytes())
    results: dict[str, str] = {}
    for name, function in outer_functions(tree):
        if not remembers(function):
            results[name] = results.get(name, "") + digest(*function.body)
            function.body = [ast.Pass()]
    return results | {"": digest(tree)}


def functions_of(path: str) -> dict[int, str]:
    """Return for each line inside a function of this file the function's name."""
    tree = ast.parse((ROOT / path).read_bytes())
    return {
        line: name
        for name, function in outer_functions(tree)
        if not remembers(function)
        for line in range(function.body[0].lineno, (function.end_lineno or 0) + 1)
    }


def outer_functions(node: ast.AST, inside: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions below a node with their names, `Class.method`; not those inside of functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield f"{inside}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from outer_functions(child, f"{inside}{child.name}.")
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from outer_functions(child, inside)


def remembers(function: Function) -> bool:
    """Whether a function runs once for many callers, so that only the first is seen to run it."""
    return any("cache" in ast.unparse(decorator) for decorator in function.decorator_list)


def digest(*nodes: ast.AST) -> str:
    return hashlib.sha256("\n".join(map(ast.dump, nodes)).encode()).hexdigest()


def importers(paths: Iterable[str]) -> set[str]:
    """Return these files and all that import one of them, directly or through others."""
    backwards: dict[str, set[str]] = {}
    for path in project_files():
        for imported in imports_of(path) if path.endswith(".py") else ():
            backwards.setdefault(imported, set()).add(path)
    found, new = set(paths), set(paths)
    while new:
        new = set().union(*(backwards.get(path, set()) for path in new)) - found
        found |= new
    return found


def imports_of(path: str) -> set[str]:
    """Return the files that a file imports, or names as a text, as Django's settings do."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and MODULE_NAME.fullmatch(str(node.value)):
            names.add(str(node.value))
    return {file for name in names for file in files_along(name)}


@cache
def files_along(name: str) -> frozenset[str]:
    """Return the files of a module and of its packages; `name` may go on with a name inside the module."""
    words, found = name.split("."), set()
    if words[0] in PACKAGES:
        for end in range(1, len(words) + 1):
            place = "/".join(words[:end])
            found.update(file for file in (f"{place}.py", f"{place}/__init__.py") if (ROOT / file).is_file())
    return frozenset(found)
