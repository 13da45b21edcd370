"""The tables that are spread over several machines by the id of their match: defined only here.

A match is read and written by its id alone; only lists read many at once. Running so on PostgreSQL with Citus
is described in `docs/hosting/sharding.md`: `companion shard` prints `list_statements`.
"""

BY_MATCH = {
    "match": "id",
    "event": "match_id",
    "link": "match_id",
    "match_grant": "match_id",
    "link_use": "match_id",
    "erased": "id",
}
"""The tables of matches, each with the column by which it is spread; the rows of a match stay together."""
BY_ITSELF = {"ruling": "id"}
"""Tables that are spread, but do not belong to matches."""
PROBED = ("match", *BY_ITSELF)
"""One table of each group that stays together: a query of all of them reads from every machine."""
EVERYWHERE = ("move", "renewal", "token")
"""Small, rarely written tables of which every machine has a copy."""
FITTING = (
    # A unique key of a spread table has to have the column by which it is spread; so has a foreign key.
    "DROP TRIGGER fill_link_use ON link_use",
    "DROP FUNCTION fill_link_use()",
    "ALTER TABLE link_use DROP CONSTRAINT fk_link_use_link_id, DROP CONSTRAINT fk_link_use_grant_id,"
    " DROP CONSTRAINT pk_link_use",
    "ALTER TABLE link DROP CONSTRAINT uq_link_digest, DROP CONSTRAINT pk_link,"
    " ADD CONSTRAINT pk_link PRIMARY KEY (match_id, id)",
    "CREATE INDEX ix_link_digest ON link (digest)",
    "ALTER TABLE match_grant DROP CONSTRAINT uq_match_grant_id,"
    " ADD CONSTRAINT uq_match_grant_id UNIQUE (match_id, id)",
    "ALTER TABLE link_use ALTER COLUMN match_id SET NOT NULL,"
    " ADD CONSTRAINT pk_link_use PRIMARY KEY (match_id, link_id, grant_id),"
    " ADD CONSTRAINT fk_link_use_link_id FOREIGN KEY (match_id, link_id) REFERENCES link (match_id, id),"
    " ADD CONSTRAINT fk_link_use_grant_id FOREIGN KEY (match_id, grant_id)"
    " REFERENCES match_grant (match_id, id)",
)
"""The changes of keys that let the tables be spread; the program is unaffected."""


def list_statements() -> list[str]:
    """The statements that spread the tables of a database over several machines (Citus), in order."""
    spread = ["CREATE EXTENSION IF NOT EXISTS citus", "SELECT create_distributed_table('match', 'id')"]
    for table, column in BY_MATCH.items():
        if table != "match":
            spread.append(f"SELECT create_distributed_table('{table}', '{column}', colocate_with => 'match')")
    spread += [
        f"SELECT create_distributed_table('{table}', '{column}', colocate_with => 'none')"
        for table, column in BY_ITSELF.items()
    ]
    spread += [f"SELECT create_reference_table('{table}')" for table in EVERYWHERE]
    return [*FITTING, *spread]
