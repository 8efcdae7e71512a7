"""A question is drafted from descriptions of topics, and nothing that somebody typed is replaced."""

from judging.protocol.question_draft import LONGEST, Draft, TopicText, as_option, draft_question
from judging.protocol.questions import question_advice

NOTHING = Draft("", ["", "", "", ""], None)
OWN = "How dense loaves are mended. More about it."
OTHERS = ["Why tides differ between ports.", "What salt does to ice.", "How bees find their way home.", "x"]


def untitled(text: str) -> TopicText:
    return TopicText("", text)


LOAVES = untitled(OWN)
TOPICS = [untitled(text) for text in OTHERS]


def test_an_empty_form_is_filled() -> None:
    draft = draft_question(NOTHING, question="What?", topic=LOAVES, others=TOPICS)
    assert draft.question == "What?"
    assert draft.right == 0
    assert draft.options[0] == "How dense loaves are mended."
    assert set(draft.options[1:]) == set(OTHERS[:3]), "the one of another length gives the right one away"


def test_what_was_typed_stays() -> None:
    typed = Draft("Mine?", ["", "mine", "", ""], 2)
    draft = draft_question(typed, question="What?", topic=LOAVES, others=TOPICS)
    assert draft.question == "Mine?"
    assert draft.options[1] == "mine"
    assert (draft.right, draft.options[2]) == (2, "How dense loaves are mended.")
    full = Draft("Mine?", ["a", "b", "c", "d"], None)
    assert draft_question(full, question="What?", topic=LOAVES, others=TOPICS) == full


def test_a_right_option_that_was_typed_stays_the_only_right_one() -> None:
    typed = Draft("", ["loaves", "", "", ""], 0)
    draft = draft_question(typed, question="What?", topic=LOAVES, others=TOPICS)
    assert (draft.right, draft.options[0]) == (0, "loaves")
    assert as_option(LOAVES) not in draft.options


def test_options_for_which_there_is_no_text_stay_empty() -> None:
    draft = draft_question(
        NOTHING,
        question="What?",
        topic=LOAVES,
        others=[untitled(OTHERS[0]), untitled(OTHERS[0].upper()), LOAVES, untitled("")],
    )
    assert [bool(option) for option in draft.options] == [True, True, False, False]
    nothing = draft_question(NOTHING, question="What?", topic=untitled(" "), others=[])
    assert (nothing.options, nothing.right) == (["", "", "", ""], None)


def test_a_long_description_is_cut_between_words() -> None:
    option = as_option(untitled("word " * 100))
    assert option.endswith("word …")
    assert len(option) <= LONGEST + 2
    assert as_option(untitled("x" * 500)).startswith("x" * LONGEST)
    assert as_option(untitled("One.\nTwo.")) == "One."


def test_the_checklist_says_that_the_draft_repeats_the_topic() -> None:
    topic = "Documents about which flours and ovens make dense loaves lighter."
    draft = draft_question(NOTHING, question="What?", topic=untitled(topic), others=TOPICS)
    advice = question_advice(draft.question, draft.options, draft.right, topic)
    assert [entry.holds for entry in advice][-1] is False


def test_an_option_does_not_repeat_the_title() -> None:
    topic = TopicText(
        "Dense loaves", "How dense loaves are mended. Flours, ovens and times that help a baker."
    )
    assert as_option(topic) == "Flours, ovens and times that help a baker."
    assert as_option(topic._replace(title="Bread that bakers sell")) == "How dense loaves are mended."
    only = TopicText("Dense loaves", "How dense loaves are mended. Dense loaves again, and again loaves.")
    assert as_option(only) == "How dense loaves are mended.", "of equals the first"
    assert as_option(TopicText("Dense loaves", "")) == ""
