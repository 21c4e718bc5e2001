"""Bodies for the GPU of the words in `thread_block.py` and `primitives.py`, as numba-cuda has them.

In the simulator of numba-cuda a warp is a single thread.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, cuda, float32

from tafl.core.compile import primitives
from tafl.core.compile import thread_block as block
from tafl.core.compile.kernel import OF_THREAD
from tafl.core.compile.translate import Copies

SIMULATED = bool(config.ENABLE_CUDASIM)
LANES = 1 if SIMULATED else 32
SHIFT = LANES.bit_length() - 1
ALL_LANES = 0xFFFFFFFF

device_code = cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))

lane = device_code(lambda: cuda.threadIdx.x & (LANES - 1))
warp = device_code(lambda: cuda.threadIdx.x >> SHIFT)
warps = device_code(lambda: cuda.blockDim.x >> SHIFT)
read_alone = device_code(lambda array, i: array[i])
add_atomically = device_code(lambda array, i, x: cuda.atomic.add(array, i, x))


@device_code
def put_part(parts, x):
    x = warp_sum(x)
    if lane() == 0:
        parts[np.uint64(warp())] = x


@device_code
def add_parts(parts):
    low = (part(parts, 0) + part(parts, 1)) + (part(parts, 2) + part(parts, 3))
    return low + ((part(parts, 4) + part(parts, 5)) + (part(parts, 6) + part(parts, 7)))


@device_code
def part(parts, w):
    return parts[w] if w < warps() else np.float32(0)


@device_code
def block_sum(x):
    parts = cuda.shared.array(0, float32)  # as much as the launch asks for
    put_part(parts, x)
    cuda.syncthreads()
    return add_parts(parts)


@device_code
def add_alone(array, i, x):
    array[i] += x


@device_code
def take_alone(array, i, x):
    before = array[i]
    array[i] = before + x
    return before


# The body of each word on the GPU.
WORDS: dict[Any, Any] = {
    block.block: device_code(lambda: cuda.blockIdx.x),
    block.thread: device_code(lambda: cuda.threadIdx.x),
    block.threads: device_code(lambda: cuda.blockDim.x),
    block.lane: lane,
    block.lanes: device_code(lambda: LANES),
    block.warp: warp,
    block.warps: warps,
    block.barrier: device_code(lambda: cuda.syncthreads()),
    block.put_part: put_part,
    block.add_parts: add_parts,
    block.block_sum: block_sum,
    primitives.prefetch: device_code(lambda array, i: None),
    primitives.count_up: device_code(lambda array, i: take_alone(array, i, 1)),
    primitives.give_way: device_code(lambda level: None),
}

if SIMULATED:
    read_shared, warp_sum = read_alone, block.warp_sum
else:
    from numba.cuda import types
    from numba.cuda.extending import intrinsic

    @device_code
    def warp_sum(x):
        for apart in (16, 8, 4, 2, 1):
            x += cuda.shfl_xor_sync(ALL_LANES, x, apart)
        return x

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

    WORDS |= {
        block.ballot: device_code(
            lambda vote: np.int64(np.uint32(cuda.ballot_sync(ALL_LANES, vote)))
        ),
        block.warp_sum: warp_sum,
        block.quotient: device_code(lambda x, y: cuda.libdevice.fast_fdividef(x, y)),
        block.end_block: end_block,
        primitives.trailing_zeros: device_code(lambda word: np.int64(cuda.ffs(word) - 1)),
        primitives.popcount: device_code(lambda word: np.int64(cuda.popc(word))),
    }


APART = {
    block.alone: device_code(lambda: True),
    block.read: read_alone,
    block.add_to: add_alone,
    block.take: take_alone,
}
TOGETHER = {
    block.alone: device_code(lambda: False),
    block.read: read_shared,
    block.add_to: add_atomically,
    block.take: add_atomically,
}
ALONE = Copies({**WORDS, **APART}, device_code, cuda)
SHARED = Copies({**WORDS, **TOGETHER}, device_code, cuda)
EACH = Copies({**WORDS, **APART}, device_code, cuda, OF_THREAD)
