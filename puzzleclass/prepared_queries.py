"""Queries whose SQL is made once.

For a join over several tables Django takes ten times as long to write the SQL as SQLite to answer
it. That matters only where the same is asked at every move of a class.
"""

from collections.abc import Callable, Iterator
from threading import local
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model, QuerySet, Value
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class _Place(Value):
    """Stands in the SQL where a value is filled in later."""

    def as_sql(self, *args: Any, **kwargs: Any) -> Any:
        return "%s", [self]


class Prepared(Generic[M]):
    """A queryset whose values are given when it is asked."""

    def __init__(
        self, make: Callable[..., QuerySet[M, Any]], *fields: "type[Field[Any, Any]]"
    ) -> None:
        """`make` is called with a place for each value, whose `fields` say how it is written, and
        returns the queryset. That may follow relations (`select_related`) or take columns
        (`values_list`)."""
        self._make = make
        self._places = [_Place(number, output_field=field()) for number, field in enumerate(fields)]
        self._kept = local()  # A compiler belongs to a connection, and that to a thread.

    def rows(self, *values: object) -> Iterator[Any]:
        """Yield the rows of the answer, column by column. One query."""
        compiler, sql, params, converters = self._compiled()
        written = [
            place.output_field.get_db_prep_value(value, compiler.connection)
            for place, value in zip(self._places, values, strict=True)
        ]
        filled = [written[each.value] if isinstance(each, _Place) else each for each in params]
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(sql, filled)
            found = cursor.fetchall()
        rows: Iterator[Any] = compiler.apply_converters(found, converters)
        return rows

    def objects(self, *values: object) -> Iterator[M]:
        """Yield the objects of the answer, each with those it is related to. One query."""
        rows = self.rows(*values)
        model, names, populators = self._kept.objects
        for row in rows:
            made: M = model.from_db(DEFAULT_DB_ALIAS, names, row[: len(names)])
            for populator in populators:
                populator.populate(row, made)
            yield made

    def first(self, *values: object) -> M | None:
        """Return the first object of the answer with those it is related to, None without any."""
        return next(self.objects(*values), None)

    def _compiled(self) -> tuple[Any, str, tuple[Any, ...], dict[int, Any]]:
        """Return the compiler, the SQL with its parameters, and what makes values of columns."""
        connection = connections[DEFAULT_DB_ALIAS]
        if getattr(self._kept, "connection", None) is not connection:
            compiler: Any = self._make(*self._places).query.get_compiler(connection=connection)
            sql, params = compiler.as_sql()
            converters = compiler.get_converters(column for column, *_ in compiler.select)
            if info := compiler.klass_info:
                own = [compiler.select[at][0].target.attname for at in info["select_fields"]]
                related: Any = get_related_populators
                populators = related(info, compiler.select, DEFAULT_DB_ALIAS)
                self._kept.objects = info["model"], own, populators
            self._kept.connection = connection
            self._kept.compiled = compiler, sql, params, converters
        compiled: tuple[Any, str, tuple[Any, ...], dict[int, Any]] = self._kept.compiled
        return compiled
