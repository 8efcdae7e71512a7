"""Studies: texts, limits, pay and dates of a data collection. The defaults come from [T15]."""

from typing import ClassVar, Literal

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from judging.models.fields import TextsField, choices, one_of
from judging.models.setting_fields import declared_as, further_setting, setting_constraints
from judging.protocol.anchor_pairs import ANCHORS_PER_PAIR, Anchor, anchors_of
from judging.protocol.arm_names import LONGEST_ARM
from judging.protocol.judges import planned_for
from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.scales import scale_of
from judging.protocol.settings import (
    SETTINGS,
    Purpose,
)
from judging.protocol.states import StudyState


class _Studies(models.Manager["Study"]):
    """All studies except previews and drafts of changes. Use this manager for lists, counts and lookups."""

    def get_queryset(self) -> models.QuerySet["Study"]:
        return super().get_queryset().filter(preview_of=None, changes_to=None)


class Study(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    state = models.CharField(max_length=10, choices=choices(StudyState), default=StudyState.DRAFT.value)
    entry_key = models.CharField(
        max_length=43,
        blank=True,
        default="",
        db_default="",
        help_text="Random; the secret that signs links is made of it and of the site's own key.",
    )
    further = models.JSONField(
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text="The settings of installed packages that differ from their defaults, by name.",
    )

    title = models.CharField(**declared_as("title"))
    requester = models.CharField(**declared_as("requester"))
    contact = models.CharField(**declared_as("contact"))
    language = models.CharField(**declared_as("language"))
    opens_at = models.DateTimeField(null=True, **declared_as("opens_at"))
    closes_at = models.DateTimeField(null=True, **declared_as("closes_at"))
    preset = models.CharField(**declared_as("preset"))
    purpose = models.CharField(**declared_as("purpose"))
    scale = models.CharField(**declared_as("scale"))
    labels = TextsField(**declared_as("labels"))
    information = models.TextField(**declared_as("information"))
    consent = models.TextField(**declared_as("consent"))
    consent_version = models.CharField(**declared_as("consent_version"))
    instructions_magnitude = models.TextField(**declared_as("instructions_magnitude"))
    instructions_0_100 = models.TextField(**declared_as("instructions_0_100"))
    instructions_grades = models.TextField(**declared_as("instructions_grades"))
    instructions_preference = models.TextField(**declared_as("instructions_preference"))
    instructions_task = models.TextField(**declared_as("instructions_task"))
    seed = models.BigIntegerField(**declared_as("seed"))

    unit_size = models.PositiveSmallIntegerField(**declared_as("unit_size"))
    anchor_pairs = models.PositiveSmallIntegerField(**declared_as("anchor_pairs"))
    judgments_per_document = models.PositiveSmallIntegerField(**declared_as("judgments_per_document"))
    lapse_minutes = models.PositiveSmallIntegerField(**declared_as("lapse_minutes"))
    max_units_per_worker = models.PositiveSmallIntegerField(null=True, **declared_as("max_units_per_worker"))
    max_units_per_visit = models.PositiveSmallIntegerField(null=True, **declared_as("max_units_per_visit"))
    reservations_per_address = models.PositiveSmallIntegerField(**declared_as("reservations_per_address"))
    show_previous = models.CharField(**declared_as("show_previous"))
    numbers = models.CharField(**declared_as("numbers"))
    highlights = models.CharField(**declared_as("highlights"))
    topic_choice = models.CharField(**declared_as("topic_choice"))
    allocation = models.CharField(**declared_as("allocation"))
    ranked_by = models.CharField(**declared_as("ranked_by"))
    baseline = models.CharField(**declared_as("baseline"))
    settled_level = models.FloatField(**declared_as("settled_level"))
    most_judgments = models.PositiveSmallIntegerField(**declared_as("most_judgments"))

    sample_budget = models.PositiveIntegerField(null=True, **declared_as("sample_budget"))
    sample_design = models.CharField(**declared_as("sample_design"))
    sample_seed = models.BigIntegerField(null=True, **declared_as("sample_seed"))
    sample_added = models.PositiveIntegerField(null=True, **declared_as("sample_added"))

    seconds_per_document = models.FloatField(**declared_as("seconds_per_document"))
    seconds_announced = models.CharField(**declared_as("seconds_announced"))
    early_next = models.CharField(**declared_as("early_next"))
    failure_message = models.CharField(**declared_as("failure_message"))
    evidence = models.CharField(**declared_as("evidence"))
    anchor_ties = models.CharField(**declared_as("anchor_ties"))
    check_attempts = models.PositiveSmallIntegerField(null=True, **declared_as("check_attempts"))
    record_check = models.CharField(**declared_as("record_check"))
    record_units = models.PositiveSmallIntegerField(**declared_as("record_units"))
    practice_attempts = models.PositiveSmallIntegerField(null=True, **declared_as("practice_attempts"))
    comprehension_attempts = models.PositiveSmallIntegerField(
        null=True, **declared_as("comprehension_attempts")
    )
    visit_minutes = models.PositiveSmallIntegerField(**declared_as("visit_minutes"))

    pay_per_unit = models.DecimalField(**declared_as("pay_per_unit"))
    pay_screened_out = models.DecimalField(**declared_as("pay_screened_out"))
    pay_checks_failed = models.DecimalField(**declared_as("pay_checks_failed"))
    pay_cancelled = models.DecimalField(**declared_as("pay_cancelled"))
    least_paid_seconds = models.PositiveIntegerField(null=True, **declared_as("least_paid_seconds"))
    max_compensations_per_worker = models.PositiveSmallIntegerField(
        null=True, **declared_as("max_compensations_per_worker")
    )
    spending_limit = models.DecimalField(null=True, **declared_as("spending_limit"))
    machine_budget = models.DecimalField(null=True, **declared_as("machine_budget"))
    paid_within = models.PositiveSmallIntegerField(null=True, **declared_as("paid_within"))
    currency = models.CharField(**declared_as("currency"))
    expected_minutes = models.PositiveSmallIntegerField(**declared_as("expected_minutes"))

    platform = models.CharField(**declared_as("platform"))
    entry = models.CharField(**declared_as("entry"))
    id_parameter = models.CharField(**declared_as("id_parameter"))
    submission_parameter = models.CharField(**declared_as("submission_parameter"))
    completion_url = models.CharField(**declared_as("completion_url"))
    no_work_url = models.CharField(**declared_as("no_work_url"))
    screen_out_url = models.CharField(**declared_as("screen_out_url"))
    completion_code = models.CharField(**declared_as("completion_code"))
    no_work_code = models.CharField(**declared_as("no_work_code"))
    screen_out_code = models.CharField(**declared_as("screen_out_code"))
    platform_fee = models.DecimalField(**declared_as("platform_fee"))

    layout = models.CharField(**declared_as("layout"))
    markup = models.CharField(**declared_as("markup"))

    arm = models.CharField(
        max_length=LONGEST_ARM,
        blank=True,
        default="",
        db_default="",
        help_text="The name of this arm, if the study compares arms.",
    )
    front = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="further_arms",
        db_index=False,  # there are few studies, and an index would lock the table while it is built
        help_text="The first arm, which workers come to; empty for the first arm itself and without arms.",
    )
    changes_to = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="changes",
        help_text="The study that this draft would change; only the set-up of that study shows it.",
    )
    simulated = models.BooleanField(default=False, help_text="Judged by a simulated crowd: no real workers.")
    created_at = models.DateTimeField()

    preview_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="The study that this throw-away copy shows to one person as its workers see it.",
    )
    previewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who alone may open a preview; empty where the account was deleted.",
    )

    objects: ClassVar[models.Manager["Study"]] = _Studies()
    with_hidden: ClassVar[models.Manager["Study"]] = models.Manager()

    class Meta:
        ordering = ("slug",)
        verbose_name_plural = "studies"
        constraints = [
            *setting_constraints(),
            one_of("state", StudyState, name="study_state_known"),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.ANALYSIS.value) | Q(state=StudyState.CLOSED.value),
                name="study_for_analysis_closed",
            ),
            models.CheckConstraint(condition=~Q(language=""), name="study_language_set"),
            models.CheckConstraint(condition=~Q(platform=""), name="study_platform_set"),
            models.CheckConstraint(condition=~Q(scale=""), name="study_scale_set"),
            models.CheckConstraint(
                condition=Q(unit_size__gt=F("anchor_pairs") * ANCHORS_PER_PAIR),
                name="study_unit_holds_more_than_anchors",
            ),
            models.CheckConstraint(condition=Q(front__isnull=True) | ~Q(arm=""), name="study_arm_has_a_name"),
            models.CheckConstraint(
                condition=Q(preview_of__isnull=False) | Q(previewer__isnull=True),
                name="study_previewer_only_of_a_preview",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def has_arms(self) -> bool:
        """Return whether the study is an arm of a comparison. The first arm is the front."""
        return self.arm != ""

    @property
    def entrance(self) -> "Study":
        """Return the study that workers come to: the front of the arms, or the study itself."""
        return self.front or self

    @property
    def judges(self) -> JudgeKind:
        """Return the kind of judges that the study's units are planned for."""
        return planned_for(rehearsal=self.simulated)

    @property
    def is_for_analysis(self) -> bool:
        """Return whether the study's judgments come from a file.

        Such a study has no set-up and accepts no workers.
        """
        return self.purpose == Purpose.ANALYSIS

    @property
    def is_adaptive(self) -> bool:
        """Return whether the study gets more units after the first round, to settle the ranking of runs."""
        return self.allocation == "adaptive"

    @property
    def is_sampled(self) -> bool:
        """Return whether only a sample of the pools is judged."""
        return self.sample_budget is not None

    @property
    def normalisation(self) -> Literal["additive"] | None:
        """Return the method that normalises the judgments, or None for the default of the scale.

        By design, the documents of some units in an adaptive study are more relevant than those of others,
        and the units of a sampled study depend on the sample. `additive` adjusts for this, but `geometric`
        does not. It needs ratios.
        """
        is_uneven = self.is_adaptive or self.is_sampled
        return "additive" if is_uneven and scale_of(self).has_ratios else None

    @property
    def pays(self) -> bool:
        """Return whether any worker can be paid."""
        amounts = (self.pay_per_unit, self.pay_screened_out, self.pay_checks_failed, self.pay_cancelled)
        return any(amount > 0 for amount in amounts)

    @property
    def with_fractions(self) -> bool:
        """Return whether workers can type fractions, such as 1/3."""
        return self.numbers == "any"

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Return the anchors that each topic has, pair by pair."""
        return anchors_of(self.anchor_pairs)

    @property
    def others_per_unit(self) -> int:
        """Return the number of documents in a unit besides the anchors."""
        return self.unit_size - len(self.anchors)

    @property
    def visit_seconds(self) -> int:
        """Return the maximum number of seconds that count for one visit in the time check."""
        return self.visit_minutes * 60


for _setting in SETTINGS.values():
    if _setting.package:
        setattr(Study, _setting.key, further_setting(_setting))
