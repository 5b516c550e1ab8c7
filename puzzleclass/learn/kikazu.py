"""The pages on the non-attacking pieces: the study's results, its 1,860 boards, larger sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET

from puzzleclass.learn import kikazu_pictures as pictures
from puzzleclass.learn.figures import KikazuFigures, KikazuSolution, stored
from solvers.kikazu.formats import Draft, write_draft
from solvers.kikazu.picture import blocking
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position
from solvers.kikazu.study import always
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import get_kind

SLUG = "kikazu"
A_PAGE = 12
_EMPTY_BOARD = "/".join(["9"] * 9)

SIDE = 9
WHOLE = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}

SETS = {
    "2R2B2K4G4S4N4L18P": gettext_noop("The whole set"),
    "2R2B2K4G4S4N22P": gettext_noop("Pawns for the lances"),
    "2R2B4N32P": gettext_noop("Rooks, bishops, knights and pawns"),
    "2R2B4N33P": gettext_noop("… and a pawn more"),
    "2R2B4N31P": gettext_noop("… or a pawn less"),
    "2RB2K4G4S4N4L18P": gettext_noop("The whole set less a bishop"),
    "2R2B2K4G4S4N4L17P": gettext_noop("The whole set less a pawn"),
    "2R2B2K4G4S4N3L18P": gettext_noop("The whole set less a lance"),
}
"""The names of hands on the empty 9x9 board."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure of the study beside ours."""

    what: str
    study: str
    ours: str
    agrees: bool | None
    """None where there is nothing to judge."""
    note: str = ""


@require_GET
def learn_kikazu(request: HttpRequest) -> HttpResponse:
    """The study's results, step by step."""
    kept = stored(KikazuFigures)
    known = kept.figures
    best = known.complete[0]
    shown = known.solutions[0].board
    standing = [solution.board for solution in known.solutions]
    pairs, edge = pictures.tile_counts(best.board)
    context = {
        "run": kept.run,
        "figures": known,
        "whole": pictures.still(shown, strong=known.fixed),
        "blocking": blocking(),
        "strips": pictures.strips(),
        "bones": [(bones, pictures.skeleton(bones.board)) for bones in known.skeletons],
        "bars": pictures.bars({heads.pawns: heads.boards for heads in known.heads}),
        "fixed": pictures.still(known.fixed, strong=known.fixed),
        "extra": _new_in(known),
        "heats": [
            (NAMES[piece], pictures.heat(piece, _where(standing, piece), len(standing)))
            for piece in "KGSNLP"
        ],
        "clues": _clues(known),
        "blank": f"{_EMPTY_BOARD} -",
        "proof": pictures.proof(shown),
        "tiles": {"pairs": pairs, "squares": 2 * pairs, "edge": edge},
        "ladder": [(rung, pictures.still(rung.shown, rung.columns)) for rung in known.ladder],
        "printed": _printed(known),
        "sets": [(SETS[each.hand], each, f"{_EMPTY_BOARD} {each.hand}") for each in known.sets],
    }
    return render(request, "learn/kikazu.html", context)


class CluesExample(NamedTuple):
    """How many boards need so many clues, and one of them: as a puzzle, and solved."""

    number: int
    boards: int
    puzzle: str
    given: Picture
    solved: Picture


def _clues(known: KikazuFigures) -> list[CluesExample]:
    rows = []
    for number, many in known.clues:
        example = next(each for each in known.solutions if len(each.clues) == number)
        given = _given(example)
        solved = pictures.with_clues(pictures.still(example.board), example.clues)
        picture = pictures.still(given, strong=given)
        rows.append(CluesExample(number, many, puzzle_text(example), picture, solved))
    return rows


def puzzle_text(solution: KikazuSolution) -> str:
    """Return the puzzle in which a board's clues are given, as it is written: the board solves
    it."""
    given = _given(solution)
    stock = tuple(solution.board.count(piece) - given.count(piece) for piece in PIECES)
    return write_draft(Draft(SIDE, SIDE, given, stock))


def _given(solution: KikazuSolution) -> str:
    signs = enumerate(solution.board)
    return "".join(sign if at in solution.clues else EMPTY for at, sign in signs)


@require_GET
def learn_kikazu_boards(request: HttpRequest) -> HttpResponse:
    """All boards of the whole set, page by page, and those with chosen pieces on squares."""
    known = stored(KikazuFigures).figures
    wanted, faults = _wanted(request.GET)
    skeleton = request.GET.get("skeleton", "")
    if skeleton not in {bones.name for bones in known.complete}:
        skeleton = ""
    sizes = [number for number, _ in known.clues]
    clues = next((n for n in sizes if str(n) == request.GET.get("clues")), None)
    found = [
        solution
        for solution in known.solutions
        if skeleton in ("", solution.skeleton)
        and clues in (None, len(solution.clues))
        and all(solution.board[_at(move)] == move.piece for move in wanted)
    ]
    piece = request.GET.get("piece", "K")
    if piece not in WHOLE or piece in "RB":
        piece = "K"
    kept = [("skeleton", skeleton)] * bool(skeleton) + [("clues", str(clues))] * bool(clues)
    kept += [("has", _text(move)) for move in wanted]
    here = [*kept, ("piece", piece)]
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "all": len(known.solutions),
        "found": len(found),
        "faults": faults,
        "page": page,
        "boards": [
            (
                each,
                pictures.with_clues(pictures.still(each.board, strong=known.fixed), each.clues),
                puzzle_text(each),
            )
            for each in page
        ],
        "blank": f"{_EMPTY_BOARD} -",
        "chosen": [
            (_named(move), urlencode([each for each in here if each != ("has", _text(move))]))
            for move in wanted
        ],
        "skeletons": [
            (name, name == skeleton, _chosen(here, "skeleton", name))
            for name in ["", *(bones.name for bones in known.complete)]
        ],
        "sizes": [
            (number, number == clues, _chosen(here, "clues", str(number or "")))
            for number in [None, *sizes]
        ],
        "pieces": [
            (NAMES[letter], letter == piece, urlencode([*kept, ("piece", letter)]))
            for letter in PIECES
            if letter not in "RB"
        ],
        "kept": here,
        "piece": NAMES[piece],
        **_chooser(found, piece),
    }
    return render(request, "learn/kikazu_boards.html", context)


def _wanted(fields: QueryDict) -> tuple[list[Move], list[Message]]:
    """Return the pieces asked for, each once, and what is wrong with the others."""
    kind = get_kind(SLUG)
    board = Position(SIDE, SIDE, EMPTY * SIDE**2, (SIDE**2,) * len(PIECES))
    wanted: list[Move] = []
    faults = []
    for text in [*fields.getlist("has"), *fields.getlist("move")]:
        if not text:
            continue
        try:
            move = kind.read_move(text)
            if move not in wanted:
                board = kind.play(board, move)
                wanted.append(move)
        except PuzzleError as error:
            faults.append(error.message)
    return wanted, faults


def _chooser(found: Sequence[KikazuSolution], piece: str) -> dict[str, object]:
    """Return the board to choose the next square on, and the same as a list."""
    if not found:
        return {}
    standing = [solution.board for solution in found]
    certain = always(standing)
    counts = _where(standing, piece)
    return {
        "chooser": pictures.chooser(piece, counts, len(found), certain),
        "squares": [
            (_text(move), _named(move), number)
            for at, number in counts.items()
            if certain[at] == EMPTY
            for move in [Move(piece, divmod(at, SIDE))]
        ],
    }


def _where(found: list[str], piece: str) -> dict[int, int]:
    """Return square -> how many of the boards have the piece there, squares row by row."""
    counted = {at: signs.count(piece) for at, signs in enumerate(zip(*found, strict=True))}
    return {at: number for at, number in counted.items() if number}


def _printed(known: KikazuFigures) -> list[Printed]:
    """Return the study's figures beside ours, in its order."""
    squares = SIDE**2
    ways = factorial(squares) // (
        prod(map(factorial, WHOLE.values())) * factorial(squares - sum(WHOLE.values()))
    )
    about = f"{ways:.2e}".replace("e+", " × 10^")
    fixed = len(known.fixed) - known.fixed.count(EMPTY)
    small = fixed - sum(known.fixed.count(piece) for piece in "RB")
    far = {"".join(sign if sign in "RB" else EMPTY for sign in s.board) for s in known.complete}
    more = known.fixed_without_lances.count("P") - known.fixed.count("P")
    return [
        Printed(gettext_noop("Ways to put the 40 pieces anywhere"), "10^49", about, True),
        Printed(
            gettext_noop("Squares that one rook or bishop takes from the others"),
            "16",
            "16 / 8–16",
            False,
            gettext_noop("True for a rook. A bishop attacks 16 only from the middle square."),
        ),
        Printed(
            gettext_noop("Ways to put 2 pawns on 4 squares of a column"),
            "4",
            "6",
            False,
            gettext_noop("The text says 4, its list has 5; there are 6. See the drawing below."),
        ),
        Printed(
            gettext_noop("Squares left after two rooks and two bishops"), "27–45", "27–45", True
        ),
        *(
            Printed(what, f"{study:,}", f"{ours:,}", study == ours)
            for what, study, ours in (
                (gettext_noop("Boards with pawns for the lances"), 2520, known.without_lances),
                (gettext_noop("Boards with the whole set"), 1860, len(known.solutions)),
                (gettext_noop("Ways to place the rooks and bishops on them"), 1, len(far)),
                (gettext_noop("Pieces that never move, rooks and bishops aside"), 19, small),
                (gettext_noop("More of them without lances"), 1, more),
                (
                    gettext_noop("Skeletons of rooks, bishops, knights and 32 pawns"),
                    13,
                    len(known.skeletons),
                ),
            )
        ),
        Printed(
            gettext_noop("40 as the most pieces"),
            gettext_noop("tried on some boards"),
            gettext_noop("proven"),
            None,
            gettext_noop("The proof is further up on this page."),
        ),
        Printed(
            gettext_noop("Hours of computing"),
            "50",
            f"{known.seconds / 3600:.4f}",
            None,
            gettext_noop(
                "The study guessed 2 to 3 hours for the way by skeletons, and did not try it."
            ),
        ),
    ]


def _new_in(known: KikazuFigures) -> Message:
    """Return where the piece stands that is fixed only without lances."""
    pairs = enumerate(zip(known.fixed, known.fixed_without_lances, strict=True))
    row, column = next(divmod(at, SIDE) for at, (with_l, bare) in pairs if with_l != bare)
    return Message(
        "Without lances one pawn more never moves: row {row}, column {column}.",
        {"row": row + 1, "column": column + 1},
    )


def _at(move: Move) -> int:
    return move.cell[0] * SIDE + move.cell[1]


def _text(move: Move) -> str:
    return get_kind(SLUG).write_move(move)


def _named(move: Move) -> Message:
    return get_kind(SLUG).describe(move)


def _chosen(fields: list[tuple[str, str]], name: str, value: str) -> str:
    """Return the address' query with another value of a field; without it, when it is empty."""
    others = [each for each in fields if each[0] != name]
    return urlencode([*([(name, value)] if value else []), *others])
