"""A copy of a whole instance: `companion backup | restore`."""

import argparse
import os
import secrets
import shlex
import tempfile
from pathlib import Path
from typing import Any

from companion.archives import backup
from companion.jobs import write_file
from companion.rules.message import CountMessage, Message
from companion.store.folder import note_backup

from .instance import Instance, find_instance, open_matches, show_progress
from .language import render
from .language import say as _
from .reading import BAD_INPUT, Refused, report_error


def add_commands(commands: Any) -> None:
    """Add these commands to a parser."""
    copy = commands.add_parser("backup", help=_("copy the whole instance, even while it is serving"))
    copy.add_argument("-o", "--output", required=True, metavar="FILE", help=_("file to write"))
    copy.add_argument(
        "--without-key", action="store_true", help=_("leave out the key by which browsers are recognised")
    )
    copy.set_defaults(run=_back_up)

    restore = commands.add_parser("restore", help=_("restore such a copy into an empty instance"))
    restore.add_argument("file", metavar="FILE", help=_("a copy that backup made"))
    restore.set_defaults(run=_restore)


def _back_up(arguments: argparse.Namespace) -> int:
    instance, file = find_instance(), Path(arguments.output)
    if instance.is_postgres:
        command = f"pg_dump --format=custom --file={shlex.quote(str(file))}"
        raise Refused(
            Message(
                "COMPANION_DATABASE: the matches are in PostgreSQL, whose own program does this while it"
                " serves: {command} (it asks for the password); keep {file} as well",
                command=_complete(instance, command),
                file=instance.key_file,
            )
        )
    key = None
    if not arguments.without_key and not os.environ.get("COMPANION_SECRET_KEY"):
        key = instance.key_file.read_text() if instance.key_file.is_file() else None
    with show_progress(Message("copying {percent} %")) as progress:
        counted = backup.back_up(instance.database, file, key, progress)
    note_backup(instance.folder)
    print(render(Message("{place}: {content}; checked.", place=file, content=_count(counted))))
    if key is not None:
        print(
            _("It contains the key by which browsers are recognised: keep it where nobody else can read it.")
        )
    else:
        print(_("It does not contain the key by which browsers are recognised: keep a copy of that too."))
    return 0


def _count(counted: backup.Counted) -> list[Message]:
    """List the contents of a database."""
    return [
        CountMessage("{count} match", "{count} matches", counted.matches),
        CountMessage("{count} event", "{count} events", counted.events),
        CountMessage("{count} ruling", "{count} rulings", counted.rulings),
    ]


def _complete(instance: Instance, command: str) -> str:
    """Complete a command of PostgreSQL's own with the database's address; it asks for the password itself."""
    from sqlalchemy import make_url

    address = make_url(str(instance.address))._replace(drivername="postgresql", password=None)
    return f"{command} --dbname={shlex.quote(address.render_as_string())}"


def _restore(arguments: argparse.Namespace) -> int:
    instance, file = find_instance(), Path(arguments.file)
    if instance.is_postgres:
        if not backup.is_file_backup(file):
            raise Refused(
                Message(
                    "COMPANION_DATABASE: the matches are in PostgreSQL, whose own program does this while"
                    " nothing serves: {command} (it asks for the password); put the {file} of the copied"
                    " instance back as well, or browsers are not recognised",
                    command=_complete(instance, f"pg_restore {shlex.quote(str(file))}"),
                    file=instance.key_file,
                )
            )
        return _transfer(instance, file)
    counted, key = backup.look_into(file)
    database = instance.database
    there = backup.count_there(database)
    if not there.is_empty:
        raise Refused(
            Message(
                "{place}: must be empty, but it contains {content};"
                " name the folder of a new instance with COMPANION_INSTANCE",
                place=database,
                content=_count(there),
            )
        )
    instance.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with backup.unpacked(file, database) as half:
        verified = _verify(half)
        backup.put_in_place(half, database)
    print(render(Message("{place}: restored: {content}.", place=database, content=_count(counted))))
    _restore_key(instance, key)
    return _report_verified(verified)


def _transfer(instance: Instance, file: Path) -> int:
    """Put a copy of a file into PostgreSQL."""
    _counted, key = backup.look_into(file)
    with (
        tempfile.TemporaryDirectory(prefix="companion-") as folder,
        backup.unpacked(file, Path(folder) / "companion.sqlite") as half,
    ):
        _verify(half)  # brings it up to date, too
        with open_matches(instance) as matches:
            with show_progress(Message("writing {percent} %")) as progress:
                counted = backup.transfer(half, progress)
            with show_progress(Message("recomputing {percent} %")) as progress:
                verified = backup.verify(matches, progress)
    print(render(Message("{place}: restored: {content}.", place="PostgreSQL", content=_count(counted))))
    _restore_key(instance, key)
    return _report_verified(verified)


def _report_verified(verified: backup.Verified) -> int:
    folded = CountMessage(
        "{count} match was recomputed.", "{count} matches were recomputed.", verified.matches
    )
    compared = CountMessage(
        "{count} match was compared with the totals last shown.",
        "{count} matches were compared with the totals last shown.",
        verified.compared,
    )
    print(f"{render(folded)} {render(compared)}")
    for ids, problem in (
        (verified.unreadable, Message("this version cannot read this match")),
        (verified.different, Message("comes to totals other than those last shown")),
    ):
        for id in ids:
            report_error(f"{id}: {render(problem)}")
    return 0 if verified.is_true else BAD_INPUT


def _verify(half: Path) -> backup.Verified:
    """Bring a restored database up to date, and fold every match in it."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        settings = {"DATABASE": f"sqlite:///{half}", "INSTANCE": folder, "SECRET_KEY": secrets.token_hex(32)}
        with (
            open_matches(Instance(Path(folder), None), settings) as matches,
            show_progress(Message("recomputing {percent} %")) as progress,
        ):
            return backup.verify(matches, progress)


def _restore_key(instance: Instance, key: str | None) -> None:
    """Restore the key by which browsers are recognised; that of an empty instance is overwritten."""
    if os.environ.get("COMPANION_SECRET_KEY"):
        print(
            _("Browsers are recognised by COMPANION_SECRET_KEY: it must be the key of the copied instance.")
        )
    elif key is None:
        line = Message(
            "The copy holds no key: put that of the instance that was copied into {file},"
            " or browsers are not recognised.",
            file=instance.key_file,
        )
        print(render(line))
    else:
        write_file(instance.key_file, key.encode())
