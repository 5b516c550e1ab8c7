"""Questions that are still open, for a class to work on."""

from typing import NamedTuple

from solvers.message import gettext_noop
from solvers.registry import get_kind


class OpenQuestion(NamedTuple):
    """A question to which we have found no answer."""

    kind_slug: str
    title: str
    text: str
    beginning: str
    """How to begin."""

    @property
    def kind_title(self) -> str:
        """Return the name of the kind."""
        return get_kind(self.kind_slug).title


QUESTIONS = (
    OpenQuestion(
        "goishi",
        gettext_noop("Where does the formula come from?"),
        gettext_noop(
            "The full board of 2 rows and n columns has 2, 8, 20, 60, 172, 508 … solutions. The "
            "formula (2 × 3ⁿ + 2ⁿ + 2 × (−1)ⁿ) ÷ 3 gives the right number for every n up to 19. "
            "Can you prove it for all n?"
        ),
        gettext_noop(
            "Write down all 20 solutions for n = 3. Sort them by where they begin, and look at "
            "what is left when a column is empty."
        ),
    ),
    OpenQuestion(
        "goishi",
        gettext_noop("A rule for three lines"),
        gettext_noop(
            "On two lines you see at once whether a board can be solved. Is there such a rule for "
            "three lines?"
        ),
        gettext_noop(
            "Draw small boards without a solution. Which stones can only be the first or the last?"
        ),
    ),
    OpenQuestion(
        "goishi",
        gettext_noop("How many boards can be solved?"),
        gettext_noop(
            "On two lines the share of the boards with a solution comes closer and closer to 5/9. "
            "What happens on three lines, when the board gets longer and longer?"
        ),
        gettext_noop("Work out the shares from the table above, as percentages, and draw them."),
    ),
    OpenQuestion(
        "goishi",
        gettext_noop("Is the full board always the richest?"),
        gettext_noop(
            "On every size that has been counted, no board has more solutions than the full one. "
            "Is that always so?"
        ),
        gettext_noop(
            "Take one stone away from a full board. Can you find a solution of the full board for "
            "each solution of the other one?"
        ),
    ),
    OpenQuestion(
        "goishi",
        gettext_noop("The most stones with one solution"),
        gettext_noop(
            "A puzzle with exactly one solution needs at least seven stones. The most stones that "
            "it can have are 10 on 4 × 4 and 15 on 5 × 5, about six points in ten: all boards "
            "of these sizes have been counted. On larger boards there are too many boards to "
            "look at all of them. A random search found a puzzle of 21 stones on 6 × 6 and "
            "one of 40 stones on 10 × 10, but nobody knows whether there are puzzles with "
            "more."
        ),
        gettext_noop(
            "Have the generator make boards of 20 stones on 6 × 6 with one solution, and try to "
            "add a stone."
        ),
    ),
    OpenQuestion(
        "tonari",
        gettext_noop("Pictures with only one order"),
        gettext_noop(
            "From the corner, four pictures on 3 × 3 and two on 4 × 4 can be made in exactly one "
            "order. On 5 × 5 there is none. Is there one on a larger board?"
        ),
        gettext_noop("Find the four pictures on 3 × 3. What do they have in common?"),
    ),
    OpenQuestion(
        "tonari",
        gettext_noop("Two rows, all black"),
        gettext_noop(
            "From the corner of 2 × 2, 2 × 4, 2 × 6 and 2 × 8 there are 2, 36, 1740 and 157864 "
            "orders to all black. Is there a formula?"
        ),
        gettext_noop("Divide each number by the one before, and look at the prime factors."),
    ),
    OpenQuestion(
        "maxstrings",
        gettext_noop("Is a checkerboard always good enough?"),
        gettext_noop(
            "Stones must stand on some of the points, in any colours. Where a checkerboard fits "
            "them, it reached as many strings as any board in all our trials, on boards of up to "
            "16 points. Is that always so?"
        ),
        gettext_noop("Follow the two steps to the checkerboard. Which of them may fail now?"),
    ),
    OpenQuestion(
        "kikazu",
        gettext_noop("One of each kind"),
        gettext_noop(
            "At least one piece of each of the eight kinds must stand on the board, and you may "
            "choose the others. How many pieces fit on 9 × 9, if none attacks another?"
        ),
        gettext_noop("Begin with 4 × 4 and 5 × 5. Which kind is worth taking most often?"),
    ),
)
