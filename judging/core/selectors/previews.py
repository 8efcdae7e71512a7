"""Leave previews out of queries over all studies. `Study.objects` already leaves out previews."""

from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet

from judging.models import Study

_STUDIES: Final = Study._meta.db_table
_Row = TypeVar("_Row", bound=Model)


def without_previews(rows: QuerySet[_Row]) -> QuerySet[_Row]:
    """Return the rows, of any model, that do not belong to a preview.

    If there are no previews, return `rows` unchanged, without a join. Do the same in a migration that runs
    before the column `preview_of` exists.
    """
    path, study = _path_to_study(rows.model)
    if study is None or not any(field.name == "preview_of" for field in study._meta.concrete_fields):
        return rows
    previews = list(study._base_manager.exclude(preview_of=None).values_list("pk", flat=True))
    return rows.exclude(**{f"{path}pk__in": previews}) if previews else rows


def _path_to_study(model: type[Model]) -> tuple[str, type[Model] | None]:
    """Return the lookup from a model to its study, and the model of studies.

    If the model does not belong to a study, return "" and None.
    """
    if model._meta.db_table == _STUDIES:
        return "", model
    for field in model._meta.concrete_fields:
        related: Any = field.related_model
        if related is None or field.null:
            continue
        path, study = _path_to_study(related)
        if study:
            return f"{field.name}__{path}", study
    return "", None
