"""Write docs/reference/ from docstrings of the solvers' framework: `python -m docs.reference`."""

import ast
import importlib
import inspect
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent / "reference"
MODULES = (
    *("kind", "capabilities", "editor", "grid", "symmetry", "picture", "styles", "message"),
    *(
        "question",
        "options",
        "answers",
        "defaults",
        "solutions",
        "groups",
        "hint",
        "review",
        "registry",
    ),
    *("missing", "marks", "sgf", "go_diagrams", "boards", "bits", "memory", "threads"),
    *("contract", "contract.plugin", "contract.boards", "contract.brute"),
)
"""The modules of the framework, in the order in which an author of a kind meets them."""


def pages() -> dict[str, str]:
    """Return a mapping from file name to text, with a page for each module and an index."""
    written = {f"{name.replace('.', '-')}.md": page(f"solvers.{name}") for name in MODULES}
    listed = "\n".join(name.removesuffix(".md") for name in written)
    index = (
        "# Reference of the solvers\n\nThe modules that a kind of your own may use. Each page is "
        "written from the docstrings by\n`python -m docs.reference`.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    )
    return {"index.md": index, **written}


def public(name: str) -> dict[str, object]:
    """Return the public classes and functions that a module defines, in the order of its source."""
    module = importlib.import_module(name)
    return {
        label: item
        for label, item in vars(module).items()
        if not label.startswith("_")
        and (inspect.isclass(item) or inspect.isfunction(inspect.unwrap(item)))
        and getattr(item, "__module__", "") == name
    }


def page(name: str) -> str:
    """Return the page of a module."""
    module = importlib.import_module(name)
    parts = [f"# `{name}`", inspect.getdoc(module) or ""]
    for label, item in public(name).items():
        parts += [f"## `{label}`", *_described(item, label)]
        if inspect.isclass(item):
            for attribute, said in _attributes(module)[label].items():
                parts += [f"### `{label}.{attribute}`", _quoted(said)]
            for method, function in vars(item).items():
                plain = getattr(function, "__func__", function)
                if method.startswith("_") or not (
                    inspect.isfunction(plain) or isinstance(function, property)
                ):
                    continue
                said = inspect.getdoc(getattr(item, method))
                parts += [f"### `{label}.{method}`"]
                if inspect.isfunction(plain):
                    parts += [f"`{method}{_signature(plain)}`"]
                parts += [_quoted(said or "")]
    return "\n\n".join(part for part in parts if part) + "\n"


@cache
def _attributes(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return class -> attribute -> docstring, for the attributes that have one."""
    classes = ast.parse(inspect.getsource(module)).body
    return {
        each.name: {
            attribute.target.id: inspect.cleandoc(said.value.value)
            for attribute, said in pairwise(each.body)
            if isinstance(attribute, ast.AnnAssign)
            and isinstance(attribute.target, ast.Name)
            and isinstance(said, ast.Expr)
            and isinstance(said.value, ast.Constant)
            and isinstance(said.value.value, str)
        }
        for each in classes
        if isinstance(each, ast.ClassDef)
    }


def _described(item: object, label: str) -> list[str]:
    said = inspect.getdoc(item) or ""
    if inspect.isclass(item):
        return [_quoted((item.__doc__ and inspect.cleandoc(item.__doc__)) or said)]
    return [f"`{label}{_signature(item)}`", _quoted(said)]


def _signature(function: object) -> str:
    """Return the parameters without types, whose spelling differs from one Python to the next."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    bare = [
        each.replace(annotation=each.empty, default=each.empty)
        for each in signature.parameters.values()
    ]
    return str(inspect.Signature(bare, __validate_parameters__=False))


_EXAMPLES = re.compile(r"(?m)((?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+)")


def _quoted(said: str) -> str:
    """Return a docstring as Markdown, with its examples as code."""
    return re.sub(
        r"(?m)((?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+)", r"```python\n\1\n```\n", said
    ).strip()


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for file, text in pages().items():
        (HERE / file).write_text(text)
