"""The counting methods that the page on Tonari Othello compares, with the study's figures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from solvers.message import gettext_noop
from solvers.registry import get_kind
from solvers.tonari.study import STEPS

SLUG = "tonari"


@dataclass(frozen=True, slots=True)
class Method:
    """A counting method, with the figures that the study printed for a Pentium M of 1.8 GHz."""

    slug: str
    name: str
    question: str
    options: Mapping[str, Any] = field(default_factory=dict)
    sides: tuple[int, ...] = (3, 4)
    """The sides of the boards on which we run it."""
    printed_seconds: Mapping[int, float] = field(default_factory=dict)
    printed_counts: Mapping[int, int] = field(default_factory=dict)


EVERY_ORDER = Method(
    "study-0",
    gettext_noop("Every order"),
    "study",
    {"step": 0},
    sides=(3,),
    printed_seconds={3: 1, 4: 2593202},
    printed_counts={3: 304, 4: 5813496},
)
_SECONDS = (730, 228, 213, 0.5, 0.1)
_COUNTS = (5813496, 1246202, 952572, 1007, 10)
PRUNINGS = tuple(
    Method(
        f"study-{step}",
        STEPS[step - 1][0],
        "study",
        {"step": step},
        sides=(3, 4, 5) if step == 5 else (3, 4),
        printed_seconds={4: _SECONDS[step - 1]} | ({5: 416} if step == 5 else {}),
        printed_counts={4: _COUNTS[step - 1]} | ({3: 2, 5: 203} if step == 5 else {}),
    )
    for step in range(1, 6)
)
PLAIN = Method("plain", gettext_noop("Set by set"), "plain", sides=(3, 4, 5))
COMPILED = Method("count", gettext_noop("Set by set, compiled"), "count", sides=(3, 4, 5, 6))
ORDERS = Method("orders", gettext_noop("All orders, set by set"), "orders", sides=(3, 4, 5, 6))
ARROWS = Method("classes", gettext_noop("Arrows"), "classes", sides=(3, 4, 5, 6))
LADDER = Method("ladder", gettext_noop("The ladder, all boards at once"), "ladder", sides=(3, 4, 5))
METHODS = (EVERY_ORDER, *PRUNINGS, PLAIN, COMPILED, ORDERS, ARROWS, LADDER)


def position_text(side: int) -> str:
    """Return the study's board as text: all black, with one stone in the corner."""
    return f"{side}x{side} 11"


def asked_positions() -> Iterator[tuple[str, str]]:
    """Yield the kind and the start of every board on which the methods run."""
    kind = get_kind(SLUG)
    for side in {side for method in METHODS for side in method.sides}:
        yield SLUG, kind.write(kind.read(position_text(side)))
