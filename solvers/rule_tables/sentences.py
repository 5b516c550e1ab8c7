"""Rules as sentences, made from the table alone and translated piece by piece."""

from collections.abc import Mapping
from typing import NamedTuple

from solvers.message import Message, gettext_noop
from solvers.rule_tables.table import Rule, Symbol, Table


class Noun(NamedTuple):
    """The words for a symbol."""

    one: str
    many: str
    title: str
    """Its name on a button and in the name of a square."""


NOUNS: Mapping[str, Noun] = {
    "queen": Noun(gettext_noop("queen"), gettext_noop("queens"), gettext_noop("Queen")),
    "king": Noun(gettext_noop("king"), gettext_noop("kings"), gettext_noop("King")),
    "star": Noun(gettext_noop("star"), gettext_noop("stars"), gettext_noop("Star")),
    "lamp": Noun(gettext_noop("lamp"), gettext_noop("lamps"), gettext_noop("Lamp")),
    "mine": Noun(gettext_noop("mine"), gettext_noop("mines"), gettext_noop("Mine")),
    "press": Noun(
        gettext_noop("pressed square"), gettext_noop("pressed squares"),
        gettext_noop("Pressed square"),
    ),
    "ship": Noun(
        gettext_noop("part of a ship"), gettext_noop("parts of ships"),
        gettext_noop("Part of a ship"),
    ),
    "black": Noun(
        gettext_noop("black square"), gettext_noop("black squares"), gettext_noop("Black square")
    ),
    "black stone": Noun(
        gettext_noop("black stone"), gettext_noop("black stones"), gettext_noop("Black stone")
    ),
    "white stone": Noun(
        gettext_noop("white stone"), gettext_noop("white stones"), gettext_noop("White stone")
    ),
}  # fmt: skip
"""The name of a picture -> its words. Other symbols are shown and named by their letters."""

COLOURS: Mapping[str, Noun] = {
    "red": Noun(gettext_noop("red square"), gettext_noop("red squares"), gettext_noop("Red")),
    "blue": Noun(gettext_noop("blue square"), gettext_noop("blue squares"), gettext_noop("Blue")),
    "green": Noun(
        gettext_noop("green square"), gettext_noop("green squares"), gettext_noop("Green")
    ),
    "yellow": Noun(
        gettext_noop("yellow square"), gettext_noop("yellow squares"), gettext_noop("Yellow")
    ),
}
"""The name of a picture that is a colour -> its words."""

DRAWN: Mapping[str, Noun] = {
    "line": Noun(gettext_noop("line"), gettext_noop("lines"), gettext_noop("A line")),
    "domino": Noun(gettext_noop("domino"), gettext_noop("dominoes"), gettext_noop("A domino")),
    "tent": Noun(gettext_noop("tent"), gettext_noop("tents"), gettext_noop("A tent")),
    "tree": Noun(gettext_noop("tree"), gettext_noop("trees"), gettext_noop("A tree")),
    "white circle": Noun(
        gettext_noop("white circle"), gettext_noop("white circles"), gettext_noop("White circle")
    ),
    "black circle": Noun(
        gettext_noop("black circle"), gettext_noop("black circles"), gettext_noop("Black circle")
    ),
}  # fmt: skip
"""The name of a picture of tables of lines -> its words."""

_COLOUR = Noun(gettext_noop("colour"), gettext_noop("colours"), gettext_noop("Colour"))
_NUMBER = Noun(gettext_noop("number"), gettext_noop("numbers"), gettext_noop("Number"))
_SYMBOL = Noun(gettext_noop("symbol"), gettext_noop("symbols"), gettext_noop("Symbol"))
_EMPTY = Noun(
    gettext_noop("empty square"), gettext_noop("empty squares"), gettext_noop("Empty square")
)

_END = Noun(gettext_noop("end of a line"), gettext_noop("ends of lines"), "")
_END_ON_EMPTY = Noun(
    gettext_noop("end of a line on an empty square"),
    gettext_noop("ends of lines on empty squares"), "",
)  # fmt: skip
_END_ON_SYMBOL = Noun(
    gettext_noop("end of a line on a printed symbol"),
    gettext_noop("ends of lines on printed symbols"), "",
)  # fmt: skip

AREAS: Mapping[str, str] = {
    "board": gettext_noop("The board"),
    "row": gettext_noop("Every row"),
    "column": gettext_noop("Every column"),
    "line": gettext_noop("Every row and every column"),
    "diagonal": gettext_noop("Every diagonal"),
    "long diagonal": gettext_noop("Each of the two long diagonals"),
    "room": gettext_noop("Every room"),
    "run": gettext_noop("Every stretch between walls"),
    "stretch": gettext_noop("Every straight stretch that reaches into three rooms"),
    "pair": gettext_noop("Every pair of squares side by side"),
    "gate": gettext_noop("Every pair of squares across the border of two rooms"),
    "dots": gettext_noop("Every pair of squares with a mark between them"),
    "square": gettext_noop("Every 2×2 block"),
    "three": gettext_noop("Every group of three squares in a line"),
    "corner": gettext_noop("Every group of squares that meet at a number"),
}
"""The name of an area -> its words."""

AROUND: Mapping[str, str] = {
    "cell": gettext_noop("The square of each {centre}"),
    "near4": gettext_noop("The area beside each {centre} (up, down, left and right)"),
    "near8": gettext_noop("The area around each {centre} (up to eight squares)"),
    "slant4": gettext_noop("The area diagonally beside each {centre}"),
    "knight": gettext_noop("The area a knight's jump from each {centre}"),
    "plus": gettext_noop("The cross of each {centre} and the squares beside it"),
    "box": gettext_noop("The block of each {centre} and the squares around it"),
    "around": gettext_noop("The drawn area of each {centre}"),
    "ray": gettext_noop("The line to which the arrow of each {centre} points"),
    "sight": gettext_noop("What each {centre} sees in a straight line (with its own square)"),
}
"""The name of an area around a square -> its words."""

_RELATIONS: Mapping[str, str] = {
    "exactly": gettext_noop("{area} has exactly {amount} {things}."),
    "least": gettext_noop("{area} has at least {amount} {things}."),
    "most": gettext_noop("{area} has at most {amount} {things}."),
    "not": gettext_noop("{area} has any number of {things} except {amount}."),
    "odd": gettext_noop("{area} has an odd number of {things}."),
    "even": gettext_noop("{area} has an even number of {things}."),
    "total": gettext_noop("{area}: the numbers add up to {amount}."),
    "product": gettext_noop("{area}: the numbers multiplied give {amount}."),
    "different": gettext_noop("{area} has no {thing} twice."),
    "same": gettext_noop("{area} is filled alike."),
    "step": gettext_noop("{area}: two numbers differ by {amount}."),
    "less": gettext_noop("The number at the wide end of a sign is the greater one."),
    "mirror": gettext_noop("{area} reads the same from both ends."),
    "sees": gettext_noop(
        "{area}: {amount} {things} in a row up, down, left and right, counted together."
    ),
    "runs": gettext_noop("{area}: the runs of {things} are as long as the numbers at its edge."),
    "seen": gettext_noop(
        "A number at the edge tells how many numbers are seen from there. A higher one hides the "
        "lower ones behind it."
    ),
    "first": gettext_noop("A number at the edge is the first number seen from there."),
    "connected": gettext_noop("{area}: all {things} hang together side by side."),
    "connected8": gettext_noop("{area}: all {things} hang together, at corners, too."),
    "touching edge": gettext_noop(
        "From all {things}, a way over {things}, side by side, leads to the edge of the board."
    ),
    "no ring": gettext_noop("{area}: {things} side by side never form a ring."),
    "fleet": gettext_noop(
        "The {things} that lie side by side are straight rows of these lengths: {lengths}."
    ),
    "matched": gettext_noop(
        "Each {other} has a {thing} of its own beside it: up, down, left or right of it. There are "
        "no other {things}."
    ),
    "loop": gettext_noop(
        "The line makes one closed loop. It never splits and never crosses itself."
    ),
    "turn": gettext_noop(
        "On a {centre}, the line turns. In the squares before and after it, it goes straight on."
    ),
    "straight": gettext_noop(
        "Through a {centre}, the line goes straight on. It turns in the square before or after it."
    ),
}

_AS_MANY: Mapping[str, str] = {
    "exactly": gettext_noop("{area} has as many {things} as {others}."),
    "least": gettext_noop("{area} has at least as many {things} as {others}."),
    "most": gettext_noop("{area} has at most as many {things} as {others}."),
}

_NONE = gettext_noop("{area} has no {things}.")
"""The sentence of a rule that allows none."""

_CLUES: Mapping[str, str] = {
    "near4": gettext_noop("A number tells how many {things} there are on the squares beside it."),
    "near8": gettext_noop("A number tells how many {things} there are on the squares around it."),
    "box": gettext_noop(
        "A number tells how many {things} there are on its own square and the squares around it."
    ),
    "room": gettext_noop("A number tells how many {things} there are in its room."),
    "face": gettext_noop("A number tells along how many sides of its square the line runs."),
    "ray": gettext_noop("A number tells how many {things} there are where its arrow points."),
    "line": gettext_noop(
        "A number at the edge tells how many {things} there are in its row or column."
    ),
}
"""The name of an area -> what an exact clue tells about it."""


def noun_of(table: Table, letters: str) -> Noun:
    """Return the words for some symbols of a table, `*` for all or `.` for none."""
    if letters == ".":
        return _EMPTY
    named = [s for s in table.symbols if s.letter in (table.filled if letters == "*" else letters)]
    if len(named) == 1:
        return noun_of_symbol(named[0])
    if all(symbol.picture in COLOURS for symbol in named):
        return _COLOUR
    if all(symbol.letter.isdigit() for symbol in named):
        return _NUMBER
    return _SYMBOL


def noun_of_symbol(symbol: Symbol) -> Noun:
    """Return the words for a symbol."""
    letter = symbol.letter
    picture = symbol.picture
    words = NOUNS.get(picture) or COLOURS.get(picture) or DRAWN.get(picture)
    return words or Noun(letter, f"{letter}s" if letter.isdigit() else letter,
                                             letter)  # fmt: skip


def _noun_of_ends(table: Table, what: str) -> Noun:
    """Return the words for what is counted where lines end."""
    if table.symbols[0].picture == "domino":
        return noun_of_symbol(table.symbols[0])
    return {"*": _END, ".": _END_ON_EMPTY}.get(what, _END_ON_SYMBOL)


def sentence(table: Table, rule: Rule) -> Message:
    """Return the sentence of a rule."""
    relation, number = rule.relation, rule.number
    is_links = table.site == "links"
    noun = _noun_of_ends(table, rule.what) if is_links else noun_of(table, rule.what)
    thing, things = Message(noun.one), Message(noun.many)
    if relation == "fleet":
        lengths = ", ".join(str(number))
        fleet = gettext_noop("The fleet has straight ships of these lengths: {lengths}.")
        text = fleet if noun == NOUNS["ship"] else _RELATIONS[relation]
        return Message(text, {"things": things, "lengths": lengths})
    if relation == "matched":
        partner = Message(noun_of(table, str(number)).one)
        return Message(_RELATIONS[relation], {"thing": thing, "things": things, "other": partner})
    if special := _special_of_links(table, rule) if is_links else "":
        return Message(special)
    if special := _special(rule):
        if rule.where == "slant4" and noun == NOUNS["ship"]:
            special = gettext_noop("Two ships never touch, not even at a corner.")
        return Message(special, {"thing": thing, "things": things})
    values = {"thing": thing, "things": thing if number == 1 else things}
    if relation in ("turn", "straight"):
        return Message(_RELATIONS[relation], {"centre": Message(noun_of(table, rule.who).one)})
    area = _area(table, rule)
    if relation in _AS_MANY and isinstance(number, str) and number not in ("clue", "own"):
        others = Message(noun_of(table, number).many)
        return Message(_AS_MANY[relation], {**values, "area": area, "others": others})
    if number == 0 and relation in ("exactly", "most"):
        return Message(_NONE, {**values, "area": area})
    is_count = relation in ("exactly", "least", "most", "not")
    amount: Message | int | str = number
    if number == "clue" and is_count:
        amount = Message("the printed number of")
    elif number == "clue":
        amount = Message("the printed number")
    elif number == "own":
        amount = Message("its own number of")
    elif is_count:
        amount = Message("{number}", {"number": number})
    return Message(_RELATIONS[relation], {**values, "area": area, "amount": amount})


def _special_of_links(table: Table, rule: Rule) -> str:
    """Return the sentence of a rule about lines that has one of its own, or nothing."""
    picture = table.symbols[0].picture
    if rule.relation == "different" and rule.number == "clue":
        if picture == "domino":
            return gettext_noop("No two dominoes have the same two numbers.")
        return gettext_noop("No two lines join the same two numbers.")
    if rule.relation == "different":
        return gettext_noop("A line never joins two squares that are alike.")
    told = (rule.where, rule.relation, rule.number, rule.what, rule.who)
    if picture == "domino" and told == ("cell", "exactly", 1, "*", ""):
        return gettext_noop("Every square is covered by exactly one domino.")
    return ""


def _special(rule: Rule) -> str:
    """Return the sentence of a rule that has one of its own, with {things} unfilled, or nothing."""
    where, relation, number = rule.where, rule.relation, rule.number
    is_none = number == 0 and relation in ("exactly", "most")
    if relation == "exactly" and number == "clue" and not rule.who and where in _CLUES:
        return _CLUES[where]
    if is_none and rule.who == rule.what and where == "near8":
        return gettext_noop("Two {things} never touch, not even at a corner.")
    if is_none and rule.who == rule.what and where == "slant4":
        return gettext_noop("Two {things} never touch at a corner.")
    if is_none and rule.who == rule.what and where == "knight":
        return gettext_noop("Two {things} are never a knight's jump apart.")
    if (is_none and rule.who == rule.what and where == "near4") or (
        (where, relation, number) == ("pair", "most", 1)
    ):
        return gettext_noop("Two {things} are never side by side.")
    if (where, relation, number) == ("square", "most", 1):
        return gettext_noop("Two {things} never touch, not even at a corner.")
    if (where, relation, number) == ("square", "most", 3):
        return gettext_noop("No 2×2 block is all {things}.")
    if (where, relation, number) == ("three", "most", 2):
        return gettext_noop("Never three {things} in a row.")
    if where == "cell" and is_none and rule.who == "clue":
        return gettext_noop("A square with a number has no {things}.")
    if (where, relation, number, rule.who) == ("sight", "least", 1, ""):
        return gettext_noop(
            "From every square, a {thing} is seen in a straight line or stands there."
        )
    if (where, relation, number, rule.who) == ("sight", "sees", "clue", ""):
        return gettext_noop(
            "A number tells how many {things} are seen from it in a straight line up, down, left "
            "and right. Its own square counts, too."
        )
    if (where, relation, number) == ("line", "different", "clue"):
        return gettext_noop("No number is on two {things} of a row or a column.")
    if (where, relation) == ("room", "same") and rule.what == "*":
        return gettext_noop("Every room has a single {thing}.")
    if (where, relation) == ("gate", "different"):
        return gettext_noop(
            "Two squares side by side in different rooms never have the same {thing}."
        )
    if (where, relation) == ("board", "connected"):
        return gettext_noop("All {things} hang together in one piece, side by side.")
    return ""


def _area(table: Table, rule: Rule) -> Message:
    if rule.where in AREAS:
        return Message(AREAS[rule.where])
    if rule.where == "face":
        return Message("The four sides of each square")
    centres = {
        "": gettext_noop("square"),
        "clue": gettext_noop("square with a number"),
        "no clue": gettext_noop("square without a number"),
    }
    reads_clue = rule.number == "clue"
    centre = centres.get("clue" if reads_clue and not rule.who else rule.who)
    named = Message(centre or noun_of(table, rule.who).one)
    return Message(AROUND[rule.where], {"centre": named})


def together(messages: list[Message]) -> Message:
    """Return sentences as one text."""
    first, *rest = messages or [Message("Every filled board is right.")]
    for message in rest:
        first = Message("{one} {two}", {"one": first, "two": message})
    return first
