"""Browsers that lack what the pages need are told so where people sign in, without a script."""

from pathlib import Path

import pytest
from django.conf import settings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/join/", "/sign-in/"])
@pytest.mark.parametrize(("language", "words"), [("en", "too old"), ("ja", "このブラウザーは")])
def test_the_notice_is_there_and_hidden_by_what_browsers_must_know(
    client_of, path, language, words
):
    page = client_of(None, language).get(path).content.decode()
    assert 'class="notice bad old-browser"' in page and words in page
    style = Path(settings.BASE_DIR, "static", "accounts.css").read_text()
    assert "@supports selector(:popover-open) and (zoom: 1) {\n  .old-browser {" in style
