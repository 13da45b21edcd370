"""Heavy work for pages: asked for here, done by workers, found again by whoever asks the same."""

import json
import pickle
from collections.abc import Callable, Mapping
from typing import Any

from flask import current_app, g, request

from companion.jobs import Dispatcher, HeavyTask, compute_key, name_crowd
from companion.library import Game
from companion.library.heavy import HeavyRuling, is_heavy, judge_everywhere
from companion.library.other_tables import JudgedQuestion, judge_question
from companion.rules.question import Question
from companion.rules.ruling import Ruling
from companion.web.shell.security import browser


def ask(task: HeavyTask, subject: str) -> bytes:
    """The answer of a piece of work; `subject` is what a page calls it that has to wait.

    :raises UnderWay, NotTaken, NoAnswer: like `Desk.ask`; each has a page.
    """
    g.heavy_subject = subject
    who = browser.known_token()
    return _dispatcher().ask(task, who or name_crowd(str(request.remote_addr)))


def prepare(function: Callable[[], bytes]) -> None:
    """Let a worker get ready for what may be asked next; waits for nothing."""
    _dispatcher().prepare(function)


def edition() -> str:
    """What answers depend on beside what was asked: all that the app is made of."""
    version: str = current_app.extensions["files"].version
    return version


def judge(
    game: Game, question: Question, facts: object, asked: Mapping[str, Any], title: str
) -> JudgedQuestion:
    """The ruling on the parsed facts of a question, which `asked` holds as JSON, and those of other tables.

    :raises Unreadable: where the facts contradict each other.
    """
    if not question.heavy(facts):
        return judge_question(game, question.name, facts, asked)
    found = _ask_worker(game, {"question": question.name, **asked}, True, title)
    return JudgedQuestion(game, found.get_ruling(), facts, asked, found.options_read, found.elsewhere)


def rule(game: Game, asked: Mapping[str, Any], title: str) -> Ruling:
    """The ruling on a request of JSON: a question's name and its facts.

    :raises Unreadable: for what does not fit.
    """
    if not is_heavy(game, asked):
        ruling: Ruling = game.family.rule(asked)
        return ruling
    return _ask_worker(game, asked, False, title).get_ruling()


def _ask_worker(game: Game, asked: Mapping[str, Any], everywhere: bool, title: str) -> HeavyRuling:
    table = (game.name, game.preset, dict(game.conventions), game.players)
    facts = json.dumps([table, asked, everywhere], sort_keys=True)
    task = HeavyTask(
        compute_key("ruling", edition(), facts), judge_everywhere, (*table, dict(asked), everywhere)
    )
    found: HeavyRuling = pickle.loads(ask(task, title))
    return found


def _dispatcher() -> Dispatcher:
    dispatcher: Dispatcher = current_app.extensions["desk"]
    return dispatcher
