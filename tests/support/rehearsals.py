"""Turn a study of people into a rehearsal with the same work, or back."""

from judging.models import Participation, Study, Unit


def into_rehearsal(study: Study, *, simulated: bool = True) -> Study:
    """Make the workers of a study simulated, or people, as if they had come so; return the study afresh."""
    kind, behaviour = ("simulated", "careful") if simulated else ("person", "")
    Study.objects.filter(pk=study.pk).update(simulated=simulated)
    Participation.objects.filter(study=study).update(kind=kind, behaviour=behaviour)
    Unit.objects.filter(topic__study=study).update(kind=kind)
    return Study.objects.get(pk=study.pk)
