"""The template backend of the site, which writes integers as they are."""

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class PlainNumbers(DjangoTemplates):
    """Django's backend without the localization of all values.

    Integers look the same in all languages of the site, unless a filter such as `intcomma` groups
    their digits. Django looks up the separators of the language for each integer nevertheless,
    which takes a tenth of the time of a page with a board. Dates and fractions are written by
    filters, which know the language: `date` and `floatformat`.
    """

    def from_string(self, template_code: str) -> "PlainTemplate":
        return PlainTemplate(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> "PlainTemplate":
        try:
            return PlainTemplate(self.engine.get_template(template_name), self)
        except TemplateDoesNotExist as missing:
            reraise(missing, self)


class PlainTemplate(Template):
    """A template of the site."""

    def render(
        self, context: dict[Any, Any] | None = None, request: HttpRequest | None = None
    ) -> SafeString:
        """Return the page or the fragment."""
        autoescape = self.backend.engine.autoescape
        filled = make_context(context, request, autoescape=autoescape)
        filled.use_l10n = False
        try:
            return self.template.render(filled)
        except TemplateDoesNotExist as missing:
            reraise(missing, self.backend)
