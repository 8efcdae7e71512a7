"""The forms of a topic: its texts with the question, and its anchors."""

from typing import Any

from django import forms
from django.http import QueryDict

from judging.core.intake.readers.sgml import id_fault
from judging.core.intake.topics import LONGEST_NUMBER, LONGEST_REASON, LONGEST_TITLE
from judging.core.words import translated
from judging.models import Question, Topic
from judging.protocol.checks.comprehension import OPTIONS
from judging.setup.anchors import against_the_grades
from judging.setup.pages.forms import Difference, SetupForm, plain


class NewTopicForm(SetupForm):
    """A topic that is written here; its texts follow on a page of its own."""

    number = forms.CharField(
        label="Number",
        max_length=LONGEST_NUMBER,
        help_text="As runs and grades have it; always text.",
        widget=forms.TextInput(attrs={"class": "short"}),
    )
    title = forms.CharField(
        label="Title", max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"dir": "auto"})
    )

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        self.topic = topic
        super().__init__(stored_topic(topic), sent)

    def clean_number(self) -> str:
        number = str(self.cleaned_data["number"])
        if fault := id_fault(number, LONGEST_NUMBER):
            raise forms.ValidationError(translated(fault))
        if Topic.objects.filter(study=self.topic.study, number=number).exclude(pk=self.topic.pk).exists():
            raise forms.ValidationError(f"There is a topic {number} already.")
        return number

    @property
    def differences(self) -> list[Difference]:
        return super().differences if self.topic.pk else []  # it overwrites nothing


class TopicForm(NewTopicForm):
    """A topic with its question. An incomplete question is kept, and the study cannot open with it."""

    topic_key = forms.IntegerField(required=False, widget=forms.HiddenInput)
    description = forms.CharField(
        label="Description", required=False, widget=forms.Textarea(attrs={"dir": "auto"})
    )
    narrative = forms.CharField(
        label="Narrative",
        required=False,
        help_text="What counts as highly relevant, as relevant, as marginal and as not relevant.",
        widget=forms.Textarea(attrs={"dir": "auto"}),
    )
    question = forms.CharField(
        label="Question", required=False, widget=forms.Textarea(attrs={"dir": "auto", "rows": 2})
    )
    right = forms.ChoiceField(
        label="Right option",
        required=False,
        choices=[(str(place), f"Option {place + 1}") for place in range(OPTIONS)],
    )

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        super().__init__(topic, sent)
        self.initial["topic_key"] = topic.pk
        for place in range(OPTIONS):
            attrs = {"dir": "auto", "aria-label": f"Option {place + 1}"}
            self.fields[f"option-{place}"] = forms.CharField(
                label=f"Option {place + 1}", required=False, widget=forms.TextInput(attrs=attrs)
            )

    @property
    def options(self) -> list[forms.BoundField]:
        """The fields of the options."""
        return [self[f"option-{place}"] for place in range(OPTIONS)]

    @property
    def right_place(self) -> int | None:
        """The place of the option that is marked as right."""
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
    """Return a topic with its question as a form shows them."""
    question = Question.objects.filter(topic_id=topic.pk).first() or Question(options=[""] * OPTIONS)
    options = {f"option-{place}": option for place, option in enumerate(question.options)}
    right = "" if question.right_option is None else str(question.right_option)
    texts = {name: getattr(topic, name) for name in ("number", "title", "description", "narrative")}
    return {**texts, "question": question.text, "right": right, **options}


class AnchorsForm(SetupForm):
    """The anchors that somebody chose for a topic; what is empty is drawn."""

    H = forms.CharField(label="H", required=False)
    N = forms.CharField(label="N", required=False)
    reason = forms.CharField(label="Reason", required=False, max_length=LONGEST_REASON)

    def __init__(self, topic: Topic, sent: QueryDict | None = None) -> None:
        self.topic = topic
        stored = {"H": topic.named_h, "N": topic.named_n, "reason": topic.anchor_reason}
        super().__init__(stored, sent)

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        for grade in ("H", "N"):
            if typed.get(grade) and (fault := id_fault(typed[grade])):
                self.add_error(grade, translated(fault))
        if typed.get("H") and typed.get("H") == typed.get("N"):
            self.add_error("H", "H and N must be two documents.")
        if not self.errors and not typed["reason"]:
            self._ask_why()
        return typed

    def _ask_why(self) -> None:
        chosen = {grade: self.cleaned_data[grade] for grade in ("H", "N")}
        if odd := against_the_grades(self.topic, chosen):
            named = " and ".join(f"{document} as {grade}" for grade, document in odd.items())
            what = f"Nothing was saved: the known grades disagree with {named}. Say why you choose it."
            self.add_error("reason", what)

    def save(self) -> None:
        typed = self.cleaned_data
        named = bool(typed["H"] or typed["N"])
        self.topic.named_h, self.topic.named_n = typed["H"], typed["N"]
        self.topic.anchor_reason = typed["reason"] if named else ""
        self.topic.save(update_fields=["named_h", "named_n", "anchor_reason"])
