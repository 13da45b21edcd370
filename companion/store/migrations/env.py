"""Runs the steps on the connection that was handed over."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transaction_per_migration=True,  # where a transaction is open already, all are in that
)
with context.begin_transaction():
    context.run_migrations()
