"""Template tags for parts of many pages: breadcrumbs, facts, heads of tables, buttons."""

from django import template
from django.template import Context, Engine
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from puzzleclass.templating.crumbs import Crumb, HasPage, crumbs_to
from puzzleclass.templating.slots import parts_of

register = template.Library()


@register.inclusion_tag("_crumbs.html")
def crumbs(above: HasPage | Crumb | str, here: object) -> dict[str, object]:
    """Show the breadcrumbs of a page: links to all pages above it, and its own name.

    `above` is the URL name of a list, an object with a page of its own, or a crumb. What an object
    belongs to is found from the object.
    """
    return {"above": crumbs_to(above), "here": here}


@register.simple_tag(takes_context=True)
def slot(context: Context, name: str, **values: object) -> SafeString:
    """Show what apps of higher layers add at this place (`templating.slots`).

    Their templates know what the page knows, and the values.
    """
    parts = []
    engine = Engine.get_default()
    with context.push(**values):
        for part in parts_of(name):
            with context.push(**(part.more(context) if part.more else {})):
                parts.append((engine.get_template(part.template).render(context),))
    return format_html_join("", "{}", parts)


@register.simple_block_tag
def capture(content: str) -> str:
    """Return the content between the tags. Stored with `as`, it can be repeated elsewhere."""
    return content


@register.inclusion_tag("_post_button.html")
def post_button(
    label: str,
    url_name: str,
    *args: object,
    look: str = "",
    target: str = "",
    back: str = "",
    makes: bool = False,
) -> dict[str, object]:
    """Show a button that posts to the address that `reverse` returns for `url_name`."""
    action = reverse(url_name, args=args)
    context = {"label": label, "action": action, "look": look, "target": target, "back": back}
    return {**context, "makes": makes}


@register.simple_tag
def fact(name: str, value: object) -> SafeString:
    """Return an entry of a list of facts, <dl class="figures">. What is not known is a dash."""
    shown = "–" if value is None else value
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", name, shown)


@register.simple_tag
def columns(*titles: str, figures_from: int = 99) -> SafeString:
    """Return the head of a table. Columns from `figures_from` on, counted from 1, hold numbers."""
    styles = ("figure" if at >= figures_from else "" for at in range(1, len(titles) + 1))
    cells = format_html_join("", '<th scope="col" class="{}">{}</th>', zip(styles, titles))
    return format_html("<thead><tr>{}</tr></thead>", cells)
