"""How many rows each table has, to see what an act writes."""

from django.apps import apps


def row_counts() -> dict[str, int]:
    """Return a dict from the name of each model to the number of its rows."""
    return {
        model.__name__: model._base_manager.count() for model in apps.get_app_config("judging").get_models()
    }
