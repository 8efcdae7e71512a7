"""Find the pictures of the documents of a study."""

from collections.abc import Collection

from judging.models import Picture, Study


def checksums_of_pictures(study: Study, names: Collection[str]) -> dict[str, str]:
    """Return a dict from the names that the study has a picture for to the checksum of the picture."""
    if not names:
        return {}
    pictures = Picture.objects.filter(study=_owner(study), name__in=names)
    return dict(pictures.values_list("name", "sha256"))


def find_picture(study: Study, checksum: str) -> Picture | None:
    """Return the picture of a study with this checksum, or None."""
    return Picture.objects.filter(study=_owner(study), sha256=checksum).first()


def _owner(study: Study) -> int:
    """Return the key of the study whose pictures are shown. A preview shows those of the real study."""
    return study.preview_of_id or study.pk
