"""A collection of the size of the original study's, with texts as long as newspaper articles, from a seed."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

TOPICS = 18
POOL = 235
WORDS = 450
_GRADES = (0, 0, 0, 1, 1, 2, 3)
_SYLLABLES = ("ba", "co", "di", "fe", "gu", "ha", "ko", "li", "mo", "ne", "po", "ra", "si", "tu", "va", "ze")
_HEADER = """
title = "Newspapers"
requester = "A load test"
contact = "load@example.org"
seed = 2015
information = "Nobody is here but **simulated workers**."
consent = "- I agree."
[units]
judgments_per_document = {judgments}
lapse_minutes = {lapse_minutes}
reservations_per_address = 30000
[checks]
seconds_per_document = {seconds}
[pay]
pay_per_unit = "0.20"
paid_within = 7
[documents]
format = "jsonl"
path = "documents.jsonl"
[pool]
path = "pool.txt"
[[grades]]
name = "grade"
path = "qrels.txt"
levels = {{ "0" = "N", "1" = "M", "2" = "R", "3" = "H" }}
"""


class Collection:
    """The files of a study in `folder`; `study_file` names the one that names the others.

    Beside its anchors every topic has `pool` documents, and the first has two more: with the numbers that are
    set these are the 7,059 units of the original study. All draws follow from the seed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        seconds: float,
        topics: int = TOPICS,
        pool: int = POOL,
        judgments: int = 10,
        lapse_minutes: int = 60,
    ) -> None:
        self.rng = Random(2015)
        self.study_file = folder / "study.toml"
        self.words = ["".join(self.rng.choices(_SYLLABLES, k=self.rng.randint(2, 4))) for _ in range(4000)]
        header = _HEADER.format(judgments=judgments, seconds=seconds, lapse_minutes=lapse_minutes)
        names = [self._prose(4) for _ in range(max(topics, 4))]
        with (
            (folder / "documents.jsonl").open("w") as documents,
            (folder / "pool.txt").open("w") as pooled,
            (folder / "qrels.txt").open("w") as qrels,
            self.study_file.open("w") as study,
        ):
            study.write(header)
            for topic in range(topics):
                grades = self._grades(pool + 2 * (topic == 0))
                study.write(self._topic(topic, names, h=f"{topic}-0", n=f"{topic}-1"))
                for place, grade in enumerate(grades):
                    number = f"{topic}-{place}"
                    document = {
                        "id": number,
                        "title": f"{self._prose(5)} ({number})",
                        "text": self._article(),
                    }
                    documents.write(json.dumps(document) + "\n")
                    pooled.write(f"{topic} {number}\n")
                    qrels.write(f"{topic} 0 {number} {grade}\n")

    def _grades(self, others: int) -> Iterator[int]:
        yield from (3, 0)
        yield from self.rng.choices(_GRADES, k=others)

    def _topic(self, topic: int, names: list[str], *, h: str, n: str) -> str:
        options = (names * 2)[topic : topic + 4]
        lines = {
            "number": str(topic),
            "title": names[topic].capitalize(),
            "description": self._prose(12),
            "narrative": self._prose(60),
            "question": "What is wanted?",
            "options": options,
            "answer": options[0],
        }
        keys = "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())
        return f'\n[[topic]]\n{keys}\n[[anchor]]\ntopic = "{topic}"\nH = "{h}"\nN = "{n}"\n'

    def _prose(self, words: int) -> str:
        return " ".join(self.rng.choices(self.words, k=words))

    def _article(self) -> str:
        length = max(80, round(self.rng.lognormvariate(0, 0.5) * WORDS))
        sentences = (f"{self._prose(15).capitalize()}." for _ in range(length // 15))
        return "\n\n".join(" ".join(part) for part in zip(*[sentences] * 3, strict=False))
