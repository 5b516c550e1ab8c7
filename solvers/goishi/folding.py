"""Making one state of those that a symmetry of the board turns into each other.

Legend, for the symmetries s, the identity among them
    images      uint64[s, bytes, 256]: where the stones of a byte of a mask go, as a mask
    stones      int64[s, 65]: where a stone goes; NO_END stays
    directions  int64[s, 5]: where a direction goes; FREE stays
    leading     int64[n, s]: the symmetries that take a stone to the least of its images, then -1

The least state is found by its current stone first. For most stones a single symmetry leads to
the least image, so that only this one is worked out; only for a stone on an axis several are
compared.
"""
# Types are inferred by numba from the arguments.
# mypy: disable-error-code="no-untyped-def, call-arg"

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import pick
from solvers.goishi.kernels import FREE, NO_END
from solvers.goishi.network import Network

Tables = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def tables(board: Network) -> Tables:
    """Return images, stones, directions, leading; without rows when there is no symmetry."""
    symmetries = board.symmetries()
    n = len(board.cells)
    if not symmetries:
        return (
            np.empty((0, 0, 256), np.uint64),
            np.empty((0, 65), np.int64),
            np.empty((0, 5), np.int64),
            np.empty((n, 0), np.int64),
        )
    moves: list[tuple[Any, Any]] = [(range(n), range(4))]
    moves += [(symmetry.stones, symmetry.directions) for symmetry in symmetries]
    images = np.zeros((len(moves), -(-n // 8), 256), np.uint64)
    stones = np.full((len(moves), 65), NO_END)
    directions = np.full((len(moves), 5), FREE)
    for s, (where, turned) in enumerate(moves):
        stones[s, :n] = where
        directions[s, :4] = turned
        for stone, image in enumerate(where):
            byte, bit = divmod(stone, 8)
            images[s, byte, np.arange(256) >> bit & 1 == 1] |= np.uint64(1 << image)
    leading = np.full((n, len(moves)), -1)
    for stone in range(n):
        to_least = np.flatnonzero(stones[:, stone] == stones[:, stone].min())
        leading[stone, : len(to_least)] = to_least
    return images, stones, directions, leading


@njit(cache=True)
def fold(rest, tag, images, stones, directions, leading):
    """Return the (rest, tag) that stands for this state and all its images. There must be a
    symmetry."""
    stone = np.uint64(tag & 255)
    best_rest, best_tag = _image(rest, tag, images, stones, directions, leading[stone, 0])
    for k in range(1, leading.shape[1]):
        if leading[stone, k] < 0:
            break
        other_rest, other_tag = _image(rest, tag, images, stones, directions, leading[stone, k])
        less = (other_rest < best_rest) | ((other_rest == best_rest) & (other_tag < best_tag))
        best_rest = pick(less, other_rest, best_rest)
        best_tag = pick(less, other_tag, best_tag)
    return best_rest, best_tag


@njit(cache=True)
def _image(rest, tag, images, stones, directions, symmetry):
    """Return the (rest, tag) into which a symmetry turns a state."""
    s = np.uint64(symmetry)
    image = np.uint64(0)
    for byte in range(images.shape[1]):
        image |= images[s, byte, (rest >> np.uint64(8 * byte)) & np.uint64(255)]
    end_1 = stones[s, (tag >> 16) & 255]
    end_2 = stones[s, (tag >> 24) & 255]
    ends = min(end_1, end_2) << 16 | max(end_1, end_2) << 24
    return image, stones[s, tag & 255] | directions[s, (tag >> 8) & 255] << 8 | ends
