"""The template tags `translate`, `static`, `url` and `include`, which look up constants once.

A page of a board has fifty constant texts, thirty constant addresses and twenty parts in templates
of their own. Django's tags look up each of them anew for every page, which takes an eighth of the
time in which the page is made.
"""

from collections.abc import Callable, Hashable
from typing import cast

from django import template
from django.template.base import FilterExpression, Node, Parser, Template, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as do_url
from django.template.loader_tags import IncludeNode, do_include
from django.templatetags.i18n import TranslateNode, do_translate
from django.templatetags.static import StaticNode, do_static
from django.urls import get_script_prefix
from django.utils.translation import get_language

register = template.Library()


class Constant(Node):
    """A node whose result depends on nothing but the key."""

    child_nodelists = ()

    def __init__(self, node: Node, key: Callable[[], Hashable]) -> None:
        self.node, self.key = node, key
        self.results: dict[Hashable, str] = {}

    def render(self, context: Context) -> str:
        """Return the result for the key of the page."""
        key = self.key()
        result = self.results.get(key)
        if result is None:
            result = self.results[key] = self.node.render(context)
        return result


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the text is constant, one that keeps it for each language."""
    node: TranslateNode = do_translate(parser, token)
    is_constant = (
        not (node.asvar or node.noop)
        and _is_text(node.filter_expression, is_translated=True)
        and (node.message_context is None or _is_text(node.message_context))
    )
    return Constant(node, get_language) if is_constant else node


@register.tag
def static(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the file is always the same, one that keeps its address."""
    node: StaticNode = do_static(parser, token)
    is_constant = node.varname is None and _is_text(node.path)
    return Constant(node, get_script_prefix) if is_constant else node


@register.tag
def url(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the page is always the same, one that keeps its address."""
    node: URLNode = do_url(parser, token)
    # The meaning of a name in a namespace depends on the page.
    is_constant = (
        not (node.args or node.kwargs or node.asvar)
        and _is_text(node.view_name)
        and ":" not in node.view_name.var
    )
    return Constant(node, get_script_prefix) if is_constant else node


@register.tag
def include(parser: Parser, token: Token) -> IncludeNode:
    """Return Django's node. If the template is always the same, the node keeps it compiled."""
    node: IncludeNode = do_include(parser, token)
    if _is_text(node.template):
        # `IncludeNode` only calls `resolve`, and takes a template instead of a name.
        node.template = cast(FilterExpression, _Included(node.template.var))
    return node


class _Included:
    """Stands for the name of a template in an `IncludeNode`, and resolves to the template."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: Template | None = None

    def resolve(self, context: Context) -> Template:
        if self.found is None:
            assert context.template  # It is set while a page is made.
            self.found = context.template.engine.get_template(self.name)
        return self.found


def _is_text(expression: FilterExpression, *, is_translated: bool = False) -> bool:
    """Return whether the expression is a text in quotation marks without filters.

    Django keeps a text that is translated as a variable with a literal.
    """
    if expression.filters:
        return False
    if is_translated:
        return getattr(expression.var, "literal", None) is not None
    return isinstance(expression.var, str)
