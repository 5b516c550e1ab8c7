"""A reader who finds links and buttons by what is written on them, and counts the presses.

It works on the pages as the server sends them, without scripts. A control in a closed menu, or in a
closed part of the page, costs one press more for each level.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urljoin

from django.http import HttpResponse
from django.test import Client
from django.test.html import Element, parse_html

CONTROLS = {"a", "button", "label", "select"}
NOT_SHOWN = {"script", "style", "template", "head", "title", "option"}


@dataclass(frozen=True)
class Place:
    """An element of a page, and the elements around it, the outermost first."""

    element: Element
    around: tuple[Element, ...]

    @property
    def attributes(self) -> dict[str, str]:
        return {name: value or "" for name, value in self.element.attributes}

    @property
    def text(self) -> str:
        """What a reader sees or hears: the label for screen readers, else the text."""
        said = self.attributes.get("aria-label") or _text(self.element)
        return " ".join(said.split())


def _text(element: Element) -> str:
    if element.name in NOT_SHOWN:
        return ""
    return " ".join(child if isinstance(child, str) else _text(child) for child in element.children)


def _places(element: Element, around: tuple[Element, ...] = ()) -> Iterator[Place]:
    for child in element.children:
        if isinstance(child, Element):
            yield Place(child, (*around, element))
            yield from _places(child, (*around, element))


@dataclass
class Reader:
    """A signed-in reader, the page in front of them, and what has been pressed so far."""

    client: Client
    url: str = "/"
    presses: int = 0
    typed: int = 0
    """The number of fields that were filled in by typing."""
    changed: dict[str, list[str]] = field(default_factory=dict)
    """The fields of the page that were changed: name -> values."""

    def __post_init__(self) -> None:
        self._show(self.client.get(self.url, follow=True))

    def _show(self, response: HttpResponse) -> None:
        assert response.status_code in {200, 422}, (response.status_code, self.url)
        # A refused form is shown with what was typed.
        kept = self.changed if response.status_code == 422 else {}
        self.response, self.changed, self.opened = response, kept, set()
        if response.redirect_chain:
            self.url = urljoin(self.url, response.redirect_chain[-1][0])
        if response["Content-Type"].startswith("text/html"):
            page = re.sub(r"(?s)<svg\b.*?</svg>|<!--.*?-->", "", response.content.decode())
            self.page = parse_html(page.partition("<body>")[2].partition("</body>")[0])
            self.places = list(_places(self.page))

    def find(self, text: str, within: str = "") -> Place:
        """Return the control with this text; with `within`, the one in a part with that text.

        Of several, it is the one that is reached with the fewest presses.
        """
        fitting = [
            place
            for place in self.places
            if place.element.name in CONTROLS | {"summary"}
            and place.text.startswith(text)
            and (not within or any(within in _text(part) for part in place.around[-4:]))
        ]
        assert fitting, f"{text!r} is not on {self.url}"
        exact = [place for place in fitting if place.text == text]
        return min(exact or fitting, key=lambda place: len(self._closed(place)))

    def press(self, text: str, within: str = "") -> "Reader":
        """Press a link, a button or a choice, after the menus that it stands in."""
        place = self.find(text, within)
        self._open(place)
        self.presses += 1
        match place.element.name:
            case "a":
                self.url = urljoin(self.url, place.attributes["href"].partition("#")[0])
                self._show(self.client.get(self.url, follow=True))
            case "label":
                self._tick(place)
            case "button":
                self._submit(place)
        return self

    def type(self, name: str, text: str) -> "Reader":
        """Type into the field with this name."""
        self.typed += 1
        self.changed[name] = [text]
        return self

    def choose(self, name: str, value: str) -> "Reader":
        """Choose an entry of a list, which takes two presses."""
        self.presses += 2
        self.changed[name] = [value]
        return self

    def tick(self, name: str, number: int = 1) -> "Reader":
        """Press the first boxes of the field with this name, as many as `number`."""
        self.presses += number
        boxes = [place for place in self.places if place.attributes.get("name") == name][:number]
        assert len(boxes) == number, f"{name!r} has too few boxes on {self.url}"
        self.changed[name] = [box.attributes.get("value", "on") for box in boxes]
        return self

    def _open(self, place: Place) -> None:
        closed = self._closed(place)
        self.opened |= closed
        self.presses += len(closed)

    def _closed(self, place: Place) -> set[int]:
        """Return the parts around a control that are closed."""
        return {
            id(part)
            for part in place.around
            if "popover" in dict(part.attributes)
            or (part.name == "details" and "open" not in dict(part.attributes))
        } - self.opened

    def _tick(self, place: Place) -> None:
        target = place.attributes.get("for")
        box = next(
            inner
            for inner in self.places
            if inner.element.name == "input"
            and (place.element in inner.around or (target and inner.attributes.get("id") == target))
        ).attributes
        values = self.changed.setdefault(box["name"], self._values(box["name"]))
        if box["type"] == "radio":
            values[:] = [box.get("value", "on")]
        elif box.get("value", "on") in values:
            values.remove(box.get("value", "on"))
        else:
            values.append(box.get("value", "on"))

    def _values(self, name: str) -> list[str]:
        """Return the values that a field has on the page."""
        fields = {}
        for place in self.places:
            if place.attributes.get("name") == name:
                fields.setdefault(name, []).extend(self._value(place))
        return fields.get(name, [])

    def _value(self, place: Place) -> list[str]:
        attributes = place.attributes
        match place.element.name:
            case "textarea":
                return ["".join(map(str, place.element.children))]
            case "select":
                options = [
                    inner for inner in _places(place.element) if inner.element.name == "option"
                ]
                chosen = [one for one in options if "selected" in one.attributes]
                if not chosen and "multiple" not in attributes:
                    chosen = options[:1]
                return [one.attributes.get("value", one.text) for one in chosen]
            case "input" if attributes.get("type") in {"checkbox", "radio"}:
                return [attributes.get("value", "on")] if "checked" in attributes else []
            case "input" if attributes.get("type") not in {"file", "submit", "button", "image"}:
                return [attributes.get("value", "")]
        return []

    def _submit(self, place: Place) -> None:
        """Send the form of a button as a browser does without scripts."""
        button = place.attributes
        owner = button.get("form")
        form = next(
            part
            for part in (*reversed(place.around), *(p.element for p in self.places))
            if part.name == "form" and (not owner or dict(part.attributes).get("id") == owner)
        )
        key = dict(form.attributes).get("id")
        fields: dict[str, list[str]] = {}
        for inner in self.places:
            attributes = inner.attributes
            belongs = (
                attributes.get("form") == key if "form" in attributes else form in inner.around
            )
            is_sent = belongs and "disabled" not in attributes and inner.element.name != "button"
            if is_sent and (name := attributes.get("name")):
                fields.setdefault(name, []).extend(self._value(inner))
        fields |= self.changed
        if button.get("name"):
            fields[button["name"]] = [button.get("value", "")]
        attributes = dict(form.attributes)
        action = button.get("formaction") or attributes.get("action") or ""
        method = (button.get("formmethod") or attributes.get("method") or "get").lower()
        self.url = urljoin(self.url, action)
        self._show(getattr(self.client, method)(self.url, fields, follow=True))
