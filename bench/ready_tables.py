"""Make the introductions and the collections of the ready tables, with fixed seeds.

python -m bench.ready_tables queens stars
"""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from solvers.answers import BANDS, CountAnswer, GenerateAnswer, RateAnswer
from solvers.question import finish
from solvers.registry import ready_kinds
from solvers.rule_tables.kind import TableKind, TablePosition
from solvers.rule_tables.ready import TABLES
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.table import MAX_RULES

SIZES = {
    "battleships": (5, 6, 7),
    "dominoes": (4, 6),
    "heyawake": (4, 5, 6),
    "hitori": (4, 5, 6),
    "kings": (4, 5, 6),
    "kurodoko": (4, 5, 6),
    "latin": (5,),
    "light_up": (5, 6, 7),
    "lights_out": (4, 5),
    "magic": (3,),
    "map_colouring": (4, 5, 6),
    "masyu": (4, 5, 6),
    "mines": (4, 5, 6),
    "mosaic": (4, 5),
    "queens": (5, 6, 7),
    "skyscrapers": (4,),
    "skyscrapers_5": (5,),
    "slitherlink": (4, 5, 6),
    "stars": (5, 6),
    "stones": (4, 5, 6),
    "sudoku": (4,),
    "sudoku_6": (6,),
    "sudoku_9": (9,),
    "takuzu": (4, 6),
    "tents": (4, 5, 6, 7),
    "yin_yang": (4, 5, 6),
}
WORLDS, BOARDS_PER_WORLD = 3, 12
GENERATED = 18
"""The boards of each size from which the collection is chosen."""
LESSONS = 5
MOVES_LEFT = 3
"""The moves that are left to a player of the introduction."""
MAX_LINE = 100
"""The longest line on which several parts of the rules stand."""


def written(stored: dict[str, Any]) -> str:
    """Return the content of a file of a table: a board, or a part of the rules, on each line."""
    return f"{_lines(stored, 0)}\n"


def _lines(value: Any, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if depth == 3 or not isinstance(value, dict | list) or (depth and len(line) <= MAX_LINE):
        return line
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_lines(each, depth + 1)}" for key, each in value.items()]
    else:
        parts = [json.dumps(each, ensure_ascii=False) for each in value]
    joined = f",\n{' ' * (depth + 1)}".join(parts)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{' ' * (depth + 1)}{joined}\n{' ' * depth}{end}"


def collection(kind: TableKind, sizes: tuple[int, ...]) -> list[dict[str, Any]]:
    """Return boards from easy to hard, as `CollectedPuzzle` has them."""
    rated = []
    for size in sizes:
        made: GenerateAnswer = finish(
            kind.questions["generate"].ask(
                kind, kind.read(kind.editor.blank(1, 1)), size=size, difficulty="any",
                many=max(GENERATED, WORLDS * BOARDS_PER_WORLD // len(sizes)), seed=size,
            )
        )  # fmt: skip
        for board in made.boards:
            answer: RateAnswer = finish(kind.questions["rate"].ask(kind, kind.read(board.position)))
            if len(list(kind.moves(kind.read(board.position)))) > 1:
                rated.append((BANDS.index(answer.band), answer.careful_level or 0, board.position))
    rated.sort()
    wanted = WORLDS * BOARDS_PER_WORLD
    if len(rated) > wanted:
        rated = [rated[at * (len(rated) - 1) // (wanted - 1)] for at in range(wanted)]
    per_world = -(-len(rated) // WORLDS)
    puzzles, difficulty = [], 0.0
    for number, (band, level, position) in enumerate(rated):
        difficulty = max(difficulty, round(10 * band + level, 3))
        puzzles.append({"level": number // per_world + 1, "position": position, "solutions": 1,
                      "band": BANDS[band], "difficulty": difficulty})  # fmt: skip
    return puzzles


def lessons(kind: TableKind, positions: list[str]) -> Iterator[dict[str, Any]]:
    """Yield boards of the introduction. A board is about a rule that one press can break, or about
    all of them."""
    rng = random.Random(1)
    taught: set[int] = set()
    for text in positions:
        start = kind.read(text)
        counted: CountAnswer = finish(kind.questions["count"].ask(kind, start))
        moves = list(counted.moves)
        rng.shuffle(moves)
        played = " ".join(moves[:-MOVES_LEFT])
        position = kind.play_line(start, played)
        if not moves or kind.judge(position).faults:
            continue
        rest = [move for move in counted.moves if move in moves[-MOVES_LEFT:]]
        rule, slip = _slip(kind, position, taught)
        if rule or len(taught) < LESSONS:
            taught.add(rule)
            lesson = {"position": kind.write(position), "solution": " ".join(rest)}
            yield lesson | ({"rule": rule, "slip": slip} if rule else {})


def _slip(kind: TableKind, position: TablePosition, taught: set[int]) -> tuple[int, str]:
    """Return a rule that has not been taught yet, and a move that breaks only this one."""
    sentences = [str(sentence(kind.table, rule)) for rule in kind.table.rules]
    for move in kind.moves(position):
        faults = {str(m.values["rule"]) for _, m in kind.judge(kind.play(position, move)).faults}
        if len(faults) == 1:
            rule = sentences.index(faults.pop()) + 1
            if rule not in taught:
                return rule, kind.write_move(move)
    return 0, ""


def main(names: list[str]) -> None:
    """Write the boards of the named tables, or of all, into their files."""
    for name, kind in ready_kinds().items():
        if names and name not in names:
            continue
        assert isinstance(kind, TableKind)
        path = TABLES / f"{name}.json"
        stored = json.loads(path.read_text("utf-8"))
        stored["puzzle"] = collection(kind, SIZES[name])
        easy = [each["position"] for each in stored["puzzle"]]
        made = sorted(lessons(kind, easy), key=lambda lesson: lesson.get("rule", MAX_RULES))
        stored["introduction"] = made[: LESSONS - 1] + made[-1:]
        path.write_text(written(stored), "utf-8")
        print(name, len(stored["puzzle"]), len(stored["introduction"]))


if __name__ == "__main__":
    main(sys.argv[1:])
