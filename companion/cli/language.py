"""The language in which commands speak to people: chosen by `--lang`, else by the environment.

Output for programs stays English whatever is chosen: JSON, ids of rules and of games, names of commands,
options and arguments (`FILE`), and the word `error:` before a message.
"""

import argparse
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from companion import i18n
from companion.rules.message import Message, Translate, in_english

from .reading import Refused, refuse

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables for the language of messages; the first that is set counts."""
OWN_LANGUAGE = ("sheet", "export")
"""The commands after which `--lang` is the language of a sheet."""


class _Speech:
    """The present language: one command of one process speaks one language."""

    language = i18n.SOURCE
    translate: Translate | None = None
    """None in English, for which no catalogue is read."""


def speak(language: str) -> None:
    """Speak this language from now on, in messages of argparse too."""
    _Speech.language = language
    _Speech.translate = None if language == i18n.SOURCE else i18n.translator(language)
    # It uses gettext, which would look for catalogues of Python's own, and ignores `--lang`. Its stubs have
    # neither name; `tests/cli` check that it uses them.
    argparse._, argparse.ngettext = _say_for_argparse, say  # type: ignore[attr-defined]


def spoken() -> str:
    """The present language."""
    return _Speech.language


def say(text: str | Message, several: str = "", count: int = 1, /) -> str:
    """Translate a text or a sentence into the present language; with `several`, in the form for `count`."""
    return (_Speech.translate or in_english)(text, several, count)


def _say_for_argparse(text: str | None) -> str | None:
    """Translate a text of argparse, if there is one: some end with a space, which no message of ours does."""
    return text and f"{say(text.strip())}{' ' * text.endswith(' ')}"


def pgettext(context: str, text: str) -> str:
    """Translate a text with several meanings; the context says which."""
    if _Speech.translate is not None:
        return i18n.catalogue(_Speech.language).pgettext(context, text)
    return text


def render(message: Message | str) -> str:
    """Translate a sentence; seats stay the letters that the record has for them."""
    return message.render(say) if isinstance(message, Message) else message


def choose_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Choose the language of a command: from its words, else from the environment.

    :raises Refused: if the words name an unknown one; the message is in the environment's language.
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
    """Take the value of `--lang` from argparse; it may have been abbreviated.

    :raises Refused: for an unknown language.
    """
    if named not in i18n.LANGUAGES:
        raise refuse_language(named)
    if named != spoken():
        speak(named)
    return named


def refuse_language(named: str) -> Refused:
    """Refuse an unknown language, naming the known ones."""
    known = Message("must be one of {values}, not {value}", values=list(i18n.LANGUAGES), value=named)
    return Refused(Message("{place}: {requirement}", place="--lang", requirement=known))


def read_environment(environment: Mapping[str, str]) -> str:
    """Read the language from the variables, as gettext does: the first known of `LANGUAGE` and the locale.

    `LANGUAGE` lists several; it is ignored if the locale is `C`, which means English.
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
    """Find the value of `--lang` before the words are parsed, as parsing may already fail, or show help."""
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


def N_(text: str) -> str:  # the name by which pybabel finds texts that other code prints
    """Return the text unchanged, so that the catalogues have it."""
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
"""The messages of argparse for all errors that our commands can have."""


def read_whole(text: str) -> int:
    """Parse a whole number among the arguments.

    :raises argparse.ArgumentTypeError: with a sentence, for other values.
    """
    try:
        return int(text.encode("ascii"))
    except ValueError:
        requirement = Message("must be a whole number, not {value}", value=text)
        raise argparse.ArgumentTypeError(render(requirement)) from None


def read_zone(name: str) -> ZoneInfo:
    """Find a time zone among the arguments, by its name.

    :raises Refused: for an unknown name.
    """
    from companion.sheets.common import find_zone

    zone = find_zone(name)
    if zone is None:
        requirement = Message(
            "must be the name of a time zone, such as Europe/Warsaw, not {value}", value=name
        )
        raise refuse("--timezone", requirement)
    return zone
