"""On which apps the tests of pages run: a server's with SQLite. At night tests that write are run also with
PostgreSQL and on the app of a phone, which has no database, each once, whatever its other parameters: all
else of a store its own laws compare."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from flask import Flask

DATABASES = ("sqlite", "postgresql")
OFFLINE_APP = "pocket"
_PRINT = "a phone prints by its browser, and makes no PDF"
_ASK = "programs ask a server"
_SHARE = "another phone is reached by the server alone"
_UNSAID = "a phone's page has a word in it that is not to be there, in what is not shown yet"

WRITING = (
    *("api/", "archives/", "deals/", "hands/", "matches/", "offline/", "sharing/"),
    *("rulings/test_saved", "shell/security/", "shell/test_unavailable"),
    *("test_app", "test_private", "test_resent", "test_without_scripts"),
)
"""The modules whose tests write or are about the database, or whole folders."""

NOT_THERE = {
    "api/": "programs ask a server for rulings",
    "archives/": "imports, and what is put away, are the server's; unit tests have the files of phones",
    "offline/test_budget": "about what is sent over a network",
    "offline/test_files": "files lie beside a phone's app, and its worker finds them there",
    "offline/test_cached_pages": "about pages that are kept where there is no app in the phone",
    "offline/test_moving": _SHARE,
    "offline/test_moving_safely": _SHARE,
    "offline/test_renewal": _SHARE,
    "offline/app/": "about a server that has a pocket to give; that of a phone has tests of its own",
    "sharing/": "phones join by the server alone; `tests/unit/offline_app/parity` compares what they see",
    "shell/security/": "limits, proxies, hosts, keys and the cookie of a browser are a server's; "
    "a phone's app is asked by nobody but its own browser",
    "shell/test_unavailable": "about a database that does not answer",
    "test_app": "about how a server is set up",
    "test_private": "about many browsers at one server",
    "test_resent": "every form of a server; `tests/unit/offline_app/parity` sends those of a phone",
}
"""Those that make no sense in a phone, or whole folders, each with the reason."""


ONLY_ON_SERVERS = {
    "matches/test_scoreboard": {
        "test_one_deal_needs_no_target": _UNSAID,
    },
    "matches/test_picture": {"test_its_addresses": "a picture is painted by the server"},
    "matches/test_sheets": {
        "test_the_pdf_is_kept_until_something_changes": _PRINT,
        "test_an_empty_sheet_can_be_chosen": _PRINT,
        "test_where_no_pdf_can_be_made_the_browser_prints": _PRINT,
        "test_a_print_that_is_killed_can_be_asked_for_again": _PRINT,
        "test_a_tally_can_be_asked_for_and_left": _PRINT,
        "test_a_name_that_cannot_be_printed_is_said": _PRINT,
    },
    "matches/test_varieties": {
        "test_what_cannot_be_combined_is_refused_at_every_door": _ASK,
        "test_what_hangs_on_something_that_is_off": _ASK,
    },
    "offline/test_home_screen": {
        "test_files_are_shared_with_it": "files are taken in by the server",
        "test_an_iphone_gets_its_hints": _SHARE,
        "test_the_steps_are_numbered": _SHARE,
    },
    "test_without_scripts": {
        "test_a_device_moves_by_a_code": _SHARE,
        "test_a_match_is_deleted_and_put_back": "what is put away is on the server",
        "test_the_pencil_goes_from_phone_to_phone": _SHARE,
    },
}
"""Of those modules the tests that ask for something that only a server does, with the reason."""


def says_kinds(test: pytest.Item) -> bool:
    """Whether a test says by itself on which kinds it is run."""
    return any(mark.args[0] == "database" for mark in test.iter_markers("parametrize"))


def choose_kinds(test: pytest.Metafunc) -> Sequence[str]:
    """The kinds that a test is run on; one that makes an app of its own makes that of a server."""
    module = name_module(test.definition)
    if not test.config.getoption("--nightly") or not module.startswith(WRITING):
        return ("sqlite",)
    needs_server = (
        "make_app" in test.fixturenames
        or module.startswith((*NOT_THERE,))
        or test.function.__name__ in ONLY_ON_SERVERS.get(module, {})
    )
    return DATABASES if needs_server else (*DATABASES, OFFLINE_APP)


def find_repeats(tests: Iterable[pytest.Item]) -> list[pytest.Item]:
    """List tests that repeat an earlier one on the same kind of app; SQLite runs all."""
    seen, repeats = set[tuple[str, str]](), []
    for test in tests:
        case = getattr(test, "callspec", None)
        kind = None if case is None else case.params.get("database")
        if kind in (None, "sqlite") or says_kinds(test):
            continue
        name = (test.nodeid.partition("[")[0], kind)
        if name in seen:
            repeats.append(test)
        seen.add(name)
    return repeats


def name_module(test: pytest.Item) -> str:
    """The module of a test of pages, from their folder on."""
    return test.path.with_suffix("").as_posix().rpartition("/web/")[2]


def make_offline_app(server: "Flask", settings: dict[str, Any]) -> "Flask":
    """The app of a phone whose server is this one, on a store in memory."""
    from companion.offline_app.application import create_app, list_addresses
    from companion.store.memory import MemoryStore

    app = create_app(MemoryStore(), "k" * 32, list_addresses(server), server.extensions["files"].version)
    app.config.update(settings)
    return app
