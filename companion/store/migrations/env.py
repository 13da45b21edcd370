"""Runs the migrations on the given connection."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transaction_per_migration=True,  # in an open transaction, if there is one
)
with context.begin_transaction():
    context.run_migrations()
