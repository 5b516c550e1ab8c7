"""Bit positions in 64-bit masks, for compiled code: one machine instruction each."""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


@intrinsic
def lowest(typing_context: Any, mask: Any) -> Any:
    """Return the index of the lowest set bit of a uint64 other than 0, as int64."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@intrinsic
def highest(typing_context: Any, mask: Any) -> Any:
    """Return the index of the highest set bit of a uint64 other than 0, as int64."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.uint64), build
