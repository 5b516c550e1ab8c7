"""Counting cases: the tree of a small board, what is missing in it, and what was counted twice."""

import random
from itertools import chain, product

import pytest
from django.urls import reverse

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.cases import ENDS, MAX_CASES, whole_tree
from puzzleclass.play.restarts import restart
from solvers.kind import IllegalMove
from solvers.registry import get_kind

SOLUTIONS, DEAD_ENDS = 5, 10
"""The solutions of the study's example, and its sequences of moves that end in a dead end."""

LARGE = "...o.o/o...o./.....o/o.o.oo/o....o"
"""A board with 5 solutions and 85 sequences of moves that end in a dead end."""


def address(puzzle) -> str:
    """Return the address of the tree of all cases."""
    query = {"view": "tree", "missing": "1", "total": "1"}
    return reverse("found", args=[puzzle.pk], query=query)


def own_address(puzzle) -> str:
    return reverse("own_found", args=[puzzle.pk], query={"view": "tree"})


@pytest.fixture
def here(assigned) -> str:
    return address(assigned)


@pytest.fixture
def own(assigned) -> str:
    return own_address(assigned)


@pytest.fixture
def large(classroom, assign, make_puzzle):
    """Return an assigned puzzle whose solutions fit into a tree, but not all its sequences."""
    return assign(classroom, make_puzzle("goishi", LARGE)).puzzles.get()


def have_listed(teacher_client, puzzle) -> str:
    """Have all solutions of the puzzle listed, as the worker does; return the page's address."""
    here = address(puzzle)
    teacher_client.post(here, {"do": "list"})
    runner.run(Job.objects.get(question="solutions").pk)
    return here


def leaves(page, *, dead_ends: bool = False) -> list[str]:
    """Return the states of the leaves that are no dead ends, or of those that are."""
    nodes = page.context["tree"].nodes
    return sorted(node.state for node in nodes if node.state and node.is_dead_end == dead_ends)


def sequences(kind, position) -> list[tuple[str, bool]]:
    """Return all sequences of moves by brute force, each with whether it ends in a solution."""
    is_solved = kind.judge(position).solved
    after = [] if is_solved else [kind.play(position, move) for move in kind.moves(position)]
    if not after:
        return [(kind.write_line(position), is_solved)]
    return list(chain.from_iterable(sequences(kind, each) for each in after))


@pytest.mark.parametrize(("slug", "largest"), [("goishi", 4), ("tonari", 3)])
def test_a_tree_has_every_sequence_that_brute_force_finds(slug, largest):
    kind, rng = get_kind(slug), random.Random(22)
    drawn = large = 0
    for _board in range(30):
        start = kind.sample(rng, rng.randint(2, largest))
        wanted = sequences(kind, start)
        found = whole_tree(slug, kind.write_start(start))
        if found is None:
            assert len(wanted) > MAX_CASES
            large += 1
            continue
        assert {text: not case.is_dead_end for text, case in found.items()} == dict(wanted)
        assert len(found) == len(wanted)
        assert all(" ".join(case.moves) == text for text, case in found.items())
        drawn += 1
    assert drawn > 5 and large


def placements_of_pieces(kind, start) -> tuple[set[str], set[frozenset[str]]]:
    """Return the solutions, and the pieces of each dead end, by brute force over all ways to set
    the pieces of the hand in their order."""
    pieces = "".join(
        piece * number for piece, number in zip("RBKGSNLP", kind.read(start).hand, strict=True)
    )
    rows, columns = kind.editor.size(start)
    squares = [f"{row},{column}" for row in range(1, rows + 1) for column in range(1, columns + 1)]

    def boards(number):
        for chosen in product(squares, repeat=number):
            line = " ".join(f"{piece} {square}" for piece, square in zip(pieces, chosen))
            try:
                end = kind.play_line(kind.read(start), line)
            except IllegalMove:
                continue
            if not kind.judge(end).faults:
                yield end

    def set_down(position):
        return frozenset(map(kind.write_move, kind.line(position)))

    solved = {kind.solution(end) for end in boards(len(pieces))}
    ends = set()
    for number in range(len(pieces)):
        longer = {frozenset(kind.line(end)[:-1]) for end in boards(number + 1)}
        ends |= {set_down(end) for end in boards(number) if frozenset(kind.line(end)) not in longer}
    return solved, ends


def placements_of_stones(kind, start) -> tuple[set[str], set[str]]:
    """Return the solutions by brute force over all coloured boards, and the points of the stones of
    each dead end over all choices of points."""
    position = kind.read(start)
    points = {
        (row, column): letter
        for row, letters in enumerate(position.points)
        for column, letter in enumerate(letters)
        if letter != "#"
    }
    open_points = [cell for cell, letter in points.items() if letter in ".s"]
    solved = set()
    for stones in product(".xo", repeat=len(open_points)):
        moves = zip(stones, open_points)
        line = " ".join(f"{s} {row + 1},{column + 1}" for s, (row, column) in moves if s != ".")
        end = kind.play_line(position, line)
        if kind.judge(end).solved:
            solved.add(kind.solution(end))
    given = {cell for cell, letter in points.items() if letter in "xo"}
    required = {cell for cell, letter in points.items() if letter == "s"}
    goal, ends = kind.judge(position).goal, set()

    def has_breath(cell, stones):
        row, column = cell
        beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        return any(each in points and each not in stones for each in beside)

    for chosen in product((True, False), repeat=len(open_points)):
        path = [cell for cell, is_set in zip(open_points, chosen) if is_set]
        if not required <= set(path) or len(path) + len(given) < goal:
            continue
        for length in range(1, len(path) + 1):
            stones = given | set(path[:length])
            if not all(has_breath(cell, stones) for cell in stones):
                ends.add(" ".join(f"{row + 1},{column + 1}" for row, column in path[:length]))
                break
    return solved, ends


@pytest.mark.parametrize(
    "start",
    ["3/3/3 RG", "3/3/3 2GN", "S2/3/3 RGP", "1K1/3/3 2G", "3/3/3 2R", "3/-1-/3 KG", "-2/3/P2 2NP"],
)
def test_a_tree_has_every_placement_of_pieces_that_brute_force_finds(start):
    kind = get_kind("kikazu")
    cases = whole_tree("kikazu", start)
    solved, ends = placements_of_pieces(kind, start)
    assert {text for text, case in cases.items() if not case.is_dead_end} == solved
    dead = [frozenset(case.moves) for case in cases.values() if case.is_dead_end]
    assert set(dead) == ends
    assert len(dead) == len(ends)


@pytest.mark.parametrize(
    "start",
    [".../...", ".../... 3", "..s/.-./... 6", ".x./... 4", "..#/... 3", ".s/s. 2", "x../..."],
)
def test_a_tree_has_every_placement_of_stones_that_brute_force_finds(start):
    kind = get_kind("maxstrings")
    cases = whole_tree("maxstrings", kind.write_start(kind.read(start)))
    solved, ends = placements_of_stones(kind, start)
    assert {text for text, case in cases.items() if not case.is_dead_end} == solved
    dead = [
        " ".join(move.partition(" ")[2] for move in case.moves)
        for case in cases.values()
        if case.is_dead_end
    ]
    assert set(dead) == ends
    assert len(dead) == len(ends)


def test_a_tree_marks_the_dead_ends(teacher_client, here):
    page = teacher_client.get(here)
    assert leaves(page) == ["missing"] * SOLUTIONS
    assert leaves(page, dead_ends=True) == ["missing"] * DEAD_ENDS
    assert "also those that end in a dead end" in page.content.decode()
    assert f"0 of {SOLUTIONS}" in page.content.decode()
    assert f"0 of {DEAD_ENDS}" in page.content.decode()
    # Every branch is drawn once: the leaves under a node stand between its first and its last.
    nodes = page.context["tree"].nodes
    places = [(node.x, node.y) for node in nodes]
    assert len(places) == len(set(places))
    # Branches stand in the order of their letters.
    first = [node.label for node in sorted(nodes, key=lambda node: node.y) if node.from_x < 20]
    assert [label for label in first if label] == ["A", "B", "C", "D", "E"]


def test_a_teacher_can_leave_the_dead_ends_out(teacher_client, here):
    page = teacher_client.get(f"{here}&only=solutions")
    assert leaves(page) == ["missing"] * SOLUTIONS
    assert leaves(page, dead_ends=True) == []
    assert "all sequences of moves that solve the board" in page.content.decode()


def test_a_dead_end_counts_even_if_its_last_move_is_taken_back(
    teacher_client, here, assigned, student, classmate, tried, lines
):
    tried(student, assigned, lines.jam, "undo", lines.jam.split()[-1], "undo", "undo", lines.lost)
    restart(tried(classmate, assigned, lines.jam))
    tried(classmate, assigned, lines.jam)
    page = teacher_client.get(f"{here}&student={student.pk}")
    assert leaves(page, dead_ends=True).count("found") == 1
    page = teacher_client.get(f"{here}&student={classmate.pk}")
    assert leaves(page, dead_ends=True).count("twice") == 1
    both = teacher_client.get(here)
    assert leaves(both, dead_ends=True) == ["missing"] * (DEAD_ENDS - 1) + ["twice"]
    assert f"Dead ends found: 1 of {DEAD_ENDS}" in both.content.decode()
    assert [len(each.dead_ends) for each in both.context["students"][:2]] == [1, 1]


def test_a_board_with_many_sequences_has_a_tree_of_its_solutions(teacher_client, large):
    assert whole_tree("goishi", LARGE) is None
    page = teacher_client.get(have_listed(teacher_client, large))
    kind = get_kind("goishi")
    solved = [text for text, is_solved in sequences(kind, kind.read(LARGE)) if is_solved]
    assert leaves(page) == ["missing"] * len(solved)
    assert "With the dead ends it would be too large" in page.content.decode()


def test_a_tree_of_what_was_found_does_not_claim_to_have_all(teacher_client, here, assigned):
    found = reverse("found", args=[assigned.pk]) + "?view=tree"
    assert "only what has been found so far" in teacher_client.get(found).content.decode()
    for whole in (f"{found}&missing=1", f"{found}&shows=none"):
        page = teacher_client.get(whole).content.decode()
        assert "only what has been found" not in page and "The tree has all" in page


def test_equal_cases_are_counted_twice_and_the_others_are_missing(
    teacher_client, here, assigned, student, classmate, tried, lines
):
    restart(tried(student, assigned, lines.solution))
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.other_solution)
    tried(classmate, assigned, lines.jam)
    page = teacher_client.get(f"{here}&student={student.pk}")
    assert leaves(page) == ["found", *["missing"] * 3, "twice"]
    first, second = page.context["students"][:2]
    assert (first.found, first.missing, first.twice) == (2, 3, 1)
    assert (second.found, second.missing, second.twice) == (0, 5, 0)


def test_boards_of_a_placement_are_one_case_in_any_order(
    teacher_client, classroom, assign, make_puzzle, student, tried
):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/1R1/3 2P")).puzzles.get()
    restart(tried(student, puzzle, "P 1,1", "P 1,3"))
    tried(student, puzzle, "P 1,3", "P 1,1")
    here = have_listed(teacher_client, puzzle)
    page = teacher_client.get(f"{here}&student={student.pk}")
    assert leaves(page).count("twice") == 1
    assert "The order of the moves does not count" in page.content.decode()
    (cases,) = [each for each in page.context["students"] if each.student.pk == student.pk]
    assert (cases.found, cases.twice) == (1, 1)


@pytest.fixture
def golds(classroom, assign, make_puzzle):
    """Return an assigned board for two golds and a knight: 25 solutions, 2 dead ends."""
    return assign(classroom, make_puzzle("kikazu", "3/3/3 2GN")).puzzles.get()


def test_a_dead_end_of_a_placement_is_found_in_any_order(
    teacher_client, golds, student, classmate, tried
):
    cases = whole_tree("kikazu", golds.position).values()
    dead = next(case for case in cases if case.is_dead_end and len(case.moves) == 2)
    tried(student, golds, *reversed(dead.moves), "undo")
    tried(classmate, golds, dead.moves[0])
    page = teacher_client.get(address(golds))
    assert leaves(page, dead_ends=True) == ["found", "missing"]
    assert "the next piece has no square left" in page.content.decode()
    assert [len(each.dead_ends) for each in page.context["students"][:2]] == [1, 0]


def test_the_tree_of_a_placement_says_which_piece_is_set(teacher_client, golds):
    page = teacher_client.get(address(golds))
    signs = [dict(node.signs) for node in page.context["tree"].nodes if node.label]
    assert {"kanji": "金", "letter": "G"} in signs and {"kanji": "桂", "letter": "N"} in signs


def test_a_student_sees_an_own_placement_at_its_place_in_the_tree(
    student_client, golds, student, tried
):
    tried(student, golds, "N 3,3", "G 1,3", "- 3,3", "G 1,1", "N 3,3")
    page = student_client.get(own_address(golds))
    nodes = sorted(page.context["tree"].nodes, key=lambda node: node.x)
    assert [(node.signs.get("kanji", ""), node.label) for node in nodes] == [
        *(("", ""), ("金", "A"), ("金", "C"), ("桂", "I"))
    ]


def test_an_own_placement_is_in_order_before_all_solutions_are_listed(
    student_client, classroom, assign, make_puzzle, student, tried
):
    puzzle = assign(classroom, make_puzzle("kikazu", "4/4/4/4 RBKGSN")).puzzles.get()
    tried(student, puzzle, "N 2,2", "S 2,4", "G 4,4", "K 4,2", "B 2,3", "R 1,1")
    page = student_client.get(own_address(puzzle))
    nodes = sorted(page.context["tree"].nodes, key=lambda node: node.x)
    assert "".join(node.signs.get("letter", "") for node in nodes) == "RBKGSN"


def test_a_solution_has_a_leaf_even_if_other_branches_go_on(
    teacher_client, classroom, assign, make_puzzle, student, tried
):
    # Three strings suffice, and four are possible.
    puzzle = assign(classroom, make_puzzle("maxstrings", ".../... 3")).puzzles.get()
    tried(student, puzzle, "x 1,1", "x 1,3", "o 2,1", "o 2,3")
    page = teacher_client.get(f"{address(puzzle)}&student={student.pk}")
    # The student's board had three strings first and then four.
    assert leaves(page) == ["found"] * 2 + ["missing"] * 17
    assert leaves(page, dead_ends=True) == ["missing"] * 14
    assert ENDS in {node.label for node in page.context["tree"].nodes}


def test_the_empty_tree_for_paper_gives_nothing_away(
    teacher_client, here, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    tree = teacher_client.get(f"{here}&shows=none").context["tree"]
    assert {(node.label, node.state, node.times, node.is_dead_end) for node in tree.nodes} == {
        ("", "", 0, False)
    }


def test_a_student_fills_the_tree_by_playing(student_client, own, assigned, student, tried, lines):
    assert "Solve the board" in student_client.get(own).content.decode()
    tried(student, assigned, lines.jam, "undo", "undo", lines.solution)
    page = student_client.get(own)
    assert leaves(page) == ["found"]
    assert leaves(page, dead_ends=True) == ["found"]


def test_a_student_sees_where_cases_are_missing_only_on_request(
    student_client, own, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    assert leaves(student_client.get(own)) == ["found"]
    page = student_client.get(f"{own}&missing=")
    # A missing case does not say whether it is a dead end.
    assert leaves(page) == ["found", *["missing"] * (SOLUTIONS + DEAD_ENDS - 1)]
    # The moves of missing cases can't be read.
    labels = [node.label for node in page.context["tree"].nodes if node.label]
    assert len(labels) == len(lines.solution.split())


def test_a_student_asks_for_missing_solutions_once_they_are_listed(
    teacher_client, student_client, large, student, tried
):
    kind = get_kind("goishi")
    line = next(text for text, solved in sequences(kind, kind.read(LARGE)) if solved)
    tried(student, large, line)
    own = own_address(large)
    assert "Show where cases are missing" not in student_client.get(own).content.decode()
    have_listed(teacher_client, large)
    assert "Show where cases are missing" in student_client.get(own).content.decode()


def test_a_board_with_too_many_solutions_has_no_tree(
    teacher_client, classroom, assign, make_puzzle
):
    puzzle = assign(classroom, make_puzzle("kikazu", "5/5/5/5/5 2P")).puzzles.get()
    page = teacher_client.get(have_listed(teacher_client, puzzle))
    assert "at most 60 cases" in page.content.decode()


def test_a_list_that_stopped_early_does_not_say_how_many_cases_there_are(
    teacher_client, large, answered
):
    here = address(large)
    teacher_client.post(here, {"do": "list"})
    answered(Job.objects.get(question="solutions"), 2, proven=False, solutions=["1,4", "2,1"])
    page = teacher_client.get(here).content.decode()
    assert "at most 60 cases" not in page
    assert "Limit reached" in page


def test_a_board_without_a_solution_has_no_tree(teacher_client, classroom, assign, make_puzzle):
    puzzle = assign(classroom, make_puzzle("goishi", f"{LARGE}/.o....")).puzzles.get()
    page = teacher_client.get(have_listed(teacher_client, puzzle)).content.decode()
    assert "This puzzle cannot be solved." in page
