"""Bodies for the GPU of the words in `thread_block.py` and `primitives.py`, as numba-cuda has them.

In the simulator of numba-cuda a warp is a single thread.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, cuda, float32

from tafl.core.compile import primitives
from tafl.core.compile import thread_block as block
from tafl.core.compile.translate import Copies

SIMULATED = bool(config.ENABLE_CUDASIM)
LANES = 1 if SIMULATED else 32
SHIFT = LANES.bit_length() - 1
ALL_LANES = 0xFFFFFFFF

WORDS: dict[Any, Any] = {}  # what stands for a word on the GPU

device_code = cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))


def word(function):
    """Mark the body of a word for the GPU."""

    def mark(body):
        WORDS[function] = device_code(body)
        return WORDS[function]

    return mark


@word(block.block)
def block_number():
    return cuda.blockIdx.x


@word(block.thread)
def thread():
    return cuda.threadIdx.x


@word(block.threads)
def threads():
    return cuda.blockDim.x


@word(block.lane)
def lane():
    return cuda.threadIdx.x & (LANES - 1)


@word(block.lanes)
def lanes():
    return LANES


@word(block.warp)
def warp():
    return cuda.threadIdx.x >> SHIFT


@word(block.warps)
def warps():
    return cuda.blockDim.x >> SHIFT


@word(block.barrier)
def barrier():
    cuda.syncthreads()


@word(block.put_part)
def put_part(parts, x):
    x = warp_sum(x)
    if lane() == 0:
        parts[np.uint64(warp())] = x


@word(block.add_parts)
def add_parts(parts):
    low = (part(parts, 0) + part(parts, 1)) + (part(parts, 2) + part(parts, 3))
    return low + ((part(parts, 4) + part(parts, 5)) + (part(parts, 6) + part(parts, 7)))


@device_code
def part(parts, w):
    return parts[w] if w < warps() else np.float32(0)


@word(block.block_sum)
def block_sum(x):
    parts = cuda.shared.array(0, float32)  # as much as the launch asks for
    put_part(parts, x)
    cuda.syncthreads()
    return add_parts(parts)


@device_code
def yes():
    return True


@device_code
def no():
    return False


@device_code
def read_alone(array, i):
    return array[i]


@device_code
def add_alone(array, i, x):
    array[i] += x


@device_code
def add_shared(array, i, x):
    cuda.atomic.add(array, i, x)


@device_code
def take_alone(array, i, x):
    before = array[i]
    array[i] = before + x
    return before


@device_code
def take_shared(array, i, x):
    return cuda.atomic.add(array, i, x)


if SIMULATED:
    read_shared, warp_sum = read_alone, block.warp_sum
else:
    from numba.cuda import types
    from numba.cuda.extending import intrinsic

    @word(block.ballot)
    def ballot(vote):
        return np.int64(np.uint32(cuda.ballot_sync(ALL_LANES, vote)))

    @word(block.warp_sum)
    def warp_sum(x):
        for apart in (16, 8, 4, 2, 1):
            x += cuda.shfl_xor_sync(ALL_LANES, x, apart)
        return x

    @word(block.quotient)
    def quotient(x, y):
        return cuda.libdevice.fast_fdividef(x, y)

    @intrinsic
    def read_shared(typing_context, array, i):
        """Read past the L1 cache, which does not see what other blocks write."""

        def build(context, builder, signature, arguments):
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            place = builder.ptrtoint(builder.gep(data, [arguments[1]]), ir.IntType(64))
            load = ir.FunctionType(ir.FloatType(), [ir.IntType(64)])
            text = "ld.relaxed.gpu.global.f32 $0, [$1];"
            return builder.asm(load, text, "=f,l", [place], side_effect=True)

        return array.dtype(array, types.uint64), build

    @intrinsic
    def end_block(typing_context):
        def build(context, builder, signature, arguments):
            nothing = ir.FunctionType(ir.VoidType(), [])
            builder.asm(nothing, "exit;", "", [], side_effect=True)
            return context.get_dummy_value()

        return types.void(), build

    WORDS[block.end_block] = end_block

    @word(primitives.trailing_zeros)
    def trailing_zeros(word):
        return np.int64(cuda.ffs(word) - 1)

    @word(primitives.popcount)
    def popcount(word):
        return np.int64(cuda.popc(word))


@word(primitives.prefetch)
def prefetch(array, i):
    pass


@word(primitives.give_way)
def give_way(level):
    pass


APART = {
    block.alone: yes,
    block.read: read_alone,
    block.add_to: add_alone,
    block.take: take_alone,
}
TOGETHER = {
    block.alone: no,
    block.read: read_shared,
    block.add_to: add_shared,
    block.take: take_shared,
}
ALONE = Copies({**WORDS, **APART}, device_code, cuda)
SHARED = Copies({**WORDS, **TOGETHER}, device_code, cuda)
