"""A folder with judgments that others published: an MTurk batch, two sets of grades, and two runs."""

import csv
from pathlib import Path
from random import Random

TOPICS = ("401", "402", "403")
DOCUMENTS = tuple(f"d{number}" for number in range(8))
COLUMNS = {
    "topic_id": "Input.topic",
    "document_id": "Input.doc{n}",
    "relevance_score": "Answer.score{n}",
    "comment": "Answer.reason{n}",
}
STUDY = """\
slug = "published"
title = "Published judgments"
purpose = "analysis"
scale = "{scale}"

[judgments]
path = "batch.csv"
layout = "mturk"
only = {{ AssignmentStatus = "Approved" }}
columns = {{ {columns} }}

[[grades]]
name = "expert"
path = "expert.qrels"
format = "numbers"

[[grades]]
name = "letters"
path = "letters.qrels"
levels = {{ "0" = "N", "1" = "M", "2" = "R", "3" = "H" }}

[[run]]
path = "good.run"

[[run]]
path = "poor.run"
"""


def write_published(folder: Path, *, scale: str = "magnitude", units: int = 12) -> Path:
    """Write the study into a new folder, and return the folder. Every fourth worker is the same person."""
    folder.mkdir()
    rng = Random(7)
    worth = {(topic, document): place % 5 for topic in TOPICS for place, document in enumerate(DOCUMENTS)}
    columns = ", ".join(f'{ours} = "{theirs}"' for ours, theirs in COLUMNS.items())
    (folder / "study.toml").write_text(STUDY.format(scale=scale, columns=columns), encoding="utf-8")
    numbers = range(1, len(DOCUMENTS) + 1)
    parts = ("Input.doc", "Answer.score", "Answer.reason")
    with (folder / "batch.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        places = [f"{part}{number}" for part in parts for number in numbers]
        rows.writerow(["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.topic", *places])
        for unit in range(units):
            topic, own = TOPICS[unit % len(TOPICS)], rng.choice([0.5, 1, 10])
            documents = rng.sample(DOCUMENTS, len(DOCUMENTS))
            status = "Rejected" if unit == 1 else "Approved"
            if scale == "points":
                scores = [2 * worth[topic, d] + rng.randint(0, 2) for d in documents]
            elif scale == "rating":
                scores = [max(0, 25 * worth[topic, d] + rng.randint(-20, 0)) for d in documents]
            else:
                scores = [own * 2 ** worth[topic, d] * rng.lognormvariate(0, 0.4) for d in documents]
            reasons = [f"because {d}" for d in documents]
            rows.writerow(
                [f"H{topic}", f"A{unit}", f"W{unit % 4}", status, topic, *documents, *scores, *reasons]
            )
    for name, level in (("expert", lambda value: value), ("letters", lambda value: min(value, 3))):
        lines = [f"{topic} 0 {document} {level(value)}\n" for (topic, document), value in worth.items()]
        (folder / f"{name}.qrels").write_text("".join([*lines, "401 0 x9 0\n"]), encoding="utf-8")
    for tag, sign in (("good", 1), ("poor", -1)):
        lines = []
        for topic in TOPICS:
            ranked = sorted(DOCUMENTS, key=lambda document: -sign * worth[topic, document])
            lines += [
                f"{topic} Q0 {document} {rank} {20 - rank} {tag}\n" for rank, document in enumerate(ranked, 1)
            ]
        (folder / f"{tag}.run").write_text("".join(lines), encoding="utf-8")
    return folder
