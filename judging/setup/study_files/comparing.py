"""What a study file would change in a study whose topics have been shown, and what of it is refused."""

from decimal import Decimal
from typing import Final

from judging.core.intake.content import RunContent, StudyContent, TopicContent
from judging.core.intake.faults import Faults, Where, shown
from judging.core.intake.readers.runs import RankedList, ranked_lists
from judging.core.intake.study_file import is_shipped
from judging.models import Document, GradeSet, KnownGrade, PoolDocument, Question, Ranking, Run, Study, Topic
from judging.protocol.settings import SETTINGS, Change
from judging.setup.study_files.writing import known_grades

_MEND: Final = "a topic has been shown, so put it back, or import the file as another study with --slug NEW"


class Comparison:
    """Compares a study as stored with its file.

    After `compare`, `changed` holds the fields to change, `retitled` the topics with another title or
    reason for their anchors and
    `new_topics` those to add, from place `next_place` on; every other difference is a fault.
    """

    def __init__(self, study: Study, content: StudyContent, faults: Faults) -> None:
        self.changed: dict[str, object] = {}
        self.new_topics: list[TopicContent] = []
        self.retitled: list[TopicContent] = []
        self._study = study
        self._content = content
        self._faults = faults
        self._stored = {topic.number: topic for topic in Topic.objects.filter(study=study)}
        self.next_place = max((topic.place for topic in self._stored.values()), default=-1) + 1

    def compare(self) -> None:
        self._fields()
        self._grade_sets()
        named = {topic.number: topic for topic in self._content.topics}
        self.new_topics = [topic for topic in named.values() if topic.number not in self._stored]
        for number, stored in self._stored.items():
            if number in named:
                self._topic(stored, named[number])
            elif stored.retired_at is None:
                what = (
                    f"topic {number} of the study is not in the file; put it back, or retire it first:"
                    f" python manage.py retire_topic {self._study.slug} {number}"
                )
                self._faults.add(self._content.sections["topics"], "topic", what)
        self._documents()
        self._runs()

    def _fields(self) -> None:
        for name, new in self._content.fields.items():
            old = getattr(self._study, name)
            if old == new or follows_unit_size(name, self._study, self._content):
                continue
            where = self._content.where[name]
            change = SETTINGS[name].change
            if change == Change.RAISED and new < old:
                what = f"is {old} in the study and can only be raised; {_MEND}"
                self._faults.add(where, name, what)
            elif change != Change.NEVER:
                self.changed[name] = new
            else:
                short = isinstance(new, bool | int | float | Decimal) or (
                    isinstance(new, str) and len(new) < 40
                )
                difference = (
                    f"is {_plain(old)} in the study and {_plain(new)} here"
                    if short
                    else "differs from the study's"
                )
                self._faults.add(where, name, f"{difference}; {_MEND}")

    def _grade_sets(self) -> None:
        stored = list(GradeSet.objects.filter(study=self._study).values_list("name", flat=True))
        named = [grades.name for grades in self._content.grade_sets]
        if stored != named:
            what = f"the study has {', '.join(stored) or 'none'}, and the file {', '.join(named) or 'none'}"
            self._refuse(self._content.sections["grades"], "grades", what)

    def _topic(self, stored: Topic, new: TopicContent) -> None:
        where = new.where
        if (stored.title, stored.anchor_reason) != (new.title, new.anchor_reason):
            self.retitled.append(new)
        for name in ("description", "narrative"):
            if getattr(stored, name) != getattr(new, name):
                self._refuse(where, name, f"that of topic {new.number} differs from the study's")
        question = (
            Question.objects.filter(topic=stored).values_list("text", "options", "right_option").first()
        )
        asked = new.question and (new.question.text, new.question.options, new.question.right_option)
        if question != asked:
            self._refuse(new.question_where or where, "question", f"that of topic {new.number} differs")
        pool: dict[str, str] = dict(
            PoolDocument.objects.filter(topic=stored).values_list("document__document_id", "anchor")
        )
        self._pool(where, new, set(pool))
        anchors = {anchor: document for document, anchor in pool.items() if anchor}
        if anchors != new.anchors:
            for grade, document in new.anchors.items():
                if anchors.get(grade) != document:
                    what = (
                        f"that of topic {new.number} is {anchors.get(grade)} in the study and {document} here"
                    )
                    self._refuse(new.anchor_where or where, f"anchor.{grade}", what)
        self._grades(stored, new)

    def _pool(self, where: Where, new: TopicContent, stored: set[str]) -> None:
        for documents, move in ((new.pool - stored, "come into"), (stored - new.pool, "leave")):
            if documents:
                first = ", ".join(sorted(documents)[:3]) + (", …" if len(documents) > 3 else "")
                self._refuse(
                    self._content.sections["pool"],
                    "pool",
                    f"{first} would {move} the pool of topic {new.number}",
                )

    def _grades(self, stored: Topic, new: TopicContent) -> None:
        for place, grades in enumerate(self._content.grade_sets):
            rows = KnownGrade.objects.filter(
                grade_set__study=self._study, grade_set__place=place, topic=stored
            )
            old = {
                document: (value, level)
                for document, value, level in rows.values_list("document_id", "value", "level")
            }
            now = known_grades(self._content, place, new)
            if differing := sorted(one for one in old.keys() | now.keys() if old.get(one) != now.get(one)):
                what = f"the grade of {differing[0]} for topic {new.number} differs from the study's"
                self._refuse(grades.where, grades.name, what)

    def _documents(self) -> None:
        for document in Document.objects.filter(study=self._study).iterator():
            new = self._content.documents.get(document.document_id)
            if new is None:
                continue
            for field in ("text", "title", "layout"):
                if getattr(new, field) != getattr(document, field):
                    what = f"that of document {new.id} differs from the study's; {_MEND}"
                    self._faults.add(new.where, field, what, like="differs")
                    break

    def _runs(self) -> None:
        named = {run.tag: run for run in self._content.runs}
        for run in Run.objects.filter(study=self._study):
            if run.tag in named:
                self._run(run, named[run.tag])
            else:
                self._refuse(
                    self._content.sections["run"], "run", f"the study's run {run.tag} is not in the file"
                )

    def _run(self, stored: Run, new: RunContent) -> None:
        lists = ranked_lists(new.frame)
        old = {
            ranking.topic.number: RankedList(ranking.document_ids, ranking.scores, ranking.ranks)
            for ranking in Ranking.objects.filter(run=stored).select_related("topic")
        }
        shared = self._stored.keys() & {topic.number for topic in self._content.topics}
        if differing := sorted(number for number in shared if old.get(number) != lists.get(number)):
            what = f"what run {new.tag} answers to topic {differing[0]} differs from the study's"
            self._refuse(new.where, "run", what)

    def _refuse(self, where: Where, field: str, what: str) -> None:
        self._faults.add(where, field, f"{what}; {_MEND}")


def follows_unit_size(key: str, study: Study, content: StudyContent) -> bool:
    """Whether a text is in both the one that comes with the software, which names the size of units."""
    return is_shipped(key, getattr(study, key), study.unit_size) and is_shipped(
        key, content.fields[key], content.fields["unit_size"]
    )


def _plain(value: object) -> str:
    if value is None:
        return "unlimited"
    return shown(value) if isinstance(value, str) else str(value)
