"""The command line: `companion score | figures | replay | rule | sheet | games | schema | serve | site …`.

Every command reads files or standard input (`-`). Bad input ends with code 2 and one line on standard error
that begins `error:` and names the path and, if one applies, the rule.

Messages are in the language of `--lang`, else of the environment. Whatever scripts look for is the same in
each: `error:`, ids of rules, paths, and all JSON, which is English.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion import __version__, i18n, library
from companion.jobs import use_scratch
from companion.rules.errors import Explained, Unreadable
from companion.rules.message import Message
from companion.store import StoreUnavailable

from . import (
    archives,
    backups,
    figures,
    games,
    renew,
    replay,
    rule,
    schema,
    score,
    server,
    sheet,
    site,
    token,
)
from .language import OWN_LANGUAGE, choose_language, render, speak, take_language
from .language import say as _
from .reading import Refused, report_error
from .score import Scorer

_UNAVAILABLE = {
    "away": Message("the database does not answer ({reason}); try again later"),
    "busy": Message("the database is busy ({reason}); try again later"),
    "full": Message("the disk of the database is full ({reason}); free some space"),
}


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments in one line, like every other error."""

    def error(self, message: str) -> NoReturn:
        """Report wrong arguments. :raises Refused: always."""
        raise Refused(Message("{problem} (see {command} --help)", problem=message, command=self.prog))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, of `argv` or of the command line.

    :returns: the exit code: 0; 2 for input that cannot be used or a record with problems; 1 if the output is
        no longer read.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if argv is None:
        use_scratch()
    words = [archives.protect_id(word) for word in (sys.argv[1:] if argv is None else argv)]
    try:
        speak(choose_language(words, os.environ))
        arguments = _parser().parse_args(words)
        if "COMPANION_GAMES" in os.environ:
            arguments.faults = games.take_host_games(os.environ["COMPANION_GAMES"])
        return int(arguments.run(arguments))
    except (Explained, Unreadable) as refusal:
        return report_error(render(refusal.sentence))
    except library.GameFileError as error:
        return report_error(str(error))  # for the author of the file, in the language of its keys
    except StoreUnavailable as error:
        return report_error(render(Message(_UNAVAILABLE[error.reason].template, reason=error.detail)))
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="companion", description=_("Keep score at the table, settle the argument, print the sheet.")
    )
    parser.add_argument(
        "--version", action="version", version=f"companion {__version__}", help=_("show the version and exit")
    )
    commands = parser.add_subparsers(
        title=_("commands"), required=True, metavar="COMMAND", parser_class=Parser
    )

    parts = (
        score,
        figures,
        replay,
        rule,
        sheet,
        games,
        schema,
        token,
        renew,
        server,
        site,
        archives,
        backups,
    )
    for part in parts:
        part.add_commands(commands)
    speaking = [command for name, command in commands.choices.items() if name not in OWN_LANGUAGE]
    for command in (parser, *speaking):
        command.add_argument(
            "--lang",
            metavar="LANG",
            type=take_language,
            dest="spoken",
            default=argparse.SUPPRESS,
            help=_("language to speak: {languages} (default: that of the environment)").format(
                languages=", ".join(i18n.LANGUAGES)
            ),
        )
    return parser
