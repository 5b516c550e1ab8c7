"""The pages on the non-attacking pieces: the study's results, its 1,860 boards and larger sets."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET

from puzzleclass.learn import kikazu_pictures as pictures
from puzzleclass.learn.figures import KikazuFigures, KikazuSolution, stored
from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.learn.kikazu_compared import SIDE, WHOLE, compared_figures
from puzzleclass.learn.study_figures import StudyFigures
from solvers.kikazu.formats import StartDraft, write_draft
from solvers.kikazu.picture import blocking
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position
from solvers.kikazu.skeletons import always
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import get_kind

SLUG = "kikazu"
BOARDS_PER_PAGE = 12
_EMPTY_BOARD = "/".join(["9"] * 9)

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


@require_GET
@cache_for_guests()
def learn_kikazu(request: HttpRequest) -> HttpResponse:
    """Show the study's results step by step."""
    stored_figures, others = stored(KikazuFigures), stored(StudyFigures)
    figures = stored_figures.figures
    fullest = figures.complete[0]
    board = figures.solutions[0].board
    boards = [solution.board for solution in figures.solutions]
    pairs, edge = pictures.tile_counts(fullest.board)
    context = {
        "run": stored_figures.run,
        "figures": figures,
        "whole": pictures.still_board(board, strong=figures.fixed),
        "blocking": blocking(),
        "strips": pictures.strips(),
        "bones": [(skeleton, pictures.skeleton(skeleton.board)) for skeleton in figures.skeletons],
        "bars": pictures.bars({heads.pawns: heads.boards for heads in figures.heads}),
        "fixed": pictures.still_board(figures.fixed, strong=figures.fixed),
        "extra": _extra_fixed_pawn(figures),
        "heats": [
            (NAMES[piece], pictures.heat(piece, _counts_by_square(boards, piece), len(boards)))
            for piece in "KGSNLP"
        ],
        "clues": _clues(figures),
        "blank": f"{_EMPTY_BOARD} -",
        "proof": pictures.proof(board),
        "tiles": {"pairs": pairs, "squares": 2 * pairs, "edge": edge},
        "ladder": [
            (rung, pictures.still_board(rung.shown, rung.columns)) for rung in figures.ladder
        ],
        "printed": compared_figures(figures, others.figures),
        "others_run": others.run,
        "sets": [(SETS[each.hand], each, f"{_EMPTY_BOARD} {each.hand}") for each in figures.sets],
    }
    return render(request, "learn/kikazu.html", context)


class CluesExample(NamedTuple):
    """The number of boards that need `number` clues, and one of them as a puzzle and solved."""

    number: int
    boards: int
    puzzle: str
    clues_picture: Picture
    solved: Picture


def _clues(figures: KikazuFigures) -> list[CluesExample]:
    rows = []
    for number, many in figures.clues:
        example = next(each for each in figures.solutions if len(each.clues) == number)
        clue_board = _clue_board(example)
        solved = pictures.with_clues(pictures.still_board(example.board), example.clues)
        picture = pictures.still_board(clue_board, strong=clue_board)
        rows.append(CluesExample(number, many, puzzle_text(example), picture, solved))
    return rows


def puzzle_text(solution: KikazuSolution) -> str:
    """Return the text of the puzzle that shows a board's clues. The board is its solution."""
    clue_board = _clue_board(solution)
    stock = tuple(solution.board.count(piece) - clue_board.count(piece) for piece in PIECES)
    return write_draft(StartDraft(SIDE, SIDE, clue_board, stock))


def _clue_board(solution: KikazuSolution) -> str:
    signs = enumerate(solution.board)
    return "".join(sign if at in solution.clues else EMPTY for at, sign in signs)


@require_GET
@cache_for_guests("page")
def learn_kikazu_boards(request: HttpRequest) -> HttpResponse:
    """Show the boards of the whole set page by page, or those with pieces on chosen squares."""
    figures = stored(KikazuFigures).figures
    requested, faults = _requested_pieces(request.GET)
    skeleton = request.GET.get("skeleton", "")
    if skeleton not in {each.name for each in figures.complete}:
        skeleton = ""
    sizes = [number for number, _ in figures.clues]
    clues = next((n for n in sizes if str(n) == request.GET.get("clues")), None)
    found = [
        solution
        for solution in figures.solutions
        if skeleton in ("", solution.skeleton)
        and clues in (None, len(solution.clues))
        and all(solution.board[_square_index(move)] == move.piece for move in requested)
    ]
    piece = request.GET.get("piece", "K")
    if piece not in WHOLE or piece in "RB":
        piece = "K"
    filters = [("skeleton", skeleton)] * bool(skeleton) + [("clues", str(clues))] * bool(clues)
    filters += [("has", _move_text(move)) for move in requested]
    fields = [*filters, ("piece", piece)]
    page = Paginator(found, BOARDS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "all": len(figures.solutions),
        "found": len(found),
        "faults": faults,
        "page": page,
        "boards": [
            (
                each,
                pictures.with_clues(
                    pictures.still_board(each.board, strong=figures.fixed), each.clues
                ),
                puzzle_text(each),
            )
            for each in page
        ],
        "blank": f"{_EMPTY_BOARD} -",
        "chosen": [
            (
                _move_name(move),
                urlencode([each for each in fields if each != ("has", _move_text(move))]),
            )
            for move in requested
        ],
        "skeletons": [
            (name, name == skeleton, _query_with(fields, "skeleton", name))
            for name in ["", *(each.name for each in figures.complete)]
        ],
        "sizes": [
            (number, number == clues, _query_with(fields, "clues", str(number or "")))
            for number in [None, *sizes]
        ],
        "pieces": [
            (NAMES[letter], letter == piece, urlencode([*filters, ("piece", letter)]))
            for letter in PIECES
            if letter not in "RB"
        ],
        "kept": fields,
        "piece": NAMES[piece],
        **_chooser(found, piece),
    }
    return render(request, "learn/kikazu_boards.html", context)


def _requested_pieces(fields: QueryDict) -> tuple[list[Move], list[Message]]:
    """Return the requested pieces, each once, and what is wrong with the other requests."""
    kind = get_kind(SLUG)
    board = Position(SIDE, SIDE, EMPTY * SIDE**2, (SIDE**2,) * len(PIECES))
    requested: list[Move] = []
    faults = []
    for text in [*fields.getlist("has"), *fields.getlist("move")]:
        if not text:
            continue
        try:
            move = kind.read_move(text)
            if move not in requested:
                board = kind.play(board, move)
                requested.append(move)
        except PuzzleError as error:
            faults.append(error.message)
    return requested, faults


def _chooser(found: Sequence[KikazuSolution], piece: str) -> dict[str, object]:
    """Return the board on which the next square is chosen, and its squares as a list."""
    if not found:
        return {}
    boards = [solution.board for solution in found]
    certain = always(boards)
    counts = _counts_by_square(boards, piece)
    return {
        "chooser": pictures.chooser(piece, counts, len(found), certain),
        "squares": [
            (_move_text(move), _move_name(move), number)
            for at, number in counts.items()
            if certain[at] == EMPTY
            for move in [Move(piece, divmod(at, SIDE))]
        ],
    }


def _counts_by_square(boards: list[str], piece: str) -> dict[int, int]:
    """Return a mapping from squares, row by row, to the number of boards with the piece there."""
    counted = {at: signs.count(piece) for at, signs in enumerate(zip(*boards, strict=True))}
    return {at: number for at, number in counted.items() if number}


def _extra_fixed_pawn(figures: KikazuFigures) -> Message:
    """Return a message that says where the piece stands that is fixed only without lances."""
    pairs = enumerate(zip(figures.fixed, figures.fixed_without_lances, strict=True))
    row, column = next(divmod(at, SIDE) for at, (with_l, bare) in pairs if with_l != bare)
    return Message(
        "Without lances one pawn more never moves: row {row}, column {column}.",
        {"row": row + 1, "column": column + 1},
    )


def _square_index(move: Move) -> int:
    return move.cell[0] * SIDE + move.cell[1]


def _move_text(move: Move) -> str:
    return get_kind(SLUG).write_move(move)


def _move_name(move: Move) -> Message:
    return get_kind(SLUG).describe(move)


def _query_with(fields: list[tuple[str, str]], name: str, value: str) -> str:
    """Return the query string with the field's new value, or without the field if it is empty."""
    others = [each for each in fields if each[0] != name]
    return urlencode([*([(name, value)] if value else []), *others])
