"""Files made to harm: each is told in a sentence, in bounded memory, in time that grows with its length."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client

from judging.intake.faults import Faults, StudyRefusedError, Where
from judging.intake.files import SourceFile
from judging.intake.importing import import_study
from judging.intake.readers.documents import READERS
from judging.intake.tables import read_study_file
from judging.models import Document, Study
from tests.factories import NOW, make_study, make_worker
from tests.intake.folder import StudyFolder
from tests.pages.conftest import Clock

ROOT: Final = Path(__file__).resolve().parents[2]
MEGABYTES: Final = 300
FORMS: Final = ("jsonl", "csv", "trec", "cranfield", "topics", "queries", "grades", "run", "study")


def told(*files: tuple[str, Path]) -> list[dict[str, Any]]:
    """What is said of files by a process that may take 300 MB for reading them all."""
    words = [str(word) for pair in files for word in pair]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "POLARS_MAX_THREADS": "1"}
    command = [sys.executable, "-m", "tests.safety.reading", str(MEGABYTES), *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_endless_lines_and_bombs_are_told_in_bounded_memory(tmp_path: Path) -> None:
    """A line of 200 MB in every format, and a gzip file of 3 MB that unpacks to 3 GB."""
    endless = tmp_path / "endless"
    with endless.open("wb") as file:
        file.truncate(200 << 20)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress((b" " * 65_535 + b"\n") * 16) * 3000)
    files = [
        *((form, endless) for form in FORMS),
        *((form, bomb) for form in ("trec", "topics", "run", "study")),
    ]
    for (form, path), found in zip(files, told(*files), strict=True):
        (fault,) = found["faults"]
        assert found["read"] is None, form
        where = f"{path}:"
        assert fault.startswith(where), form
        if path is endless:
            assert "1: the line is longer than 16 MB" in fault, form
        else:
            assert "grows more than 50-fold when unpacked" in fault, form


LONG: Final = 400_000
"""So many marks that what looks again from each of them would look for hours."""


@pytest.mark.parametrize(
    "inside",
    [
        "<!--" * LONG,
        "<TI>" * LONG,
        "<TITLE><HEAD>" * LONG,
        "<DOCNO>" * LONG,
        "<TEXT>" * LONG,
        "&lt" * LONG,
        "<" * LONG,
        "&#x" * LONG,
        "\n" + " " * LONG,
    ],
    ids=lambda text: text[:13].strip() or "blanks",
)
def test_no_text_of_tags_takes_longer_than_its_length(tmp_path: Path, inside: str) -> None:
    """Were one of the patterns to look on from every mark, this would take hours: the suite would notice."""
    path = tmp_path / "d.sgml"
    path.write_text(f"<DOC>\n<DOCNO> A-1 </DOCNO>\n<TEXT>\n{inside}\n</TEXT>\n</DOC>\n")
    faults = Faults()
    (document,) = READERS["trec"](SourceFile(path, Where("s", 1), "path", faults))
    assert (document.id, faults.count) == ("A-1", 0)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    """A billion laughs, and an external entity: the markup of a document type is no part of any document."""
    path = tmp_path / "d.sgml"
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    head = f'<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY l0 "lol">\n{levels}'
    path.write_text(
        f'{head}<!ENTITY file SYSTEM "file:///etc/passwd">]>\n'
        "<DOC><DOCNO>A</DOCNO><TEXT>One &l9; two &file; three &amp;l9;</TEXT></DOC>\n"
    )
    (document,) = READERS["trec"](SourceFile(path, Where("s", 1), "path", Faults()))
    assert document.text == "One &l9; two &file; three &l9;"


# --- JSON, CSV and TOML ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[" * 200_000, "is not JSON"),
        ('{"a":' * 200_000, "is not JSON"),
        ('{"id": ' + "9" * 10_000 + ', "text": "x"}', "is not JSON (a number is too long"),
        ('{"id": ' + "9" * 4_000 + ', "text": "x"}', "is not text; write it in quotes"),
        ('{"id": NaN, "text": "x"}', "NaN is not text"),
        ('{"id": -Infinity, "text": "x"}', "-Infinity is not text"),
        ('{"id": 1e999999, "text": "x"}', "Infinity is not text"),
        ('{"id": "a", "text": "\\ud800"}', "half a character"),
        ('{"id": "a", "text": "\\u0000"}', "NUL"),
        ('{"id": "a b", "text": "x"}', "holds white space"),
        ("[]", "is not an object"),
        ("null", "is not an object"),
    ],
    ids=lambda text: text[:20],
)
def test_json(tmp_path: Path, line: str, said: str) -> None:
    assert said in fault_of("jsonl", tmp_path, f"{line}\n".encode())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a," * 1_000_000 + b"a\n", "there is no column named id"),
        (b"id,text," + b"x," * 1_000_000 + b"x\n1,2\n", "2 cells, and the header has 1000003"),
        (b"id,text\n" + b"," * 1_000_000 + b"\n", "1000001 cells, and the header has 2"),
        (
            b'id,text\n1,"' + (b"x" * 999 + b"\n") * 20_000,
            "is not well-formed CSV: field larger than field limit",
        ),
        (b'id,text\n1,"x"y"\n', "is not well-formed CSV"),
    ],
    ids=["columns", "columns beside", "cells", "a quote without end", "quotes"],
)
def test_csv(tmp_path: Path, content: bytes, said: str) -> None:
    assert said in fault_of("csv", tmp_path, content)


def fault_of(form: str, folder: Path, content: bytes) -> str:
    """The one sentence that is told of a file of documents, which gives no document."""
    path = folder / f"d.{form}"
    path.write_bytes(content)
    faults = Faults()
    assert list(READERS[form](SourceFile(path, Where("s", 1), "path", faults))) == []
    (fault,) = faults.kept
    assert "\n" not in str(fault)
    assert len(str(fault)) < 300 + len(str(path))
    return str(fault)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "{a=" * 100_000, "nested too deeply"),
        (f"[{'a.' * 1_000_000}a]\n", "a key of over 50 parts"),
        (f"{'a.' * 1_000_000}a = 1\n", "a key of over 50 parts"),
        (f"x = [{{{'a . ' * 1_000_000}a = 1}}]\n", "a key of over 50 parts"),
        (f"{'a.' * 30}a = 1\n", "over 12 deep"),
        (f"a = {'9' * 10_000}\n", "a number is too long"),
        (f"a = {'[' * 20}{']' * 20}\n", "over 12 deep"),
    ],
    ids=["lists", "tables", "header", "key", "inline key", "short key", "number", "a little"],
)
def test_toml(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "study.toml"
    path.write_text(text)
    faults = Faults()
    assert read_study_file(path, faults) is None
    (fault,) = faults.kept
    assert said in str(fault)


# --- encodings ---------------------------------------------------------------------------------------------

TEXT: Final = "<DOC><DOCNO>A</DOCNO><TEXT>Étude</TEXT></DOC>\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TEXT.encode("utf-16"), "is UTF-16 text"),
        (TEXT.encode("utf-32"), "UTF-8"),
        (TEXT.encode("latin-1"), "is not UTF-8 text"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>\xc0\xaf overlong</TEXT></DOC>\n", "is not UTF-8 text"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>\xed\xa0\x80 half</TEXT></DOC>\n", "is not UTF-8 text"),
        (b"<DOC><DOCNO>A</DOCNO><TEXT>NUL \0 inside</TEXT></DOC>\n", "holds a NUL character"),
        (b"<DOC><DOCNO>A\0B</DOCNO><TEXT>x</TEXT></DOC>\n", "holds white space"),
    ],
    ids=["utf-16", "utf-32", "latin-1", "overlong", "half", "NUL", "NUL in an id"],
)
def test_encodings(tmp_path: Path, content: bytes, said: str) -> None:
    assert said in fault_of("trec", tmp_path, content)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_wide_encodings_without_a_mark_are_told(db: None, tmp_path: Path, encoding: str) -> None:
    """Such a file is UTF-8 as far as it goes, with a NUL behind every letter."""
    folder = StudyFolder(tmp_path / "s")
    wide = folder.read("documents.jsonl").encode(encoding)
    (folder.path / "documents.jsonl").write_bytes(wide)
    with pytest.raises(StudyRefusedError) as refused:
        import_study(folder.path / "study.toml", now=NOW)
    assert any("documents.jsonl:1" in line for line in refused.value.lines)
    assert not Study.objects.exists()


def test_what_turns_the_direction_round_is_kept_and_stands_in_blocks_of_its_own(
    clock: Clock, client: Client
) -> None:
    """Browsers isolate a block: a mark of direction in a text works inside it alone."""
    turned = "abc\u202edef\u200b\u2066ghi\u200f\ufeff"
    study = make_study(topics=1)
    Document.objects.update(title=f"T{turned}", text=f"P{turned}")
    worker = make_worker(study, upto="judging", now=clock.now)
    page = client.get(f"/s/study/resume/{worker.token}/", follow=True).content.decode()
    shown = re.findall(r"<(\w+)[^<>]*>([^<>]*\u202e[^<>]*)</(\w+)>", page)
    assert shown == [("h1", f"T{turned}", "h1"), ("p", f"P{turned}", "p")]
