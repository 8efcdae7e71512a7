"""Write the conformance suite: `.venv/bin/python -m tests.evaluation.conformance.generate`."""

import json
import shutil
from pathlib import Path

from tests.evaluation.conformance.arithmetic import Topic, value
from tests.evaluation.conformance.case import Case
from tests.evaluation.conformance.gains import DOCUMENTS, NUMBERS
from tests.evaluation.conformance.layout import FILES, IDS
from tests.evaluation.conformance.lists import RANKING, TOPICS

TARGET = Path(__file__).parents[3] / "evaluation" / "conformance"
SECTIONS = {
    "Files": FILES,
    "Ids": IDS,
    "Gains": NUMBERS,
    "Documents": DOCUMENTS,
    "Ranked lists": RANKING,
    "Topics": TOPICS,
}


def suite() -> dict[str, bytes]:
    """Return every file of the suite, by its path."""
    results: dict[str, bytes] = {}
    cases = []
    for section, members in SECTIONS.items():
        for case in members:
            files = {"qrels": f"files/{case.name}.qrels", "run": f"files/{case.name}.run"}
            for kind, path in files.items():
                content = getattr(case, kind)
                results[path] = content if isinstance(content, bytes) else content.encode()
            cases.append({"name": case.name, "section": section} | files | described(case))
    text = json.dumps({"specification": 1, "cases": cases}, indent=1, ensure_ascii=False)
    return results | {"suite.json": f"{text}\n".encode()}


def described(case: Case) -> dict[str, object]:
    """Return what `suite.json` says of a case."""
    result: dict[str, object] = {
        "level": case.level,
        "rule": case.rule,
        "measures": case.measures,
        "expect": case.expect,
    }
    if case.topics is not None:
        result["lists"] = {topic: lists and lists._asdict() for topic, lists in case.topics.items()}
        result["values"] = {topic: values(case, lists) for topic, lists in case.topics.items()}
    return result


def values(case: Case, topic: Topic | None) -> dict[str, float | None]:
    """Return the value of each measure in a topic."""
    return {measure: topic and value(measure, topic) for measure in case.measures}


def main() -> None:
    """Replace the files of the suite."""
    shutil.rmtree(TARGET / "files", ignore_errors=True)
    (TARGET / "files").mkdir()
    for path, content in suite().items():
        (TARGET / path).write_bytes(content)


if __name__ == "__main__":
    main()
