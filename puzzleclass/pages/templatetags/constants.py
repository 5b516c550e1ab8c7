"""The template tags `translate`, `static`, `url` and `include`, which look up constants once.

A page of a board has fifty constant texts, thirty constant addresses and twenty parts in templates
of their own. Django's tags look up each of them anew for every page, which takes an eighth of the
time in which the page is made.
"""

from typing import cast

from django import template
from django.template.base import FilterExpression, Node, Parser, Template, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as do_url
from django.template.loader_tags import IncludeNode, do_include
from django.templatetags.i18n import TranslateNode, do_translate
from django.templatetags.static import StaticNode, do_static
from django.utils.translation import get_language

register = template.Library()


class ConstantText(Node):
    """A text that depends on nothing but the language."""

    child_nodelists = ()

    def __init__(self, node: TranslateNode) -> None:
        self.node = node
        self.texts: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text in the language of the page."""
        language = get_language()
        text = self.texts.get(language)
        if text is None:
            text = self.texts[language] = self.node.render(context)
        return text


class ConstantAddress(Node):
    """An address that is the same on all pages."""

    child_nodelists = ()

    def __init__(self, node: StaticNode | URLNode) -> None:
        self.node = node
        self.address: str | None = None

    def render(self, context: Context) -> str:
        """Return the address, which the site never changes while it runs."""
        if self.address is None:
            self.address = self.node.render(context)
        return self.address


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the text is constant, one that keeps it for each language."""
    node: TranslateNode = do_translate(parser, token)
    is_constant = (
        not (node.asvar or node.noop)
        and not node.filter_expression.filters
        and getattr(node.filter_expression.var, "literal", None) is not None
        and (node.message_context is None or _is_text(node.message_context))
    )
    return ConstantText(node) if is_constant else node


@register.tag
def static(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the file is always the same, one that keeps its address."""
    node: StaticNode = do_static(parser, token)
    is_constant = node.varname is None and _is_text(node.path)
    return ConstantAddress(node) if is_constant else node


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
    return ConstantAddress(node) if is_constant else node


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


def _is_text(expression: FilterExpression) -> bool:
    """Return whether the expression is a text in quotation marks without filters."""
    return isinstance(expression.var, str) and not expression.filters
