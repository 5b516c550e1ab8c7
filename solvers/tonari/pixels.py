"""Small pictures for targets: `o` is the figure, `.` the ground."""

from solvers.message import gettext_noop

_GLYPHS = """
0 ooo o.o o.o o.o ooo
1 .o. oo. .o. .o. ooo
2 ooo ..o ooo o.. ooo
3 ooo ..o ooo ..o ooo
4 o.o o.o ooo ..o ..o
5 ooo o.. ooo ..o ooo
6 ooo o.. ooo o.o ooo
7 ooo ..o ..o .o. .o.
8 ooo o.o ooo o.o ooo
9 ooo o.o ooo ..o ooo
A .o. o.o ooo o.o o.o
B oo. o.o oo. o.o oo.
C .oo o.. o.. o.. .oo
D oo. o.o o.o o.o oo.
E ooo o.. oo. o.. ooo
F ooo o.. oo. o.. o..
H o.o o.o ooo o.o o.o
I ooo .o. .o. .o. ooo
J ..o ..o ..o o.o .o.
K o.o o.o oo. o.o o.o
L o.. o.. o.. o.. ooo
N ooo o.o o.o o.o o.o
O .o. o.o o.o o.o .o.
P oo. o.o oo. o.. o..
R oo. o.o oo. o.o o.o
S .oo o.. .o. ..o oo.
T ooo .o. .o. .o. .o.
U o.o o.o o.o o.o ooo
V o.o o.o o.o o.o .o.
X o.o o.o .o. o.o o.o
Y o.o o.o .o. .o. .o.
Z ooo ..o .o. o.. ooo
heart .o.o. ooooo ooooo .ooo. ..o..
arrow ..o.. .ooo. o.o.o ..o.. ..o..
house ..o.. .ooo. ooooo .o.o. .o.o.
tree ..o.. .ooo. ooooo ..o.. ..o..
smile .o.o. .o.o. ..... o...o .ooo.
ring .oo. o..o o..o .oo.
frame oooo o..o o..o oooo
diamond .oo. oooo oooo .oo.
plus .o. ooo .o.
times o.o .o. o.o
"""

PICTURES: dict[str, tuple[str, ...]] = {
    name: tuple(rows) for name, *rows in (line.split() for line in _GLYPHS.split("\n") if line)
}
"""Name -> rows. The names of digits and letters are these themselves."""

TITLES = {
    "heart": gettext_noop("Heart"),
    "arrow": gettext_noop("Arrow"),
    "house": gettext_noop("House"),
    "tree": gettext_noop("Tree"),
    "smile": gettext_noop("Smiling face"),
    "ring": gettext_noop("Ring"),
    "frame": gettext_noop("Frame"),
    "diamond": gettext_noop("Diamond"),
    "plus": gettext_noop("Plus sign"),
    "times": gettext_noop("Cross"),
}
"""Name -> title, for the pictures that are no digit or letter."""
