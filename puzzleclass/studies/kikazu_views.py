"""The pages on the non-attacking pieces: the study's results, its 1,860 boards and larger sets."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial, prod
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from puzzleclass.http import Request
from puzzleclass.studies import kikazu_pictures as pictures
from puzzleclass.studies.figures import (
    CrowdedBoard,
    KikazuFigures,
    KikazuSkeleton,
    KikazuSolution,
    duration_in_words,
    stored,
)
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.pages import KIKAZU, GalleryBoard, gallery, run, show_study
from puzzleclass.studies.printed_figures import PrintedFigures
from solvers.kikazu.formats import StartDrawing, write_drawing
from solvers.kikazu.picture import blocking
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position
from solvers.kikazu.skeletons import always
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.registry import get_kind

SIDE = 9
WHOLE = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}
SLUG = "kikazu"
BOARDS_PER_PAGE = 12


@require_GET
@cache_for_guests()
def study_kikazu(request: Request) -> HttpResponse:
    """Show the study's results step by step."""
    figures, others = stored(KikazuFigures), stored(PrintedFigures)
    known, room = figures.figures, others.figures.room
    boards = [solution.board for solution in known.solutions]
    pairs, edge = pictures.tile_counts(known.complete[0].board)
    ratios = [each.ratio for each in others.figures.piece_orders]
    row, column = _extra_fixed_pawn(known)
    fixed = len(known.fixed) - known.fixed.count(EMPTY)
    far = {"".join(sign if sign in "RB" else EMPTY for sign in s.board) for s in known.complete}
    parts = {
        "reader": render_to_string("_reader.html", request=request),
        "whole": pictures.still_board(boards[0], strong=known.fixed),
        "ways": len(known.solutions),
        "seconds": duration_in_words(round(known.seconds, 1)),
        "blocking": gallery(request, (GalleryBoard(drawn, "", text) for drawn, text in blocking())),
        **_arrangement_parts(),
        "strips": pictures.strips(),
        "pawns": len(pictures.STRIPS),
        "rest": sum(WHOLE.values()) - WHOLE["R"] - WHOLE["B"],
        "far.boards": room.boards,
        "few": room.least,
        "many": room.most,
        "room.few": pictures.free_squares(room.least_board),
        "room.many": pictures.free_squares(room.most_board),
        "skeletons": gallery(request, map(_skeleton, known.skeletons)),
        "skeletons.count": len(known.skeletons),
        "bare": known.without_lances,
        "heads": [
            (each.pawns, each.boards, f"× {each.choices}", each.whole) for each in known.heads
        ],
        "bars": pictures.bars({heads.pawns: heads.boards for heads in known.heads}),
        "fixed": pictures.still_board(known.fixed, strong=known.fixed),
        "extra.row": row + 1,
        "extra.column": column + 1,
        "taken": known.always_taken,
        "heats": gallery(
            request,
            (
                GalleryBoard(pictures.heat(piece, _counts_by_square(boards, piece), len(boards)),
                      NAMES[piece])
                for piece in "KGSNLP"
            ),
        ),
        "clues": gallery(request, _clues(known), KIKAZU),
        **{f"proof.{n}": drawn for n, drawn in enumerate(pictures.proof(boards[0]), 1)},
        "tiles.pairs": pairs,
        "tiles.squares": 2 * pairs,
        "tiles.edge": edge,
        **{f"set.{n}": (f"`{each.hand}` {{{{ make.{n} }}}}", each.boards, each.up_to_mirror)
           for n, each in enumerate(known.sets, 1)},
        **{f"make.{n}": _make_puzzle(request, each.hand) for n, each in enumerate(known.sets, 1)},
        "ladder": gallery(request, map(_rung, known.ladder)),
        "new": _new_puzzle(request),
        "anywhere": f"{arrangements(WHOLE, SIDE**2):.2e}".replace("e+", " × 10^"),
        "after_rook": SIDE**2 - 1 - 2 * (SIDE - 1),
        "empty": SIDE**2 - sum(WHOLE.values()),
        "far": len(far),
        "fixed.count": fixed - sum(known.fixed.count(piece) for piece in "RB"),
        "fixed.more": known.fixed_without_lances.count("P") - known.fixed.count("P"),
        "ratios": f"{min(ratios):.1f}–{max(ratios):.0f}",
        "ratios.boards": len(ratios),
        "skeletons.time": duration_in_words(others.figures.skeleton_seconds),
        "hours": f"{known.seconds / 3600:.4f}",
        "run": run(figures.run),
        "run.printed": run(others.run),
    }  # fmt: skip
    return show_study(request, "kikazu", parts)


def arrangements(numbers: Mapping[str, int], places: int) -> int:
    """Return the number of ways to put so many pieces of each kind on the places."""
    rest = places - sum(numbers.values())
    return factorial(places) // (prod(map(factorial, numbers.values())) * factorial(rest))


def arrangements_in_order(places: str, sign: str, number: int) -> list[str]:
    """Return the ways to put a number of signs on the empty places, in the study's order."""
    empty = [at for at, each in enumerate(places) if each == "_"]
    return [
        "".join(sign if at in chosen else each for at, each in enumerate(places))
        for chosen in combinations(empty, number)
    ]


def _arrangement_parts() -> dict[str, object]:
    """Return the study's example: 2 times A, 3 times B and once C on six places."""
    first = arrangements_in_order("_" * 6, "A", 2)
    second = arrangements_in_order(first[0], "B", 3)

    def lines(found: list[str], before: str) -> SafeString:
        rows = (f"{before}{n}.  {' '.join(each)}" for n, each in enumerate(found, 1))
        return format_html('<pre class="places">{}</pre>', "\n".join(rows))

    return {
        "arrangements.first": lines(first, ""),
        "arrangements.second": lines(second, "1."),
        "arrangements.a": len(first),
        "arrangements.b": len(second),
        "arrangements.all": arrangements({"A": 2, "B": 3, "C": 1}, 6),
    }


def _skeleton(bones: KikazuSkeleton) -> GalleryBoard:
    counts = f"{bones.name}: {bones.without_lances:,} → {bones.whole:,}"
    return GalleryBoard(pictures.skeleton(bones.board), "", counts, is_marked=bool(bones.whole))


def _clues(figures: KikazuFigures) -> Iterator[GalleryBoard]:
    """Yield for each number of clues a board that needs so many, as a puzzle and solved."""
    for number, many in figures.clues:
        example = next(each for each in figures.solutions if len(each.clues) == number)
        clue_board = _clue_board(example)
        yield GalleryBoard(
            pictures.still_board(clue_board, strong=clue_board),
            Message("Clues: {number}", {"number": number}),
            Message(
                "Enough for {many} boards, and no fewer will do for them.", {"many": f"{many:,}"}
            ),
            pictures.with_clues(pictures.still_board(example.board), example.clues),
            puzzle_text(example),
        )


def _rung(each: CrowdedBoard) -> GalleryBoard:
    text = Message(
        "{board}: ways: {found} (mirror images left out: {classes})",
        {"board": each.text, "found": each.found, "classes": each.up_to_mirror},
    )
    solved = pictures.still_board(each.shown, each.columns)
    empty = pictures.still_board(EMPTY * (each.rows * each.columns), each.columns)
    return GalleryBoard(empty, f"{each.columns} × {each.rows}", text, solved)


def _make_puzzle(request: Request, hand: str) -> SafeString:
    """Return the button with which teachers make a puzzle of a hand and the empty board."""
    if not (request.user.is_authenticated and request.user.is_teacher):
        return SafeString("")
    puzzle = f"{KIKAZU.board.removesuffix(' -')} {hand}"
    context = {"blank": KIKAZU, "puzzle": puzzle}
    return render_to_string("studies/_make_puzzle.html", context, request)


def _new_puzzle(request: Request) -> SafeString:
    """Return the link for teachers who want to give a board of the ladder to their class."""
    if not (request.user.is_authenticated and request.user.is_teacher):
        return SafeString("")
    return format_html(
        '<p>{} <a href="{}">{}</a></p>',
        _("Copy a line into a new puzzle to give it to your class."),
        reverse("puzzle_new", args=[SLUG]),
        _("Create a puzzle"),
    )


def puzzle_text(solution: KikazuSolution) -> str:
    """Return the text of the puzzle that shows a board's clues. The board is its solution."""
    clue_board = _clue_board(solution)
    stock = tuple(solution.board.count(piece) - clue_board.count(piece) for piece in PIECES)
    return write_drawing(StartDrawing(SIDE, SIDE, clue_board, stock))


def _clue_board(solution: KikazuSolution) -> str:
    signs = enumerate(solution.board)
    return "".join(sign if at in solution.clues else EMPTY for at, sign in signs)


@require_GET
@cache_for_guests("page")
def study_kikazu_boards(request: Request) -> HttpResponse:
    """Show the boards of the whole set page by page, or those with pieces on chosen squares."""
    figures = stored(KikazuFigures).figures
    requested, faults = _requested_pieces(request.GET)
    skeleton = request.GET.get("skeleton", "")
    if skeleton not in {each.name for each in figures.complete}:
        skeleton = ""
    sizes = [number for number, _ in figures.clues]
    clues = next((n for n in sizes if str(n) == request.GET.get("clues")), None)
    boards = [
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
    page = Paginator(boards, BOARDS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "all": len(figures.solutions),
        "found": len(boards),
        "faults": faults,
        "page": page,
        "gallery": gallery(request, (_solution(each, figures) for each in page), KIKAZU),
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
        **_chooser(boards, piece),
    }
    return render(request, "studies/kikazu_boards.html", context)


def _solution(each: KikazuSolution, figures: KikazuFigures) -> GalleryBoard:
    """Return a board of the whole set, with its clues ringed."""
    board = pictures.still_board(each.board, strong=figures.fixed)
    text = Message(
        "No. {number}, skeleton {skeleton}, clues {clues}",
        {"number": each.number, "skeleton": each.skeleton, "clues": len(each.clues)},
    )
    return GalleryBoard(pictures.with_clues(board, each.clues), "", text, puzzle=puzzle_text(each))


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


def _extra_fixed_pawn(figures: KikazuFigures) -> tuple[int, int]:
    """Return the row and column of the piece that is fixed only without lances."""
    pairs = enumerate(zip(figures.fixed, figures.fixed_without_lances, strict=True))
    return next(divmod(at, SIDE) for at, (with_l, bare) in pairs if with_l != bare)


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
