"""The steps of a set-up in which users edit settings: “The study”, “Texts”, and “Units, checks and pay”."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from judging.core.selectors.texts import field_value
from judging.models import Study
from judging.protocol.text_fields import TEXT_FIELDS
from judging.setup.pages.common import SetupPage, estimate_context, record_change, render_page, setup_page
from judging.setup.pages.field_groups import field_groups
from judging.setup.pages.forms import DepthForm
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.services.setups import locked
from judging.setup.steps import SECTIONS, STEPS

_LONGEST_PREVIEW = 200_000


@setup_page
def settings(request: HttpRequest, page: SetupPage, section: str) -> HttpResponseBase:
    """Show and save the settings of a step. Errors appear next to their settings."""
    if section not in SECTIONS:
        raise Http404
    locked_keys = page.locked_keys(request)
    if request.method != "POST":
        form = SettingsForm(section, page.draft, locked=locked_keys)
        if "template" in request.GET:
            form.fill_in_templates()
        return _show(request, page, section, form)
    with locked(page.setup) as setup:
        form = SettingsForm(section, setup.study, request.POST, locked=locked_keys)
        if form.changed_locked:
            text = _(
                "Nothing was saved. The study has begun, so only its owners can change these settings:"
                " {labels}. Restore the saved values, or ask an owner to change them."
            )
            messages.error(request, text.format(labels=", ".join(form.changed_locked)))
            return _show(request, page, section, form, status=403)
        if not form.is_accepted():
            return _show(request, page, section, form)
        must_check = (
            form.changes_reading or setup.study.changes_to_id is not None
        )  # a check can refuse any of the changes to a study
        draft = form.save()
        record_change(request, setup, _saved(form), check=must_check)
    saved = page if draft.changes_to_id else SetupPage(draft, setup)  # the form can change the slug
    goes_on = "continue" in request.POST and not form.revealed
    return redirect(saved.address(_step_after(section) if goes_on else section))


def _saved(form: SettingsForm) -> str:
    """Return the message about a saved form. It names new settings, and those that follow another preset."""
    if form.revealed:
        text = _("Saved. The scale has further settings, which this page now shows: {labels}.")
        return text.format(labels=", ".join(form.revealed))
    if not form.following:
        return _("Saved.")
    text = _("Saved. These settings now have the values of the preset: {labels}.")
    return text.format(labels=", ".join(_(setting.label) for setting in form.following))


def _step_after(section: str) -> str:
    names = [*(name for name, _label in STEPS), "overview"]
    return names[names.index(section) + 1]


def _show(
    request: HttpRequest, page: SetupPage, section: str, form: SettingsForm, *, status: int = 200
) -> HttpResponseBase:
    return render_page(
        request,
        page,
        "settings",
        step=section,
        status=status,
        form=form,
        groups=list(field_groups(form, section, {fault["field"] for fault in page.faults})),
        section=section,
        text_fields=_text_fields(page.draft) if section == "texts" else [],
    )


def _text_fields(study: Study) -> list[tuple[str, str, str | None]]:
    """Return the fields that texts can have: how each is written, what it means, and its value or None."""
    return [
        (field.written, _(field.meaning), field_value(name, study)) for name, field in TEXT_FIELDS.items()
    ]


@setup_page
def estimate(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return the box with the estimate for the typed settings, without saving them."""
    draft = page.draft
    for section in SECTIONS:
        draft = SettingsForm(section, draft, request.POST).fill()
    depth = DepthForm(page.setup, request.POST)
    typed = depth.cleaned_data["depth"] if depth.is_valid() else page.setup.pool_depth
    return render(request, "setup/_estimate.html", estimate_context(request, draft, page.reading, typed))


@setup_page
def preview(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """Return Markdown text as workers would see it, with the saved settings in its fields. Save nothing."""
    context = {"text": request.POST.get("text", "")[:_LONGEST_PREVIEW], "draft": page.draft}
    return render(request, "setup/_preview.html", context)
