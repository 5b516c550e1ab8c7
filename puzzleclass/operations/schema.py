"""The tables as the applied migrations make them, whether or not the database is up to date."""

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """Return where tables differ from what the applied migrations make, one line for each table.

    Only the names of tables and columns are compared, which takes a few milliseconds. Migrations
    that this release does not have are those of another version, and nothing is compared. Raises
    DatabaseError.
    """
    loader = MigrationLoader(connection)
    unknown = sorted(
        f"{app}.{name}"
        for app, name in loader.applied_migrations.keys() - loader.graph.nodes.keys()
        if app in loader.migrated_apps
    )
    if unknown:
        return [f"it has migrations of another version, such as {unknown[-1]}"]
    models = migrated_models(loader)
    texts = []
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        for meta in (model._meta for model in models if model._meta.managed):
            if meta.db_table not in there:
                texts.append(f"no table {meta.db_table}")
                continue
            # Django's own description takes a hundred times as long with SQLite, because it parses
            # the definition of the table.
            table = connection.ops.quote_name(meta.db_table)
            cursor.execute(f"SELECT * FROM {table} WHERE 1 = 0")
            columns = {column[0] for column in cursor.description}
            expected = {str(field.column) for field in meta.local_concrete_fields}
            if columns != expected:
                lacks = [f"no column {name}" for name in sorted(expected - columns)]
                more = [f"an unknown column {name}" for name in sorted(columns - expected)]
                texts.append(f"{meta.db_table} has {' and '.join(lacks + more)}")
    return texts


def migrated_models(loader: MigrationLoader) -> list[type[Model]]:
    """Return the models as the applied migrations make them.

    When every migration is applied, these are the models of the installed apps. To build them from
    the migrations takes Django longer than all the rest of the check.
    """
    applied = [node for node in loader.graph.nodes if node in loader.applied_migrations]
    if len(applied) < len(loader.graph.nodes):
        earlier = loader.project_state(applied).apps
        return list(earlier.get_models(include_auto_created=True))
    today = apps.get_models(include_auto_created=True)
    return [model for model in today if model._meta.app_label in loader.migrated_apps]


def has_pending_migrations(loader: MigrationLoader) -> bool:
    """Return whether this release has migrations that the database lacks."""
    return not loader.graph.nodes.keys() <= loader.applied_migrations.keys()
