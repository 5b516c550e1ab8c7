"""The OpenAPI 3.1 document, made of the addresses and of the types of the answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext

from puzzleclass.address import absolute
from puzzleclass.api import answers
from puzzleclass.api.access import MAX_REQUESTS
from puzzleclass.errors import ProblemDetails
from puzzleclass.http import Request
from puzzleclass.language import languages
from solvers.message import gettext_noop

ROOT = "/api/v1/"
VERSION = "1.1.0"
"""The version of the API. New fields and addresses raise the second number. A change that could
break a script gets a new `ROOT`."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of the API."""

    name: str
    """The name of the address and of its view."""
    path: str
    """The path below `ROOT`, with the primary key as `{pk}`."""
    summary: str
    page: type[answers.Page]
    key: str = ""
    """What the primary key belongs to; empty for a path without one."""
    takes_days: bool = False
    """Whether the days between which assignments are due can be chosen."""
    takes_since: bool = False
    """Whether only what was done since a time can be asked for."""

    @property
    def route(self) -> str:
        """The path as Django writes it."""
        return f"{ROOT[1:]}{self.path.replace('{pk}', '<key:pk>')}"


_CLASS, _ASSIGNMENT = (
    gettext_noop("The key of the class"),
    gettext_noop("The key of the assignment"),
)

ENDPOINTS = (
    Endpoint("api_classes", "classes", gettext_noop("Your classes"), answers.ClassPage),
    Endpoint(
        "api_students",
        "classes/{pk}/students",
        gettext_noop("The students of a class"),
        answers.StudentPage,
        _CLASS,
    ),
    Endpoint(
        "api_assignments",
        "classes/{pk}/assignments",
        gettext_noop("The assignments of a class"),
        answers.AssignmentPage,
        _CLASS,
    ),
    Endpoint(
        "api_class_results",
        "classes/{pk}/results",
        gettext_noop("The results of each student at each assignment that has started"),
        answers.ClassResultPage,
        _CLASS,
        takes_days=True,
        takes_since=True,
    ),
    Endpoint(
        "api_puzzles",
        "assignments/{pk}/puzzles",
        gettext_noop("The puzzles of an assignment, and what the class has reached"),
        answers.PuzzlePage,
        _ASSIGNMENT,
    ),
    Endpoint(
        "api_results",
        "assignments/{pk}/results",
        gettext_noop("The results of each student at each puzzle of an assignment"),
        answers.ResultPage,
        _ASSIGNMENT,
        takes_since=True,
    ),
)

_REFUSALS = {
    "400": gettext_noop("A parameter can't be understood"),
    "401": gettext_noop("The token is missing or not valid"),
    "404": gettext_noop("Nothing is here that you may see"),
    "429": gettext_noop("Too many requests; the header Retry-After says how many seconds to wait"),
    "503": gettext_noop("The site is busy; the header Retry-After says how many seconds to wait"),
}


def document(request: Request) -> dict[str, Any]:
    """Return the document, with texts in the reader's language."""
    types = [*answers.PAGES, ProblemDetails]
    _refs, schemas = msgspec.json.schema_components(
        types, ref_template="#/components/schemas/{name}"
    )
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "PuzzleClass",
            "version": VERSION,
            "description": gettext(
                "Read your classes and results with scripts of your own. Nothing can be changed."
            ),
        },
        "servers": [{"url": absolute(ROOT[:-1], request)}],
        "security": [{"token": []}],
        "paths": {f"/{each.path}": {"get": _operation(each)} for each in ENDPOINTS},
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": gettext(
                        "A token from the page of your account, or of your school"
                    ),
                }
            },
            "schemas": _translated(schemas),
        },
        "externalDocs": {"url": absolute("/api/", request)},
        "x-language": languages.active(),
        "x-requests-per-minute": MAX_REQUESTS,
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters = [
        _parameter(
            "page",
            gettext("The page of the list, from 1"),
            {"type": "integer", "minimum": 1, "maximum": answers.HIGHEST_PAGE, "default": 1},
        ),
        _parameter(
            "format",
            gettext("JSON or CSV; CSV has the same rows and columns"),
            {"enum": ["json", "csv"], "default": "json"},
        ),
    ]
    if endpoint.takes_days:
        day = {"type": "string", "format": "date"}
        parameters[:0] = [
            _parameter("due_from", gettext("The first day on which an assignment is due"), day),
            _parameter("due_until", gettext("The last day on which an assignment is due"), day),
        ]
    if endpoint.takes_since:
        since = gettext("Only results at which the student has worked since this time")
        moment = {"type": "string", "format": "date-time"}
        parameters.insert(0, _parameter("since", since, moment))
    if endpoint.key:
        key = {"type": "integer", "minimum": 1}
        parameters.insert(0, _parameter("pk", gettext(endpoint.key), key, where="path"))
    refusals = _REFUSALS if endpoint.key else {k: v for k, v in _REFUSALS.items() if k != "404"}
    return {
        "operationId": endpoint.name.removeprefix("api_"),
        "summary": gettext(endpoint.summary),
        "parameters": parameters,
        "responses": {
            "200": {
                "description": gettext("A page of the list"),
                "headers": {
                    "Link": {
                        "description": gettext('The address of the next page (rel="next")'),
                        "schema": {"type": "string"},
                    }
                },
                "content": {
                    "application/json": {"schema": _ref(endpoint.page)},
                    "text/csv": {"schema": {"type": "string"}},
                },
            },
            **{
                status: {
                    "description": gettext(meaning),
                    "content": {"application/problem+json": {"schema": _ref(ProblemDetails)}},
                }
                for status, meaning in refusals.items()
            },
        },
    }


def _parameter(
    name: str, description: str, schema: Mapping[str, object], where: str = "query"
) -> dict[str, Any]:
    is_path = where == "path"
    return {
        **{"name": name, "in": where, "required": is_path},
        **{"description": description, "schema": schema},
    }


def _ref(of: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{of.__name__}"}


def _translated(schema: Any) -> Any:
    """Return the schema with its descriptions in the reader's language.

    msgspec takes the descriptions of types from docstrings, which are for those who read the code.
    """
    if isinstance(schema, list):
        return [_translated(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_type = "properties" in schema
    return {
        key: gettext(value)
        if key == "description" and isinstance(value, str)
        else _translated(value)
        for key, value in schema.items()
        if not (is_type and key in ("description", "title"))
    }


@dataclass(frozen=True, slots=True)
class DescribedAddress:
    """An address of the document, for the page."""

    url: str
    summary: str
    parameters: list[dict[str, Any]]
    fields: list[tuple[str, str, str]]
    """The name, the type and the description of each field of a row."""


def described(document: dict[str, Any]) -> list[DescribedAddress]:
    """Return the addresses of the document with the fields of their rows."""
    schemas = document["components"]["schemas"]
    addresses = []
    for endpoint in ENDPOINTS:
        path = f"/{endpoint.path}"
        operation = document["paths"][path]["get"]
        items = schemas[endpoint.page.__name__]["properties"]["items"]["items"]
        row = schemas[items["$ref"].rpartition("/")[2]]["properties"]
        fields = [(name, _type(each), each["description"]) for name, each in row.items()]
        url = f"{document['servers'][0]['url']}{path}"
        addresses.append(
            DescribedAddress(url, operation["summary"], operation["parameters"], fields)
        )
    return addresses


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a value in the words of JSON Schema."""
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema["enum"])
    return str(schema.get("format") or schema["type"])
