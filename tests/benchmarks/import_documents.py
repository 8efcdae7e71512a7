"""How long a study takes to import whose documents are half a million, and how much memory at most.

    python -m tests.benchmarks.import_documents --documents 500000 --format trec --packed

Writes a synthetic collection into a folder that is removed afterwards, with ten topics and three runs of a
thousand documents each, and lets `manage.py import_study` read it in a process of its own, on SQLite. Prints
one line of figures.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TextIO, cast

ROOT = Path(__file__).resolve().parents[2]
TOPICS = 10
DEPTH = 1000
QUESTION = 'question = "Which?"\noptions = ["a", "b", "c", "d"]\nanswer = "a"\n'


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=500_000)
    parser.add_argument("--words", type=int, default=200, help="of each document")
    parser.add_argument("--format", choices=["jsonl", "csv", "trec"], default="jsonl")
    parser.add_argument("--packed", action="store_true", help="with gzip")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="plumbline-documents-") as folder:
        size = write_collection(Path(folder), options)
        seconds, peak = imported(Path(folder))
    form = options.format + ", gzip" * options.packed
    read = f"{options.documents:,} documents ({form}, {size / 1e6:,.0f} MB)"
    print(f"{read}: imported in {seconds:.1f} s, {peak / 1e6:,.0f} MB at most")


def write_collection(folder: Path, options: argparse.Namespace) -> int:
    """The study with all its files; returns the bytes of the documents."""
    rng = Random(options.documents)
    name = f"documents.{options.format}" + ".gz" * options.packed
    path = folder / name
    with opened(path, packed=options.packed) as file:
        file.writelines(texts(options, rng))
    runs = [write_run(folder, tag, options.documents, rng) for tag in ("one", "two", "three")]
    qrels = "".join(
        f"{topic} 0 {doc_id(place)} {3 * (place % 2)}\n" for topic in range(TOPICS) for place in range(20)
    )
    (folder / "qrels.txt").write_text(qrels)
    lines = [
        'slug = "large"\ntitle = "Large"',
        f'[documents]\nformat = "{options.format}"\npath = "{name}"',
        f'[pool]\ndepth = {DEPTH}\n[[grades]]\nname = "known"\npath = "qrels.txt"',
        *(f'[[run]]\npath = "{run}"' for run in runs),
        *(f'[[topic]]\nnumber = "{topic}"\ntitle = "Topic {topic}"\n{QUESTION}' for topic in range(TOPICS)),
    ]
    (folder / "study.toml").write_text("\n".join(lines))
    return path.stat().st_size


def opened(path: Path, *, packed: bool) -> TextIO:
    return cast(TextIO, gzip.open(path, "wt", compresslevel=1)) if packed else path.open("w")


def doc_id(place: int) -> str:
    return f"SYN{place:07d}-{place % 97:02d}"


def texts(options: argparse.Namespace, dice: Random) -> Iterator[str]:
    words = ["".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=dice.randint(2, 11))) for _ in range(5000)]
    if options.format == "csv":
        yield "id,title,text\n"
    for place in range(options.documents):
        text = " ".join(dice.choices(words, k=options.words))
        if options.format == "jsonl":
            yield json.dumps({"id": doc_id(place), "title": words[place % 5000], "text": text}) + "\n"
        elif options.format == "csv":
            yield f'{doc_id(place)},{words[place % 5000]},"{text}"\n'
        else:
            head = f"<DOC>\n<DOCNO> {doc_id(place)} </DOCNO>\n<HEADLINE>{words[place % 5000]}</HEADLINE>\n"
            yield f"{head}<TEXT>\n{text}\n</TEXT>\n</DOC>\n"


def write_run(folder: Path, tag: str, documents: int, dice: Random) -> str:
    with (folder / f"{tag}.run").open("w") as run:
        for topic in range(TOPICS):
            result = dice.sample(range(documents), min(DEPTH, documents))
            for rank, place in enumerate(result, start=1):
                run.write(f"{topic} Q0 {doc_id(place)} {rank} {DEPTH - rank} {tag}\n")
    return f"{tag}.run"


def imported(folder: Path) -> tuple[float, int]:
    """Seconds, and the largest resident set in bytes, of the import alone."""
    environment = os.environ | {"PLUMBLINE_VAR": str(folder / "var"), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py"]
    subprocess.run([*command, "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True)
    began = time.monotonic()
    study = str(folder / "study.toml")
    process = subprocess.Popen(
        [*command, "import_study", study], cwd=ROOT, env=environment, stdout=sys.stderr
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("the import failed; see above")
    return time.monotonic() - began, usage.ru_maxrss * 1024


if __name__ == "__main__":
    main()
