"""Words stand in the order in which readers of their language look for them."""

import random

import pytest

from companion.i18n import LANGUAGES, alphabetical

ORDERED = {
    "en": "50, 7, bait, Bela, belas, last, last trick, lastly, naïve, naive pass, zero",
    "fr": "as, atout, cœur, coffre, cou, dedans, élève, enchère, œuf, ogre, pique, pli",
    "hr": "adut, bela, cijena, čavao, ćuk, dama, dečko, džep, đak, list, ljeto, noć, njiva, štih, zvač, žir",
    "de": "Abheben, Ärger, Arm, Öse, Ost, Straße, Strassen, über, Untermann, Zug",
    "pl": "as, ąk, bajt, cena, ćma, dama, lewa, łata, sztoch, ślad, zero, źle, żołądź",
    "cs": "bejle, cena, čára, darda, hra, chlap, íd, jasek, řez, štych, ťuk, zisk, žito",
    "ru": "без козыря, ёж, ежи, езда, йота, козырь, юз, яма, jass",
    "uk": "взятка, гра, ґанок, дурень, ера, єдиний, жир, ива, іній, їжак, йод, м’яч, мяч а",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_stand_in_the_alphabet_of_the_language(language: str) -> None:
    ordered = ORDERED[language].split(", ")
    words = [*ordered]
    random.Random(7).shuffle(words)
    assert sorted(words, key=lambda word: alphabetical(word, language)) == ordered


def test_the_same_letters_have_one_order() -> None:
    """Capitals and marks decide where nothing else does, whichever comes first."""
    for words in (["Bela", "bela"], ["bela", "Bela"]):
        assert sorted(words, key=lambda word: alphabetical(word, "en")) == ["Bela", "bela"]
