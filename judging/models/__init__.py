"""The data models, one concept per file. Named constraints enforce every rule that a database can check."""

from judging.models.allocation import AllocationDecision, Reason
from judging.models.assignment import COUNTS, Assignment
from judging.models.audit import AppendOnlyError, AuditEntry
from judging.models.document import Document, Picture
from judging.models.event import Event, EventKind, check_of_kind, event_kinds
from judging.models.grade import GradeSet, KnownGrade
from judging.models.invitation import Invitation, SiteRole
from judging.models.job import (
    LIVE_JOBS,
    MESSAGE_JOBS,
    Job,
    JobKind,
    JobState,
    Result,
)
from judging.models.judgment import Judgment, Visit
from judging.models.labels import LabelSet, TopicLabels
from judging.models.machine import MachineCall, MachineJudge, MachineUnit
from judging.models.membership import RANKS, Membership, Role
from judging.models.notice import Notice, NoticeAbout
from judging.models.participation import (
    IMPORTED,
    ErasedIdentity,
    Participation,
    PlatformIdentity,
    PlatformSubmission,
    PracticeAttempt,
    WorkerLink,
)
from judging.models.people import Actor, Visitor
from judging.models.platform_message import PlatformMessage
from judging.models.report import Report, ReportKind
from judging.models.run import Ranking, Run
from judging.models.sample import SampleDraw
from judging.models.setup import Setup, SetupFile
from judging.models.study import Study
from judging.models.topic import PoolDocument, Question, Topic
from judging.models.unit import Unit, UnitDocument
from judging.models.verdict import DisagreementVerdict
from judging.models.watch import Watch, WorkerFigures

__all__ = [
    "COUNTS",
    "IMPORTED",
    "LIVE_JOBS",
    "MESSAGE_JOBS",
    "RANKS",
    "Actor",
    "AllocationDecision",
    "AppendOnlyError",
    "Assignment",
    "AuditEntry",
    "DisagreementVerdict",
    "Document",
    "ErasedIdentity",
    "Event",
    "EventKind",
    "GradeSet",
    "Invitation",
    "Job",
    "JobKind",
    "JobState",
    "Judgment",
    "KnownGrade",
    "LabelSet",
    "MachineCall",
    "MachineJudge",
    "MachineUnit",
    "Membership",
    "Notice",
    "NoticeAbout",
    "Participation",
    "Picture",
    "PlatformIdentity",
    "PlatformMessage",
    "PlatformSubmission",
    "PoolDocument",
    "PracticeAttempt",
    "Question",
    "Ranking",
    "Reason",
    "Report",
    "ReportKind",
    "Result",
    "Role",
    "Run",
    "SampleDraw",
    "Setup",
    "SetupFile",
    "SiteRole",
    "Study",
    "Topic",
    "TopicLabels",
    "Unit",
    "UnitDocument",
    "Visit",
    "Visitor",
    "Watch",
    "WorkerFigures",
    "WorkerLink",
    "check_of_kind",
    "event_kinds",
]
