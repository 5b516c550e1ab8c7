"""Functions for compiled code, each of which becomes one machine instruction.

The functions for several threads (`atomic_...`) take a one-dimensional array, a uint64 index below
its length, and values of the array's type.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_ZERO_IS_DEFINED = ir.Constant(ir.IntType(1), 0)


@intrinsic
def lowest(typing_context: Any, mask: Any) -> Any:
    """Return the index of the lowest set bit of a uint64 as int64, or 64 for 0."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _ZERO_IS_DEFINED)

    return types.int64(types.uint64), build


@intrinsic
def highest(typing_context: Any, mask: Any) -> Any:
    """Return the index of the highest set bit of a uint64 as int64, or -1 for 0."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], _ZERO_IS_DEFINED)
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.uint64), build


@intrinsic
def popcount(typing_context: Any, mask: Any) -> Any:
    """Return the number of set bits of a uint64 as int64."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@intrinsic
def pick(typing_context: Any, condition: Any, one: Any, other: Any) -> Any:
    """Return `one` if the condition holds, else `other`, without a branch. Both have one type.

    The processor often mispredicts a branch whose condition is nearly random. Each misprediction
    costs as much as dozens of instructions.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        picked = builder.select(*arguments)
        # Without this mark the compiler may turn the instruction back into a branch.
        picked.set_metadata("unpredictable", builder.module.add_metadata([]))
        return picked

    return one(types.boolean, one, one), build


@intrinsic
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Start to load array[index], a number or a row, into the cache for writing. Do not wait.

    The index is a uint64 below the length.
    """
    return types.void(array, types.uint64), _prefetch(1)


@intrinsic
def prefetch_to_read(typing_context: Any, array: Any, index: Any) -> Any:
    """Start to load array[index], a number or a row, into the cache for reading. Do not wait.

    The index is a uint64 below the length. Other cores keep their copies in their caches.
    """
    return types.void(array, types.uint64), _prefetch(0)


def _prefetch(is_changed: int) -> Callable[..., Any]:
    """Return the function that builds the prefetch instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        values = context.make_array(kind)(context, builder, arguments[0])
        indices = [arguments[1]] + [arguments[1].type(0)] * (kind.ndim - 1)
        pointer = cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
            context, builder, kind, values, indices
        )
        pointer = builder.bitcast(pointer, cgutils.voidptr_t)
        number = ir.IntType(32)
        call = builder.module.declare_intrinsic(
            "llvm.prefetch",
            [pointer.type],
            ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number]),
        )
        # The last two arguments ask for all cache levels and the data cache.
        builder.call(call, [pointer, number(is_changed), number(3), number(1)])
        return context.get_dummy_value()

    return build


@intrinsic
def borrowed(typing_context: Any, array: Any) -> Any:
    """Return the array without reference counting. The owner of the array must outlive it.

    An atomic instruction changes a reference count whenever an array is passed to a function or a
    view of it is taken. Several threads that work on one array would wait for each other there.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values = context.make_array(array)(context, builder, arguments[0])
        values.meminfo = values.meminfo.type(None)
        values.parent = values.parent.type(None)
        return values._getvalue()

    return array(array), build


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the address of array[index]. The array and the index are the first two arguments."""
    kind = signature.args[0]
    values = context.make_array(kind)(context, builder, arguments[0])
    return cgutils.get_item_pointer(  # type: ignore[no-untyped-call]
        context, builder, kind, values, [arguments[1]]
    )


@intrinsic
def atomic_load(typing_context: Any, array: Any, index: Any) -> Any:
    """Return array[index]. All that its writer wrote before it is visible afterwards (acquire)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, types.uint64), build


@intrinsic
def atomic_store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Set array[index]. All that this thread wrote before is visible to its readers (release)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.uint64, array.dtype), build


@intrinsic
def atomic_swap(typing_context: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    """Set array[index] to `new` if it equals `old`. Return the value that it had before."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        pair = builder.cmpxchg(pointer, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return array.dtype(array, types.uint64, array.dtype, array.dtype), build


@intrinsic
def atomic_add(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """Add `value` to array[index]. Return the value that it had before."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        return builder.atomic_rmw("add", pointer, arguments[2], "monotonic")

    return array.dtype(array, types.uint64, array.dtype), build
