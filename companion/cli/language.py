"""In which language commands speak to people: chosen by `--lang`, else by the environment.

What programs read stays English whatever is chosen: JSON, ids of rules and of games, names of commands,
options and places (`FILE`), and the word `error:` before what is wrong.
"""

import argparse
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from companion import i18n
from companion.rules.message import Message, Translate

from .reading import Refused, refuse

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the locale of people's messages stands; the first that says anything holds."""
OWN_LANGUAGE = ("sheet", "export")
"""The commands behind which `--lang` is the language of a sheet."""


class _Speech:
    """What is spoken just now: one command of one process speaks one language."""

    language = i18n.SOURCE
    translate: Translate | None = None
    """None in English, for which no catalogue is read."""


def speak(language: str) -> None:
    """Speak this language from now on; so does what argparse says by itself."""
    _Speech.language = language
    _Speech.translate = None if language == i18n.SOURCE else i18n.translator(language)
    # It asks gettext, which would look for catalogues of Python's own, and knows nothing of `--lang`.
    # Its stubs have neither name; `tests/cli` hold that it asks by them.
    argparse._, argparse.ngettext = _say_for_argparse, say  # type: ignore[attr-defined]


def spoken() -> str:
    """The language that is spoken."""
    return _Speech.language


def say(text: str, several: str = "", count: int = 1, /) -> str:
    """A text in the language that is spoken; with what is said of `several` too, as goes with `count`."""
    if _Speech.translate is not None:
        return _Speech.translate(text, several, count)
    return several if several and count != 1 else text


def _say_for_argparse(text: str | None) -> str | None:
    """A text of argparse, where it has one: some end with a space, as no message of ours does."""
    return text and f"{say(text.strip())}{' ' * text.endswith(' ')}"


def pgettext(context: str, text: str) -> str:
    """A text that may mean several things, in the language that is spoken; the context says which."""
    if _Speech.translate is not None:
        return i18n.catalogue(_Speech.language).pgettext(context, text)
    return text


def render(message: Message | str) -> str:
    """A sentence in the language that is spoken; seats stay the letters that the record has for them."""
    return message.render(say) if isinstance(message, Message) else message


def choose_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that a command is to speak: as its words say, else as the environment does.

    :raises Refused: when the words name none that there is; that is said as the environment wants it.
    """
    usual = read_environment(environment)
    named = _find_option(words)
    if named is None:
        return usual
    if named not in i18n.LANGUAGES:
        speak(usual)
        raise refuse_language(named)
    return named


def take_language(named: str) -> str:
    """What argparse does with the value of `--lang`, which may have been written shorter.

    :raises Refused: when there is no such language.
    """
    if named not in i18n.LANGUAGES:
        raise refuse_language(named)
    if named != spoken():
        speak(named)
    return named


def refuse_language(named: str) -> Refused:
    """That there is no such language, and which there are."""
    known = Message("must be one of {values}, not {value}", values=list(i18n.LANGUAGES), value=named)
    return Refused(Message("{place}: {requirement}", place="--lang", requirement=known))


def read_environment(environment: Mapping[str, str]) -> str:
    """The language that the variables name, read as gettext reads them: of `LANGUAGE`, which lists several,
    and the locale, the first that there is; English where the locale is `C`, whatever is listed.
    """
    locale = next(filter(None, (environment.get(name, "") for name in LOCALES)), "")
    wanted = [
        named.partition(".")[0].partition("@")[0]
        for named in (*environment.get("LANGUAGE", "").split(":"), locale)
    ]
    if wanted[-1] in ("C", "POSIX"):
        return i18n.SOURCE
    languages = (name.replace("-", "_").partition("_")[0].lower() for name in wanted)
    return next((language for language in languages if language in i18n.LANGUAGES), i18n.SOURCE)


def _find_option(words: Sequence[str]) -> str | None:
    """What `--lang` says; it is wanted before the words are parsed, for that alone may fail, or show help."""
    found, command, rest = None, "", iter(words)
    for word in rest:
        if word == "--":
            break
        is_ours = command not in OWN_LANGUAGE
        if word == "--lang":
            value = next(rest, None)
            found = value if is_ours and value is not None else found
        elif word.startswith("--lang="):
            found = word.partition("=")[2] if is_ours else found
        elif not command and not word.startswith("-"):
            command = word
    return found


def N_(text: str) -> str:  # the name by which pybabel knows texts that somebody else says
    """The text as it is, for the catalogues to have it."""
    return text


WORDS_OF_ARGPARSE = (
    N_("usage:"),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("expected one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
)
"""What argparse says by itself, of all that can go wrong with our commands."""


def read_whole(text: str) -> int:
    """A whole number among the arguments.

    :raises argparse.ArgumentTypeError: with a sentence, when it is none.
    """
    try:
        return int(text.encode("ascii"))
    except ValueError:
        requirement = Message("must be a whole number, not {value}", value=text)
        raise argparse.ArgumentTypeError(render(requirement)) from None


def read_zone(name: str) -> ZoneInfo:
    """A time zone among the arguments, by its name.

    :raises Refused: when there is none of this name.
    """
    from companion.sheets.common import find_zone

    zone = find_zone(name)
    if zone is None:
        requirement = Message(
            "must be the name of a time zone, such as Europe/Warsaw, not {value}", value=name
        )
        raise refuse("--timezone", requirement)
    return zone
