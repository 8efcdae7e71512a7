"""Workers in a study. Separate tables store the workers' ids on crowd platforms."""

from decimal import Decimal
from enum import StrEnum

from django.db import models

from judging.models.fields import choices, judge_kind_field, one_of
from judging.models.payable import Payable, decision_constraints
from judging.models.study import Study
from judging.protocol.judges import KINDS, SIMULATED
from judging.protocol.judges.judge_kind import JudgeKind
from judging.protocol.states import ParticipationState
from judging.protocol.words import gettext_noop as _

IMPORTED = "imported"
"""The `consent_version` of imported workers and, if they are simulated, also their `behaviour`."""


class Gate(StrEnum):
    """Whether a worker was stopped because the record looks like guessing."""

    NEVER = ""
    CLOSED = _("closed")
    OPENED = _("opened")


class Participation(Payable):
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="participations")
    pseudonym = models.CharField(max_length=20)
    token = models.CharField(max_length=26, help_text="In the worker's cookie and resume link.")
    arrival_key = models.CharField(
        max_length=26, blank=True, help_text="Of the consent form: one form, one participation."
    )
    state = models.CharField(
        max_length=12, choices=choices(ParticipationState), default=ParticipationState.CONSENTED.value
    )
    consent_version = models.CharField(max_length=40)
    consented_at = models.DateTimeField()
    kind = judge_kind_field("Of judge: a person, unless stated.")
    behaviour = models.CharField(
        max_length=20, blank=True, help_text="Of a simulated judge, such as careful or spammer."
    )
    same_browser = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="later_in_browser",
        help_text="Who took part before in a browser in which this worker came: perhaps the same person.",
    )
    compensation = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        default=0,
        db_default=0,
        help_text="What being screened out pays, fixed when it happened.",
    )
    paid_at = models.DateTimeField(
        null=True, blank=True, help_text="When the compensation was handed over to the platform."
    )

    gate = models.CharField(
        max_length=6,
        choices=choices(Gate),
        blank=True,
        default=Gate.NEVER.value,
        db_default=Gate.NEVER.value,
        help_text="closed: the record looks like guessing. opened: a researcher let the worker go on.",
    )
    gated_at = models.DateTimeField(null=True, blank=True, help_text="When the record looked like guessing.")
    gate_record = models.JSONField(
        default=dict,
        blank=True,
        db_default=models.Value({}, models.JSONField()),
        help_text="The record with which the worker was stopped: see `protocol.record`.",
    )

    class Meta:
        ordering = ("study", "pseudonym")
        constraints = [
            models.UniqueConstraint(
                fields=["study", "pseudonym"], name="participation_pseudonym_once_per_study"
            ),
            models.UniqueConstraint(fields=["study", "token"], name="participation_token_once_per_study"),
            models.UniqueConstraint(
                fields=["study", "arrival_key"],
                condition=~models.Q(arrival_key=""),
                name="participation_arrival_key_once_per_study",
            ),
            one_of("state", ParticipationState, name="participation_state_known"),
            models.CheckConstraint(
                condition=(~models.Q(kind=SIMULATED.name) & models.Q(behaviour=""))
                | (models.Q(kind=SIMULATED.name) & ~models.Q(behaviour="")),
                name="participation_simulated_exactly_with_a_behaviour",
            ),
            models.CheckConstraint(condition=~models.Q(kind=""), name="participation_kind_set"),
            models.CheckConstraint(
                condition=models.Q(compensation__gt=0) | models.Q(compensation=0, paid_at__isnull=True),
                name="participation_paid_only_when_something_is_due",
            ),
            *decision_constraints("participation"),
            one_of("gate", Gate, name="participation_gate_known"),
            models.CheckConstraint(
                condition=models.Q(gate="", gated_at__isnull=True)
                | (~models.Q(gate="") & models.Q(gated_at__isnull=False)),
                name="participation_gated_with_a_time",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def amount(self) -> Decimal:
        """Return the pay for being screened out."""
        return self.compensation

    @property
    def judge(self) -> JudgeKind:
        """Return the declaration of the judge's kind."""
        return KINDS[self.kind]

    @property
    def earns(self) -> bool:
        """Return whether the study counts pay for this judge (see `JudgeKind`)."""
        return self.judge.is_paid or self.judge == self.study.judges

    @property
    def from_file(self) -> bool:
        """Return whether the worker was imported.

        For such a worker, Plumbline has no data on the practice task, the questions or the checks.
        """
        return self.consent_version == IMPORTED


class PlatformIdentity(models.Model):
    """The platform id of a worker. If this row is deleted, the worker's pseudonymous data stay.

    `study` is the study that the worker came to. In a study with arms, this is the front, so the constraint
    keeps a person out of two arms.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    participation = models.OneToOneField(Participation, on_delete=models.CASCADE, related_name="identity")
    platform_id = models.CharField(max_length=200)

    class Meta:
        verbose_name_plural = "platform identities"
        constraints = [
            models.UniqueConstraint(fields=["study", "platform_id"], name="identity_once_per_study"),
            models.CheckConstraint(condition=~models.Q(platform_id=""), name="identity_not_empty"),
        ]

    def __str__(self) -> str:
        return f"identity of {self.participation_id}"


class PlatformSubmission(models.Model):
    """The platform's id for one visit by a worker. A worker can make several visits."""

    identity = models.ForeignKey(PlatformIdentity, on_delete=models.CASCADE, related_name="submissions")
    submission_id = models.CharField(max_length=200)
    linked_at = models.DateTimeField(help_text="When the worker last came with this id.")
    first_linked_at = models.DateTimeField(
        null=True, help_text="When the worker first came with it; empty where it is older than this field."
    )
    platform_study = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="The platform's id for its study."
    )
    claim = models.CharField(
        max_length=26,
        blank=True,
        default="",
        db_default="",
        help_text="Key of the browser that only claimed the worker's id; empty where it was proven.",
    )
    status = models.CharField(
        max_length=20,
        blank=True,
        default="",
        db_default="",
        help_text="What the platform said last.",
    )
    status_at = models.DateTimeField(null=True, help_text="When the platform said so.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["identity", "submission_id"], name="submission_once_per_identity")
        ]

    def __str__(self) -> str:
        return f"submission of {self.identity_id}"


class ErasedIdentity(models.Model):
    """A platform id that was deleted, as a keyed hash, so that nobody can start again with it.

    The row is deleted when the study is closed. Nothing connects it with a worker.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+", db_index=False)
    id_hash = models.CharField(max_length=64, help_text="HMAC-SHA256 of the study and the platform id.")

    class Meta:
        verbose_name_plural = "erased identities"
        constraints = [
            models.UniqueConstraint(fields=["study", "id_hash"], name="erased_identity_once_per_study")
        ]

    def __str__(self) -> str:
        return f"erased identity in {self.study_id}"


class WorkerLink(models.Model):
    """A personal link to a study, for only one worker.

    Plumbline shows the link only once. The database has only a hash of the link's token, so nobody can
    recover the link from the database. Plumbline does not store who received a link.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField(help_text="Counted from 1 within the study.")
    token_hash = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    made_at = models.DateTimeField()
    kind = judge_kind_field("Of the judge who can begin with it.")
    participation = models.OneToOneField(
        Participation,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="link",
        help_text="Who began with it; empty again where that was to be forgotten.",
    )
    used_at = models.DateTimeField(null=True, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("study", "number")
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="link_number_once_per_study"),
            models.CheckConstraint(
                condition=models.Q(participation__isnull=True) | models.Q(used_at__isnull=False),
                name="link_bound_only_when_used",
            ),
            models.CheckConstraint(
                condition=models.Q(used_at__isnull=True) | models.Q(taken_back_at__isnull=True),
                name="link_used_or_taken_back",
            ),
        ]

    def __str__(self) -> str:
        return f"link {self.number} of {self.study_id}"


class PracticeAttempt(models.Model):
    """One attempt at the practice task: the lines in the order shown, and the magnitudes so far."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="practice_attempts"
    )
    number = models.PositiveSmallIntegerField()
    lengths = models.JSONField(help_text="In the order shown.")
    magnitudes = models.JSONField(default=list)
    line_since = models.DateTimeField(
        null=True, blank=True, help_text="From when on the line could be seen that has no magnitude yet."
    )
    passed = models.BooleanField(null=True)

    class Meta:
        ordering = ("participation", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "number"], name="practice_attempt_numbered_once"
            ),
            models.UniqueConstraint(
                fields=["participation"],
                condition=models.Q(passed__isnull=True),
                name="practice_one_attempt_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participation_id}/{self.number}"
