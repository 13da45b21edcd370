"""Sentences with facts in them."""

from companion.rules.cards import parse_card
from companion.rules.message import Message, SeatName, SideName, Word


def test_plain_english() -> None:
    message = Message("{seat} plays {card}.", seat=SeatName("A"), card=parse_card("10H"))
    assert str(message) == "A plays 10♥."


def test_every_part_is_translated() -> None:
    """Template, words, sentences within sentences and lists are all translated, and names are sentence."""
    polish = {
        "{what} {seat} says {word}.": "{what} {seat} mówi {word}.",
        "Good: {cards}.": "Dobrze: {cards}.",
        "fifty": "fuf",
    }

    def in_polish(text: str | Message, _several: str = "", _count: int = 1, /) -> str:
        return polish.get(str(text), str(text))

    message = Message(
        "{what} {seat} says {word}.",
        what=Message("Good: {cards}.", cards=[parse_card("AS"), 7]),
        seat=SeatName("B"),
        word=Word("fifty"),
    )
    sentence = message.render(in_polish, lambda fact: "Jan")
    assert sentence == "Dobrze: A♠, 7. Jan mówi fuf."


def test_braces_in_a_name_are_shown() -> None:
    assert str(Message("{name} wins.", name="{seat}")) == "{seat} wins."


def test_sentences_are_equal_by_what_they_say() -> None:
    one, other = Message("{n} of {m}", n=1, m=2), Message("{n} of {m}", m=2, n=1)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Message("{n} of {m}", n=1, m=3)
    assert Message("x") != "x" and Message("{n}", n=1) != Message("{n} ", n=1)


def test_a_sentence_shows_itself_to_programmers() -> None:
    assert repr(Message("{seat} leads.", seat=SeatName("A"))) == "Message('A leads.')"


def test_seats_and_sides_are_shown_wherever_they_stand() -> None:
    """In lists and in sentences within sentences; whoever shows them knows which of the two it is."""
    within = Message("{side} wins", side=SideName("B"))
    message = Message("{list}; {seat}", list=(within, [SeatName("C"), Word("ten")]), seat=SeatName("A"))
    assert message.render(show=lambda fact: f"<{fact}>") == (
        "<SideName(seat='B')> wins, <SeatName(seat='C')>, ten; <SeatName(seat='A')>"
    )
