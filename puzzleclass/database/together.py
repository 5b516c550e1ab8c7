"""Make all tables of an app in one step of a migration."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class Together(Operation):
    """Several operations that make new models, as one.

    After each operation, Django builds all models anew that are related to its own, in an app's
    first migration nearly all of the site for each of its tables. Here they are built once, so that
    an empty database is ready in seconds.
    """

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models, which are built when they are next needed."""
        if "apps" in vars(state):
            del state.apps  # a cached property
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Make the tables as they are after all operations."""
        for name in self._names():
            model = to_state.apps.get_model(app_label, name)
            if self.allow_migrate_model(schema_editor.connection.alias, model):
                schema_editor.create_model(model)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Delete the tables."""
        for name in reversed(self._names()):
            model = from_state.apps.get_model(app_label, name)
            if self.allow_migrate_model(schema_editor.connection.alias, model):
                schema_editor.delete_model(model)

    def describe(self) -> str:
        return f"Create {', '.join(self._names())}"

    def _names(self) -> list[str]:
        return [each.name for each in self.operations if isinstance(each, CreateModel)]
