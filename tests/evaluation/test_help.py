"""The command line teaches, finds what a misspelt word was meant to be, and loads little to do so."""

import argparse
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import evaluation
from evaluation.cli import COMMANDS, PROGRAM, as_typed, score
from evaluation.measures import DEFINITIONS
from evaluation.spelling import ELSEWHERE, nearest_name
from tests.evaluation.command_results import error_line
from tests.evaluation.refusals import assert_fault

ROOT = Path(evaluation.__file__).parents[1]
SLOW = {"django", "matplotlib", "numpy", "polars", "scipy", "judging", "krippendorff"}
FILES = [
    file.relative_to(ROOT) for file in (ROOT / "evaluation").rglob("*.py") if not file.stem.startswith("__")
]
DRAWING = {"figures", "papers", "report"}
"""The packages that load matplotlib."""
MODULES = [".".join(file.with_suffix("").parts) for file in FILES if not DRAWING & {*file.parent.parts}]
LOADED = "print(sorted({name.partition('.')[0] for name in sys.modules}))"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def loaded_after(program: str) -> set[str]:
    """The packages that are loaded once `program` has run in an interpreter of its own."""
    words = [sys.executable, "-c", f"import sys\n{program}\n{LOADED}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return set(eval(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_loads_nothing_slow(command):
    words = [command, "--help"] if command else ["--help"]
    program = f"from evaluation.cli import main\ntry: main({words})\nexcept SystemExit: pass"
    assert not loaded_after(program) & SLOW


@pytest.mark.slow
def test_the_library_but_for_its_figures_needs_neither_the_site_nor_matplotlib():
    loaded = loaded_after(f"import {', '.join(MODULES)}")
    assert "numpy" in loaded
    assert not loaded & {"django", "matplotlib", "judging", "deploy"}


def test_help_names_every_command(process):
    done = process("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_explains_every_argument(process, command):
    done = process(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {PROGRAM} {command} ")
    module, parser = importlib.import_module(f"evaluation.cli.{command}"), argparse.ArgumentParser()
    module.arguments(parser)
    assert module.SUMMARY in done.stdout
    assert as_typed(module.DETAILS) in done.stdout
    assert all(action.help for action in parser._actions)


def test_help_of_score_names_every_measure_and_parameter():
    words = set(score.DETAILS.replace("=", " =").replace("(", " ").replace(",", " ").split())
    assert not set(DEFINITIONS) - words
    assert not {name for definition in DEFINITIONS.values() for name in definition.defaults} - words


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["scor"], ["'scor'", "score"]),
        (["nonsense"], ["'nonsense'", *COMMANDS]),
        ([], ["COMMAND"]),
        (["score", "g", "r", "-m", "ndgc@10"], ["'ndgc'", "nDCG"]),
        (["score", "g", "r", "-m", "ap"], ["'ap'", "AP"]),
        (["score", "g", "r", "-m", "Prec"], ["'Prec'", "P"]),
        (["score", "g", "r", "-m", "xyzzy"], ["'xyzzy'", *DEFINITIONS]),
        (["score", "g", "r", "-m", "nDCG(discont=jk)@3"], ["nDCG", "'discont'", "discount"]),
        (["score", "g", "r", "-m", "AP(zzz=1)"], ["AP", "'zzz'", "rel", "norm"]),
        (["score", "g", "r", "-m", "AP", "--unjuged=drop"], ["--unjuged", "--unjudged"]),
        (["score", "g", "r", "-m", "AP", "--zzz"], ["--zzz", "--help"]),
        (["score", "g", "r", "-m", "nDCG@"], ["'nDCG@'", "nDCG@10"]),
    ],
)
def test_a_misspelt_word(shell, words, named):
    assert_fault(shell(*words), *named)


@pytest.mark.parametrize(
    ("words", "near", "others"),
    [
        (["scor"], "score", COMMANDS),
        (["score", "g", "r", "-m", "ndgc@10"], "nDCG", DEFINITIONS),
        (["score", "g", "r", "-m", "AP(norn=1)"], "norm", ["rel"]),
    ],
)
def test_a_word_near_to_one_name_leads_to_that_alone(shell, words, near, others):
    output = words_of(error_line(shell(*words)))
    assert output & set(others) <= {near}


@pytest.mark.parametrize("absent", ["runs/a", "a.run", "a.run.gz", "./a"])
def test_a_file_after_the_measures_that_does_not_exist(shell, tmp_path, absent):
    (tmp_path / "gains.txt").write_text("t 0 a 1\n")
    assert_fault(shell("score", "gains.txt", "-m", "AP", absent), at=absent)


def test_names_from_elsewhere_lead_to_measures_that_exist():
    for name, ours in ELSEWHERE.items():
        assert nearest_name(name, DEFINITIONS) == ours
    assert nearest_name("recall", ["rel", "norm"]) == "rel"
    assert nearest_name("", DEFINITIONS) == ""
