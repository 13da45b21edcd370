"""Many who do something in one moment, each on a connection of its own."""

import threading
from collections.abc import Callable

from flask import Flask, has_app_context

from companion.store.tables import db


def at_once(app: Flask, action: Callable[[int], object], times: int = 8) -> list[object]:
    """What came of what so many threads did in one moment, by their number: an answer, or a refusal."""
    done: list[object] = [None] * times
    ready = threading.Barrier(times)

    def do(number: int) -> None:
        with app.app_context():
            ready.wait()
            try:
                done[number] = action(number)
            except Exception as fault:  # noqa: BLE001  # it is what came of it
                done[number] = fault
            db.session.remove()

    threads = [threading.Thread(target=do, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if has_app_context():
        db.session.rollback()  # what the test reads now is what was written, as in a later request
    return done
