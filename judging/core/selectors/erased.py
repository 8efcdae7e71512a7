"""Platform ids that were erased. Only a keyed hash of each remains, until the study is closed."""

from django.utils.crypto import salted_hmac

from judging.models import ErasedIdentity, Study


def hash_of_id(study: Study, platform_id: str) -> str:
    """Return the hash under which an erased id is stored. It depends on the study and on the site's key."""
    return salted_hmac("plumbline.erased", f"{study.pk}/{platform_id}", algorithm="sha256").hexdigest()


def was_erased(study: Study, platform_id: str) -> bool:
    """Return whether this id was erased while the study was open, so that nobody can start with it again."""
    return ErasedIdentity.objects.filter(study=study, id_hash=hash_of_id(study, platform_id)).exists()
