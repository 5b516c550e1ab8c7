"""The page and the picture of the data model, which `make docs` writes from the models."""

import inspect
import os
from collections.abc import Iterator
from html import escape
from pathlib import Path

import django

BOX_WIDTH, BOX_HEIGHT = 132, 30
COLUMN, ROW = 184, 50
MARGIN, HEAD = 20, 60

DELETION = {
    "CASCADE": "is deleted with it",
    "SET_NULL": "stays without it",
    "PROTECT": "keeps it from being deleted",
    "RESTRICT": "keeps it from being deleted",
    "DO_NOTHING": "stays as it is",
}
HEADING = """\
# Data model

![The tables of PuzzleClass, a column for each app, and their references](data-model.svg)

An arrow leads from a table to the one that it refers to. Tables of Django (content types,
second factors) are left out, and so are arrows within a column where a table refers to itself.
"""


def write(folder: Path) -> None:
    """Write the page and its picture into the folder, which is created if necessary."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")
    django.setup()
    folder.mkdir(exist_ok=True)
    (folder / "data-model.md").write_text(page(), encoding="utf-8")
    (folder / "data-model.svg").write_text(picture(), encoding="utf-8")


def tables() -> dict[str, list]:
    """Return the models of each of the project's apps, in the order of `INSTALLED_APPS`."""
    from django.apps import apps

    ours = (app for app in apps.get_app_configs() if app.name.startswith("puzzleclass."))
    found = {app.label: list(app.get_models()) for app in ours}
    return {label: models for label, models in found.items() if models}


def references(model) -> Iterator:
    """Yield the fields by which the model refers to models of the project."""
    ours = {one for models in tables().values() for one in models}
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        if field.is_relation and field.related_model in ours:
            yield field


# The page


def page() -> str:
    """Return the page: the picture, and the columns of each table."""
    parts = [HEADING]
    for label, models in tables().items():
        parts.append(f"## {label}\n")
        parts += [section(model) for model in models]
    return "\n".join(parts)


def section(model) -> str:
    """Return the section of the page about a model."""
    lines = [f"### {model.__name__}", ""]
    if said := meaning(model):
        lines += [said, ""]
    lines += ["| column | type | |", "|---|---|---|"]
    for field in (*model._meta.local_fields, *model._meta.local_many_to_many):
        lines.append(f"| `{field.name}` | {field.get_internal_type()} | {remark(field)} |")
    return "\n".join([*lines, ""])


def meaning(model) -> str:
    """Return the first paragraph of the model's own docstring, or an empty text without one."""
    text = inspect.cleandoc(model.__doc__ or "").split("\n\n")[0]
    is_django_s = text.startswith(f"{model.__name__}(")
    return "" if is_django_s else " ".join(text.split())


def remark(field) -> str:
    """Return the remark about a column in the model's table."""
    words = []
    if field.is_relation:
        words.append(f"→ {field.related_model.__name__}")
        if (rule := getattr(field.remote_field, "on_delete", None)) is not None:
            words.append(DELETION[rule.__name__])
    if getattr(field, "primary_key", False):
        words.append("primary key")
    elif getattr(field, "unique", False):
        words.append("unique")
    if field.null:
        words.append("may be empty")
    return ", ".join(words)


# The picture


def picture() -> str:
    """Return the picture: an app is a column, a model a box, a reference an arrow."""
    columns = tables()
    at = {
        model: (MARGIN + column * COLUMN, HEAD + row * ROW)
        for column, models in enumerate(columns.values())
        for row, model in enumerate(models)
    }
    width = 2 * MARGIN + (len(columns) - 1) * COLUMN + BOX_WIDTH + 40
    height = HEAD + max(map(len, columns.values())) * ROW + MARGIN
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="14">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b6b7b"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for column, label in enumerate(columns):
        x = MARGIN + column * COLUMN + BOX_WIDTH / 2
        drawn.append(
            f'<text x="{x:g}" y="32" text-anchor="middle" font-weight="bold">{escape(label)}</text>'
        )
    for model in at:
        targets = dict.fromkeys(field.related_model for field in references(model))
        drawn += [line(at[model], at[target]) for target in targets if target is not model]
    for model, (x, y) in at.items():
        drawn.append(
            f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="5" '
            'fill="#eef3f8" stroke="#36597d"/>'
            f'<text x="{x + BOX_WIDTH / 2:g}" y="{y + 20}" text-anchor="middle">'
            f"{escape(model.__name__)}</text>"
        )
    return "\n".join([*drawn, "</svg>", ""])


def line(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return a curve between two boxes, which goes around the right side within a column."""
    (x, y), (to_x, to_y) = start, end
    y, to_y = y + BOX_HEIGHT / 2, to_y + BOX_HEIGHT / 2
    if x == to_x:
        x = to_x = x + BOX_WIDTH
        bend, to_bend = x + 40, x + 40
    elif x > to_x:
        to_x += BOX_WIDTH
        bend, to_bend = x - 60, to_x + 60
    else:
        x += BOX_WIDTH
        bend, to_bend = x + 60, to_x - 60
    return (
        f'<path d="M{x} {y:g}C{bend} {y:g} {to_bend} {to_y:g} {to_x} {to_y:g}" fill="none" '
        'stroke="#5b6b7b" stroke-opacity="0.6" marker-end="url(#tip)"/>'
    )
