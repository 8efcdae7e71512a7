"""The members of a bundle with what was planned: the study, its topics, documents, runs and units."""

from collections.abc import Iterator
from typing import Final

from judging.archive.bundles.fields import TOPIC, Field, Kind, Member, fields_of
from judging.models import (
    DisagreementVerdict,
    Document,
    KnownGrade,
    Picture,
    PoolDocument,
    Question,
    Ranking,
    SampleDraw,
    Study,
    Topic,
    Unit,
)
from judging.protocol import settings
from judging.protocol.settings import SETTINGS

_KINDS: Final = {
    settings.Kind.WHOLE: Kind.WHOLE,
    settings.Kind.NUMBER: Kind.NUMBER,
    settings.Kind.AMOUNT: Kind.AMOUNT,
    settings.Kind.MOMENT: Kind.TIME,
    settings.Kind.TEXTS: Kind.TEXTS,
}


def _settings(*, null: bool, later: bool = False) -> Iterator[Field]:
    for setting in SETTINGS.values():
        if setting.bundled and (setting.can_be_empty, setting.later) == (null, later):
            earlier = setting.default if later else None
            kind = _KINDS.get(setting.kind, Kind.TEXT)
            yield Field(setting.key, kind, setting.meaning, null=null, earlier=earlier)


# Keep the order of the fields, so that every version of Plumbline writes a study as the same bytes.
_TITLE, *_OTHERS = _settings(null=False)

STUDY: Final = Member(
    "study.json",
    "the study: its texts, limits and pay, without the settings of its platform",
    Study,
    (
        Field("slug", Kind.TEXT, "its name in URLs"),
        _TITLE,
        Field("state", Kind.TEXT, "the state when the bundle was exported; an imported study is closed"),
        *_OTHERS,
        *fields_of(
            ("simulated", Kind.YES_NO, "whether a simulated crowd judges the study"),
            ("created_at", Kind.TIME, "when the study was created"),
        ),
        *_settings(null=True),
        *_settings(null=False, later=True),
        *_settings(null=True, later=True),
        Field(
            "grade_sets", Kind.TEXTS, "the names of the sets of known grades; the first one grades the pool"
        ),
        Field("runs", Kind.TEXTS, "the tags of the runs, sorted"),
        Field(
            "decisions",
            Kind.TEXTS,
            "the decisions of an adaptive study, each as JSON: number, at, reason, unit_numbers, record",
            earlier=(),
        ),
        Field(
            "draws",
            Kind.OBJECTS,
            "the draws of the sample, each from the documents that were new to the pools",
            model=SampleDraw,
            fields=fields_of(
                ("number", Kind.WHOLE, "the number of the draw, from 1"),
                ("at", Kind.TIME, "when it was drawn"),
                ("design", Kind.TEXT, "`systematic` or `poisson`"),
                ("budget", Kind.WHOLE, "how many documents to sample, including anchors"),
                ("seed", Kind.WHOLE, "the seed"),
                ("measure", Kind.TEXT, "the measure that the chances depend on"),
                ("depth", Kind.WHOLE, "the depth of the pools"),
            ),
            earlier=(),
        ),
        Field(
            "arm",
            Kind.TEXT,
            "the name of the arm, or empty; an imported arm is a study of its own",
            earlier="",
        ),
        Field("front", Kind.TEXT, "the slug of the first arm, or empty for a study without arms", earlier=""),
    ),
    single_line=True,
)
TOPICS: Final = Member(
    "topics.jsonl",
    "the topics in the order of the study file",
    Topic,
    (
        *fields_of(
            ("number", Kind.TEXT, "the topic's number"),
            ("title", Kind.TEXT, "its title"),
            ("description", Kind.TEXT, "its description"),
            ("narrative", Kind.TEXT, "its narrative"),
            ("place", Kind.WHOLE, "its position among the topics, from 0"),
        ),
        Field(
            "anchor_reason",
            Kind.TEXT,
            "why its anchors were chosen, if known grades disagree with them",
            earlier="",
        ),
        Field("retired_at", Kind.TIME, "when the topic was retired", null=True),
        Field(
            "question",
            Kind.OBJECT,
            "the comprehension question",
            null=True,
            model=Question,
            fields=fields_of(
                ("text", Kind.TEXT, "the question"),
                ("options", Kind.TEXTS, "its four options"),
                ("right_option", Kind.WHOLE, "the index of the right option, from 0"),
            ),
        ),
    ),
)
DOCUMENTS: Final = Member(
    "documents.jsonl",
    "the documents of the pools, sorted by id",
    Document,
    (
        Field("id", Kind.TEXT, "the document's id in the collection", "document_id"),
        *fields_of(("title", Kind.TEXT, "its title"), ("text", Kind.TEXT, "its text")),
        Field("layout", Kind.TEXT, "its own layout; if empty, the study's layout applies", earlier=""),
        Field("markup", Kind.TEXT, "its own markup; if empty, the study's markup applies", earlier=""),
        Field(
            "sources",
            Kind.OBJECTS,
            "the sources that it cites, if it is an answer",
            fields=fields_of(
                ("id", Kind.TEXT, "the source's id"),
                ("title", Kind.TEXT, "its title"),
                ("text", Kind.TEXT, "its text"),
                ("url", Kind.TEXT, "its address, or empty"),
                ("markup", Kind.TEXT, "its markup, or empty for plain text"),
            ),
            earlier=(),
        ),
    ),
)
PICTURES: Final = Member(
    "pictures.jsonl",
    "the pictures of the documents, sorted by name; missing if there are none",
    Picture,
    fields_of(
        ("name", Kind.TEXT, "the name that documents use"),
        ("media_type", Kind.TEXT, "its media type, such as `image/png`"),
        ("sha256", Kind.TEXT, "the checksum of its bytes"),
        ("content", Kind.BYTES, "its bytes"),
    ),
    is_needed=False,
)
POOL: Final = Member(
    "pool.jsonl",
    "the documents in the pool of each topic, in the order of the topics, then by id",
    PoolDocument,
    (
        TOPIC,
        Field("document", Kind.TEXT, "the document's id", "document__document_id"),
        *fields_of(
            ("grade", Kind.TEXT, "the known level `N`, `M`, `R` or `H`, a number, or empty"),
            ("anchor", Kind.TEXT, "`H` or `N` for an anchor, `H2` or `N2` in a second pair, otherwise empty"),
        ),
        Field(
            "inclusion", Kind.NUMBER, "the document's chance to be sampled, 1 without a sample", earlier=1.0
        ),
        Field("sampled", Kind.YES_NO, "whether it is judged; true without a sample", earlier=True),
        Field("draw", Kind.WHOLE, "the number of the draw that gave its chance", "draw__number", null=True),
        Field(
            "verdicts",
            Kind.OBJECTS,
            "the researchers' verdicts on disagreements with known grades, by set of grades",
            model=DisagreementVerdict,
            fields=(
                Field("set", Kind.TEXT, "the name of the set of grades", "grade_set__name"),
                *fields_of(
                    ("verdict", Kind.TEXT, "`crowd_wrong`, `expert_wrong` or `topic_unclear`"),
                    ("note", Kind.TEXT, "the researcher's note, or empty"),
                    ("decided_at", Kind.TIME, "when the verdict was last changed"),
                ),
            ),
            earlier=(),
        ),
    ),
)
GRADES: Final = Member(
    "grades.jsonl",
    "the known grades by set, topic and document, including documents outside the pools",
    KnownGrade,
    (
        Field("set", Kind.TEXT, "the name of the set of grades", "grade_set__name"),
        TOPIC,
        Field("document", Kind.TEXT, "the document's id", "document_id"),
        *fields_of(
            ("value", Kind.TEXT, "the grade in its file"),
            ("level", Kind.TEXT, "its level `N`, `M`, `R` or `H`, or a number"),
        ),
    ),
)
RUNS: Final = Member(
    "runs.jsonl",
    "the ranked documents of each run for each topic, in the order of its file",
    Ranking,
    (
        Field("run", Kind.TEXT, "the run's tag", "run__tag"),
        TOPIC,
        Field("documents", Kind.TEXTS, "the ids of the documents", "document_ids"),
        Field("scores", Kind.NUMBERS, "their scores"),
        Field("ranks", Kind.WHOLES, "their ranks"),
    ),
)
UNITS: Final = Member(
    "units.jsonl",
    "the planned units by topic and number, without the anchors, which are in every unit",
    Unit,
    (
        TOPIC,
        *fields_of(
            ("number", Kind.WHOLE, "the unit's number in the topic, from 1"),
            ("state", Kind.TEXT, "its state: `open`, `done` or `retired`"),
            ("exclusion_reason", Kind.TEXT, "the reason for its exclusion, or empty"),
        ),
        Field(
            "copy_of",
            Kind.WHOLE,
            "the number of the unit of this topic that it repeats",
            "copy_of__number",
            null=True,
        ),
        Field("excluded_at", Kind.TIME, "when the unit was excluded", null=True),
        Field(
            "documents", Kind.TEXTS, "the ids of its documents without the anchors, in the order of the plan"
        ),
    ),
)
