"""The rules in JavaScript agree with those in Python on random boards. `make fuzz` tests more."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solvers.kind import BadText, IllegalMove, split_moves
from solvers.message import Message
from solvers.registry import AnyKind, folder, kinds, ready_kinds
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.table import read_table
from tests.solvers.test_table_kinds import random_kind

ANSWERS, SEED = int(os.environ.get("FUZZ_RULES", 3000)), os.environ.get("FUZZ_SEED", "")
TABLES, PARTS = max(60, ANSWERS // 50), 4
ANSWERS_AT_ONCE = 20_000
TRIES = 30
NODE = Path(sys.executable).parent / "node"
RUNNER = Path(__file__).parents[1] / "scripts" / "rules.mjs"
OWN = [kind for kind in kinds().values() if kind.browser_rules and not isinstance(kind, TableKind)]
READY = ready_kinds()


def test_all_kinds_with_rules_of_their_own_have_them_in_the_browser():
    assert {"goishi", "kikazu", "maxstrings", "tonari"} <= {kind.slug for kind in OWN}


@pytest.mark.parametrize("kind", OWN, ids=lambda kind: kind.slug)
def test_random_boards_agree(kind: AnyKind):
    reasons = compare(kind, ANSWERS)
    assert len(reasons) >= 3


@pytest.mark.parametrize("kind", READY.values(), ids=READY)
def test_random_boards_of_tables_agree(kind: AnyKind):
    assert compare(kind, ANSWERS // 10)


@pytest.mark.parametrize("kind", READY.values(), ids=READY)
def test_a_board_is_solved_with_its_last_symbol(kind: AnyKind):
    for lesson in kind.introduction:
        position = kind.read(lesson.position)
        made = [*map(kind.write_move, kind.line(position)), *split_moves(lesson.solution)]
        game = _game(kind, kind.start(position), lambda _, rest=made: rest.pop(0), len(made))
        *_, (_, verdict, *_) = _compared(kind, iter([game]))
        assert verdict["solved"]


def test_a_table_made_to_explode_is_judged_by_the_server_alone():
    symbols = [{"letter": letter, "value": 1 << number} for number, letter in enumerate("abcdefg")]
    rule = {"where": "board", "relation": "total", "what": "*", "number": 196}
    table = {"name": {"en": "Sums"}, "symbols": symbols, "rules": [rule]}
    kind = TableKind(read_table(json.dumps(table)), largest=(14, 14))
    start = kind.browser_rules.start(kind.read("14x14"))
    assert json.loads(start)["automata"] is None
    (answer,) = _answers(kind, [(start, [], [])])
    assert answer[0][1] == {"solved": False, "over": False, "faults": None}


@pytest.mark.parametrize("part", range(PARTS))
def test_random_tables_agree(part):
    rng = random.Random(f"{SEED} tables {part}")
    faults = 0
    for _ in range(TABLES // PARTS):
        kind = random_kind(rng)
        games = [_game(kind, kind.sample(rng, 3), partial(_try, kind, rng=rng), 12) for _ in "ab"]
        for answer in _compared(kind, iter(games)):
            faults += isinstance(answer, list) and len(answer[1]["faults"])
    assert faults


def compare(kind: AnyKind, answers: int) -> set[str]:
    """Compare the rules in both languages so many times; return the reasons of refusals."""
    rng = random.Random(f"{SEED}{kind.slug}")
    compared, refused = 0, 0
    reasons: set[str] = set()
    while compared < answers:
        for answer in _compared(kind, _games(kind, rng, min(answers - compared, ANSWERS_AT_ONCE))):
            compared += 1
            if isinstance(answer, dict):
                refused += 1
                reasons.add(answer["why"])
    assert refused > compared / 20
    return reasons


def _compared(kind: AnyKind, games: Iterator[tuple[str, list[str], Any]]) -> Iterator[Any]:
    """Compare what the rules in both languages say of games; yield the answers in JavaScript."""
    known = list(games)
    for (start, tries, expected), answers in zip(known, _answers(kind, known), strict=True):
        for number, (mine, answer) in enumerate(zip(expected, answers, strict=True)):
            assert _normal(kind, answer) == mine, f"{start} | {' '.join(tries[:number])}"
            yield answer


def _answers(kind: AnyKind, games: list[tuple[str, list[str], Any]]) -> list[Any]:
    """Return what the rules in JavaScript say of games."""
    assert kind.browser_rules
    questions = "\n".join(json.dumps({"start": s, "tries": t}) for s, t, _ in games)
    module = folder(kind) / "static" / f"{kind.browser_rules.module or kind.slug}.js"
    ran = subprocess.run(
        (NODE, RUNNER, module), input=questions, capture_output=True, text=True, check=True
    )
    return list(map(json.loads, ran.stdout.splitlines()))


def _games(kind: AnyKind, rng: random.Random, answers: int) -> Iterator[tuple[str, list[str], Any]]:
    """Yield random starts, each with moves that are tried and what the rules in Python say."""
    while answers > 0:
        position = kind.sample(rng, rng.randint(1, 8))
        game = _game(kind, position, lambda now: _try(kind, now, rng), TRIES)
        answers -= len(game[2])
        yield game


def _try(kind: AnyKind, position: Hashable, rng: random.Random) -> str:
    legal = list(map(kind.write_move, kind.moves(position)))
    return rng.choice(legal) if legal and rng.random() < 0.6 else _odd(kind, position, rng)


def _game(
    kind: AnyKind, position: Any, next_try: Callable[[Any], str], number: int
) -> tuple[str, list[str], Any]:
    """Return a start, the moves that are tried on it, and what the rules in Python say."""
    assert kind.browser_rules
    start = (kind.browser_rules.start or kind.write_start)(kind.start(position))
    tries, expected = [], [_state(kind, position)]
    for _ in range(number):
        tries.append(next_try(position))
        move = kind.read_move(tries[-1])
        try:
            after = kind.play(position, move)
        except IllegalMove as error:
            place = error.place
            way = list(map(list, place.path))
            expected.append([*_said(kind, error.message), list(place.cell or ()), way])
            continue
        described = _said(kind, kind.describe(move))
        undone = [_said(kind, each) for each in kind.announcements_after_undo(position, after)]
        expected.append([*_state(kind, after), described, undone])
        position = after
    return start, tries, expected


def _odd(kind: AnyKind, position: Hashable, rng: random.Random) -> str:
    """Return a move that may be against the rules, near an earlier move or anywhere."""
    rows, columns = kind.editor.size(kind.write_start(position))
    if isinstance(kind, TableKind) and kind.is_lines:
        rows, columns = 3 * rows, 3 * columns
    cell = rng.randint(1, rows + 1), rng.randint(1, columns + 1)
    if (line := kind.line(position)) and rng.random() < 0.5:
        row, column = kind.cell_of(rng.choice(line[-3:]))
        cell = max(1, row + rng.randint(0, 2)), max(1, column + rng.randint(0, 2))
    text = f"{cell[0]},{cell[1]}"
    if isinstance(kind, TableKind):
        tools = {"-", *kind.symbols, *kind.marks}
    elif kind.tools:
        tools = {"-", *kind.tools.names(position), *kind.tools.movable(position), *_pieces(kind)}
    else:
        return text
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
        "faults": [[list(cell), _said(kind, message)] for cell, message in verdict.faults],
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
        if isinstance(text, Message):
            return _said(kind, text)
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
    verdict["faults"] = [
        [cell, said(each["name"], each.get("values"))] for cell, each in verdict["faults"]
    ]
    rest = [said(more[0]["name"], more[0].get("values")), all_said(more[1])] if more else []
    return [moves, verdict, all_said(told), *rest]
