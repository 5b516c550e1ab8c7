"""What a process keeps of the work that it has done, bounded by its size and not by its number."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Values by their keys, of which the latest are kept that together take at most so many bytes.

    `size_of` estimates the bytes of a value. A value that alone takes more is not kept.
    """

    def __init__(self, most: int, size_of: Callable[[V], int]) -> None:
        self.most, self.taken = most, 0
        self._size_of = size_of
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value of a key. If it is not kept, it is made."""
        with self._lock:
            if (found := self._values.get(key)) is not None:
                self._values.move_to_end(key)
                return found[0]
        value = make()
        size = self._size_of(value)
        with self._lock:
            if size <= self.most and key not in self._values:
                self._values[key] = value, size
                self.taken += size
                while self.taken > self.most:
                    self.taken -= self._values.popitem(last=False)[1][1]
        return value
