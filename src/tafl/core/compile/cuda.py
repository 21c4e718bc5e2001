"""Numba for the GPU: copies of rules and learners (`translate.py`) as device code, and launches.

The same copies run in the simulator of numba-cuda, where a warp is a single thread.
"""

from contextlib import ExitStack, suppress
from types import SimpleNamespace

import numpy as np
from llvmlite import ir
from numba import config, cuda, float32
from numba import types as cpu_types

from tafl.core.compile import block, primitives
from tafl.core.compile.methods import METHODS
from tafl.core.compile.translate import Copies

SIMULATED = bool(config.ENABLE_CUDASIM)
LANES = 1 if SIMULATED else 32
SHIFT = LANES.bit_length() - 1
ALL_LANES = 0xFFFFFFFF

device_code = cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))


@device_code
def block_number():
    return cuda.blockIdx.x


@device_code
def thread():
    return cuda.threadIdx.x


@device_code
def threads():
    return cuda.blockDim.x


@device_code
def lane():
    return cuda.threadIdx.x & (LANES - 1)


@device_code
def lanes():
    return LANES


@device_code
def warp():
    return cuda.threadIdx.x >> SHIFT


@device_code
def warps():
    return cuda.blockDim.x >> SHIFT


@device_code
def barrier():
    cuda.syncthreads()


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
    read_shared, quotient = read_alone, block.quotient
    ballot, warp_sum, end_block = block.ballot, block.warp_sum, block.end_block
    trailing_zeros, popcount = primitives.trailing_zeros, primitives.popcount
else:
    from numba.cuda import types
    from numba.cuda.core import config as cuda_config
    from numba.cuda.extending import intrinsic, overload_method

    cuda_config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a person may well train few agents

    @device_code
    def ballot(vote):
        return np.int64(np.uint32(cuda.ballot_sync(ALL_LANES, vote)))

    @device_code
    def warp_sum(x):
        for apart in (16, 8, 4, 2, 1):
            x += cuda.shfl_xor_sync(ALL_LANES, x, apart)
        return x

    @device_code
    def quotient(x, y):
        return cuda.libdevice.fast_fdividef(x, y)

    @intrinsic
    def read_shared(typing_context, array, i):
        """Past the cache next to the threads, which does not see what other blocks write."""

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

    @device_code
    def trailing_zeros(word):
        return np.int64(cuda.ffs(word) - 1)

    @device_code
    def popcount(word):
        return np.int64(cuda.popc(word))


@device_code
def prefetch(array, i):
    pass


@device_code
def give_way(level):
    pass


COMMON = {
    block.block: block_number,
    block.thread: thread,
    block.threads: threads,
    block.lane: lane,
    block.lanes: lanes,
    block.warp: warp,
    block.warps: warps,
    block.barrier: barrier,
    block.ballot: ballot,
    block.warp_sum: warp_sum,
    block.put_part: put_part,
    block.add_parts: add_parts,
    block.block_sum: block_sum,
    block.quotient: quotient,
    block.end_block: end_block,
    primitives.trailing_zeros: trailing_zeros,
    primitives.popcount: popcount,
    primitives.prefetch: prefetch,
    primitives.give_way: give_way,
}


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
ALONE = Copies({**COMMON, **APART}, device_code, cuda)
SHARED = Copies({**COMMON, **TOGETHER}, device_code, cuda)


def make_kernel(function, shared, registers):
    """A kernel that Python launches on a grid of blocks; its threads have so many registers."""
    options = {} if SIMULATED else {"max_registers": registers}
    return cuda.jit(**options)((SHARED if shared else ALONE).copy(function))


def launch(kernel, blocks, threads, *arguments):
    """Runs a kernel and waits for its end."""
    kernel[blocks, threads, 0, 4 * block.MOST_WARPS](*arguments)
    cuda.synchronize()


def missing():
    """Why there is no GPU to work with, or nothing."""
    if SIMULATED or cuda.is_available():
        return ""
    try:
        cuda.current_context()
    except Exception as error:  # of the driver, or of what looks for it
        said = [line.strip(" :.") for line in str(error).splitlines() if line.strip(" :")]
        return f"no GPU can be used: {(said[1:] or said or ['it does not say why'])[0]}"
    return "no GPU can be used"


def device_name():
    """What the GPU is called."""
    return "simulator" if SIMULATED else str(cuda.get_current_device().name)


def memory():
    """Bytes of the device that are free."""
    return 2**62 if SIMULATED else cuda.current_context().get_memory_info().free


def to_device(values):
    """A named tuple whose arrays are on the device."""
    return type(values)(*(cuda.to_device(v) if isinstance(v, np.ndarray) else v for v in values))


def on_device(array):
    """A copy of an array on the device."""
    return cuda.to_device(array)


def empty(shape, dtype):
    """Memory on the device."""
    return cuda.device_array(shape, dtype)


@cuda.jit
def copy_every(array, step, out):
    """Threads of a grid copy every step-th number."""
    i = np.int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
    while i < out.size:
        out[i] = array[i * step]
        i += cuda.gridDim.x * cuda.blockDim.x


def copy_here(array, step, between, out):
    """Copies every step-th number of an array of the device, by way of another array there."""
    blocks, threads = (1, 1) if SIMULATED else (1024, 256)
    copy_every[blocks, threads](array, step, between)
    between.copy_to_host(out)


def pinned(array):
    """As long as somebody has the result, a device writes to an array of the CPU at full speed."""
    stack = ExitStack()
    with suppress(Exception):  # of the driver: it is slower then
        stack.enter_context(cuda.pinned(array))
    return stack


def compile_method(name, arguments):
    """Lets kernels call game.<name>(...) on any NamedTuple class that defines it."""
    for kind in {cpu_types.BaseNamedTuple, types.BaseNamedTuple}:
        if len(arguments) == 1:

            @overload_method(kind, name, strict=False, jit_options={"forceinline": True})
            def method(self, state):
                return ALONE.copy(getattr(self.instance_class, name))

        else:

            @overload_method(kind, name, strict=False, jit_options={"forceinline": True})
            def method(self, state, argument):
                return ALONE.copy(getattr(self.instance_class, name))


if not SIMULATED:
    for _name, _arguments in METHODS.items():
        compile_method(_name, _arguments)


def compile_ptx(function, shared, arguments, capability=(9, 0)):
    """What the compiler makes of a kernel and its arguments, for a device that need not be here."""
    from numba.cuda import dispatcher
    from numba.cuda.typing.typeof import typeof

    there = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        copy = (SHARED if shared else ALONE).copy(function)
        return cuda.compile_ptx(copy, tuple(map(typeof, arguments)), cc=capability)[0]
    finally:
        dispatcher.get_current_device = there
