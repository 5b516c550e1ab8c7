"""The targets of Tonari boards for the tests: all that fit a start, and those that are reached."""

from itertools import product

from solvers.tonari import KIND, rules
from solvers.tonari.rules import Position


def targets(rows, columns, *starts):
    """Yield every target that wants its start stones in the colours they get."""
    bare = KIND.read(f"{rows}x{columns} {' '.join(map(str, starts))}")
    final_colours = rules.final_colours(bare)
    free = [cell for cell in bare.cells if cell not in final_colours]
    fixed = sum(bare.bit(cell) for cell, white in final_colours.items() if white)
    for colours in product((0, 1), repeat=len(free)):
        white = fixed + sum(bare.bit(cell) for cell, is_white in zip(free, colours) if is_white)
        yield Position(rows, columns, white, bare.starts)


def reached(position):
    """Return the pictures in which some order from the start ends, as sets of white cells."""
    found = set()
    stack = [position]
    while stack:
        stage = stack.pop()
        after = [rules.play(stage, move) for move in rules.moves(stage)]
        stack += after
        if not after:
            white = [cell for cell, is_white in rules.colours(stage).items() if is_white]
            found.add(sum(map(stage.bit, white)))
    return found
