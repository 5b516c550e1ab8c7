"""Texts that nobody would write, for every reader.

A reader is a function that takes a text from outside: positions, moves, lines of moves, drafts of
the editor, options of the questions. Whatever the text, the reader must return or raise PuzzleError
within `LIMIT` seconds of processor time.
"""

import random
import re
import time
from collections.abc import Callable, Iterator

from solvers.kind import LONGEST_TEXT, PuzzleError
from solvers.registry import TEMPLATES, AnyKind, examples, kinds, load

LIMIT = 0.1
"""Seconds of processor time for one text."""

RUNS = 5
"""Runs of a slow text, of which the fastest counts, because the machine may be busy."""

TOO_LONG = LONGEST_TEXT + 1
"""The length of a text that is one character longer than readers accept."""

_RARE = "\0\t\n\v\f\r\x1c\x85\xa0\u2028\u3000\ufeff\ud800²٣१①Ⅷ１ａ／，－🀄é̈İſ{}%\\'\"<&|"
_COMMON = " /\n,.-+|0123456789xXoObBwW#sSRPK"

Reader = Callable[[str], object]


def readers(kind: AnyKind) -> dict[str, Reader]:
    """Return name -> reader for all readers of a kind."""
    editor = kind.editor
    start = kind.read(examples(kind)[0].position)

    def position(text: str) -> object:
        read = kind.read(text)
        assert kind.read(kind.write(read)) == read
        return read

    def draft(text: str) -> object:
        editor.size(text)
        return editor.draw(text)

    found: dict[str, Reader] = {
        "position": position,
        "move": kind.read_move,
        "line": lambda text: kind.play_line(start, text),
        "draft": draft,
        "paint": lambda text: editor.paint(text, (0, 0), next(iter(editor.brushes))),
        "resize": lambda text: editor.resize(text, 5, 5),
    }
    if score := kind.score:
        found["goal"] = lambda text: score.with_goal(text, score.goal(text))
    for question in kind.questions.values():
        for name, option in question.options.items():
            found[f"{name} of {question.solver.partition(':')[2]}"] = option.read
    return found


def every_kind() -> list[AnyKind]:
    """Return all kinds, including the templates."""
    return [*kinds().values(), *map(load, TEMPLATES)]


def words_of(kind: AnyKind) -> list[str]:
    """Return texts that the kind's readers understand, and parts of them; the first is a start."""
    rng = random.Random(1)
    starts = [kind.sample(rng, size) for size in (1, 2, 3, 5, 8) for _ in range(3)]
    texts = [kind.write(position) for position in starts]
    texts += [example.position for example in examples(kind)]
    texts += [example.shown for example in examples(kind) if example.shown]
    texts += kind.editor.formats.values()
    texts += [text for start in starts if kind.notations
              for text in kind.notations.write(start).values()]  # fmt: skip
    texts += [kind.write_move(move) for start in starts for move in list(kind.moves(start))[:3]]
    texts += [o.default for q in kind.questions.values() for o in q.options.values()]
    texts += [n for q in kind.questions.values() for o in q.options.values() for n in o.choices]
    parts = [part for text in texts for part in re.findall(r"\w+|\W", text) if len(part) < 40]
    return [word for word in dict.fromkeys([*texts, *parts]) if word]


def texts(rng: random.Random, words: list[str]) -> Iterator[str]:
    """Yield random texts without end: parts put together, damaged, or repeated to full length."""

    def piece() -> str:
        kind = rng.random()
        if kind < 0.5:
            return rng.choice(words)
        if kind < 0.8:
            return rng.choice(_COMMON)
        return chr(rng.randrange(0x110000)) if kind > 0.95 else rng.choice(_RARE)

    def spoilt(text: str) -> str:
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(("", piece())) + text[at + rng.randrange(3) :]

    while True:
        shape = rng.random()
        if shape < 0.5:
            text = rng.choice(words)
            for _ in range(rng.randrange(4)):
                text = spoilt(text)
        elif shape < 0.95:
            text = "".join(piece() for _ in range(rng.randrange(12)))
        else:
            # A reader may be slow with a long text that has a beginning and an end.
            middle = "".join(piece() for _ in range(rng.choice((1, 1, 1, 2, 3))))
            head, tail = ("".join(piece() for _ in range(rng.randrange(3))) for _ in range(2))
            room = max(
                rng.choice((500, LONGEST_TEXT, LONGEST_TEXT, TOO_LONG)) - len(head) - len(tail), 0
            )
            text = head + (middle * (room // len(middle) + 1))[:room] + tail
        yield text[:TOO_LONG]


def pathological(words: list[str]) -> Iterator[str]:
    """Yield the longest texts that make a careless reader slow; they are the same every time.

    One or two parts are repeated, with something in front and behind that almost fits or hardly
    fits.
    """
    signs = [*dict.fromkeys([*_COMMON, *(word for word in words if len(word) <= 8)])]
    ends = ["", "!", "1", " 9", "R"]
    for sign in signs:
        for head in ("", words[0] + " ", words[0] + "\n"):
            for tail in ends:
                room = LONGEST_TEXT - len(head) - len(tail)
                yield head + (sign * room)[:room] + tail
    for first, second in zip(signs, signs[1:] + signs[:1]):
        half = LONGEST_TEXT // 2 - 1
        yield (first * half)[:half] + (second * half)[:half] + "!"


def fault_of(reader: Reader, text: str) -> str:
    """Return a description of what the reader did wrong with the text, or an empty string."""
    taken = LIMIT
    for _ in range(RUNS):
        began = time.thread_time()
        try:
            reader(text)
        except PuzzleError as error:
            if not str(error) or len(str(error)) > 500:
                return f"complains in {len(str(error))} characters"
        except Exception as error:  # a fault of the reader
            return f"raises {error!r}"[:200]
        taken = min(taken, time.thread_time() - began)
        if taken < LIMIT:
            return ""
    return f"takes more than {LIMIT} s"


def shown(text: str) -> str:
    """Return a text as a Python literal, with the middle of a long one left out."""
    return repr(text) if len(text) < 200 else f"{text[:90]!r}… {len(text)} …{text[-90:]!r}"
