"""Moves to another phone in memory."""

from dataclasses import replace

from companion.store.grants import Move

from .tables import HeldMove, Tables


class MemoryMoves:
    """Codes and words by which another phone becomes the same person."""

    _tables: Tables

    def add_move(self, move: Move) -> None:
        if move.digest in self._tables.moves:
            return
        earlier = self.find_words(move.owner) if move.kind == "words" else None
        if earlier is not None:
            del self._tables.moves[earlier.digest]
            self._tables.note("move", earlier.digest)
        self._keep(HeldMove(move))

    def find_move(self, digest: str, at: str) -> str | None:
        held = self._tables.moves.get(digest)
        if held is None or held.used_at is not None:
            return None
        return held.move.owner if held.move.ends_at is None or held.move.ends_at >= at else None

    def use_move(self, digest: str, at: str, again: Move | None = None) -> str | None:
        owner = self.find_move(digest, at)
        if owner is not None:
            self._keep(HeldMove(self._tables.moves[digest].move, at))
            if again is not None:
                self._keep(HeldMove(replace(again, owner=owner)))
        return owner

    def find_words(self, owner: str) -> Move | None:
        left = (held.move for held in self._tables.moves.values() if held.used_at is None)
        return next((move for move in left if (move.owner, move.kind) == (owner, "words")), None)

    def _keep(self, held: HeldMove) -> None:
        self._tables.moves[held.move.digest] = held
        self._tables.note("move", held.move.digest)
