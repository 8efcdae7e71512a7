"""The members of a bundle about judges that are not people: labels from files, and machine judges.

The work of machine judges has members of its own. So who reads only the other members reads no judgment that
the study does not count.
"""

from typing import Final

from judging.archive.bundles.fields import TOPIC, Field, Kind, Member, Work, fields_of
from judging.archive.bundles.judged_members import ATTEMPTS, EVENTS, JUDGMENTS, WORKERS
from judging.archive.bundles.planned_members import UNITS
from judging.models import LabelSet, MachineCall, MachineJudge, TopicLabels
from judging.protocol.judges import MACHINE

LABELS: Final = Member(
    "labels.jsonl",
    "the labels that were added from files, by the name of their judge; missing if there are none",
    LabelSet,
    (
        *fields_of(
            ("name", Kind.TEXT, "the name of the judge"),
            ("file", Kind.TEXT, "the name of the file"),
            ("sha256", Kind.TEXT, "the checksum of the file"),
            ("family", Kind.TEXTS, "the tags of the runs that come from the same model"),
            ("added_at", Kind.TIME, "when the labels were added"),
        ),
        Field(
            "topics",
            Kind.OBJECTS,
            "the labels of each topic, in the order of the topics",
            model=TopicLabels,
            fields=(
                TOPIC,
                Field("documents", Kind.TEXTS, "the ids of the documents, sorted", "document_ids"),
                Field("labels", Kind.NUMBERS, "their labels"),
            ),
        ),
    ),
    is_needed=False,
)
MACHINE_JUDGES: Final = Member(
    "machine_judges.jsonl",
    "the machine judges by name; like the files below, missing if there are none",
    MachineJudge,
    (
        *fields_of(
            ("name", Kind.TEXT, "the name of the judge"),
            ("model", Kind.TEXT, "the name of the model on its server"),
            ("prompt_name", Kind.TEXT, "the name of the prompt"),
            ("prompt_version", Kind.TEXT, "its version"),
            ("prompt_text", Kind.TEXT, "the whole prompt file"),
            ("prompt_sha256", Kind.TEXT, "the checksum of the prompt file"),
            ("temperature", Kind.NUMBER, "the temperature"),
        ),
        Field("seed", Kind.WHOLE, "the seed that the model got; null for none", null=True),
        *fields_of(
            ("judgments", Kind.WHOLE, "how often the judge judges each document"),
            ("answer_tokens", Kind.WHOLE, "the maximum tokens of an answer"),
        ),
        *fields_of(
            ("most_tokens", Kind.WHOLE, "the maximum tokens of all calls together; null for no limit"),
            ("most_money", Kind.AMOUNT, "the maximum money; null for no limit"),
            ("most_seconds", Kind.WHOLE, "the maximum seconds; null for no limit"),
            null=True,
        ),
        *fields_of(
            ("input_price", Kind.AMOUNT, "the price of a million tokens that the model reads"),
            ("output_price", Kind.AMOUNT, "the price of a million tokens that the model writes"),
            ("family", Kind.TEXTS, "the tags of the runs that come from the same model"),
            ("asked_at", Kind.TIME, "when somebody last agreed to the cost"),
        ),
        Field(
            "sittings",
            Kind.OBJECTS,
            "each time that the judge took part, as a worker of its own",
            model=MachineJudge,
            fields=(
                Field("worker", Kind.TEXT, "the worker's pseudonym", "participation__pseudonym"),
                Field("sitting", Kind.WHOLE, "the number of the sitting, from 1"),
                Field("began_at", Kind.TIME, "when the sitting began"),
            ),
        ),
    ),
    is_needed=False,
)
MACHINE_WORK: Final = Work(
    units=UNITS.with_more(
        "machine_units.jsonl",
        "the units that are planned for machine judges",
        Field("judge", Kind.TEXT, "the name of the machine judge", "machine__judge__name"),
    ),
    workers=WORKERS.with_more("machine_workers.jsonl", "the sittings of machine judges, as workers"),
    attempts=ATTEMPTS.with_more(
        "machine_attempts.jsonl",
        "the attempts of machine judges that have ended",
        Field("serial", Kind.WHOLE, "how many answers were accepted; 0 until the question is answered"),
    ),
    judgments=JUDGMENTS.with_more("machine_judgments.jsonl", "the judgments of machine judges"),
    events=EVENTS.with_more("machine_events.jsonl", "the events of machine judges"),
    kind=MACHINE.name,
)
MACHINE_CALLS: Final = Member(
    "machine_calls.jsonl",
    "the calls to the models by judge and sitting, in the order in which they were recorded",
    MachineCall,
    (
        Field("worker", Kind.TEXT, "the pseudonym of the sitting", "judge__participation__pseudonym"),
        *fields_of(
            ("key", Kind.TEXT, "the checksum of the model, its settings and the messages"),
            ("purpose", Kind.TEXT, "what the call is about: `practice`, `question` or `document`"),
        ),
        Field("topic", Kind.TEXT, "the topic's number; null at the practice", "topic__number", null=True),
        Field(
            "document",
            Kind.TEXT,
            "the id of the document, or of the one that was shown first",
            "document__document__document_id",
            null=True,
        ),
        Field(
            "other",
            Kind.TEXT,
            "the id of the document that was shown second, on scales that compare two documents",
            "other__document__document_id",
            null=True,
        ),
        *fields_of(
            ("attempt", Kind.WHOLE, "the number of the attempt at the practice or the unit, from 1"),
            ("asked_again", Kind.WHOLE, "how often the same was asked before"),
            ("answer", Kind.TEXT, "the answer of the model, word for word"),
        ),
        Field("number", Kind.NUMBER, "the number in the answer, on the study's scale", null=True),
        *fields_of(
            ("input_tokens", Kind.WHOLE, "the tokens that the model read"),
            ("output_tokens", Kind.WHOLE, "the tokens that the model wrote"),
            ("seconds", Kind.NUMBER, "how long the call took"),
            ("money", Kind.AMOUNT, "what the call cost"),
            ("outcome", Kind.TEXT, "how it ended: `answered`, `refused`, `unparsable` or `failed`"),
            ("fault", Kind.TEXT, "what was wrong, or empty"),
            ("at", Kind.TIME, "when the call was recorded"),
        ),
    ),
    is_needed=False,
)
