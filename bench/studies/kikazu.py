"""The figures about Kikazu: the study's 1,860 boards, the fewest clues for each, other sets."""

from collections import Counter
from math import comb
from time import monotonic

from puzzleclass.studies.figures import (
    CrowdedBoard,
    HeadPawns,
    KikazuFigures,
    KikazuSkeleton,
    KikazuSolution,
    PieceSet,
)
from solvers.kikazu import KIND, skeletons
from solvers.kikazu.clues import SmallestSets
from solvers.kikazu.formats import read_drawing
from solvers.kikazu.rules import EMPTY, PIECES
from solvers.kikazu.search import problem_of
from solvers.kikazu.solutions import all_solutions
from solvers.question import finish

SIDE = 9
LANCES = 4
BARE = {"R": 2, "B": 2, "N": 4, "P": 32}
WITHOUT_LANCES = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "P": 22}
WHOLE = WITHOUT_LANCES | {"L": LANCES, "P": 18}
EMPTY_BOARD = "/".join([str(SIDE)] * SIDE)

SETS = (
    "2R2B2K4G4S4N4L18P",
    "2R2B2K4G4S4N22P",
    "2R2B4N32P",
    "2R2B4N33P",
    "2R2B4N31P",
    "2RB2K4G4S4N4L18P",
    "2R2B2K4G4S4N4L17P",
    "2R2B2K4G4S4N3L18P",
)
"""The whole set and its neighbours."""

LADDER = (
    "3/3/3/3 2G2S2NP",
    "4/4/4/4 RBKGSL2P",
    "4/4/4/4 RBG2N4P",
    "5/5/5/5/5 RBKG2SN2L5P",
    "5/5/5/5/5 RBKG2SN3L4P",
    "5/5/5/5/5/5 2R2BK2GS3NL2P",
    "6/6/6/6/6/6 2R2B4N10P",
    "6/6/6/6/6/6 R2BK2GS2N3L7P",
    "7/7/7/7/7/7/7 2R2B4N17P",
    "7/7/7/7/7/7/7 2R2BK3G3S2N3L8P",
    "8/8/8/8/8/8/8/8 2R2B2K3G4S2N4L11P",
)
"""Crowded small boards of our own. Nearly all have very few solutions."""


def figures() -> KikazuFigures:
    """Return all figures of the pages, which takes some ten seconds."""
    began = monotonic()
    clued = [
        each for each in skeletons.skeletons(SIDE, SIDE, BARE) if left_rook_is_higher(each.board)
    ]
    filled = [
        (
            each.board,
            *(sorted(skeletons.fillings(each, SIDE, hand)) for hand in (WITHOUT_LANCES, WHOLE)),
        )
        for each in clued
    ]
    filled.sort(key=lambda row: (-len(row[2]), row[0]))
    bones = [
        KikazuSkeleton(chr(ord("A") + number), board, len(without), len(whole))
        for number, (board, without, whole) in enumerate(filled)
    ]
    bare = [board for _, without, _ in filled for board in without]
    standing = [board for _, _, whole in filled for board in whole]
    ladder = tuple(map(crowded, LADDER))
    seconds = monotonic() - began
    names = [skeleton.name for skeleton in bones for _ in range(skeleton.whole)]
    clues = clue_sets(standing)
    heads = sorted(Counter(skeletons.head_pawns(board, SIDE) for board in bare).items())
    return KikazuFigures(
        skeletons=tuple(bones),
        heads=tuple(HeadPawns(pawns, many, comb(pawns, LANCES)) for pawns, many in heads),
        solutions=tuple(
            KikazuSolution(number, board, name, clues[board])
            for number, (board, name) in enumerate(zip(standing, names, strict=True), 1)
        ),
        without_lances=len(bare),
        fixed=skeletons.always(standing),
        fixed_without_lances=skeletons.always(bare),
        always_taken=sum(EMPTY not in signs for signs in zip(*standing, strict=True)),
        clues=tuple(sorted(Counter(map(len, clues.values())).items())),
        ladder=ladder,
        sets=tuple(map(counted, SETS)),
        seconds=round(seconds, 2),
    )


def clue_sets(standing: list[skeletons.Board]) -> dict[skeletons.Board, tuple[int, ...]]:
    """Return a mapping from each board to the squares of its smallest set of clues.

    None of the other boards, of 3,720 with mirror images, has all pieces of such a set.
    """
    start = KIND.read(f"{EMPTY_BOARD} {SETS[0]}")
    problem = problem_of(start)
    ways = finish(all_solutions(start))
    assert problem is not None and ways is not None
    number_of = {
        "".join(sorted(f"{problem.cell(square)}{piece}" for piece, square in way)): number
        for number, way in enumerate(ways)
    }
    sets = SmallestSets(ways)
    by_number = {}
    for board in standing:
        pieces = ((divmod(at, SIDE), sign) for at, sign in enumerate(board) if sign != EMPTY)
        number = number_of["".join(sorted(f"{cell}{sign}" for cell, sign in pieces))]
        cells = sorted(problem.cell(square) for _, square in finish(sets.smallest(number)))
        by_number[board] = tuple(row * SIDE + column for row, column in cells)
    return by_number


def left_rook_is_higher(board: skeletons.Board) -> bool:
    """Return whether the left rook stands higher than the right one.

    Two rooks never share a row or column, so this tells a board from its mirror image.
    """
    return board.index("R") % SIDE < board.rindex("R") % SIDE


def crowded(text: str) -> CrowdedBoard:
    """Return the number of ways to place the hand on the board, and one of them."""
    draft = read_drawing(text)
    boards = skeletons.boards(draft.rows, draft.columns, dict(zip(PIECES, draft.stock)))
    same = skeletons.up_to_mirror(boards, draft.columns)
    return CrowdedBoard(draft.rows, draft.columns, text, len(boards), same, boards[0])


def counted(hand: str) -> PieceSet:
    """Return the number of ways to place the hand on the empty board, by the compiled count."""
    began = monotonic()
    answer = finish(KIND.questions["count"].ask(KIND, KIND.read(f"{EMPTY_BOARD} {hand}")))
    assert answer.proven
    same = answer.up_to_mirror
    seconds = float(f"{monotonic() - began:.2g}")
    return PieceSet(hand, int(answer.value), None if same is None else int(same), seconds)
