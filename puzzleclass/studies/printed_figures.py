"""More figures that the studies print, computed again by `bench.studies.printed`."""

import msgspec


class ProgrammeTimes(msgspec.Struct, frozen=True):
    """The study's integer programme of the empty n x n Go board, solved by HiGHS on one thread."""

    n: int
    most: int
    """The most strings; both programmes find it."""
    plain: float
    """Seconds."""
    cuts: float
    """Seconds with the study's symmetry cuts."""


class GoPositions(msgspec.Struct, frozen=True):
    """The positions on an n x n Go board: each point empty, black or white."""

    n: int
    legal: int
    """Each string has a liberty."""
    best: int
    """Of these, how many have the most strings."""

    @property
    def patterns(self) -> int:
        """Return the number of all positions, legal or not."""
        return int(3 ** (self.n**2))


class LeftOut(msgspec.Struct, frozen=True):
    """The boards of Tonari Othello, from the corner to all black, with only closed points left."""

    side: int
    boards: tuple[tuple[int, int], ...]
    """How many points are left, and how many boards leave so many."""
    first_closed: int
    """The fewest stones on a board with a closed point, on the way to all black."""


class PieceOrders(msgspec.Struct, frozen=True):
    """The Kikazu study's search with two orders of the pieces, on one board."""

    text: str
    """The empty board and the hand, as a puzzle is written."""
    ways: int
    pawns_last: int
    """Boards on the way, with the pawns placed last."""
    lances_last: int
    """Boards on the way, with knights and lances placed after the pawns."""

    @property
    def ratio(self) -> float:
        """Return how many times less work it is to place the lances last."""
        return self.pawns_last / self.lances_last


class RoomLeft(msgspec.Struct, frozen=True):
    """The squares that are free when the two rooks and the two bishops stand on the 9x9 board."""

    boards: int
    """The number of ways to place the four so that none attacks another, mirror images included."""
    least: int
    """The fewest empty squares that none of the four attacks."""
    most: int
    least_board: str
    """A board with the fewest free squares."""
    most_board: str


class PrintedFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures that the studies print beside their main results."""

    programmes: tuple[ProgrammeTimes, ...]
    positions: tuple[GoPositions, ...]
    left_out: tuple[LeftOut, ...]
    piece_orders: tuple[PieceOrders, ...]
    room: RoomLeft
    skeleton_seconds: float
    """What the Kikazu study's 13 skeletons take in plain Python."""
