"""Links, grants and moves in the database."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Row,
    Select,
    String,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from companion.rules.schema import is_storable
from companion.store.engine import begin_writing, raises_unavailable
from companion.store.grants import Grant, Link, Move, Renewal, Token, add_to, is_open_to
from companion.store.interface import StoreUnavailable
from companion.store.tables import (
    EventRow,
    GrantRow,
    LinkRow,
    LinkUseRow,
    MatchRow,
    MoveRow,
    RenewalRow,
    TokenRow,
    db,
)

RowT = TypeVar("RowT")
_LINK = tuple(getattr(LinkRow, name) for name in Link.__dataclass_fields__)
_GRANT = tuple(getattr(GrantRow, name) for name in Grant.__dataclass_fields__)
_MOVE = tuple(getattr(MoveRow, name) for name in Move.__dataclass_fields__)
_RENEWAL = tuple(getattr(RenewalRow, name) for name in Renewal.__dataclass_fields__)
_TOKEN = tuple(getattr(TokenRow, name) for name in Token.__dataclass_fields__)
_KEY = ("match_id", "browser", "id")
_LENGTH = select(func.max(EventRow.seq)).where(EventRow.match_id == bindparam("id", type_=String))
_VERSION = select(_LENGTH.correlate(None).scalar_subquery(), MatchRow.access).where(
    MatchRow.id == bindparam("id", type_=String), MatchRow.deleted_at.is_(None)
)
_ATTEMPTS = 20
"""The attempts to store words while others replace them."""


@raises_unavailable
class SqlGrants:
    """Links, grants and moves in the database that `engine.open_database` opened; needs its app's context."""

    def add_link(self, link: Link) -> None:
        connection = begin_writing()
        _lock(connection, link.match_id)
        try:
            connection.execute(insert(LinkRow).values(asdict(link)))
            _count_change(connection, link.match_id)
            db.session.commit()
        except IntegrityError:  # it exists already
            db.session.rollback()

    def find_link(self, digest: str) -> Link | None:
        return _find(select(*_LINK).where(LinkRow.digest == digest), Link)

    def list_links(self, match_id: str) -> list[Link]:
        query = select(*_LINK).where(LinkRow.match_id == match_id)
        return [Link(**row._mapping) for row in _read(query.order_by(LinkRow.made_at.desc(), LinkRow.id))]

    def list_users(self, match_id: str) -> dict[str, list[Grant]]:
        users: dict[str, list[Grant]] = {}
        for row in _read(_select_users(match_id)):
            users.setdefault(row[0], []).append(Grant(*tuple(row)[1:]))
        return users

    def revoke_link(self, match_id: str, link_id: str, at: str) -> None:
        if not is_storable(match_id, link_id):
            return
        links = update(LinkRow).where(LinkRow.match_id == match_id, LinkRow.id == link_id)
        given = select(LinkUseRow.grant_id).where(
            LinkUseRow.match_id == match_id, LinkUseRow.link_id == link_id
        )
        _end(
            match_id,
            links.where(LinkRow.revoked_at.is_(None)),
            _update_grants(match_id, GrantRow.id.in_(given)),
            at=at,
        )

    def join(self, link: Link, grant: Grant) -> Grant | None:
        connection = begin_writing()
        try:
            # Locked until the end: of two that use a link at once the second sees that the first has used it.
            changed_at = _lock(connection, link.match_id)
            own = (LinkRow.match_id == link.match_id, LinkRow.id == link.id)
            now = connection.execute(select(*_LINK).where(*own)).first()
            used = connection.execute(_select_users(link.match_id).where(LinkUseRow.link_id == link.id))
            users = [Grant(*row[1:]) for row in used]
            if now is None or not is_open_to(Link(*now), users, grant.browser):
                return None
            query = select(*_GRANT).where(
                GrantRow.match_id == link.match_id, GrantRow.browser == grant.browser
            )
            present = connection.execute(query).first()
            if any(user.browser == grant.browser for user in users):  # revoked rights stay revoked
                return Grant(*present) if present is not None else None
            if present is None:
                connection.execute(insert(GrantRow).values(asdict(grant) | {"listed_at": changed_at}))
            else:
                grant = add_to(Grant(*present), grant)
                own = (GrantRow.match_id == link.match_id, GrantRow.browser == grant.browser)
                changed = {key: value for key, value in asdict(grant).items() if key not in _KEY}
                connection.execute(update(GrantRow).where(*own).values(changed))
            use = {"link_id": link.id, "grant_id": grant.id, "match_id": link.match_id}
            connection.execute(insert(LinkUseRow).values(use))
            _count_change(connection, link.match_id)
            db.session.commit()
            return grant
        finally:
            db.session.rollback()

    def add_grants(self, grants: Sequence[Grant]) -> None:
        connection = begin_writing()
        for match_id in {grant.match_id for grant in grants}:
            changed_at = _lock(connection, match_id)
            present = set(connection.scalars(select(GrantRow.browser).where(GrantRow.match_id == match_id)))
            new = [grant for grant in grants if grant.match_id == match_id and grant.browser not in present]
            if new:
                connection.execute(
                    insert(GrantRow), [asdict(grant) | {"listed_at": changed_at} for grant in new]
                )
                _count_change(connection, match_id)
        db.session.commit()

    def find_grant(self, match_id: str, browser: str) -> Grant | None:
        if not is_storable(match_id, browser):
            return None
        query = select(*_GRANT).where(
            GrantRow.match_id == match_id, GrantRow.browser == browser, GrantRow.revoked_at.is_(None)
        )
        return _find(query, Grant)

    def list_grants(self, match_id: str) -> list[Grant]:
        query = select(*_GRANT).where(GrantRow.match_id == match_id)
        return [Grant(**row._mapping) for row in _read(query.order_by(GrantRow.at.desc(), GrantRow.id))]

    def give_pencil(self, match_id: str, grant_id: str, has_pencil: bool) -> Grant | None:
        if not is_storable(match_id, grant_id):
            return None
        connection = begin_writing()
        _lock(connection, match_id)
        holding = _update_grants(match_id, GrantRow.id == grant_id)
        row = connection.execute(holding.values(has_pencil=has_pencil).returning(*_GRANT)).first()
        if row is not None:
            _count_change(connection, match_id)
        db.session.commit()
        return None if row is None else Grant(**row._mapping)

    def revoke_grant(self, match_id: str, grant_id: str, at: str, may_return: bool = False) -> None:
        if not is_storable(match_id, grant_id):
            return
        for_many = select(LinkRow.id).where(LinkRow.match_id == match_id, LinkRow.once.is_(False))
        uses = delete(LinkUseRow).where(
            LinkUseRow.match_id == match_id, LinkUseRow.grant_id == grant_id, LinkUseRow.link_id.in_(for_many)
        )
        ended = _update_grants(match_id, GrantRow.id == grant_id)
        _end(match_id, ended, at=at, then=[uses] if may_return else [])

    def load_version(self, match_id: str) -> tuple[int, int] | None:
        if not is_storable(match_id):
            return None
        row = db.session.connection().execute(_VERSION, {"id": match_id}).first()
        return None if row is None else (row[0] or 0, row[1])

    def count_change(self, match_id: str) -> None:
        _count_change(begin_writing(), match_id)
        db.session.commit()

    def add_token(self, token: Token) -> None:
        connection = begin_writing()
        try:
            connection.execute(insert(TokenRow).values(asdict(token)))
            db.session.commit()
        except IntegrityError:  # it exists already
            db.session.rollback()

    def find_token(self, digest: str) -> Token | None:
        return _find(select(*_TOKEN).where(TokenRow.digest == digest, _is_newest(TokenRow)), Token)

    def list_tokens(self, owner: str) -> list[Token]:
        query = select(*_TOKEN).where(TokenRow.owner == owner, _is_newest(TokenRow))
        return [Token(**row._mapping) for row in _read(query.order_by(TokenRow.made_at.desc(), TokenRow.id))]

    def change_token(self, token: Token) -> None:
        times = {"used_at": token.used_at, "revoked_at": token.revoked_at}
        changed = {name: at for name, at in times.items() if at is not None}  # revoked ones stay revoked
        begin_writing().execute(update(TokenRow).where(TokenRow.digest == token.digest).values(changed))
        db.session.commit()

    def list_token_owners(self) -> list[str]:
        owners = select(TokenRow.owner).distinct().order_by(TokenRow.owner)
        return [row[0] for row in _read(owners)]

    def find_renewals(self, owners: Collection[str]) -> list[Renewal]:
        return [
            Renewal(**row._mapping) for row in _read(select(*_RENEWAL).where(RenewalRow.owner.in_(owners)))
        ]

    def renew(self, renewal: Renewal) -> Renewal:
        which = RenewalRow.owner == renewal.owner
        for _attempt in range(_ATTEMPTS):
            connection = begin_writing()
            earlier = _find(select(*_RENEWAL).where(which), Renewal)
            if earlier is not None and (
                earlier.generation >= renewal.generation or earlier.key == renewal.key
            ):
                db.session.rollback()
                return earlier
            try:
                if earlier is None:
                    connection.execute(insert(RenewalRow).values(asdict(renewal)))
                else:
                    unchanged = update(RenewalRow).where(which, RenewalRow.generation == earlier.generation)
                    if connection.execute(unchanged.values(asdict(renewal))).rowcount == 0:
                        db.session.rollback()  # another renewed a moment ago
                        continue
                db.session.commit()
                return renewal
            except IntegrityError:  # the first renewal of this owner, stored by another a moment ago
                db.session.rollback()
        raise StoreUnavailable("busy", f"{_ATTEMPTS} others were quicker")

    def add_move(self, move: Move) -> None:
        for _attempt in range(_ATTEMPTS):
            connection = begin_writing()
            if connection.execute(select(MoveRow.digest).where(MoveRow.digest == move.digest)).first():
                return
            if move.kind == "words":
                earlier = (MoveRow.owner == move.owner, MoveRow.kind == "words", MoveRow.used_at.is_(None))
                connection.execute(delete(MoveRow).where(*earlier))
            try:
                connection.execute(insert(MoveRow).values(asdict(move)))
                db.session.commit()
                return
            except IntegrityError:  # other words of this owner, stored a moment ago: they are deleted too
                db.session.rollback()
        raise StoreUnavailable("busy", f"{_ATTEMPTS} others were quicker")

    def find_move(self, digest: str, at: str) -> str | None:
        query = select(MoveRow.owner).where(*_is_left(digest, at))
        owner: str | None = db.session.connection().execute(query).scalar()
        return owner

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        connection = begin_writing()
        used = update(MoveRow).where(*_is_left(digest, at)).values(used_at=at)
        found = connection.execute(used.returning(MoveRow.owner, MoveRow.generation)).first()
        if found is not None and again is not None:
            owned = replace(again, owner=found.owner, generation=found.generation)
            connection.execute(insert(MoveRow).values(asdict(owned)))
        db.session.commit()
        return None if found is None else str(found.owner)

    def find_words(self, owner: str) -> Move | None:
        query = select(*_MOVE).where(
            MoveRow.owner == owner, MoveRow.kind == "words", MoveRow.used_at.is_(None), _is_newest(MoveRow)
        )
        return _find(query, Move)


def _find(query: Select[Any], shape: type[RowT]) -> RowT | None:
    """Read the first row; None without any."""
    row = db.session.connection().execute(query).first()
    return None if row is None else shape(**row._mapping)


def _read(query: Select[Any]) -> list[Row[Any]]:
    return list(db.session.connection().execute(query))


def _select_users(match_id: str) -> Select[Any]:
    """Select the id of each link of a match that was joined by, and the grant."""
    given = and_(GrantRow.id == LinkUseRow.grant_id, GrantRow.match_id == LinkUseRow.match_id)
    used = select(LinkUseRow.link_id, *_GRANT).join_from(LinkUseRow, GrantRow, given)
    return used.where(LinkUseRow.match_id == match_id).order_by(GrantRow.at.desc(), GrantRow.id)


def _lock(connection: Connection, match_id: str) -> str | None:
    """Lock the match until the end of the transaction; done first, so that no deadlock arises.

    Returns the time of its last event.
    """
    found = select(MatchRow.changed_at).where(MatchRow.id == match_id).with_for_update()
    changed_at: str | None = connection.execute(found).scalar()
    return changed_at


def _count_change(connection: Connection, match_id: str) -> None:
    connection.execute(update(MatchRow).where(MatchRow.id == match_id).values(access=MatchRow.access + 1))


def _update_grants(match_id: str, which: ColumnElement[bool]) -> Update:
    """An update of those grants of a match that are valid."""
    return update(GrantRow).where(GrantRow.match_id == match_id, GrantRow.revoked_at.is_(None), which)


def _end(match_id: str, *which: Update, at: str, then: Sequence[Delete] = ()) -> None:
    connection = begin_writing()
    _lock(connection, match_id)
    ended = sum(connection.execute(change.values(revoked_at=at)).rowcount for change in which)
    if ended:
        for statement in then:
            connection.execute(statement)
        _count_change(connection, match_id)
    db.session.commit()


def _is_left(digest: str, at: str) -> tuple[ColumnElement[bool], ...]:
    """The condition that a move has this digest, and can still be used at that time."""
    has_time = or_(MoveRow.ends_at.is_(None), MoveRow.ends_at >= at)
    return MoveRow.digest == digest, MoveRow.used_at.is_(None), has_time, _is_newest(MoveRow)


def _is_newest(row: type[MoveRow] | type[TokenRow]) -> ColumnElement[bool]:
    """The condition that a row is of the newest generation of its owner."""
    newest = select(RenewalRow.generation).where(RenewalRow.owner == row.owner).scalar_subquery()
    return row.generation == func.coalesce(newest, 0)
