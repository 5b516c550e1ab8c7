"""No style sheet has a rule for what no page has, and no page a class that nothing needs."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import django.forms
import tinycss2
from tinycss2.ast import AtRule, Node, QualifiedRule

from solvers.registry import kinds

ROOT = Path(__file__).parents[2]
SHEETS = [*ROOT.glob("static/*.css"), *ROOT.glob("solvers/*/static/*.css")]
SCRIPTS = [*ROOT.glob("static/*.js"), *ROOT.glob("solvers/*/static/*.js")]
TEMPLATES = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("puzzleclass/**/*.html")]
THEIRS = [*Path(django.forms.__file__).parent.glob("templates/**/*.html")]
SOURCES = [*ROOT.glob("puzzleclass/**/*.py"), *ROOT.glob("solvers/**/*.py")]
TESTS = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("docs/*.py")]

MAX_LINES = 300
"""The most lines of a style sheet, so that each keeps to one theme."""
FROM_ELSEWHERE = {
    *("html", "body", "*", "a", "ul", "ol", "li", "p", "pre", "code", "em", "strong"),
    *("th", "td", "tr", "table", "thead", "tbody", "h1", "h2", "h3"),
    *("data-htmx-powered", "errorlist"),
}
"""Elements, attributes and classes that browsers, HTMX, Markdown and Django's forms make."""

INSERTED = "\0"
"""What stands for a tag or a variable of a template, and for a value in an f-string."""
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
COMMENT = re.compile(r"\{% comment.*?endcomment %\}", re.DOTALL)
LITERAL = re.compile(r'"([^"]*)"|\'([^\']*)\'')
NAMES = re.compile(rf"[a-z{INSERTED}][\w{INSERTED}-]*( [a-z{INSERTED}][\w{INSERTED}-]*){{,3}}\Z")
HTML = re.compile("<[a-z]+[ >]")
SCRIPT_LITERAL = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`|/([^/\n]+)/')
DATASET = re.compile(r"dataset\.(\w+)|dataset\[\"(\w+)\"\]|[{,] (\w+)(?= =|, | \})")
WORD = re.compile(rf"[A-Za-z_*{INSERTED}][\w{INSERTED}-]*")
BLOCK = re.compile(r"\{% block (?:\w+_class|look) %\}([\w -]+)\{% endblock")
ELSE_OR_END = re.compile(r"\{% (?:if|elif|else|endif|for|endfor|block|endblock)\b")


class Selected(NamedTuple):
    """A name in a selector: `.card`, `#main`, `[hidden]`, `li`."""

    sign: str
    name: str

    def __str__(self) -> str:
        return f"[{self.name}]" if self.sign == "[" else f"{self.sign}{self.name}"


class _Page(HTMLParser):
    """The names of the elements, attributes and classes of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.classes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        for name, value in attrs:
            self.names.add(name)
            self.names.update((value or "").split())
            if name == "class":
                self.classes.update((value or "").split())


def in_template(text: str) -> tuple[set[str], set[str]]:
    """Return the names that a template can give to parts of a page, and those of its classes.

    >>> names, classes = in_template('<p class="row {% if a %}on{% endif %} map-{{ n }}">')
    >>> sorted(classes) == ["map-\\0", "on", "row"] and "p" in names
    True
    """
    text = COMMENT.sub("", text)
    literals = {
        word
        for tag in TAG.findall(text)
        if not tag.startswith(("{#", "{% translate", "{% url"))
        for found in LITERAL.findall(tag)
        for literal in found
        for word in re.split(r"[\s,]+", literal)
    }
    separated = TAG.sub(lambda tag: " " if ELSE_OR_END.match(tag[0]) else INSERTED, text)
    page = _Page(separated)
    classes = page.classes | {name for block in BLOCK.findall(text) for name in block.split()}
    return page.names | classes | literals, classes


def in_python(source: str) -> set[str]:
    """Return the words of the texts in a module, except those of its docstrings.

    >>> sorted(in_python("def f(): 'Describe.'; return 'card', f'per-{n}'"))
    ['card', 'per-\\x00']
    """
    tree = ast.parse(source)
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = node.values
            skipped |= set(map(id, parts))
            texts.append(
                "".join(p.value if isinstance(p, ast.Constant) else INSERTED for p in parts)
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.append("" if id(node) in skipped else node.value)
    return {word for text in texts for word in (text.split() if NAMES.match(text) else ())} | {
        name for text in texts if HTML.search(text) for name in _Page(text).names
    }


def in_script(source: str) -> set[str]:
    """Return the words of the texts in a script, and the attributes that it reads as a `dataset`.

    >>> sorted(in_script('part.dataset.isOpen = "card"'))
    ['card', 'data-is-open']
    """
    texts = [text for texts in SCRIPT_LITERAL.findall(source) for text in texts]
    words = {word for text in texts for word in WORD.findall(text)}
    keys = {key for keys in DATASET.findall(source) for key in keys if key}
    return words | {"data-" + re.sub("[A-Z]", lambda a: f"-{a[0].lower()}", key) for key in keys}


def selected(sheet: str) -> set[Selected]:
    """Return the names in the selectors of a style sheet.

    >>> sorted(map(str, selected("@media print { a.b:is(#c, [d='e']) { .f & { top: 0 } } }")))
    ['#c', '.b', '.f', '[d]', 'a']
    """
    return set(_selected(tinycss2.parse_stylesheet(sheet, True, True)))


def _selected(rules: Iterable[Node]) -> Iterator[Selected]:
    for rule in rules:
        if isinstance(rule, AtRule) and rule.lower_at_keyword in ("media", "supports"):
            yield from _selected(tinycss2.parse_blocks_contents(rule.content or [], True, True))
        elif isinstance(rule, QualifiedRule):
            yield from _in_prelude(rule.prelude)
            yield from _selected(tinycss2.parse_blocks_contents(rule.content, True, True))


def _in_prelude(tokens: Sequence[Node]) -> Iterator[Selected]:
    before = ""
    for token in tokens:
        match token.type:
            case "hash":
                yield Selected("#", token.value)
            case "[] block":
                yield Selected("[", token.content[0].value)
            case "ident" if before in (".", ""):
                yield Selected(before, token.value)
            case "function" if token.lower_name in ("is", "not", "has", "where"):
                yield from _in_prelude(token.arguments)
        before = token.value if token.type == "literal" and token.value in ".:" else ""


def matches(name: str, names: set[str]) -> bool:
    """Return whether the name is one of the names, or can be one of those with an insertion."""
    return name in names or any(
        re.fullmatch(re.escape(each).replace(re.escape(INSERTED), r"[\w-]*"), name)
        for each in names
        if INSERTED in each and len(each) > each.count(INSERTED) + 1
    )


@cache
def _used() -> set[str]:
    used = set(FROM_ELSEWHERE)
    for path in (*TEMPLATES, *THEIRS):
        used |= in_template(path.read_text("utf-8"))[0]
    for path in SOURCES:
        used |= in_python(path.read_text("utf-8"))
    for path in SCRIPTS:
        used |= in_script(path.read_text("utf-8"))
    return used


def test_no_rule_is_for_what_no_page_has():
    unused = {
        f"{path.name}: {each}"
        for path in SHEETS
        for each in selected(path.read_text("utf-8"))
        if not matches(each.name, _used())
    }
    assert sorted(unused) == []


def test_no_page_has_a_class_that_nothing_needs():
    needed = {each.name for path in SHEETS for each in selected(path.read_text("utf-8"))}
    for path in SCRIPTS:
        needed |= in_script(path.read_text("utf-8"))
    for path in SOURCES:
        needed |= in_python(path.read_text("utf-8"))
    for path in TESTS:
        needed |= set(WORD.findall(path.read_text("utf-8")))
    useless = {
        f"{path.name}: {name}"
        for path in TEMPLATES
        for name in in_template(path.read_text("utf-8"))[1]
        if not matches(name, needed) and INSERTED not in name
    }
    assert sorted(useless) == []


def test_every_property_and_every_animation_is_used():
    text = "\n".join(path.read_text("utf-8") for path in SHEETS)
    text += "\n".join(path.read_text("utf-8") for path in TEMPLATES)
    properties, animations = re.findall(r"(--[\w-]+):", text), re.findall(r"@keyframes (\S+)", text)
    assert {name for name in properties if f"var({name}" not in text} == set()
    assert {
        name for name in re.findall(r"var\((--[\w-]+)", text) if f"{name}:" not in text
    } == set()
    unused = [
        name
        for name in animations
        if not re.search(rf"animation.*\b{name}\b|^ +{name} ", text, re.M)
    ]
    assert unused == []


def test_general_sheets_name_no_kind():
    """The styles of a kind are in its own folder, except those of the study pages."""
    named = {
        f"{path.name}: {each}"
        for path in ROOT.glob("static/*.css")
        for each in selected(path.read_text("utf-8"))
        for slug in kinds()
        if each.name.startswith(f"{slug}-") and not path.stem.startswith("studies")
    }
    assert sorted(named) == []


def test_a_sheet_keeps_to_one_theme():
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in SHEETS}
    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}


def test_the_table_of_contents_has_every_sheet():
    contents = (ROOT / "static" / "app.css").read_text("utf-8")
    told = {f"{name}.css" for name in re.findall(r"([\w-]+)\.css", contents)}
    parts = {
        name
        for path in ROOT.glob("static/*.css")
        for name in re.findall(r'@import "([^"]+)"', path.read_text("utf-8"))
    }
    sheets = {path.name for path in ROOT.glob("static/*.css")}
    assert told - sheets == set()
    assert sheets - told - parts == {"app.css"}
