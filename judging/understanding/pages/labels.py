"""The page on which labels of a model are added to a study, and removed from it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from evaluation.cli.columns import names_of
from evaluation.errors import InputError
from evaluation.parsing.text import read_bytes
from judging.core import access
from judging.core.clock import now
from judging.core.pages.guard import console_page, console_refusal, find_study, refuse
from judging.core.pages.limits import takes_files, was_too_large
from judging.core.services.errors import RefusedError
from judging.core.upload_limit import too_large
from judging.core.words import translated
from judging.limits import LABELS_MEGABYTES
from judging.models import Study
from judging.understanding.services.labels import AddedLabels, NamedBytes, add_labels, remove_labels

_FIELDS = ("name", "columns", "family")


def _refusal(request: HttpRequest, slug: str) -> HttpResponseBase | None:
    """Return the answer to visitors who cannot change a study, and None for those who can."""
    if answer := console_refusal(request):
        return answer
    if access.may_manage(request.user, find_study(request, slug)):
        return None
    return refuse(
        request, _("You can see this study, but you cannot add labels to it. Ask an owner for access.")
    )


@takes_files(_refusal)
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def labels(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the sets of labels, and add or remove one. Nothing that was typed is lost if it is refused."""
    study = find_study(request, slug)
    if answer := _refusal(request, slug):
        return answer
    if request.method != "POST":
        return _show(request, study)
    if was_too_large(request):
        text = _("Nothing was uploaded. {problem}").format(problem=too_large())
        messages.error(request, text, extra_tags="file")
        return _show(request, study, status=400)
    if request.POST.get("action") == "remove":
        return _remove(request, study)
    try:
        added = _add(request, study)
    except InputError as error:
        place = f"{error.where}: " if error.where else ""
        messages.error(request, f"{place}{translated(error)}", extra_tags="file")
        return _show(request, study, status=400)
    except RefusedError as error:
        messages.error(request, str(error))
        return _show(request, study, status=400)
    messages.success(request, _success(added))
    return redirect("console:judges", slug=study.slug)


def _add(request: HttpRequest, study: Study) -> AddedLabels:
    name, columns, family = (request.POST.get(field, "").replace("\0", "") for field in _FIELDS)
    upload = request.FILES.get("file")
    if upload is None:
        raise InputError("no-labels-file", "You did not choose a file. Choose a file of labels.")
    data = upload.read()
    if len(read_bytes(NamedBytes(data, str(upload.name)))) > LABELS_MEGABYTES << 20:
        raise RefusedError(
            _(
                "The file has more than {number} MB. Add it on the server, with"
                " “python3 manage.py import_labels”."
            ).format(number=LABELS_MEGABYTES)
        )
    return add_labels(
        study=study,
        name=name,
        data=data,
        file_name=str(upload.name),
        columns=_columns(columns),
        family=family.split(),
        now=now(),
        actor=access.account_of(request.user),
    )


def _columns(text: str) -> dict[str, str | int] | None:
    """Return the map of columns in a text such as `label=rating topic_id=1`. Raise RefusedError otherwise."""
    pairs = []
    for part in text.split():
        ours, equals, theirs = part.partition("=")
        if not (ours and equals and theirs):
            raise RefusedError(
                _("“{part}” is not a column and its name. Write label=rating, for example.").format(part=part)
            )
        pairs.append((ours, theirs))
    return names_of(pairs)


def _success(added: AddedLabels) -> str:
    text = ngettext(
        "Added {number} label of {name}. Labels of documents in the pools: {pooled}.",
        "Added {number} labels of {name}. Labels of documents in the pools: {pooled}.",
        added.labels,
    ).format(number=added.labels, name=added.label_set.name, pooled=added.pooled)
    if not added.ignored_topics:
        return text
    ignored = ngettext(
        "{number} topic of the file was left out, because the study does not have it.",
        "{number} topics of the file were left out, because the study does not have them.",
        added.ignored_topics,
    ).format(number=added.ignored_topics)
    return f"{text} {ignored}"


def _remove(request: HttpRequest, study: Study) -> HttpResponseBase:
    name = request.POST.get("name", "").replace("\0", "")
    try:
        remove_labels(study=study, name=name, now=now(), actor=access.account_of(request.user))
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The labels of {name} were removed.").format(name=name))
    return redirect("console:judges", slug=study.slug)


def _show(request: HttpRequest, study: Study, *, status: int = 200) -> HttpResponseBase:
    typed = {field: request.POST.get(field, "") for field in _FIELDS}
    context = {"study": study, "typed": typed, "label_sets": study.label_sets.all()}
    return render(request, "understanding/labels.html", context, status=status)
