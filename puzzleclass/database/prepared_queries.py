"""Querysets whose SQL Django writes once.

For a join over several tables, Django takes ten times as long to write the SQL as the database
takes to answer it. docs/decisions/tricks.md has the figures, and the few queries that are prepared.
"""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model, QuerySet, Value

M = TypeVar("M", bound=Model)


class _Parameter(Value):
    """A parameter of the SQL that gets its value later."""

    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        return "%s", [self]


class Prepared(Generic[M]):
    """A queryset that gets its parameters when it is run."""

    def __init__(
        self, make: Callable[..., QuerySet[M, Any]], *fields: "type[Field[Any, Any]]"
    ) -> None:
        """Prepare the queryset that `make` returns.

        `make` is called with a placeholder for each value. `fields` are the model fields that
        convert the values for the database. The queryset may follow relations (`select_related`) or
        select columns (`values_list`).
        """
        self._make = make
        self._parameters = [
            _Parameter(number, output_field=field()) for number, field in enumerate(fields)
        ]

    def __call__(self, *values: object) -> Iterator[Any]:
        """Yield what the queryset yields with these values. Uses one query."""
        connection = connections[DEFAULT_DB_ALIAS]
        queryset, compiled, sql, parameters = self._compiled
        written = [
            parameter.output_field.get_db_prep_value(value, connection)
            for parameter, value in zip(self._parameters, values, strict=True)
        ]
        filled = tuple(
            written[each.value] if isinstance(each, _Parameter) else each for each in parameters
        )
        compiler = copy(compiled)
        compiler.connection = connection
        compiler.as_sql = lambda *args, **kwargs: (sql, filled)
        asked: Any = queryset.all()
        asked.query.get_compiler = lambda *args, **kwargs: compiler
        return iter(asked)

    @cached_property
    def _compiled(self) -> tuple[QuerySet[M, Any], Any, str, tuple[Any, ...]]:
        """The queryset, its compiler, and what the compiler has written, for all threads."""
        queryset = self._make(*self._parameters)
        compiler: Any = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        return queryset, compiler, *compiler.as_sql()
