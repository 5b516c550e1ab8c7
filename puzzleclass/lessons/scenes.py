"""Scenes: what the projector shows. A scene is a short text such as `board 12` or `wall stuck`.

A scene holds keys only, no text of students. Whatever the class may not see yet is not sent.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.http import read_key
from puzzleclass.lessons.cases import found_cases, lettered, letters, solutions_among, tree_of
from puzzleclass.lessons.found import Offers, titles_of
from puzzleclass.lessons.models import Question, Slide
from puzzleclass.lessons.outcomes import Result, pictures_of, results_of
from puzzleclass.lessons.phases import kept_back
from puzzleclass.lessons.questions import running_question
from puzzleclass.lessons.slides import compared, mistake_said, picture_of, slides_of
from puzzleclass.lessons.solving import solving_of
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.lessons.whys import whys_of
from puzzleclass.play.models import Attempt
from puzzleclass.play.nicknames import nickname
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.stats.class_results import Hunt, SolutionGroup, hunt_at
from puzzleclass.stats.route_map import draw_counts, route_map
from solvers.kind import split_moves
from solvers.message import Message

FLAGS = {"stuck", "names", "reasons", "total", "missing"}
"""What a scene shows only if the teacher says so: stuck boards and lost moves, names, the chosen
reasons before the answer, how many solutions there are, and those that are missing."""

VIEWS_OF_A_BOARD = ("solutions", "groups", "tree", "map")
"""The scenes of what the class has found at a board."""

MAX_SHOWN = 24
"""The most solutions on the projector, the latest ones."""


@dataclass(frozen=True)
class Scene:
    """What the projector shows."""

    sort: str
    keys: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return " ".join([self.sort, *map(str, self.keys), *sorted(self.flags)])

    @property
    def template(self) -> str:
        return f"lessons/_scene_{self.sort}.html"

    @property
    def title(self) -> str:
        """What is shown, in words."""
        return {
            "wait": _("QR code of the class"),
            "wall": _("The wall"),
            "board": _("One board"),
            "question": _("The question"),
            "slide": _("Slide"),
            "slides": _("Two slides"),
            "replay": _("Replay"),
            "solutions": _("Solutions of the class"),
            "groups": _("All solutions in groups"),
            "tree": _("Tree diagram"),
            "map": _("Class map"),
            "garden": _("Garden"),
            "clock": _("Clock"),
            "message": _("Message"),
            "blank": _("Nothing"),
        }[self.sort]

    @property
    def covered(self) -> list[tuple[str, str]]:
        """What the teacher can show besides, or hide again: the text of the scene with it or
        without it, and the words of the button."""
        if self.sort not in ("solutions", "groups", "tree"):
            return []
        words = {
            "missing": (_("Show the missing ones"), _("Hide the missing ones")),
            "total": (_("How many are there?"), _("Hide how many there are")),
        }
        return [
            (str(replace(self, flags=self.flags ^ {flag})), said[flag in self.flags])
            for flag, said in words.items()
        ]


WAIT = Scene("wait")


def scene_of(text: str) -> Scene | None:
    """Return the scene that a text names; None if it names none."""
    sort, *rest = text.split() or ["wait"]
    flags = frozenset(rest) & FLAGS
    keys = tuple(read_key(word) for word in rest if word not in FLAGS)
    if sort not in _CONTEXTS or len(keys) != _KEYS.get(sort, 0) or len(text) > 90:
        return None
    return Scene(sort, keys, flags)


def is_of(assignment: Assignment, scene: Scene) -> bool:
    """Return whether everything that the scene shows belongs to the assignment. One query."""
    if scene.sort in ("board", *VIEWS_OF_A_BOARD):
        return assignment.puzzles.filter(pk=scene.keys[0]).exists()
    if scene.sort == "question":
        return assignment.questions.filter(pk=scene.keys[0]).exists()
    if scene.sort in ("slide", "slides"):
        slides = Slide.objects.filter(pk__in=scene.keys, puzzle__assignment=assignment)
        return slides.count() == len(set(scene.keys))
    if scene.sort == "replay":
        return _attempts(assignment).filter(pk=scene.keys[0]).exists()
    return True


def scene_context(pace: Pace) -> dict[str, Any]:
    """Return what the projector shows now: the scene, and what its template needs.

    A scene whose board or slide is no longer there is replaced by the wall.
    """
    assignment = pace.assignment
    scene = scene_of(pace.shown) or WAIT
    if not is_of(assignment, scene):
        scene = Scene("wall")
    question = running_question(assignment) if scene.sort == "question" else None
    if scene.sort == "question" and (question is None or (question.pk,) != scene.keys):
        scene, question = Scene("wall"), None
    context: dict[str, Any] = {
        "pace": pace,
        "assignment": assignment,
        "scene": scene,
        "named": "names" in scene.flags,
    }
    if question:
        return context | {"question": question} | _question(question, scene)
    return context | _CONTEXTS[scene.sort](pace, scene)


def neighbours(pace: Pace) -> dict[str, int]:
    """Return the slides before and after the one that is shown, for a presenter's remote."""
    scene = scene_of(pace.shown) or WAIT
    slide = Slide.objects.filter(pk__in=scene.keys).first() if scene.sort == "slide" else None
    if slide is None:
        return {}
    order = [each.pk for each in slides_of(slide.puzzle)]
    at = order.index(slide.pk) if slide.pk in order else -1
    beside = {"previous": at - 1, "next": at + 1}
    return {name: order[n] for name, n in beside.items() if 0 <= n < len(order)}


def _class(pace: Pace, scene: Scene) -> dict[str, Any]:
    classroom = pace.assignment.classroom
    return {"classroom": classroom}


def _wall(pace: Pace, scene: Scene) -> dict[str, Any]:
    named = "names" in scene.flags
    wall = wall_of(pace.assignment, pace.board_id, named=named)
    shows_stuck = "stuck" in scene.flags
    # A stuck board is an oracle for every child who looks at the projector.
    told = {WallState.SOLVED, WallState.NOT_STARTED, WallState.NOT_HERE}
    told |= {WallState.STUCK} if shows_stuck else set()
    tiles = [
        (tile, tile.state if tile.state in told else WallState.WORKING) for tile in wall.present
    ]
    return {"tiles": tiles, "shows_stuck": shows_stuck, "at": _board(pace, pace.board_id)}


def _one_board(pace: Pace, scene: Scene) -> dict[str, Any]:
    board = _board(pace, scene.keys[0])
    return {"at": board, "picture": board and board.picture}


def _question(question: Question, scene: Scene) -> dict[str, Any]:
    """A question. Before its answer is shown, neither the answers nor the truth are in it."""
    if question.is_solved_together:
        return {"solving": solving_of(question)}
    result = results_of([question])[0]
    students = len(wall_of(question.assignment).with_answers_of(result.answered).here)
    context = {"number": result.number, "students": students}
    return context | shown_of(result, shows_reasons="reasons" in scene.flags)


def shown_of(result: Result, *, shows_reasons: bool) -> dict[str, Any]:
    """Return what the class may see of a question: everything once the answer is shown, chosen
    reasons while it is closed if the teacher shows them, and otherwise the boards alone."""
    question = result.question
    if question.is_revealed:
        return {"result": result, "kept_back": kept_back(question)}
    if shows_reasons and not question.is_open:
        return {"asked": result.asked, "reasons": result.chosen}
    return {"asked": pictures_of(question)}


def stage_of(question: Question, pace: Pace) -> str:
    """Return a text that changes whenever a student sees something else of the question. One query
    once words of students are shown."""
    reasons = ".reasons" if shows_reasons(pace) else ""
    stage = f"{question.pk}.{question.round}.{question.shown_stage}{reasons}"
    if not question.is_revealed and (question.is_open or not reasons):
        return stage
    chosen = [each.version for each in question.answers.filter(is_chosen=True).order_by("pk")]
    return f"{stage}.{crc32(repr(chosen).encode()):x}"


def shows_reasons(pace: Pace) -> bool:
    """Return whether the class sees the chosen reasons before the answer."""
    scene = scene_of(pace.shown)
    return scene is not None and scene.sort == "question" and "reasons" in scene.flags


def _slides(pace: Pace, scene: Scene) -> dict[str, Any]:
    slides = Slide.objects.filter(pk__in=scene.keys).select_related("puzzle")
    by_pk = {each.pk: each for each in slides}
    in_order = [by_pk[key] for key in scene.keys]
    pictures = [picture_of(each) for each in in_order]
    parted = None
    if len(in_order) == 2:
        one, other, parted = compared(in_order[0], in_order[1])
        pictures = [one, other]
    is_compared = len(in_order) == 2
    whys = {} if is_compared else whys_of(in_order)
    boards = [
        (picture, each.note, mistake_said(each), whys.get(each.pk))
        for picture, each in zip(pictures, in_order, strict=True)
    ]
    return {"boards": boards, "parted": parted, "is_compared": is_compared}


def _replay(pace: Pace, scene: Scene) -> dict[str, Any]:
    attempt = _attempts(pace.assignment).select_related("puzzle").get(pk=scene.keys[0])
    moves = split_moves(attempt.line)
    at = min(scene.keys[1], len(moves))
    picture = drawn_after(attempt.puzzle, " ".join(moves[:at]))
    if at:
        kind = attempt.puzzle.kind
        cells = kind.cells_of(kind.read_move(moves[at - 1]))
        picture = picture.annotated(rings={"changed": cells})
    return {"picture": picture, "move": at, "moves": len(moves), "at": attempt.puzzle}


def _solutions(pace: Pace, scene: Scene) -> dict[str, Any]:
    """The solutions that the class has found, the latest ones first, with nicknames at most."""
    puzzle = _known_board(pace, scene)
    hunt = hunt_at(puzzle)
    named = "names" in scene.flags
    count = hunt.count if "total" in scene.flags else None
    total = count.value if count and count.proven else None
    offers = Offers(pace.assignment.teacher, puzzle)
    missing = offers.missing if "missing" in scene.flags else []
    is_unknown = ("total" in scene.flags and total is None) or (
        "missing" in scene.flags and offers.cases is None
    )
    return {
        "at": puzzle,
        "found": hunt.found,
        "total": total,
        "is_unknown": is_unknown,
        "solutions": [
            (
                group.solutions[0].picture,
                titles,
                len(group.solutions),
                nickname(group.solutions[0].finders[0].pk) if named else "",
            )
            for group, titles in _titled(puzzle, hunt)
        ],
        "missing": [each.picture for each in missing],
        "left": range(min(MAX_SHOWN, total - hunt.found)) if total and not missing else (),
    }


def _titled(puzzle: AssignedPuzzle, hunt: Hunt) -> list[tuple[SolutionGroup, list[Message]]]:
    """Return the groups that are shown, each with the title of its first solution."""
    groups = hunt.groups[:MAX_SHOWN]
    titles = titles_of(puzzle, [group.solutions[0].line for group in groups])
    return list(zip(groups, titles, strict=True))


def _groups(pace: Pace, scene: Scene) -> dict[str, Any]:
    """The groups of which the class has found a solution; with `missing`, the others, too."""
    puzzle = _known_board(pace, scene)
    groups = Offers(pace.assignment.teacher, puzzle).groups
    shows = scene.flags
    shown = [
        each for each in (groups.groups if groups else ()) if each.solutions or "missing" in shows
    ]
    return {
        "at": puzzle,
        "is_unknown": groups is None,
        "groups": shown,
        "shows_total": "total" in shows,
        "number": groups.number if groups else 0,
    }


def _tree(pace: Pace, scene: Scene) -> dict[str, Any]:
    """The cases that the class has found; with `missing`, an empty place for each of the others."""
    puzzle = _known_board(pace, scene)
    offers = Offers(pace.assignment.teacher, puzzle)
    listed = offers.cases
    if not listed:
        # Nothing is listed yet, or there is nothing to list.
        return {"at": puzzle, "found": len(offers.found), "is_unknown": listed is None}
    students = found_cases(puzzle, listed)
    times = Counter(text for each in students for text in each.times)
    solutions = solutions_among(listed)
    found = {text: case for text, case in solutions.items() if text in times}
    cases = solutions if "missing" in scene.flags else found
    names = letters(puzzle, listed)
    return {
        "at": puzzle,
        "found": len(found),
        "total": len(solutions) if "total" in scene.flags else None,
        "board": lettered(puzzle, names),
        "tree": tree_of(puzzle, cases, names, times, shows="found") if cases else None,
    }


def _map(pace: Pace, scene: Scene) -> dict[str, Any]:
    puzzle = _known_board(pace, scene)
    map_shown = route_map(puzzle)
    shows_lost = "stuck" in scene.flags
    picture = draw_counts(puzzle.picture, map_shown.taken, shows_lost=shows_lost)
    return {"at": puzzle, "picture": picture, "shows_stuck": shows_lost}


def _nothing(pace: Pace, scene: Scene) -> dict[str, Any]:
    return {}


_CONTEXTS: dict[str, Callable[[Pace, Scene], dict[str, Any]]] = {
    "wait": _class,
    "wall": _wall,
    "board": _one_board,
    "question": _nothing,
    "slide": _slides,
    "slides": _slides,
    "replay": _replay,
    "solutions": _solutions,
    "groups": _groups,
    "tree": _tree,
    "map": _map,
    "garden": _class,
    "clock": _nothing,
    "message": _nothing,
    "blank": _nothing,
}
_KEYS = {"board": 1, "question": 1, "slide": 1, "slides": 2, "replay": 2} | dict.fromkeys(
    VIEWS_OF_A_BOARD, 1
)
"""The number of keys of each sort of scene; others have none."""


def _board(pace: Pace, pk: int | None) -> AssignedPuzzle | None:
    board = pace.assignment.puzzles.filter(pk=pk).first() if pk else None
    if board:
        board.assignment = pace.assignment
    return board


def _known_board(pace: Pace, scene: Scene) -> AssignedPuzzle:
    """Return the board of a scene that `is_of` has found in the assignment."""
    board = _board(pace, scene.keys[0])
    assert board is not None
    return board


def _attempts(assignment: Assignment) -> QuerySet[Attempt]:
    return Attempt.objects.filter(
        puzzle__assignment=assignment, student__in=assignment.classroom.students.order_by()
    )
