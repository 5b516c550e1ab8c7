"""Queries that reuse their compiled SQL.

For a join over several tables, Django takes ten times as long to write the SQL as SQLite takes to
answer it. That matters only for queries that are asked at every move of a class, or by all of its
students in the first minute of a lesson.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar
from uuid import UUID
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BigIntegerField,
    CharField,
    DateTimeField,
    Field,
    Model,
    QuerySet,
    TextField,
    UUIDField,
    Value,
)
from django.db.models.query import get_related_populators
from django.utils import timezone

M = TypeVar("M", bound=Model)
T = TypeVar("T")

USUAL_NUMBERS = (1, 2, 4, 8)
"""The numbers of values that `rounded_up` returns for most assignments."""

_all: "WeakSet[Prepared[Any]]" = WeakSet()
"""The prepared queries that exist."""

_EXAMPLES: "dict[type[Field[Any, Any]], Callable[[], object]]" = {
    BigIntegerField: int,
    CharField: str,
    DateTimeField: timezone.now,
    TextField: str,
    UUIDField: lambda: UUID(int=0),
}
"""For each type of parameter, the value with which `ask_all` asks."""


class _Parameter(Value):
    """A parameter of the SQL that gets its value later."""

    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        return "%s", [self]


@dataclass(slots=True)
class _Compiled:
    """A query in SQL, and what makes objects of its rows."""

    compiler: Any
    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, Any]
    model: Any = None
    names: list[str] = field(default_factory=list)
    """The attributes of the model, in the order of the first columns."""
    populators: list[Any] = field(default_factory=list)
    """Django's objects that fill in a related object each."""
    annotations: dict[str, int] = field(default_factory=dict)
    """Name of an annotation -> its column."""


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
        _all.add(self)

    def rows(self, *values: object) -> Iterator[Any]:
        """Yield the rows of the result as sequences of column values. Uses one query."""
        connection = connections[DEFAULT_DB_ALIAS]
        written = [
            parameter.output_field.get_db_prep_value(value, connection)
            for parameter, value in zip(self._parameters, values, strict=True)
        ]
        compiled = self._compiled
        filled = [
            written[each.value] if isinstance(each, _Parameter) else each
            for each in compiled.parameters
        ]
        found = _answer(connection, compiled.sql, filled)
        rows: Iterator[Any] = compiled.compiler.apply_converters(found, compiled.converters)
        return rows

    def objects(self, *values: object) -> Iterator[M]:
        """Yield the objects of the result, each with its related objects and annotations. Uses one
        query."""
        rows = self.rows(*values)
        names = self._compiled.names
        for row in rows:
            made: M = self._compiled.model.from_db(DEFAULT_DB_ALIAS, names, row[: len(names)])
            for populator in self._compiled.populators:
                populator.populate(row, made)
            for name, column in self._compiled.annotations.items():
                setattr(made, name, row[column])
            yield made

    def first(self, *values: object) -> M | None:
        """Return the first object of the result with its related objects; None when there is
        none."""
        return next(self.objects(*values), None)

    @cached_property
    def _compiled(self) -> _Compiled:
        """The query in SQL, for all threads: it depends on the kind of the database, but on none of
        its connections."""
        query = self._make(*self._parameters).query
        compiler: Any = query.get_compiler(connection=connections[DEFAULT_DB_ALIAS])
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters(column for column, *_ in compiler.select)
        compiled = _Compiled(compiler, sql, parameters, converters)
        if info := compiler.klass_info:
            related: Any = get_related_populators
            compiled.model = info["model"]
            compiled.names = [compiler.select[at][0].target.attname for at in info["select_fields"]]
            compiled.populators = related(info, compiler.select, DEFAULT_DB_ALIAS)
            compiled.annotations = compiler.annotation_col_map
        return compiled


def rounded_up(values: Sequence[T]) -> list[T]:
    """Return the values, with the last one repeated until their number is a power of two.

    So a query for so many values needs only a few forms, and those for `USUAL_NUMBERS` can be
    prepared when the process starts.
    """
    number = 1 << (len(values) - 1).bit_length()
    return [*values, *[values[-1]] * (number - len(values))]


def ask_all() -> None:
    """Ask each prepared query that exists once, and drop the answers.

    Afterwards the calling thread has a connection, the SQL, and the plans of PostgreSQL, for which
    the first visitors of a lesson would wait.
    """
    for query in list(_all):
        query.rows(*(_EXAMPLES[type(each.output_field)]() for each in query._parameters))


def _answer(connection: BaseDatabaseWrapper, sql: str, parameters: Sequence[Any]) -> list[Any]:
    """Return the rows that the database answers.

    PostgreSQL takes longer to plan such a join than to answer it. It keeps the plan of a statement
    that it has prepared. Such a statement takes its parameters apart from the SQL, while Django's
    cursors write them into it, so it gets a cursor of psycopg's own.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            from psycopg import Cursor

            cursor.cursor = Cursor(connection.connection)
        cursor.execute(sql, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows
