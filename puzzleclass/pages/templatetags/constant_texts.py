"""The template tag `translate`, which looks up a constant text once for each language.

A page of a board has fifty such texts. Django's tag makes each of them anew for every page, which
takes a tenth of the time in which the page is made.
"""

from django import template
from django.template.base import FilterExpression, Node, Parser, Token
from django.template.context import Context
from django.templatetags.i18n import TranslateNode, do_translate
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


@register.tag
def translate(parser: Parser, token: Token) -> Node:
    """Return Django's node, or if the text is constant, one that keeps it."""
    node: TranslateNode = do_translate(parser, token)
    is_constant = (
        not (node.asvar or node.noop or node.filter_expression.filters)
        and getattr(node.filter_expression.var, "literal", None) is not None
        and (node.message_context is None or _is_text(node.message_context))
    )
    return ConstantText(node) if is_constant else node


def _is_text(expression: FilterExpression) -> bool:
    return isinstance(expression.var, str) and not expression.filters
