"""Every example of the documents is run, or known to be one that cannot be: `tests/documents/examples.py`."""

import argparse
import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator

import pytest
from django.core.management import get_commands, load_command_class

from evaluation.cli import COMMANDS
from tests.documents.examples import (
    FENCE,
    NOT_RUN,
    OTHER_PROGRAMS,
    RUN_BY,
    SHOWN,
    Example,
    examples,
    pages,
)
from tests.support.tree import ROOT

EXAMPLES = list(examples())
SH = [example for example in EXAMPLES if example.kind == "sh"]
OURS = {"demo", "test", "docs"}
"""Commands of `manage.py` that the launcher knows, with arguments of their own."""
VARIABLE = re.compile(r"^[A-Z_]+=")
JOINS = re.compile(r"^(?:&&|\|\|?|;|>|>>)$")


def test_every_fence_is_read() -> None:
    for path in pages():
        text = path.read_text()
        assert len(re.findall(r"^ *```", text, re.MULTILINE)) == 2 * len(FENCE.findall(text)), path


@pytest.mark.parametrize("example", [item for item in EXAMPLES if item.kind not in {"sh", *SHOWN}], ids=str)
def test_somebody_runs_it(example: Example) -> None:
    assert example.kind in {"python", "console"}, f"{example}: name a kind of block that is known"
    if example.kind == "python" and ">>> " in example.text:
        return  # tests/evaluation/test_docs.py finds it by itself
    if example.page in NOT_RUN:
        assert example.kind == "console"
        return
    test = ROOT / RUN_BY[example.page]
    names = [re.escape(part) for part in example.page.removeprefix("docs/").split("/")]
    assert re.search('[/" ]+'.join(names), test.read_text()), f"{test} does not read {example.page}"


def test_the_lists_name_nothing_that_is_gone() -> None:
    run = {item.page for item in EXAMPLES if item.kind in {"python", "console"} and ">>> " not in item.text}
    assert run == set(RUN_BY) | set(NOT_RUN)
    used = {words[0] for example in SH for words in commands(example)}
    assert set(OTHER_PROGRAMS) <= used


def commands(example: Example) -> Iterator[list[str]]:
    """Yield the words of each command of a block, without variables before it."""
    joined = example.text.replace("\\\n", " ").replace("…", "SOMETHING")
    for line in joined.splitlines():
        words: list[str] = []
        for word in [*shlex.split(line, comments=True), ";"]:
            bare = word.rstrip(";")
            if bare and not JOINS.match(word) and not (VARIABLE.match(word) and not words):
                words.append(bare)
            if JOINS.match(word) or word.endswith(";"):
                if words and words != ["}"]:
                    yield words
                words = [">"] if word.startswith(">") else []  # a file follows, and no command


@pytest.mark.parametrize("example", SH, ids=str)
def test_a_shell_knows_its_commands(example: Example) -> None:
    for words in commands(example):
        if words[0] == ">":
            continue
        check(example, words)


def check(example: Example, words: list[str]) -> None:
    """Fail unless a command is ours and takes these arguments, or is known not to be ours."""
    program, *arguments = words
    if re.fullmatch(r"(\S*/)?python3?", program) and arguments[0] == "manage.py":
        check_manage(arguments[1], arguments[2:])
    elif re.fullmatch(r"(\S*/)?python3?", program) and arguments[:1] == ["-m"]:
        check_module(arguments[1], arguments[2:])
    elif re.fullmatch(r"(\S*/)?python3?", program):
        page = (ROOT / example.page).read_text()
        assert page.count(arguments[0]) > 1, f"{example}: the page does not say what {arguments[0]} is"
    elif program == "plumbline":
        check_module("evaluation", arguments)
    elif program.endswith(".venv/bin/pip"):
        assert (ROOT / arguments[-1]).is_file(), example
    else:
        assert program.removeprefix("/srv/plumbline/") in OTHER_PROGRAMS, f"{example}: what is {program}?"


def check_manage(name: str, arguments: list[str]) -> None:
    """Parse the arguments of a command of `manage.py`."""
    if name in OURS and name != "demo":
        return
    command = load_command_class(get_commands()[name], name)
    parse(command.create_parser("manage.py", name), arguments)


def check_module(name: str, arguments: list[str]) -> None:
    """Find a module that is started, and parse the arguments of those that are made for users."""
    if name == "evaluation":
        assert arguments[0] in COMMANDS, arguments
        parser = argparse.ArgumentParser(exit_on_error=False)
        importlib.import_module(f"evaluation.cli.{arguments[0]}").arguments(parser)
        parse(parser, arguments[1:])
    else:
        assert importlib.util.find_spec(name), name


def parse(parser: argparse.ArgumentParser, arguments: list[str]) -> None:
    """Fail with what the parser says where it refuses the arguments."""
    parser.parse_intermixed_args([first_choice(argument) for argument in arguments])


def first_choice(argument: str) -> str:
    """Return the first of several choices, as in `owner|editor`."""
    return argument.partition("|")[0]
