"""Django's admin shows the site's data. Users and groups can be changed here; everything else is read-only.

Only the services change studies, units and judgments, because they apply the rules and write the audit log.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from rest_framework.authtoken.models import TokenProxy

from judging.core import access
from judging.core.clock import now
from judging.core.selectors.previews import without_previews
from judging.core.services.errors import RefusedError
from judging.models import (
    Assignment,
    AuditEntry,
    Document,
    Event,
    GradeSet,
    Judgment,
    Membership,
    Participation,
    PlatformIdentity,
    PlatformSubmission,
    PoolDocument,
    PracticeAttempt,
    Question,
    Run,
    Study,
    Topic,
    Unit,
)
from judging.people.services.accounts import after_new_password, delete_account, deletion_refusals

if TYPE_CHECKING:
    _UserAdmin = UserAdmin[User]
    _ModelAdmin = admin.ModelAdmin[models.Model]
else:  # Django's classes are generic only for type checkers
    _UserAdmin, _ModelAdmin = UserAdmin, admin.ModelAdmin

admin.site.site_header = _("Plumbline administration")
admin.site.site_title = "Plumbline"
admin.site.unregister(TokenProxy)  # tokens are like passwords, so the admin must not show them
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(_UserAdmin):
    """Django's page for users. The audit log records new passwords and deleted accounts.

    Accounts are deleted one at a time, so that the page can show why an account cannot be deleted.
    """

    actions = None

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and answer.status_code == 302:
            user = self.get_object(request, id)
            assert user is not None
            after_new_password(user=user, now=now(), actor=access.account_of(request.user))
        return answer

    def get_deleted_objects(
        self, objs: Sequence[User] | QuerySet[User], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[str]]:
        """Return what would be deleted, and what prevents the deletion.

        Unlike Django's own method, this one lets memberships be deleted together with their user. It also
        prevents the deletion of a study's last owner.
        """
        deleted, counts, missing_rights, protected = super().get_deleted_objects(objs, request)
        missing_rights.discard(Membership._meta.verbose_name)
        protected += [refusal for user in objs for refusal in deletion_refusals(user)]
        return deleted, counts, missing_rights, protected

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Delete the account, or show why it cannot be deleted.

        The service checks again, because the account may have changed since the page was shown.
        """
        try:
            return super().delete_view(request, object_id, extra_context)
        except RefusedError as error:
            messages.error(request, str(error))
            return redirect("admin:auth_user_change", object_id)

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        delete_account(user=obj, now=now(), actor=access.account_of(request.user))


class ReadOnlyAdmin(_ModelAdmin):
    """A read-only page that leaves out the data of previews.

    A filtered list does not show the number of all rows, because counting them is slow.
    """

    actions = None
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[models.Model]:
        return without_previews(super().get_queryset(request))

    def get_list_select_related(self, request: HttpRequest) -> list[str]:
        """Return the foreign keys among the list's columns."""
        columns = self.get_list_display(request)
        return [field.name for field in self.opts.fields if field.is_relation and field.name in columns]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


class PersonalAdmin(ReadOnlyAdmin):
    """A page that shows the platform ids of workers. Only superusers can open it."""

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return bool(request.user.is_active and request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    """The page for studies. It hides the secret that signs links."""

    exclude = ("entry_key",)
    list_display = ("slug", "title", "state", "simulated", "created_at")
    list_filter = ("state", "simulated")
    search_fields = ("slug", "title")


@admin.register(Topic)
class TopicAdmin(ReadOnlyAdmin):
    list_display = ("number", "title", "study", "retired_at")
    list_filter = ("study",)
    search_fields = ("number", "title")


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    """The page for participations. It hides the token, which gives access to the worker's pages."""

    list_display = ("pseudonym", "study", "state", "consented_at", "kind", "behaviour")
    list_filter = ("study", "state", "kind")
    search_fields = ("pseudonym",)
    exclude = ("token",)


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = ("participation", "topic", "unit", "state", "started_at", "ended_at")
    list_filter = ("state",)
    search_fields = ("participation__pseudonym",)
    exclude = ("completion_code",)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "study", "topic", "participation", "attempt")
    list_filter = ("study", "kind")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "verb", "study_slug", "actor_name")
    list_filter = ("verb",)
    fields = ("at", "verb", "study_slug", "actor_name", "detail")
    search_fields = ("study_slug", "actor_name")
    ordering = ("-id",)


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """The page for memberships.

    To change a role, use the study's members page. That page records the change in the audit log.
    """

    list_display = ("study", "user", "role")
    list_filter = ("study", "role")


@admin.register(Judgment)
class JudgmentAdmin(ReadOnlyAdmin):
    list_display = ("assignment", "position", "pool_document", "number", "saved_at")


@admin.register(Unit)
class UnitAdmin(ReadOnlyAdmin):
    list_display = ("topic", "number", "state", "excluded_at")
    list_filter = ("state", "topic__study")


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ("document_id", "title", "study")
    list_filter = ("study",)
    search_fields = ("document_id", "title")


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin):
    list_display = ("topic", "text")


@admin.register(PoolDocument)
class PoolDocumentAdmin(ReadOnlyAdmin):
    list_display = ("topic", "document", "grade", "anchor")
    list_filter = ("grade", "anchor")


@admin.register(GradeSet)
class GradeSetAdmin(ReadOnlyAdmin):
    list_display = ("name", "place", "study")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ("tag", "study")
    list_filter = ("study",)


@admin.register(PracticeAttempt)
class PracticeAttemptAdmin(ReadOnlyAdmin):
    list_display = ("participation", "number", "passed")


@admin.register(PlatformIdentity)
class PlatformIdentityAdmin(PersonalAdmin):
    list_display = ("platform_id", "participation", "study")
    list_filter = ("study",)
    search_fields = ("platform_id", "participation__pseudonym")


@admin.register(PlatformSubmission)
class PlatformSubmissionAdmin(PersonalAdmin):
    list_display = ("submission_id", "linked_at")
