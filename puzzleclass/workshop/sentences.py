"""The rules of a draft as sentences whose words are pressed, and the sentences to begin with.

A list shows the whole sentence that a press makes, so it needs no words of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from django.utils.translation import gettext
from msgspec.structs import replace as changed

from puzzleclass.language.reader import say
from puzzleclass.workshop.drafting import Draft, reach_of
from solvers.message import Message, gettext_noop
from solvers.rule_tables.areas import KNIGHT
from solvers.rule_tables.sentences import noun_of, sentence
from solvers.rule_tables.table import AROUND, Relation, Rule, Where

MAX_OFFERED = 9
"""The highest number in the list of numbers."""
_FIELD = re.compile(r"\{(\w+)\}")
_OPENS = {"area": "where", "amount": "number", "thing": "what", "things": "what",
          "other": "number", "others": "number"}  # fmt: skip
PAINTED = range(-2, 3)


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a list: what is sent, and the words."""

    step: str
    text: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a sentence. `opens` names the list that a press opens; empty for plain text."""

    text: str
    opens: str = ""


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule as the page shows it."""

    number: int
    words: list[Word]
    lists: dict[str, list[Choice]]
    picture: list[list[Choice]]
    """The neighbourhood on 5x5 squares, row by row; empty if the rule has none."""


def shown_rules(draft: Draft) -> list[ShownRule]:
    """Return the rules of a draft."""
    return [_shown(draft, number, rule) for number, rule in enumerate(draft.rules, 1)]


def _shown(draft: Draft, number: int, rule: Rule) -> ShownRule:
    words = list(_words(sentence(draft.table, rule)))
    lists = {name: list(_choices(draft, number, rule, name)) for name in
             ("where", "relation", "number", "what", "who")}  # fmt: skip
    if not any(word.opens == "where" for word in words):
        lists["relation"] += lists["where"]
    lists["where"] += lists.pop("who")
    reach = reach_of(rule)
    picture = [
        [
            Choice(f"rule {number} paint {down} {right}", f"{down},{right}", (down, right) in reach)
            for right in PAINTED
        ]
        for down in PAINTED
        if reach
    ]
    return ShownRule(number, words, lists, picture)


def _words(message: Message) -> Iterator[Word]:
    """Yield the words of a sentence. Words between the fields open what the rule says."""
    text = gettext(message.text)
    at = 0
    for match in [*_FIELD.finditer(text), None]:
        plain = text[at : match.start() if match else None]
        has_letters = any(each.isalpha() for each in plain)
        if has_letters:
            # The blanks around a word do not belong to it.
            word = plain.strip()
            before, after = plain.split(word)
            yield from (Word(before), Word(word, "relation"), Word(after))
        else:
            yield Word(plain)
        if match:
            value = message.values[match[1]]
            said = say(value) if isinstance(value, Message) else str(value)
            yield Word(said, _OPENS[match[1]])
            at = match.end()


def _choices(draft: Draft, number: int, rule: Rule, field: str) -> Iterator[Choice]:
    table, seen = draft.table, set()
    values: dict[str, list[int | str]] = {
        "where": [*get_args(Where)],
        "relation": [*get_args(Relation)],
        "number": [*range(MAX_OFFERED + 1), "clue"],
        "what": [*table.letters, "*", "."],
        "who": ["", "clue", "no clue", *table.letters],
    }
    for value in values[field]:
        new = draft.fitting(changed(rule, **{field: value}))
        if new is None or getattr(new, field) != value or not _can_be_drawn(new, draft):
            continue
        if field == "what":
            text = say(Message(noun_of(table, str(value)).many))
        elif field == "number" and isinstance(value, int):
            text = str(value)
        else:
            text = say(sentence(table, new))
        if text not in seen:
            seen.add(text)
            yield Choice(f"rule {number} {field} {value}", text, value == getattr(rule, field))


def _can_be_drawn(rule: Rule, draft: Draft) -> bool:
    """Return whether a rule reads only what the page draws, and says something."""
    if draft.is_by_student and "clue" in (rule.number, rule.who):
        return False
    if rule.where in ("ray", "dots", "corner") or rule.relation in ("runs", "seen", "first"):
        return False
    if rule.number == "clue" and rule.relation != "different":
        return rule.where == "room" or rule.where in AROUND
    return rule.where != "cell" or bool(rule.who)


# Sentences to begin with

PALETTE: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    (gettext_noop("How many"), (
        Rule("line", "exactly", "a", 1), Rule("room", "exactly", "a", 1),
        Rule("diagonal", "most", "a", 1), Rule("square", "most", "a", 3),
        Rule("three", "most", "a", 2), Rule("board", "exactly", "a", 5),
        Rule("plus", "odd", "a"),
    )),
    (gettext_noop("Never together"), (
        Rule("near8", "most", "a", 0, "a"), Rule("near4", "most", "a", 0, "a"),
        Rule("knight", "most", "a", 0, "a"), Rule("around", "most", "a", 0, "a", KNIGHT[:4]),
        Rule("line", "different"), Rule("room", "different"),
    )),
    (gettext_noop("Printed numbers"), (
        Rule("near4", "exactly", "a", "clue"), Rule("near8", "exactly", "a", "clue"),
        Rule("box", "exactly", "a", "clue"), Rule("sight", "sees", ".", "clue"),
        Rule("cell", "exactly", "a", 0, "clue"),
    )),
    (gettext_noop("In one piece"), (
        Rule("board", "connected", "a"), Rule("board", "connected", "."),
        Rule("board", "no ring", "a"), Rule("board", "touching edge", "a"),
    )),
    (gettext_noop("Sight"), (
        Rule("run", "most", "a", 1), Rule("sight", "least", "a", 1),
    )),
)  # fmt: skip
"""The sentences of the palette, in five groups. `a` stands for the first symbol."""

_NAMES = frozenset(
    f"{at} {number}" for at, (_group, rules) in enumerate(PALETTE) for number in range(len(rules))
)

GROUPS_OF_STUDENTS = 2
"""The number of groups that students are offered: those without numbers, pieces and sight."""

CLUE_RULES = PALETTE[2][1][:3]
"""The rules that are offered where a number is drawn and no rule reads it."""
LEAST = Rule("line", "least", "a", 1)
"""The rule that is offered where an empty board is a solution."""


def named(draft: Draft, rule: Rule) -> Rule | None:
    """Return a rule of the palette about the draft's first symbol, if it fits the draft."""
    letter = draft.table.letters[0]
    put = {"a": letter}
    return draft.fitting(
        changed(rule, what=put.get(rule.what, rule.what), who=put.get(rule.who, rule.who))
    )


def palette(draft: Draft) -> list[tuple[str, list[Choice]]]:
    """Return the groups of sentences that can be added."""
    return [
        (group, list(_offers(draft, [(f"{at} {n}", rule) for n, rule in enumerate(rules)])))
        for at, (group, rules) in enumerate(PALETTE[: _groups(draft)])
    ]


def _groups(draft: Draft) -> int:
    return GROUPS_OF_STUDENTS if draft.is_by_student else len(PALETTE)


def _offers(draft: Draft, rules: list[tuple[str, Rule]]) -> Iterator[Choice]:
    for name, rule in rules:
        if (new := named(draft, rule)) and new not in draft.rules:
            yield Choice(f"add {name}", say(sentence(draft.table, new)))


def offers_for_numbers(draft: Draft) -> list[Choice]:
    """Return the rules that read numbers, where some are drawn that no rule reads."""
    reads = any("clue" in (rule.number, rule.who) for rule in draft.rules)
    drawn = any(number is not None for number in draft.board.clues)
    if reads or not drawn:
        return []
    return list(_offers(draft, [(f"2 {n}", rule) for n, rule in enumerate(CLUE_RULES)]))


def unnamed_symbols(draft: Draft) -> list[str]:
    """Return the symbols that no rule names, in words."""
    named_ = {letter for rule in draft.rules for letter in f"{rule.what}{rule.who}{rule.number}"}
    if "*" in named_ or len(draft.table.symbols) < 2:
        return []
    return [
        say(Message(noun_of(draft.table, letter).many))
        for letter in draft.table.letters
        if letter not in named_
    ]


def added(draft: Draft, words: list[str]) -> Draft | None:
    """Return the draft with the sentence of the palette that a step names, or None."""
    match words:
        case ["least"]:
            rule: Rule | None = LEAST
        case [group, number] if f"{group} {number}" in _NAMES and int(group) < _groups(draft):
            rule = PALETTE[int(group)][1][int(number)]
        case _:
            rule = None
    new = rule and named(draft, rule)
    return draft.with_rule(new) if new else None
