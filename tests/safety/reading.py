"""Reads files in a process of its own that may take only so much memory: `python -m tests.safety.reading`.

The arguments are the megabytes it may take beyond those of the site itself, then pairs of a format and a
path. What is printed is, as JSON, the faults told of each file and how many entries were read of it.
"""

import json
import resource
import sys
from itertools import chain
from pathlib import Path

import django


def main() -> None:
    django.setup()
    from judging.core.faults import Faults, Where
    from judging.setup.intake.column_maps import Format
    from judging.setup.intake.files import SourceFile
    from judging.setup.intake.readers.cranfield import read_cranfield_topics
    from judging.setup.intake.readers.document_files import read_documents
    from judging.setup.intake.readers.grades import LEVELS, read_grades
    from judging.setup.intake.readers.runs import read_study_run
    from judging.setup.intake.readers.trec_topics import read_trec_topics
    from judging.setup.intake.toml_file import read_study_file

    megabytes, *pairs = sys.argv[1:]
    results = []
    limit(int(megabytes) << 20)
    for form, path in zip(pairs[::2], pairs[1::2], strict=True):
        faults = Faults()
        source = SourceFile(Path(path), Where("study.toml", 1), "path", faults)
        read: object
        if form == "run":
            read, _ = read_study_run(source, ["401"])
        elif form == "grades":
            read, _ = read_grades(source, LEVELS["qrels"], {"401"})
        elif form == "study":
            read = read_study_file(Path(path), faults)
        else:
            topics = {"topics": read_trec_topics, "queries": read_cranfield_topics}
            entries = topics[form](source) if form in topics else read_documents(source, Format(form))
            read = sum(1 for _ in chain(entries))
        results.append({"faults": [str(fault) for fault in faults.listed], "read": read if read else None})
    print(json.dumps(results, default=str))  # noqa: T201 - which is what it is for


def limit(more: int) -> None:
    """Let this process take so many bytes beyond what it has taken."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    now = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))


if __name__ == "__main__":
    main()
