"""An entry by the API beside the same one by its page, in two matches that are equally long."""

from statistics import median
from time import perf_counter

from flask.testing import FlaskClient

from companion.matches import Role

from ._shared import DEAL, Row, store_match
from .walk import ID, bench_client, post_deal

OTHER, ROUNDS = "bench-bench-bench-5678", 60


def run() -> list[Row]:
    """Turn and turn about, in matches of 60 deals at first."""
    pages, programs = list[float](), list[float]()
    with bench_client() as client:
        app = client.application
        with app.app_context():
            store_match(OTHER, 60)
            token = app.extensions["matches"].tokens.make("bench", Role.OWNER, "form")
        for _round in range(ROUNDS):
            send = post_deal(client, f"/en/m/{ID}/deal")
            began = perf_counter()
            assert send().status_code == 303
            pages.append(perf_counter() - began)
            programs.append(write(client, token))
    return [("an entry by the API", median(programs), "by its page", median(pages))]


def write(client: FlaskClient, token: str) -> float:
    """The seconds of one entry that a program writes."""
    headers = {"Authorization": f"Bearer {token}", "If-Match": "*"}
    began = perf_counter()
    answer = client.post(f"/api/v1/matches/{OTHER}/entries", json=DEAL, headers=headers)
    taken = perf_counter() - began
    assert answer.status_code == 201, answer.text
    return taken
