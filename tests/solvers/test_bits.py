"""The machine instructions for compiled code do what Python says that they do."""

import sys

import numpy as np
import pytest
from numba import njit

from solvers import bits


@njit
def counted(mask: int) -> tuple[int, int, int]:
    return bits.lowest(mask), bits.highest(mask), bits.popcount(mask)


@pytest.mark.parametrize("mask", [0, 1, 6, 1 << 63, (1 << 64) - 1, 0x00F0_0000_0000_0100])
def test_bits_are_found_and_counted(mask):
    lowest = (mask & -mask).bit_length() - 1 if mask else 64
    assert counted(np.uint64(mask)) == (lowest, mask.bit_length() - 1, mask.bit_count())


@njit
def larger(one: int, other: int) -> int:
    return bits.pick(one > other, one, other)


def test_one_of_two_is_picked():
    assert (larger(3, 2), larger(2, 3), larger(-1, -1)) == (3, 3, -1)


@njit
def summed(rows: np.ndarray, numbers: np.ndarray) -> int:
    total = 0
    for index in range(len(numbers)):
        bits.prefetch(numbers, np.uint64(index))
        bits.prefetch_to_read(rows, np.uint64(index))
        total += numbers[index] + bits.borrowed(rows)[index, 0]
    return total


def test_loading_ahead_and_borrowing_change_nothing():
    rows, numbers = np.arange(10).reshape(5, 2), np.arange(5)
    before = sys.getrefcount(rows)
    assert summed(rows, numbers) == 20 + 10
    assert sys.getrefcount(rows) == before
    assert rows.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]


@njit
def changed(cells: np.ndarray) -> tuple[int, int, int, int]:
    last = np.uint64(len(cells) - 1)
    bits.atomic_store(cells, last, np.uint32(7))
    missed = bits.atomic_swap(cells, last, np.uint32(6), np.uint32(8))
    hit = bits.atomic_swap(cells, last, np.uint32(7), np.uint32(9))
    before = bits.atomic_add(cells, last, np.uint32(5))
    return missed, hit, before, bits.atomic_load(cells, last)


def test_atomic_instructions_return_what_was_there_before():
    cells = np.zeros(3, np.uint32)
    assert changed(cells) == (7, 7, 9, 14)
    assert cells.tolist() == [0, 0, 14]
