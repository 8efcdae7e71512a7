"""Store the pictures of the documents of a study."""

from hashlib import sha256

from judging.models import Picture, Study
from judging.protocol.markup import picture_type


def store_picture(study: Study, name: str, content: bytes) -> Picture:
    """Store the bytes of a picture file under the name that documents use. The bytes must be a picture."""
    media_type = picture_type(content)
    assert media_type is not None, name
    return Picture.objects.create(
        study=study,
        name=name,
        media_type=media_type.value,
        sha256=sha256(content).hexdigest(),
        content=content,
    )
