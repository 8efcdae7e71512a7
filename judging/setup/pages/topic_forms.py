"""The forms of a topic: its texts, its question and its anchors."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.core.pages.text_fields import UncutField
from judging.core.words import translated
from judging.models import Question, Topic
from judging.models.topic import named_field
from judging.protocol.anchor_proposals import replace_proposal
from judging.protocol.checks.comprehension import OPTIONS
from judging.protocol.states import Grade
from judging.setup.anchors import GRADES, anchors_against_grades
from judging.setup.intake.readers.sgml import LONGEST_NUMBER, id_fault
from judging.setup.intake.topics import LONGEST_REASON, LONGEST_TITLE
from judging.setup.pages.forms import Difference, SetupForm, plain


class NewTopicForm(SetupForm):
    """The number and title of a new topic. The topic's texts are edited in a `TopicForm`."""

    number = UncutField(
        label=gettext_lazy("Number"),
        max_length=LONGEST_NUMBER,
        help_text=gettext_lazy("The topic number in your runs and grades. It can contain letters."),
        widget=forms.TextInput(attrs={"class": "short"}),
    )
    title = UncutField(
        label=gettext_lazy("Title"), max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"dir": "auto"})
    )

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        self.topic = topic
        super().__init__(stored_topic(topic), sent)

    def clean_number(self) -> str:
        number = str(self.cleaned_data["number"])
        if fault := id_fault(number, LONGEST_NUMBER):
            raise forms.ValidationError(translated(fault))
        if Topic.objects.filter(study=self.topic.study, number=number).exclude(pk=self.topic.pk).exists():
            raise forms.ValidationError(
                _("There is already a topic {topic}. Choose another number.").format(topic=number)
            )
        return number

    @property
    def differences(self) -> list[Difference]:
        return super().differences if self.topic.pk else []  # a new topic overwrites nothing


class TopicForm(NewTopicForm):
    """A topic with its question. An incomplete question can be saved, but the study cannot open with it."""

    topic_key = forms.IntegerField(required=False, widget=forms.HiddenInput)
    description = forms.CharField(
        label=gettext_lazy("Description"), required=False, widget=forms.Textarea(attrs={"dir": "auto"})
    )
    narrative = forms.CharField(
        label=gettext_lazy("Narrative"),
        required=False,
        help_text=gettext_lazy(
            "Which documents are highly relevant, relevant, marginally relevant or not relevant."
        ),
        widget=forms.Textarea(attrs={"dir": "auto"}),
    )
    question = forms.CharField(
        label=gettext_lazy("Question"),
        required=False,
        widget=forms.Textarea(attrs={"dir": "auto", "rows": 2}),
    )
    right = forms.ChoiceField(
        label=gettext_lazy("Right option"),
        required=False,
        choices=[(str(place), str(place + 1)) for place in range(OPTIONS)],
    )

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        super().__init__(topic, sent)
        self.initial["topic_key"] = topic.pk
        for place in range(OPTIONS):
            label = _("Option {number}").format(number=place + 1)
            attrs = {"dir": "auto", "aria-label": label}
            self.fields[f"option-{place}"] = forms.CharField(
                label=label, required=False, widget=forms.TextInput(attrs=attrs)
            )

    @property
    def options(self) -> list[forms.BoundField]:
        """Return the fields of the options."""
        return [self[f"option-{place}"] for place in range(OPTIONS)]

    @property
    def right_place(self) -> int | None:
        """Return the index of the option that is marked as right, or None if no option is marked."""
        right = str(self["right"].value() or "")
        return int(right) if right.isdecimal() else None

    def save(self) -> Topic:
        typed = self.cleaned_data
        for name in ("number", "title", "description", "narrative"):
            setattr(self.topic, name, plain(typed[name]))
        self.topic.save()
        options = [plain(typed[f"option-{place}"]) for place in range(OPTIONS)]
        if not typed["question"] and not any(options):
            Question.objects.filter(topic=self.topic).delete()
        else:
            right = int(typed["right"]) if typed["right"] else None
            values = {"text": plain(typed["question"]), "options": options, "right_option": right}
            Question.objects.update_or_create(topic=self.topic, defaults=values)
        return self.topic


def stored_topic(topic: Topic) -> dict[str, str]:
    """Return the stored topic and its question as a dict from the fields of `TopicForm` to values."""
    question = Question.objects.filter(topic_id=topic.pk).first() or Question(options=[""] * OPTIONS)
    options = {f"option-{place}": option for place, option in enumerate(question.options)}
    right = "" if question.right_option is None else str(question.right_option)
    texts = {name: getattr(topic, name) for name in ("number", "title", "description", "narrative")}
    return {**texts, "question": question.text, "right": right, **options}


class AnchorsForm(SetupForm):
    """The anchors that the user chooses for a topic. If a field is empty, the anchor is drawn at random.

    There is a field for each anchor of the study: H and N, and with two pairs also H2 and N2.
    `proposed` has a dict for H and one for N. The keys of each dict are the documents that runs or a pilot
    propose. The values are the reasons to record.
    """

    reason = UncutField(label=gettext_lazy("Reason"), required=False, max_length=LONGEST_REASON)

    def __init__(
        self,
        topic: Topic,
        sent: QueryDict | None = None,
        proposed: Mapping[Grade, Mapping[str, str]] | None = None,
    ) -> None:
        self.topic = topic
        self.proposed = proposed or {}
        self.anchors = topic.study.anchors
        named = {anchor.value: topic.named.get(anchor, "") for anchor in self.anchors}
        super().__init__({**named, "reason": topic.anchor_reason}, sent)
        for anchor in self.anchors:
            self.fields[anchor.value] = forms.CharField(label=anchor.value, required=False)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        for anchor in self.anchors:
            if typed.get(anchor) and (fault := id_fault(typed[anchor])):
                self.add_error(anchor, translated(fault))
        for first, second in combinations(self.anchors, 2):
            if typed.get(first) and typed.get(first) == typed.get(second):
                text = _("{first} and {second} are the same document. Choose two different documents.")
                self.add_error(first, text.format(first=first.value, second=second.value))
                break
        if not self.errors:
            typed["reason"] = self._reason()
            if len(typed["reason"]) > LONGEST_REASON:
                text = _(
                    "Plumbline adds a note on how the anchors were proposed. With this note, the reason is "
                    "too long. Shorten the reason."
                )
                self.add_error("reason", text)
        if not self.errors and not typed["reason"]:
            self._require_reason()
        return typed

    def _reason(self) -> str:
        """Return the reason to store.

        For each anchor that has changed, delete the sentences that say how the earlier anchor was
        proposed. If runs or a pilot proposed the new anchor, add a sentence that says so.
        """
        reason = str(self.cleaned_data["reason"])
        for grade in GRADES:
            document = self.cleaned_data[grade]
            if document != self.stored[grade]:
                reason = replace_proposal(reason, grade, self.proposed.get(grade, {}).get(document, ""))
        return reason

    def _require_reason(self) -> None:
        """If the known grades do not support a chosen anchor, add an error that asks for a reason."""
        chosen = {anchor: self.cleaned_data[anchor] for anchor in self.anchors}
        conflicts = anchors_against_grades(self.topic, chosen)
        if not conflicts:
            return
        sentences = [_("Nothing was saved.")]
        for anchor, (document, known) in conflicts.items():
            if known:
                text = _("You chose {document} as the {anchor} anchor, but its known grade is {known}.")
            else:
                text = _("You chose {document} as the {anchor} anchor, but it has no known grade.")
            sentences.append(text.format(document=document, anchor=anchor.value, known=known))
        self.add_error("reason", " ".join([*sentences, _("Give a reason.")]))

    def save(self) -> None:
        typed = self.cleaned_data
        fields = {named_field(anchor): typed[anchor] for anchor in self.anchors}
        fields["anchor_reason"] = typed["reason"] if any(fields.values()) else ""
        for field, value in fields.items():
            setattr(self.topic, field, value)
        self.topic.save(update_fields=list(fields))
