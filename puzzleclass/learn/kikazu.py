"""The pages on the non-attacking pieces: the study's results, its 1,860 boards, larger sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_http_methods

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import teacher_required
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job
from puzzleclass.learn import kikazu_pictures as pictures
from puzzleclass.learn.kikazu_figures import SIDE, WHOLE, Figures, Solution, figures, where
from solvers.kikazu.picture import blocking
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position
from solvers.kikazu.study import always
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import get_kind

SLUG = "kikazu"
SECTION = {"section": "learn"}
A_PAGE = 12
_EMPTY_BOARD = "/".join(["9"] * 9)

SETS = (
    ("2R2B2K4G4S4N4L18P", gettext_noop("The whole set")),
    ("2R2B2K4G4S4N22P", gettext_noop("Pawns for the lances")),
    ("2R2B4N32P", gettext_noop("Rooks, bishops, knights and pawns")),
    ("2R2B4N33P", gettext_noop("… and a pawn more")),
    ("2R2B4N31P", gettext_noop("… or a pawn less")),
    ("2RB2K4G4S4N4L18P", gettext_noop("The whole set less a bishop")),
    ("2R2B2K4G4S4N4L17P", gettext_noop("The whole set less a pawn")),
    ("2R2B2K4G4S4N3L18P", gettext_noop("The whole set less a lance")),
)
"""Hands on the empty 9x9 board for the worker to count."""


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
    known = figures()
    best = known.complete[0]
    shown = known.solutions[0].board
    standing = [solution.board for solution in known.solutions]
    pairs, edge = pictures.tile_counts(best.skeleton.board)
    context = {
        "figures": known,
        "whole": pictures.still(shown, strong=known.fixed),
        "blocking": blocking(),
        "strips": pictures.strips(),
        "bones": [(bones, pictures.skeleton(bones.skeleton.board)) for bones in known.bones],
        "bars": pictures.bars({heads.pawns: heads.boards for heads in known.heads}),
        "fixed": pictures.still(known.fixed, strong=known.fixed),
        "extra": _new_in(known),
        "heats": [
            (NAMES[piece], pictures.heat(piece, where(standing, piece), len(standing)))
            for piece in "KGSNLP"
        ],
        "clues": _clues(known),
        "blank": f"{_EMPTY_BOARD} -",
        "proof": pictures.proof(shown),
        "tiles": {"pairs": pairs, "squares": 2 * pairs, "edge": edge},
        "ladder": [(rung, pictures.still(rung.shown, rung.columns)) for rung in known.ladder],
        "printed": _printed(known),
        **_sets(),
    }
    return render(request, "learn/kikazu.html", SECTION | context)


def _clues(known: Figures) -> list[tuple[int, int, Solution, Picture, Picture]]:
    """Return for each number of clues how many boards need it, and one of them: as a puzzle, and
    solved."""
    rows = []
    for number, many in known.clues:
        example = next(each for each in known.solutions if len(each.clues) == number)
        given = "".join(
            sign if at in example.clues else EMPTY for at, sign in enumerate(example.board)
        )
        solved = pictures.with_clues(pictures.still(example.board), example.clues)
        rows.append((number, many, example, pictures.still(given, strong=given), solved))
    return rows


@require_http_methods(["GET", "POST"])
def learn_kikazu_sets(request: HttpRequest) -> HttpResponse:
    """The table of larger sets as it stands now; a teacher's post asks for one of its rows."""
    if request.method == "POST":
        return _ask(request)
    if not request.htmx:
        return redirect(reverse("learn_kikazu") + "#sets")
    return render(request, "learn/_kikazu_sets.html", _sets())


@teacher_required
def _ask(request: HttpRequest) -> HttpResponse:
    hand = request.POST.get("hand")
    if hand not in dict(SETS):
        raise Http404
    ask_about_set(request.user, hand)
    if request.htmx:
        return render(request, "learn/_kikazu_sets.html", _sets())
    return redirect(reverse("learn_kikazu") + "#sets")


def ask_about_set(teacher: User, hand: str) -> None:
    """Have the ways counted to stand one of `SETS` on the empty board."""
    services.ask(teacher, SLUG, "count", f"{_EMPTY_BOARD} {hand}")


@require_GET
def learn_kikazu_boards(request: HttpRequest) -> HttpResponse:
    """All boards of the whole set, page by page, and those with chosen pieces on squares."""
    known = figures()
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
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "all": len(known.solutions),
        "found": len(found),
        "faults": faults,
        "page": page,
        "boards": [
            (s, pictures.with_clues(pictures.still(s.board, strong=known.fixed), s.clues))
            for s in page
        ],
        "blank": f"{_EMPTY_BOARD} -",
        "address": urlencode([*kept, ("piece", piece)]),
        "chosen": [
            (_named(move), urlencode([*_without(kept, ("has", _text(move))), ("piece", piece)]))
            for move in wanted
        ],
        "skeletons": [
            (name, name == skeleton, _chosen(kept, "skeleton", name, piece))
            for name in ["", *(bones.name for bones in known.complete)]
        ],
        "sizes": [
            (number, number == clues, _chosen(kept, "clues", str(number or ""), piece))
            for number in [None, *sizes]
        ],
        "pieces": [
            (NAMES[letter], letter == piece, urlencode([*kept, ("piece", letter)]))
            for letter in PIECES
            if letter not in "RB"
        ],
        "kept": [*kept, ("piece", piece)],
        "piece": NAMES[piece],
        **_chooser(found, piece),
    }
    return render(request, "learn/kikazu_boards.html", SECTION | context)


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


def _chooser(found: Sequence[Solution], piece: str) -> dict[str, object]:
    """Return the board to choose the next square on, and the same as a list."""
    if not found:
        return {}
    standing = [solution.board for solution in found]
    certain = always(standing)
    counts = where(standing, piece)
    return {
        "chooser": pictures.chooser(piece, counts, len(found), certain),
        "squares": [
            (_text(move), _named(move), number)
            for at, number in counts.items()
            if certain[at] == EMPTY
            for move in [Move(piece, divmod(at, SIDE))]
        ],
    }


def _sets() -> dict[str, object]:
    """Return the rows of `SETS` with the jobs that count them, where somebody asked."""
    rows = []
    for hand, name in SETS:
        job = services.find(SLUG, "count", f"{_EMPTY_BOARD} {hand}")
        is_counted = bool(job and job.state == Job.State.DONE and job.answer["proven"])
        rows.append({"hand": hand, "name": name, "job": job, "is_counted": is_counted})
    is_waiting = any(row["job"] and not row["job"].has_ended for row in rows)
    return {"sets": rows, "sets_wait": is_waiting}


def _printed(known: Figures) -> list[Printed]:
    """Return the study's figures beside ours, in its order."""
    squares = SIDE**2
    ways = factorial(squares) // (
        prod(map(factorial, WHOLE.values())) * factorial(squares - sum(WHOLE.values()))
    )
    about = f"{ways:.2e}".replace("e+", " × 10^")
    fixed = len(known.fixed) - known.fixed.count(EMPTY)
    small = fixed - sum(known.fixed.count(piece) for piece in "RB")
    big = len({bones.skeleton.riders[:4] for bones in known.complete})
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
        Printed(
            gettext_noop("Boards with pawns for the lances"),
            "2,520",
            f"{known.without_lances:,}",
            known.without_lances == 2520,
        ),
        Printed(
            gettext_noop("Boards with the whole set"),
            "1,860",
            f"{len(known.solutions):,}",
            len(known.solutions) == 1860,
        ),
        Printed(
            gettext_noop("Ways to place the rooks and bishops on them"),
            "1",
            str(big),
            big == 1,
        ),
        Printed(
            gettext_noop("Pieces that never move, rooks and bishops aside"),
            "19",
            str(small),
            small == 19,
        ),
        Printed(gettext_noop("More of them without lances"), "1", str(more), more == 1),
        Printed(
            gettext_noop("Skeletons of rooks, bishops, knights and 32 pawns"),
            "13",
            str(len(known.bones)),
            len(known.bones) == 13,
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


def _new_in(known: Figures) -> Message:
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
    return get_kind(SLUG).told(move)


def _without(fields: list[tuple[str, str]], field: tuple[str, str]) -> list[tuple[str, str]]:
    return [each for each in fields if each != field]


def _chosen(fields: list[tuple[str, str]], name: str, value: str, piece: str) -> str:
    """Return the address' query with another value of a field; without it, when it is empty."""
    others = [each for each in fields if each[0] != name]
    return urlencode([*([(name, value)] if value else []), *others, ("piece", piece)])
