"""The tree diagrams of counting cases: a class's for its teacher, and a student's own."""

from collections import Counter
from typing import Literal

from django.http import HttpResponse
from django.shortcuts import redirect, render

from puzzleclass.accounts.sign_in import SignedInRequest, for_students, for_teachers
from puzzleclass.assignments.access import get_assigned_puzzle_for_teacher
from puzzleclass.classes.access import Right, check_not_archived, may
from puzzleclass.http import read_key
from puzzleclass.lessons.cases import (
    MAX_CASES,
    all_cases,
    found_cases,
    has_too_many_cases,
    lettered,
    letters,
    own_cases_of,
    solutions_among,
    tree_of,
    whole_tree,
)
from puzzleclass.play.access import get_puzzle_for_student
from puzzleclass.puzzles.answers import SOLUTIONS, ask_about, can_ask, job_about
from puzzleclass.puzzles.player import ALL_SOLUTIONS


@for_teachers("GET", "POST")
def cases(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the tree of all cases with what the class, or one student (`student`), has found; POST
    has the solutions listed.

    With `only=solutions`, the tree has no dead ends. With `shows=none`, it is empty, for paper.
    """
    right = Right.TEACH if request.method == "POST" else Right.LOOK
    puzzle = get_assigned_puzzle_for_teacher(request.user, pk, right)
    if request.method == "POST":
        check_not_archived(puzzle.assignment.classroom)
        if can_ask(puzzle, SOLUTIONS):
            ask_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS)
        return redirect("cases", pk)
    job = job_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS)
    listed = all_cases(puzzle, job)
    students = found_cases(puzzle, listed)
    key = read_key(request.GET.get("student", ""))
    chosen = next((each for each in students if each.student.pk == key), None)
    shows: Literal["all", "none"] = "none" if request.GET.get("shows") == "none" else "all"
    context = {
        "puzzle": puzzle,
        "students": students,
        "chosen": chosen,
        "shows": shows,
        "job": job,
        "is_too_large": listed is None and has_too_many_cases(job),
        "is_hopeless": listed == {},
        "most": MAX_CASES,
        "can_ask": can_ask(puzzle, SOLUTIONS),
        "can_teach": may(puzzle, Right.TEACH) and not puzzle.assignment.classroom.archived_at,
    }
    if listed:
        # For the class, a case counts once for each student who has found it.
        by_class = Counter(text for each in students for text in (*each.times, *each.dead_ends))
        times = chosen.times + chosen.dead_ends if chosen else by_class
        solutions = solutions_among(listed)
        only_solutions = request.GET.get("only") == "solutions"
        shown = solutions if only_solutions and solutions else listed
        names = letters(puzzle, listed)
        context |= {
            "total": len(solutions),
            "found": len(times.keys() & solutions.keys()),
            "all_dead_ends": len(listed) - len(solutions),
            "dead_ends": len(times.keys() - solutions.keys()),
            "has_dead_ends": len(shown) > len(solutions),
            "is_whole": whole_tree(puzzle.kind_slug, puzzle.position) is not None,
            "board": lettered(puzzle, names),
            "tree": tree_of(puzzle, shown, names, times, shows=shows),
        }
    return render(request, "lessons/cases.html", context)


@for_students("GET")
def own_cases(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a student the tree of the cases that the student has found.

    With `missing`, the tree has an empty place for each case that is missing, once all of them are
    listed.
    """
    puzzle = get_puzzle_for_student(request.user, pk)
    listed = all_cases(puzzle, job_about(request.user, puzzle, SOLUTIONS, ALL_SOLUTIONS))
    (own,) = found_cases(puzzle, listed, request.user)
    shows_missing = listed is not None and "missing" in request.GET
    shown = listed if shows_missing and listed else own_cases_of(puzzle, listed, own)
    is_whole = whole_tree(puzzle.kind_slug, puzzle.position) is not None
    # The letters of a whole tree stay as they are while the student finds more.
    names = letters(puzzle, listed if listed and is_whole else shown)
    context = {
        "puzzle": puzzle,
        "own": own,
        "can_show_missing": listed is not None,
        "shows_missing": shows_missing,
        "is_whole": is_whole,
        "missing_dead_ends": len(shown) - len(solutions_among(shown)) - len(own.dead_ends),
        "board": lettered(puzzle, names),
        "tree": tree_of(puzzle, shown, names, own.times + own.dead_ends, shows="found"),
    }
    return render(request, "lessons/own_cases.html", context)
