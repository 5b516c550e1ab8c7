"""A page that asks for every rule shows the rules, or how to learn them."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from solvers.registry import kinds

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("has_introduction", [True, False])
def test_a_page_of_practice_says_the_rules(student_client, monkeypatch, has_introduction):
    kind = kinds()["goishi"]
    if not has_introduction:
        monkeypatch.setattr(type(kind), "introduction", ())
    level = reverse("practice_level", args=["goishi", 1])
    for address in (level, reverse("practice_board", args=["goishi", 1, 1])):
        page = student_client.get(address, follow=True).content.decode()
        assert (escape(kind.rule) in page) != has_introduction, address
        assert (reverse("introduction", args=["goishi"]) in page) == has_introduction, address
