"""What commands print for programs: JSON Schemas, and tokens."""

import json
from datetime import date

import pytest
from derda import HEAD
from jsonschema_rs import Draft202012Validator
from tiers import mostly_at_night

from companion.matches import schemas
from companion.store import StoredMatch

from .instance import ME, RECORD, Run, opened


@pytest.mark.parametrize("subject", schemas.SUBJECTS)
def test_schemas(run: Run, subject: str) -> None:
    code, said, wrong = run("schema", subject, "--game", "derda")
    assert (code, json.loads(said), wrong) == (0, schemas.describe(subject, "derda"), "")
    assert (subject == "record") == Draft202012Validator(json.loads(said)).is_valid(RECORD)


def test_a_schema_of_no_game_of_ours(run: Run) -> None:
    code, said, wrong = run("schema", "record", "--game", "poker")
    assert (code, said, wrong.startswith("error: game: must be one of derda")) == (2, "", True)


def test_a_token_of_the_owner_of_a_match(run: Run, ids: list[str]) -> None:
    """It and nothing else is printed; for one match, in a role."""
    code, said, _wrong = run("token", "--owner", ids[0], "--match", ids[1], "--role", "opponent:B")
    assert code == 0
    with opened() as matches:
        token = matches.tokens.find(said.strip())
        assert token is not None
        assert (token.owner, token.match_id, token.role, token.side) == (ME, ids[1], "opponent", "B")


def test_an_id_that_looks_like_an_option(run: Run, ids: list[str]) -> None:
    id = "-abcdefghijklmnopqrstu"
    with opened() as matches:
        matches.server_store.create_match(StoredMatch(id, ME, HEAD, (), "2026-11-20T19:05:00+01:00"))
    assert run("token", "--owner", id, "--match", id)[0] == 0
    assert run("token", "--owner", f"http://table.test/en/m/{ids[0]}")[0] == 0


def test_a_token_of_somebody_new(run: Run) -> None:
    """Also where nothing was begun yet."""
    code, said, _wrong = run("token", "--owner", "new")
    assert code == 0
    with opened() as matches:
        token = matches.tokens.find(said.strip())
        assert token is not None
        assert (token.match_id, token.role) == (None, "owner")


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (("--owner", "nobody"), "--owner"),
        (("--owner", "<0>", "--match", "nothing"), "--match"),
        (("--owner", "<0>", "--match", "<2>"), "--match"),
        (("--owner", "<0>", "--role", "king"), "--role"),
        (("--owner", "<0>", "--match", "<1>", "--role", "opponent:Z"), "--role"),
    ],
)
def test_no_token(run: Run, ids: list[str], words: tuple[str, ...], place: str) -> None:
    filled = [ids[int(word[1])] if word.startswith("<") else word for word in words]
    code, said, wrong = run("token", *filled)
    assert (code, said, wrong.startswith(f"error: {place}: ")) == (2, "", True)


@mostly_at_night("days", ["0", "-1", "3651", "x"], {"3651"})
def test_a_token_has_an_end(run: Run, ids: list[str], days: str) -> None:
    """A year, or as many days as are said."""
    assert run("token", "--owner", ids[0], "--days", "30")[0] == 0
    with opened() as matches:
        made, ends = (
            (token.made_at[:10], token.ends_at) for token in matches.tokens.list_valid(ME)
        ).__next__()
        assert ends is not None and (date.fromisoformat(ends[:10]) - date.fromisoformat(made)).days == 30
    code, said, wrong = run("token", "--owner", ids[0], "--days", days)
    assert (code, said) == (2, "") and "--days" in wrong


def test_an_owner_is_renewed(run: Run, ids: list[str]) -> None:
    """Former secrets end; the words that are printed lead back in."""
    secret = run("token", "--owner", ids[0])[1].strip()
    code, said, _wrong = run("renew", "--owner", ids[0])
    id, words = said.rstrip("\n").split("\t")
    assert code == 0
    with opened() as matches:
        assert matches.tokens.find(secret) is None
        assert matches.identities.generations([ME]) == {ME: 1}
        assert id == ids[0]
        assert matches.open(id).owner == matches.moves.look_up(words, "a phone") == ME


def test_all_who_had_a_token_are_renewed(run: Run, ids: list[str]) -> None:
    """Also whoever has no match; nobody else."""
    run("token", "--owner", ids[0])
    run("token", "--owner", "new")
    code, said, _wrong = run("renew", "--with-tokens")
    assert code == 0
    lines = [line.split("\t") for line in said.splitlines()]
    assert sorted(id == "-" for id, _words in lines) == [False, True]
    assert run("renew", "--owner", "no-such-match")[0] == 2
    assert run("renew")[0] == 2
