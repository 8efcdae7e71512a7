"""What the answers hold, field by field: the columns of docs/exports.md, for the OpenAPI document."""

from rest_framework import serializers
from rest_framework.fields import (
    BooleanField,
    CharField,
    DateTimeField,
    FloatField,
    IntegerField,
    RegexField,
)

from judging.models import EventKind
from judging.models.fields import choices
from judging.protocol.states import AssignmentState, StudyState
from judging.protocol.typed import tidy


class UnitCountsSerializer(serializers.Serializer):
    open = IntegerField(help_text="To be had.")
    reserved = IntegerField(help_text="Held by a worker.")
    done = IntegerField(help_text="Completed.")
    retired = IntegerField(help_text="Given to nobody any more.")
    excluded = IntegerField(help_text="Of the completed ones, those excluded by a researcher.")


class StudySerializer(serializers.Serializer):
    slug = CharField(help_text="The study's name in addresses.")
    title = CharField()
    state = serializers.ChoiceField(choices=choices(StudyState))
    requester = CharField(help_text="Who asks.")
    contact = CharField(help_text="Where workers can write.")
    created_at = DateTimeField()
    opens_at = DateTimeField(allow_null=True)
    closes_at = DateTimeField(allow_null=True)
    unit_size = IntegerField(help_text="Documents of a unit, the two anchors among them.")
    judgments_per_document = IntegerField(help_text="Wanted.")
    pay_per_unit = CharField(help_text="An amount as text, so that no cent is lost.")
    currency = CharField()
    simulated = BooleanField(help_text="Judged by a simulated crowd.")
    grade_sets = serializers.ListField(child=CharField(), help_text="Names of the sets of known grades.")
    units = UnitCountsSerializer()
    judgments = IntegerField(help_text="Judgments that count.")


class TopicSerializer(serializers.Serializer):
    topic_id = CharField(help_text="The topic's number.")
    title = CharField()
    description = CharField()
    narrative = CharField()
    retired = BooleanField(help_text="No units of it are given out any more.")
    documents = IntegerField(help_text="Documents in the pool, the two anchors among them.")
    units = IntegerField(help_text="Units whose judgments count.")
    h_id = CharField(help_text="The anchor of grade H; empty where there is none yet.")
    n_id = CharField(help_text="The anchor of grade N; empty where there is none yet.")


class JudgmentSerializer(serializers.Serializer):
    topic_id = CharField(help_text="The topic's number.")
    unit_id = CharField(help_text="The unit: topic number and the unit's number in it, as `401-0007`.")
    document_id = CharField(help_text="The document's id in the collection.")
    gold = serializers.ChoiceField(choices=["H", "N", ""], help_text="Which anchor it is; empty: none.")
    doc_pos = IntegerField(
        allow_null=True, help_text="The place at which this worker met the document, from 0."
    )
    worker_id = CharField(help_text="The worker's pseudonym in this study.")
    relevance_score = FloatField(help_text="The magnitude given.")
    normalized_relevance_score = FloatField(
        allow_null=True, help_text="The magnitude normalised within the topic; null for excluded units."
    )
    cumulative_time = FloatField(allow_null=True, help_text="Seconds on the document by the server's clock.")
    comment = CharField(help_text="The worker's justification.")
    trec = CharField(help_text="The known grade in the set of that name, or empty.")
    sormunen = CharField(help_text="The known grade in the set of that name, or empty.")
    relevance_scale = CharField(help_text="The scale of `relevance_score`.")
    raw_input = CharField(help_text="What was typed for the magnitude.")
    visible_time = FloatField(
        allow_null=True, help_text="Seconds with the page visible, as the browser says."
    )
    visits = IntegerField(allow_null=True, help_text="How often the document was opened.")
    revisions = IntegerField(allow_null=True, help_text="How often a whole answer was changed afterwards.")
    completed_at = DateTimeField(allow_null=True, help_text="When the unit was completed.")
    simulated = BooleanField(help_text="Whether the worker is one of a simulated crowd.")
    excluded = BooleanField(help_text="Whether a researcher excluded the unit.")


class GainSerializer(serializers.Serializer):
    topic_id = CharField(help_text="The topic's number.")
    iteration = CharField(help_text="Always `0`, as in qrels.")
    document_id = CharField(help_text="The document's id in the collection.")
    gain = FloatField(help_text="The median of the document's normalised magnitudes, in full.")


class UnitSerializer(serializers.Serializer):
    topic_id = CharField(help_text="The topic's number.")
    unit_id = CharField(help_text="The unit, as `401-0007`.")
    worker_id = CharField(help_text="The worker's pseudonym in this study.")
    state = serializers.ChoiceField(choices=choices(AssignmentState), help_text="Of this attempt.")
    started_at = DateTimeField(allow_null=True, help_text="When the topic was shown.")
    ended_at = DateTimeField(allow_null=True, help_text="Null while the attempt goes on.")
    seconds = FloatField(allow_null=True, help_text="From the start to the end.")
    back = IntegerField(allow_null=True, help_text="Uses of the back button before the first finish.")
    revisions = IntegerField(allow_null=True, help_text="Uses of back or the list after a failed check.")
    failed_c = IntegerField(allow_null=True, help_text="Finishes that failed the anchors.")
    failed_d = IntegerField(allow_null=True, help_text="Finishes that failed the time.")
    failed_finishes = IntegerField(allow_null=True, help_text="Finishes that failed either or both.")
    pay = CharField(help_text="What the unit pays when completed: an amount as text.")
    judgments_deleted = BooleanField(help_text="Completed and paid, but deleted at the worker's wish.")
    excluded = BooleanField(help_text="Whether a researcher excluded this attempt's judgments.")
    exclusion_reason = CharField()
    copy_of = CharField(help_text="The unit that this one collects again, or empty.")
    simulated = BooleanField(help_text="Whether the worker is one of a simulated crowd.")


class EventSerializer(serializers.Serializer):
    topic_id = CharField(help_text="The topic's number; empty for what belongs to none.")
    unit_id = CharField(help_text="The unit, as `401-0007`; empty for what belongs to none.")
    worker_id = CharField(help_text="The worker's pseudonym in this study.")
    at = DateTimeField()
    kind = serializers.ChoiceField(choices=choices(EventKind))
    check = serializers.ChoiceField(choices=["a", "b", "c", "d", ""], help_text="The check, if it is one.")
    attempt = IntegerField(allow_null=True, help_text="Which try.")
    option = IntegerField(allow_null=True, help_text="(b): the option chosen, from 0.")
    anchors = serializers.ChoiceField(choices=["tied", "inverted", ""], help_text="(c)")
    tau = FloatField(
        allow_null=True,
        help_text="(c): Kendall's τ between this try and the one before;"
        " for `order_inverted`, the lowest with any earlier try.",
    )
    short = IntegerField(allow_null=True, help_text="(d): how many documents fell short of their seconds.")
    simulated = BooleanField(help_text="Whether the worker is one of a simulated crowd.")


class FileSerializer(serializers.Serializer):
    format = CharField()
    url = serializers.URLField(help_text="Where the file is.")
    manifest = serializers.URLField(help_text="Where its manifest is.")


class WrittenFileSerializer(serializers.Serializer):
    name = CharField()
    bytes = IntegerField()
    sha256 = CharField()
    rows = IntegerField(required=False, help_text="Of tables alone.")
    columns = serializers.ListField(
        child=serializers.DictField(child=CharField()), required=False, help_text="Of tables alone."
    )


class ManifestSerializer(serializers.Serializer):
    study = serializers.DictField(help_text="Slug, title, state, seed, consent_version, simulated.")
    export = CharField()
    format = CharField()
    made_at = DateTimeField()
    software = serializers.DictField(child=CharField(), help_text="Name → version.")
    counts = serializers.DictField(child=IntegerField(), help_text="How much the study has of each thing.")
    files = WrittenFileSerializer(many=True)


class ColumnSerializer(serializers.Serializer):
    name = CharField()
    type = CharField(help_text="text, whole number, number, yes or no, time, or amount.")
    unit = CharField(help_text="What the numbers count; empty: nothing that has a unit.")
    meaning = CharField()


class ExportSerializer(serializers.Serializer):
    name = CharField()
    what = CharField(help_text="What it holds.")
    columns = ColumnSerializer(many=True, help_text="Those that every study has; of the bundle none.")
    files = FileSerializer(many=True)


class CredentialsSerializer(serializers.Serializer):
    username = RegexField(r"^[^\x00]*[^\s\x00][^\x00]*$", max_length=150)
    password = RegexField(
        r"^[^\x00]+$", max_length=4096, trim_whitespace=False, style={"input_type": "password"}
    )

    def validate_username(self, typed: str) -> str:
        """Return the name as accounts store it, so that it is looked up as the log-in page does."""
        return tidy(typed)


class TokenSerializer(serializers.Serializer):
    token = CharField(help_text="To be sent as `Authorization: Token …`.")
