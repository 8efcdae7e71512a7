"""Once workers have seen topics, compare a study with its file, and find allowed changes and problems."""

from copy import copy
from decimal import Decimal
from typing import Final

from judging.core.faults import Faults, Where, shown
from judging.core.selectors.texts import fill_fields
from judging.models import Document, GradeSet, KnownGrade, PoolDocument, Question, Ranking, Run, Study, Topic
from judging.protocol.settings import SETTINGS, Change
from judging.protocol.words import Sentence
from judging.protocol.words import gettext_noop as _
from judging.setup.intake.content import RunContent, StudyContent, TopicContent
from judging.setup.intake.readers.runs import RankedList, ranked_lists
from judging.setup.intake.study_file import is_shipped
from judging.setup.study_files.writing import known_grades

_LONGEST_SHOWN: Final = 40
"""Text of this length or longer is not quoted in messages."""
_REFUSED: Final = _(
    "{difference} Workers have already seen topics of this study, so this change is no longer"
    " allowed. Undo it, or import the file as a new study with --slug NEW."
)


class Comparison:
    """The differences between a stored study and its file.

    After `compare`, `changed` maps the name of each changed field to its new value. `retitled` lists the
    topics with a new title or a new reason for their anchors. `new_topics` lists the topics to add, and
    `next_place` is the place of the first new topic. In a study with a sample, `grown` lists the topics whose
    pools get documents from later runs. Every other difference is reported as a problem.
    """

    def __init__(self, study: Study, content: StudyContent, faults: Faults) -> None:
        self.changed: dict[str, object] = {}
        self.new_topics: list[TopicContent] = []
        self.retitled: list[TopicContent] = []
        self.grown: list[TopicContent] = []
        self._study = study
        self._content = content
        self._faults = faults
        self._stored = {topic.number: topic for topic in Topic.objects.filter(study=study)}
        self.next_place = max((topic.place for topic in self._stored.values()), default=-1) + 1

    def compare(self) -> None:
        self._compare_fields()
        self._compare_consent()
        self._compare_grade_sets()
        named = {topic.number: topic for topic in self._content.topics}
        self.new_topics = [topic for topic in named.values() if topic.number not in self._stored]
        for number, stored in self._stored.items():
            if number in named:
                self._compare_topic(stored, named[number])
            elif stored.retired_at is None:
                text = _(
                    "Topic {topic} of the study is not in the file. Add it to the file, or retire it first:"
                    " python manage.py retire_topic {study} {topic}"
                )
                values = {"topic": number, "study": self._study.slug}
                self._faults.add(self._content.sections["topics"], "topic", Sentence(text, values))
        self._compare_documents()
        self._compare_runs()

    def _compare_fields(self) -> None:
        for name, new in self._content.fields.items():
            old = getattr(self._study, name)
            if old == new or follows_settings(name, self._study, self._content):
                continue
            where = self._content.where[name]
            change = SETTINGS[name].change
            if change == Change.RAISED and new < old:
                text = _("The value is {old} in the study and can only be raised.")
                self._refuse(where, name, text, old=_plain(old))
            elif change != Change.NEVER:
                self.changed[name] = new
            else:
                self._refuse_field(where, name, old, new)

    def _compare_consent(self) -> None:
        """Report a problem if workers would agree to different words under the same version.

        The text itself can no longer change, but the settings in its fields can. Without a new version,
        nobody could tell from a stored consent which words the worker read.
        """
        after = copy(self._study)
        for name, value in self.changed.items():
            setattr(after, name, value)
        after.language = self._study.language  # the same words in another format are no other words
        if after.consent_version != self._study.consent_version:
            return
        new = fill_fields(after.consent, after)
        if new != fill_fields(self._study.consent, self._study):
            text = _(
                "This change alters what workers read in the consent text, because the text shows the"
                " setting with a field. Change consent_version too, so that stored consents stay clear."
            )
            self._faults.add(self._content.where["consent_version"], "consent_version", text)

    def _refuse_field(self, where: Where, name: str, old: object, new: object) -> None:
        is_short = isinstance(new, bool | int | float | Decimal) or (
            isinstance(new, str) and len(new) < _LONGEST_SHOWN
        )
        if is_short:
            text = _("The value is {old} in the study, but {new} in the file.")
            self._refuse(where, name, text, old=_plain(old), new=_plain(new))
        else:
            self._refuse(where, name, _("The value differs from the one in the study."))

    def _compare_grade_sets(self) -> None:
        stored = list(GradeSet.objects.filter(study=self._study).values_list("name", flat=True))
        named = [grades.name for grades in self._content.grade_sets]
        if stored != named:
            text = _("The sets of grades differ. In the study: {old}. In the file: {new}.")
            where = self._content.sections["grades"]
            self._refuse(where, "grades", text, old=", ".join(stored) or "–", new=", ".join(named) or "–")

    def _compare_topic(self, stored: Topic, new: TopicContent) -> None:
        where = new.where
        if (stored.title, stored.anchor_reason) != (new.title, new.anchor_reason):
            self.retitled.append(new)
        for name in ("description", "narrative"):
            if getattr(stored, name) != getattr(new, name):
                text = _("The text of topic {topic} differs from the one in the study.")
                self._refuse(where, name, text, topic=new.number)
        question = (
            Question.objects.filter(topic=stored).values_list("text", "options", "right_option").first()
        )
        new_question = new.question and (new.question.text, new.question.options, new.question.right_option)
        if question != new_question:
            text = _("The question of topic {topic} differs from the one in the study.")
            self._refuse(new.question_where or where, "question", text, topic=new.number)
        pool: dict[str, str] = dict(
            PoolDocument.objects.filter(topic=stored).values_list("document__document_id", "anchor")
        )
        self._compare_pool(new, set(pool))
        anchors = {anchor: document for document, anchor in pool.items() if anchor}
        if anchors != new.anchors:
            for name, document in new.anchors.items():
                if anchors.get(name) != document:
                    text = _("The anchor of topic {topic} is {old} in the study, but {new} in the file.")
                    values = {"topic": new.number, "old": str(anchors.get(name)), "new": document}
                    self._refuse(new.anchor_where or where, f"anchor.{name}", text, **values)
        self._compare_grades(stored, new, set(pool))

    def _compare_pool(self, new: TopicContent, stored: set[str]) -> None:
        added = new.pool - stored
        if added and self._draws_again():
            self.grown.append(new)
            added = set()
        changes = (
            (
                added,
                _("The file adds these documents to the pool of topic {topic}: {documents}."),
            ),
            (
                stored - new.pool,
                _("The file removes these documents from the pool of topic {topic}: {documents}."),
            ),
        )
        for documents, text in changes:
            if documents:
                first = ", ".join(sorted(documents)[:3]) + (", …" if len(documents) > 3 else "")
                where = self._content.sections["pool"]
                self._refuse(where, "pool", text, topic=new.number, documents=first)

    def _draws_again(self) -> bool:
        """Return whether later runs can add documents to the pools, at the depth of the first draw.

        Only a sample gives these documents a chance.
        """
        drawn, last = self._content.draw, self._study.draws.last()
        return drawn is not None and last is not None and drawn.depth == last.depth

    def _compare_grades(self, stored: Topic, new: TopicContent, pool: set[str]) -> None:
        for place, grades in enumerate(self._content.grade_sets):
            rows = KnownGrade.objects.filter(
                grade_set__study=self._study, grade_set__place=place, topic=stored
            )
            old = {
                document: (value, level)
                for document, value, level in rows.values_list("document_id", "value", "level")
            }
            in_file = known_grades(self._content, place, new)
            # A document that is new to the pool may get the grade of unlisted documents.
            documents = old.keys() | (in_file.keys() - (new.pool - pool))
            if differing := sorted(id_ for id_ in documents if old.get(id_) != in_file.get(id_)):
                text = _("The grade of {document} for topic {topic} differs from the one in the study.")
                self._refuse(grades.where, grades.name, text, document=differing[0], topic=new.number)

    def _compare_documents(self) -> None:
        for document in Document.objects.filter(study=self._study).iterator():
            new = self._content.documents.get(document.document_id)
            if new is None:
                continue
            for field in ("text", "title", "layout"):
                if getattr(new, field) != getattr(document, field):
                    text = _("This part of document {document} is different in the study.")
                    self._refuse(new.where, field, text, like="differs", document=new.id)
                    break

    def _compare_runs(self) -> None:
        named = {run.tag: run for run in self._content.runs}
        for run in Run.objects.filter(study=self._study):
            if run.tag in named:
                self._compare_run(run, named[run.tag])
            else:
                text = _("The run {run} of the study is not in the file.")
                self._refuse(self._content.sections["run"], "run", text, run=run.tag)

    def _compare_run(self, stored: Run, new: RunContent) -> None:
        lists = ranked_lists(new.frame)
        old = {
            ranking.topic.number: RankedList(ranking.document_ids, ranking.scores, ranking.ranks)
            for ranking in Ranking.objects.filter(run=stored).select_related("topic")
        }
        shared = self._stored.keys() & {topic.number for topic in self._content.topics}
        if differing := sorted(number for number in shared if old.get(number) != lists.get(number)):
            text = _("The ranking of run {run} for topic {topic} differs from the one in the study.")
            self._refuse(new.where, "run", text, run=new.tag, topic=differing[0])

    def _refuse(self, where: Where, field: str, text: str, *, like: str = "", **values: object) -> None:
        """Report a difference as a problem. The message says what the user can do about the difference."""
        sentence = Sentence(_REFUSED, {"difference": Sentence(text, values)})
        self._faults.add(where, field, sentence, like=like)


def follows_settings(key: str, study: Study, content: StudyContent) -> bool:
    """Return whether both the study and the file use Plumbline's own text for `key`.

    Plumbline's own texts depend on the language, the scale and, in older studies, on the unit size.
    """
    fields = content.fields
    return is_shipped(key, getattr(study, key), study.unit_size, study.language, study.scale) and is_shipped(
        key, fields[key], fields["unit_size"], fields["language"], fields["scale"]
    )


def _plain(value: object) -> str:
    if value is None:
        return "unlimited"
    return shown(value) if isinstance(value, str) else str(value)
