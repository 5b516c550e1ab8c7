"""Making one state of those that a symmetry of the board turns into each other.

Legend, for the symmetries s, the identity among them
    images      uint64[s, bytes, 256]: where the stones of a byte of a mask go, as a mask
    stones      int64[s, 65]: where a stone goes; NO_END stays
    directions  int64[s, 5]: where a direction goes; FREE stays
    leading     uint64[n]: a symmetry that takes a stone to the least of its images
    fixing      int64[n, s]: the other symmetries that leave a stone where it is, then -1

Of all images of a state the one with the least current stone is taken. For most stones there is
only one; for a stone on an axis the symmetries that leave it there are tried as well, and the
least outcome is taken.
"""
# Types are inferred by numba from the arguments.
# mypy: disable-error-code="no-untyped-def, call-arg"

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solvers.bits import pick
from solvers.goishi.kernels import FREE, NO_END
from solvers.goishi.network import Network, Symmetry

Tables = tuple[NDArray[Any], ...]

_ONE = np.uint64(1)
_NO_TABLES = (
    np.empty((0, 0, 256), np.uint64),
    np.empty((0, 65), np.int64),
    np.empty((0, 5), np.int64),
    np.empty(0, np.uint64),
    np.empty((0, 0), np.int64),
)


def tables(board: Network) -> Tables:
    """Return images, stones, directions, leading, fixing; all empty when there is no symmetry."""
    others = board.symmetries()
    if not others:
        return _NO_TABLES
    n = len(board.cells)
    symmetries = [Symmetry(tuple(range(n)), (0, 1, 2, 3)), *others]
    stones = np.full((len(symmetries), 65), NO_END)
    directions = np.full((len(symmetries), 5), FREE)
    single = np.zeros((len(symmetries), -(-n // 8) * 8), np.uint64)
    for s, symmetry in enumerate(symmetries):
        stones[s, :n] = symmetry.stones
        directions[s, :4] = symmetry.directions
        single[s, :n] = [1 << image for image in symmetry.stones]
    # The image of a byte is the sum of the images of its bits.
    bits = np.arange(256, dtype=np.uint64)[:, None] >> np.arange(8, dtype=np.uint64) & _ONE
    images = single.reshape(len(symmetries), -1, 8) @ bits.T
    leading = stones[:, :n].argmin(0).astype(np.uint64)
    numbers = np.arange(len(symmetries))[:, None]
    fixes = (numbers > 0) & (stones[:, :n] == np.arange(n))
    fixing = -np.sort(-np.where(fixes, numbers, -1), axis=0).T
    return images, stones, directions, leading, np.ascontiguousarray(fixing)


@njit(cache=True)
def fold(rests, tags, images, stones, directions, leading, fixing):
    """Put in the place of each state the one that stands for it and all its images.

    In two rounds without jumps that can't be foretold: all at first, then those on an axis.
    """
    on_axis = np.empty(len(rests) + 1, np.uint64)
    count = 0
    for i in range(len(rests)):
        first = leading[tags[i] & 255]
        rests[i], tags[i] = _image(rests[i], tags[i], images, stones, directions, first)
        on_axis[count] = i
        count += fixing[tags[i] & 255, 0] >= 0
    for i in on_axis[:count]:
        rest, tag = rests[i], tags[i]
        for s in fixing[tag & 255]:
            if s < 0:
                break
            image = _image(rest, tag, images, stones, directions, np.uint64(s))
            less = (image[0] < rests[i]) | ((image[0] == rests[i]) & (image[1] < tags[i]))
            rests[i] = pick(less, image[0], rests[i])
            tags[i] = pick(less, image[1], tags[i])


@njit(cache=True, forceinline=True)
def _image(rest, tag, images, stones, directions, s):
    """Return the (rest, tag) into which a symmetry turns a state."""
    image = np.uint64(0)
    for byte in range(images.shape[1]):
        image |= images[s, byte, (rest >> np.uint64(8 * byte)) & np.uint64(255)]
    end_1 = stones[s, (tag >> 16) & 255]
    end_2 = stones[s, (tag >> 24) & 255]
    ends = min(end_1, end_2) << 16 | max(end_1, end_2) << 24
    return image, stones[s, tag & 255] | directions[s, (tag >> 8) & 255] << 8 | ends
