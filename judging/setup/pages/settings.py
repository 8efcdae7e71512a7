"""The steps of a set-up that are forms of settings: the study, its texts, its terms."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from judging.core.pages.guard import console_page
from judging.setup.pages.common import SetupPage, changed, estimated, setup_page, show
from judging.setup.pages.forms import DepthForm
from judging.setup.pages.settings_form import SettingsForm
from judging.setup.services.setups import locked
from judging.setup.steps import SECTIONS

_LONGEST_PREVIEW = 200_000


@setup_page
def settings(request: HttpRequest, page: SetupPage, section: str) -> HttpResponseBase:
    """One step: its settings under their headings, each with what is wrong with it."""
    if section not in SECTIONS:
        raise Http404
    barred = page.locked(request)
    if request.method != "POST":
        return _show(request, page, section, SettingsForm(section, page.draft, locked=barred))
    with locked(page.setup) as setup:
        form = SettingsForm(section, setup.study, request.POST, locked=barred)
        if form.changed_locked:
            what = ", ".join(form.changed_locked)
            messages.error(
                request,
                f"Nothing was saved. The study has begun, so only its owners can change: {what}."
                " Put back what is there, or ask an owner.",
            )
            return _show(request, page, section, form, status=403)
        if not form.is_accepted():
            return _show(request, page, section, form)
        must_check = form.changes_reading or setup.study.changes_to_id is not None  # it may refuse any change
        draft = form.save()
        changed(request, setup, check=must_check)
    slug = page.study.slug if draft.changes_to_id else draft.slug
    return redirect("console:setup_settings", slug=slug, section=section)


def _show(
    request: HttpRequest, page: SetupPage, section: str, form: SettingsForm, *, status: int = 200
) -> HttpResponseBase:
    groups = {
        heading: [form[setting.name] for setting in settings if setting.name in form.fields]
        for heading, settings in SECTIONS[section].items()
    }
    return show(
        request, page, "settings", step=section, status=status, form=form, groups=groups, section=section
    )


@setup_page
def estimate(request: HttpRequest, page: SetupPage) -> HttpResponseBase:
    """The estimate's box for what is typed at this moment: nothing is stored."""
    draft = page.draft
    for section in SECTIONS:
        draft = SettingsForm(section, draft, request.POST).fill()
    depth = DepthForm(page.setup, request.POST)
    typed = depth.cleaned_data["depth"] if depth.is_valid() else page.setup.pool_depth
    return render(request, "setup/_estimate.html", estimated(request, draft, page.reading, typed))


@require_POST
@console_page
def preview(request: HttpRequest) -> HttpResponseBase:
    """A text in Markdown as workers would see it: nothing is stored."""
    context = {"text": request.POST.get("text", "")[:_LONGEST_PREVIEW]}
    return render(request, "setup/_preview.html", context)
