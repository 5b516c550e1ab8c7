"""The rules in JavaScript agree with those in Python on random boards. `make fuzz` tests more."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solvers.kind import BadText, IllegalMove
from solvers.message import Message
from solvers.registry import AnyKind, folder, kinds

ANSWERS, SEED = int(os.environ.get("FUZZ_RULES", 3000)), os.environ.get("FUZZ_SEED", "")
ANSWERS_AT_ONCE = 20_000
TRIES = 30
NODE = Path(sys.executable).parent / "node"
RUNNER = Path(__file__).parents[1] / "scripts" / "rules.mjs"
KINDS = [kind for kind in kinds().values() if kind.browser_rules]

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)


def test_all_kinds_with_rules_of_their_own_have_them_in_the_browser():
    assert {"goishi", "kikazu", "maxstrings", "tonari"} <= {kind.slug for kind in KINDS}


@every_kind
def test_random_boards_agree(kind: AnyKind):
    rng = random.Random(f"{SEED}{kind.slug}")
    compared = refused = 0
    reasons: set[str] = set()
    while compared < ANSWERS:
        games = list(_games(kind, rng, min(ANSWERS - compared, ANSWERS_AT_ONCE)))
        questions = "\n".join(json.dumps({"start": s, "tries": t}) for s, t, _ in games)
        module = folder(kind) / "static" / f"{kind.slug}.js"
        ran = subprocess.run(
            (NODE, RUNNER, module), input=questions, capture_output=True, text=True, check=True
        )
        for (start, tries, expected), line in zip(games, ran.stdout.splitlines(), strict=True):
            for number, (mine, answer) in enumerate(zip(expected, json.loads(line), strict=True)):
                given = _normal(kind, answer)
                assert given == mine, f"{start} | {' '.join(tries[:number])}"
                compared += 1
                if isinstance(answer, dict):
                    refused += 1
                    reasons.add(answer["why"])
    assert refused > compared / 20
    assert len(reasons) >= 3


def _games(kind: AnyKind, rng: random.Random, answers: int) -> Iterator[tuple[str, list[str], Any]]:
    """Yield random starts, each with moves that are tried and what the rules in Python say."""
    assert kind.browser_rules
    while answers > 0:
        position = kind.sample(rng, rng.randint(1, 8))
        start = (kind.browser_rules.start or kind.write_start)(kind.start(position))
        tries, expected = [], [_state(kind, position)]
        for _ in range(TRIES):
            legal = list(map(kind.write_move, kind.moves(position)))
            move = rng.choice(legal) if legal and rng.random() < 0.6 else _odd(kind, position, rng)
            tries.append(move)
            try:
                after = kind.play(position, kind.read_move(move))
            except IllegalMove as error:
                place = error.place
                way = list(map(list, place.path))
                expected.append([*_said(kind, error.message), list(place.cell or ()), way])
                continue
            described = _said(kind, kind.describe(kind.read_move(move)))
            undone = [_said(kind, each) for each in kind.announcements_after_undo(position, after)]
            expected.append([*_state(kind, after), described, undone])
            position = after
        answers -= len(expected)
        yield start, tries, expected


def _odd(kind: AnyKind, position: Hashable, rng: random.Random) -> str:
    """Return a move that may be against the rules, near an earlier move or anywhere."""
    rows, columns = kind.editor.size(kind.write_start(position))
    cell = rng.randint(1, rows + 1), rng.randint(1, columns + 1)
    if (line := kind.line(position)) and rng.random() < 0.5:
        row, column = kind.cell_of(rng.choice(line[-3:]))
        cell = max(1, row + rng.randint(0, 2)), max(1, column + rng.randint(0, 2))
    text = f"{cell[0]},{cell[1]}"
    if not kind.tools:
        return text
    tools = {"-", *kind.tools.names(position), *kind.tools.movable(position), *_pieces(kind)}
    while True:
        move = f"{rng.choice(sorted(tools))} {text}"
        try:
            return kind.write_move(kind.read_move(move))
        except BadText:
            continue


def _pieces(kind: AnyKind) -> Iterator[str]:
    """Yield tools that the kind may not have in hand, and one from a cell that may be empty."""
    if kind.slug == "kikazu":
        yield from ("R", "P", "K", "G2,2>", "R1,1>", "L9,9>")


def _state(kind: AnyKind, position: Hashable) -> list[Any]:
    """Return what the runner says of a position, from the rules in Python."""
    verdict = kind.judge(position)
    judged = {
        "solved": verdict.solved,
        "over": verdict.over,
        "faults": [list(cell) for cell, _ in verdict.faults],
    }
    if verdict.score is not None:
        judged |= {"score": verdict.score, "counts": verdict.is_score_valid}
    told = [_said(kind, each) for each in kind.announcements(position)]
    return [list(map(kind.write_move, kind.moves(position))), judged, told]


def _said(kind: AnyKind, message: Message) -> list[Any]:
    """Return the English text of a message, and its values."""
    values = {
        name: _said(kind, value) if isinstance(value, Message) else value
        for name, value in message.values.items()
    }
    return [message.text, values]


def _normal(kind: AnyKind, answer: Any) -> Any:
    """Return an answer of the runner in the form in which the rules in Python were asked."""
    assert kind.browser_rules
    texts = kind.browser_rules.texts

    def said(name: str, values: Any) -> list[Any]:
        text = texts[name]
        named = {key: value for key, value in (values or {}).items() if f"{{{key}}}" in text}
        return [
            text,
            {
                key: said(value["name"], value.get("values")) if isinstance(value, dict) else value
                for key, value in named.items()
            },
        ]

    def all_said(messages: Any) -> list[Any]:
        return [said(each["name"], each.get("values")) for each in messages]

    if isinstance(answer, dict):
        return [*said(answer["why"], answer["values"]), answer["cell"], answer["way"]]
    moves, verdict, told, *more = answer
    rest = [said(more[0]["name"], more[0].get("values")), all_said(more[1])] if more else []
    return [moves, verdict, all_said(told), *rest]
