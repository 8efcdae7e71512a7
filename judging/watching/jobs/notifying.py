"""`notice`: an e-mail to each of those who are to know, once each, however often the job is begun."""

from email.utils import parseaddr
from smtplib import SMTPException, SMTPNotSupportedError, SMTPRecipientsRefused
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage

from judging.core import access, mail
from judging.core.clock import now
from judging.core.jobs.running import NotNowError
from judging.core.services import jobs
from judging.models import Assignment, AuditEntry, Job, NoticeAbout, Result
from judging.protocol.states import AssignmentState
from judging.watching.selectors.notices import people_to_tell
from judging.watching.selectors.progress import study_progress

_TEMPLATES: Final = {
    NoticeAbout.COLLECTED: "watching/collected.txt",
    NoticeAbout.CLOSED: "watching/closed.txt",
    NoticeAbout.FAILED: "watching/failed.txt",
    NoticeAbout.THRESHOLD: "watching/threshold.txt",
}


def tell_people(job: Job, progress: jobs.Progress) -> Result:
    """Send the notice; returns `{"told": [name, …], "refused": {name: why}}`.

    Each who was told, or whose address was refused for good, is written down before the next one's turn: a
    job begun again tells the others. Raises NotNowError while the mail server, or someone's mailbox, is away.
    """
    job.result = {"told": [], "refused": {}} | job.result
    away = ""
    for person in people_to_tell(job):
        name = person.get_username()
        settled = name in job.result["told"] or name in job.result["refused"]
        if settled or not access.may_see_job(person, job):
            continue
        try:
            _message(job, person).send()
        except SMTPRecipientsRefused as refusal:
            code, why = next(iter(refusal.recipients.values()))
            if code < 500:
                away = f"{person.email} cannot be reached for now: {_said(why)}"
                continue
            job.result["refused"][name] = _said(why)
        except (SMTPNotSupportedError, ValueError) as fault:  # an address that cannot be written as one
            job.result["refused"][name] = str(fault)
        except (SMTPException, OSError) as error:
            raise NotNowError(f"The mail server of EMAIL_URL did not take it: {error}") from error
        else:
            job.result["told"].append(name)
        jobs.note(job=job, result=job.result, now=now())
    if away:
        raise NotNowError(away)
    result: Result = job.result
    return result


def _message(job: Job, person: User) -> EmailMessage:
    """The e-mail to one person. Its id is the same in every try, for mail programs that drop doubles."""
    about = NoticeAbout(job.parameters["about"])
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    name = f"<notice-{job.pk}-{person.pk}-{job.created_at:%Y%m%d%H%M%S%f}@{domain}>"
    context = {"study": job.study} | _facts(job, about)
    return mail.message(_TEMPLATES[about], context, person.email, **{"Message-ID": name})


def _facts(job: Job, about: NoticeAbout) -> dict[str, object]:
    if about == NoticeAbout.COLLECTED:
        study = job.own_study
        return {"progress": study_progress([study])[study.pk]}
    if about == NoticeAbout.CLOSED:
        return {"units": _cancelled_by(AuditEntry.objects.get(pk=job.parameters["closing"]))}
    if about == NoticeAbout.THRESHOLD:
        return {"said": job.parameters["said"], "what": job.parameters["what"]}
    return {"failed": Job.objects.get(pk=job.parameters["job"])}


def _cancelled_by(closing: AuditEntry) -> list[Assignment]:
    cancelled = Assignment.objects.filter(
        participation__study=closing.study_id, state=AssignmentState.CANCELLED.value
    )
    units = cancelled.select_related("participation").order_by("participation__pseudonym", "number")
    named = set(closing.detail["cancelled"])
    return [unit for unit in units if f"{unit.participation.pseudonym}/{unit.number}" in named]


def _said(answer: object) -> str:
    """What a mail server answered, as text."""
    return answer.decode(errors="replace") if isinstance(answer, bytes) else str(answer)
