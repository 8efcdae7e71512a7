"""Studies: texts, limits, pay and dates of a data collection. The defaults come from [T15]."""

from functools import reduce
from operator import or_
from typing import ClassVar, Literal

from django.conf import settings
from django.db import models
from django.db.models import Q

from judging.models.fields import choices, one_of
from judging.protocol.evidence import EVIDENCE
from judging.protocol.judges import planned_for
from judging.protocol.judges.base import JudgeKind
from judging.protocol.layout import Layout
from judging.protocol.platforms import PLATFORMS, with_entry
from judging.protocol.platforms.base import Entry
from judging.protocol.record import RECORD_CHECKS
from judging.protocol.settings import (
    ALLOCATIONS,
    ANCHORS_PER_UNIT,
    EARLY_NEXT,
    FAILURE_MESSAGES,
    NUMBERS,
    SHOW_PREVIOUS,
    Purpose,
    Scale,
)
from judging.protocol.states import StudyState


def _platform_requirements_met() -> Q:
    """Return the condition that the platform is known, and that all settings it requires have a value."""
    conditions = []
    for platform in PLATFORMS.values():
        condition = Q(platform=platform.name)
        for key in platform.needed:
            condition &= ~Q(**{key: ""})
        conditions.append(condition)
    return reduce(or_, conditions)


def _entry_supported_by_platform() -> Q:
    """Return the condition that the platform supports the value of `entry`."""
    conditions = []
    for entry in Entry:
        names = with_entry(entry)
        if len(names) == len(PLATFORMS):
            conditions.append(Q(entry=entry.value))
        else:
            conditions += (Q(entry=entry.value, platform=name) for name in names)
    return reduce(or_, conditions)


class _Studies(models.Manager["Study"]):
    """All studies except previews and drafts of changes. Use this manager for lists, counts and lookups."""

    def get_queryset(self) -> models.QuerySet["Study"]:
        return super().get_queryset().filter(preview_of=None, changes_to=None)


class Study(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    purpose = models.CharField(
        max_length=8,
        choices=choices(Purpose),
        default=Purpose.JUDGING.value,
        db_default=Purpose.JUDGING.value,
        help_text="judging: workers judge documents here. analysis: the judgments come from a file.",
    )
    scale = models.CharField(
        max_length=9,
        choices=choices(Scale),
        default=Scale.MAGNITUDE.value,
        db_default=Scale.MAGNITUDE.value,
        help_text="What the numbers of the judgments are.",
    )
    state = models.CharField(max_length=10, choices=choices(StudyState), default=StudyState.DRAFT.value)
    requester = models.CharField(max_length=200)
    contact = models.CharField(max_length=200)
    language = models.CharField(
        max_length=35,
        default="en",
        db_default="en",
        help_text="The language of the texts and documents, as a tag such as en or pt-BR.",
    )
    information = models.TextField(help_text="Markdown: what the study is, who asks, what is stored.")
    consent = models.TextField(help_text="Markdown: what the worker agrees to.")
    consent_version = models.CharField(max_length=40, default="1")
    instructions_magnitude = models.TextField(help_text="Markdown: what magnitude estimation is.")
    instructions_task = models.TextField(help_text="Markdown: how the documents are judged.")
    seed = models.BigIntegerField(default=0)
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)

    layout = models.CharField(
        max_length=12,
        choices=choices(Layout),
        default=Layout.PARAGRAPHS.value,
        db_default=Layout.PARAGRAPHS.value,
        help_text="How line breaks in documents are shown, where a document does not say it itself.",
    )
    unit_size = models.PositiveSmallIntegerField(default=8)
    judgments_per_document = models.PositiveSmallIntegerField(default=10)
    lapse_minutes = models.PositiveSmallIntegerField(default=60)
    max_units_per_worker = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Units that a worker can complete. Empty: one for each topic."
    )
    max_units_per_visit = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Units that a worker can complete in a visit. Empty: unlimited."
    )
    reservations_per_address = models.PositiveSmallIntegerField(
        default=60, db_default=60, help_text="Units that workers at one network address may hold at once."
    )
    topic_choice = models.CharField(
        max_length=10, choices=[("weighted", "weighted"), ("uniform", "uniform")], default="weighted"
    )

    allocation = models.CharField(
        max_length=8,
        choices=[(value, value) for value in ALLOCATIONS],
        default=ALLOCATIONS[0],
        db_default=ALLOCATIONS[0],
        help_text="adaptive: further units go to documents that matter for the ranking of the runs.",
    )
    ranked_by = models.CharField(
        max_length=100,
        default="nDCG@10",
        db_default="nDCG@10",
        help_text="The measure whose ranking an adaptive study settles.",
    )
    settled_level = models.FloatField(
        default=0.9, db_default=0.9, help_text="The expected τ at which an adaptive study stops."
    )
    most_judgments = models.PositiveSmallIntegerField(
        default=10, db_default=10, help_text="The mean judgments per document of the largest adaptive study."
    )

    show_previous = models.CharField(
        max_length=4,
        choices=[(value, value) for value in SHOW_PREVIOUS],
        default="none",
        db_default="none",
        help_text="Which of their earlier numbers in the unit workers see below a document.",
    )

    numbers = models.CharField(
        max_length=8,
        choices=[(value, value) for value in NUMBERS],
        default="any",
        db_default="any",
        help_text="Whether workers can type fractions as well as decimals.",
    )

    seconds_per_document = models.FloatField(default=20)
    early_next = models.CharField(
        max_length=6,
        choices=[(value, value) for value in EARLY_NEXT],
        default="silent",
        db_default="silent",
        help_text="What happens if a worker goes on before the minimum seconds of a document.",
    )
    failure_message = models.CharField(
        max_length=5,
        choices=[(value, value) for value in FAILURE_MESSAGES],
        default="named",
        db_default="named",
        help_text="Whether the page names the check if only the time check failed.",
    )
    evidence = models.CharField(
        max_length=5,
        choices=[(value, value) for value in EVIDENCE],
        default="none",
        db_default="none",
        help_text="Whether the site keeps how much of each reason was pasted.",
    )
    anchor_ties = models.CharField(max_length=4, choices=[("fail", "fail"), ("pass", "pass")], default="fail")
    check_attempts = models.PositiveSmallIntegerField(
        null=True, blank=True, default=3, help_text="Empty: unlimited, as in the original study."
    )
    record_check = models.CharField(
        max_length=4,
        choices=[(value, value) for value in RECORD_CHECKS],
        default=RECORD_CHECKS[0],
        db_default=RECORD_CHECKS[0],
        help_text="Whether workers whose record looks like guessing stop getting units.",
    )
    record_units = models.PositiveSmallIntegerField(
        default=4, db_default=4, help_text="A record of fewer units is never held against a worker."
    )
    practice_attempts = models.PositiveSmallIntegerField(default=3)
    comprehension_attempts = models.PositiveSmallIntegerField(default=3)
    visit_minutes = models.PositiveSmallIntegerField(default=15)

    pay_per_unit = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    pay_screened_out = models.DecimalField(
        max_digits=8, decimal_places=2, default=0, db_default=0, help_text="For a worker who is screened out."
    )
    pay_checks_failed = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        default=0,
        db_default=0,
        help_text="For a unit that ends because the worker has no attempts left to finish it.",
    )
    pay_cancelled = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        default=0,
        db_default=0,
        help_text="For a unit that a forced closing cancels.",
    )
    least_paid_seconds = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Empty: the minimum seconds of each document that the worker reached.",
    )
    max_compensations_per_worker = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=3,
        db_default=3,
        help_text="How often a worker is paid without a completed unit. Empty: unlimited.",
    )
    spending_limit = models.DecimalField(
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="The most that all workers get together, without the fee. Empty: unlimited.",
    )
    paid_within = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Days until workers are paid. Needed to open a study that pays."
    )
    currency = models.CharField(max_length=3, default="USD")
    expected_minutes = models.PositiveSmallIntegerField(default=10)

    platform = models.CharField(max_length=10, choices=[(name, name) for name in PLATFORMS], default="direct")
    id_parameter = models.CharField(max_length=40, blank=True, default="")
    submission_parameter = models.CharField(max_length=40, blank=True, default="")
    completion_url = models.CharField(max_length=500, blank=True, default="")
    no_work_url = models.CharField(max_length=500, blank=True, default="")
    screen_out_url = models.CharField(max_length=500, blank=True, default="")

    completion_code = models.CharField(max_length=40, blank=True, default="", db_default="")
    no_work_code = models.CharField(max_length=40, blank=True, default="", db_default="")
    screen_out_code = models.CharField(max_length=40, blank=True, default="", db_default="")

    entry = models.CharField(
        max_length=6,
        choices=[(entry.value, entry.value) for entry in Entry],
        default="open",
        db_default="open",
        help_text="Who may begin: whoever has the link, who has a personal one, who comes by a signed one.",
    )
    entry_key = models.CharField(
        max_length=43,
        blank=True,
        default="",
        db_default="",
        help_text="Random; the secret that signs links is made of it and of the site's own key.",
    )

    platform_fee = models.DecimalField(
        max_digits=5,
        decimal_places=2,
        default=0,
        db_default=0,
        help_text="What the platform takes on top of all pay, in per cent of it.",
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
            one_of("state", StudyState, name="study_state_known"),
            one_of("layout", Layout, name="study_layout_known"),
            one_of("scale", Scale, name="study_scale_known"),
            one_of("purpose", Purpose, name="study_purpose_known"),
            models.CheckConstraint(
                condition=~Q(purpose=Purpose.ANALYSIS.value) | Q(state=StudyState.CLOSED.value),
                name="study_for_analysis_closed",
            ),
            models.CheckConstraint(
                condition=~Q(scale=Scale.RATING.value) | Q(purpose=Purpose.ANALYSIS.value),
                name="study_ratings_only_for_analysis",
            ),
            models.CheckConstraint(condition=~Q(language=""), name="study_language_set"),
            models.CheckConstraint(
                condition=Q(unit_size__gt=ANCHORS_PER_UNIT), name="study_unit_holds_more_than_anchors"
            ),
            models.CheckConstraint(
                condition=Q(judgments_per_document__gte=1), name="study_judgments_at_least_one"
            ),
            models.CheckConstraint(condition=Q(lapse_minutes__gte=1), name="study_lapse_at_least_a_minute"),
            models.CheckConstraint(
                condition=Q(reservations_per_address__gte=1),
                name="study_reservations_per_address_at_least_one",
            ),
            models.CheckConstraint(condition=Q(visit_minutes__gte=1), name="study_visit_at_least_a_minute"),
            models.CheckConstraint(
                condition=Q(seconds_per_document__gte=0, seconds_per_document__lte=3600),
                name="study_seconds_in_range",
            ),
            models.CheckConstraint(
                condition=Q(check_attempts__isnull=True) | Q(check_attempts__gte=1),
                name="study_check_attempts_at_least_one",
            ),
            models.CheckConstraint(
                condition=Q(practice_attempts__gte=1, comprehension_attempts__gte=1),
                name="study_attempts_at_least_one",
            ),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__gte": 1}),
                    name=f"study_{field}_at_least_one",
                )
                for field in ("max_units_per_worker", "max_units_per_visit")
            ),
            models.CheckConstraint(condition=Q(pay_per_unit__gte=0), name="study_pay_not_negative"),
            models.CheckConstraint(
                condition=Q(pay_screened_out__gte=0, pay_checks_failed__gte=0, pay_cancelled__gte=0),
                name="study_compensation_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(paid_within__isnull=True) | Q(paid_within__gte=1),
                name="study_paid_within_at_least_a_day",
            ),
            models.CheckConstraint(
                condition=Q(spending_limit__isnull=True) | Q(spending_limit__gte=0),
                name="study_spending_limit_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(anchor_ties__in=["fail", "pass"]), name="study_anchor_ties_known"
            ),
            models.CheckConstraint(
                condition=Q(topic_choice__in=["weighted", "uniform"]), name="study_topic_choice_known"
            ),
            models.CheckConstraint(
                condition=Q(show_previous__in=SHOW_PREVIOUS), name="study_show_previous_known"
            ),
            models.CheckConstraint(condition=Q(allocation__in=ALLOCATIONS), name="study_allocation_known"),
            models.CheckConstraint(
                condition=Q(settled_level__gte=0, settled_level__lte=1), name="study_settled_level_in_range"
            ),
            models.CheckConstraint(
                condition=Q(most_judgments__gte=1), name="study_most_judgments_at_least_one"
            ),
            models.CheckConstraint(condition=Q(early_next__in=EARLY_NEXT), name="study_early_next_known"),
            models.CheckConstraint(
                condition=Q(failure_message__in=FAILURE_MESSAGES), name="study_failure_message_known"
            ),
            models.CheckConstraint(condition=Q(evidence__in=EVIDENCE), name="study_evidence_known"),
            models.CheckConstraint(
                condition=Q(record_check__in=RECORD_CHECKS), name="study_record_check_known"
            ),
            models.CheckConstraint(condition=Q(record_units__gte=2), name="study_record_units_at_least_two"),
            models.CheckConstraint(condition=Q(numbers__in=NUMBERS), name="study_numbers_known"),
            models.CheckConstraint(condition=_platform_requirements_met(), name="study_platform_known"),
            models.CheckConstraint(
                condition=_entry_supported_by_platform(), name="study_entry_fits_its_platform"
            ),
            models.CheckConstraint(
                condition=Q(platform_fee__gte=0, platform_fee__lte=100), name="study_platform_fee_in_range"
            ),
            models.CheckConstraint(
                condition=Q(preview_of__isnull=False) | Q(previewer__isnull=True),
                name="study_previewer_only_of_a_preview",
            ),
        ]

    def __str__(self) -> str:
        return self.title

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
    def normalisation(self) -> Literal["additive"] | None:
        """Return the method that normalises the judgments, or None for the default of the scale.

        By design, the documents of some units in an adaptive study are more relevant than those of others.
        `additive` adjusts for this, but `geometric` does not.
        """
        return "additive" if self.is_adaptive else None

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
    def others_per_unit(self) -> int:
        """Return the number of documents in a unit besides the two anchors."""
        return self.unit_size - ANCHORS_PER_UNIT

    @property
    def visit_seconds(self) -> int:
        """Return the maximum number of seconds that count for one visit in the time check."""
        return self.visit_minutes * 60
