"""Numba for the GPU: copies of rules and learners (`translate.py`) as device code, and launches.

The same copies run in the simulator of numba-cuda.
"""

from contextlib import ExitStack, suppress
from types import SimpleNamespace

import numpy as np
from numba import cuda
from numba import types as cpu_types

from tafl.core.compile import thread_block as block
from tafl.core.compile.cuda_words import ALONE, EACH, LANES, SHARED, SIMULATED
from tafl.core.compile.methods import APPROXIMATOR_METHODS, METHODS, overload_of

__all__ = ["LANES"]  # besides what is defined here

if not SIMULATED:
    from numba.cuda import types
    from numba.cuda.core import config as cuda_config
    from numba.cuda.extending import overload_method

    cuda_config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # training few agents is fine


def compile_method(name, arguments, method):
    """Let kernels call game.<name>(...) on any NamedTuple class that defines it."""
    found = overload_of(name, arguments, method)
    for kind in {cpu_types.BaseNamedTuple, types.BaseNamedTuple}:
        overload_method(kind, name, strict=False, jit_options={"forceinline": True})(found)


if not SIMULATED:
    for _name, _arguments in METHODS.items():
        compile_method(_name, _arguments, ALONE.copy)
    for _name, _arguments in APPROXIMATOR_METHODS.items():  # of a class that is a copy (Copies)
        compile_method(_name, _arguments, lambda function: function)


def make_kernel(function, shared, registers):
    """Return a kernel for a grid of blocks, with at most this many registers per thread."""
    options = {} if SIMULATED else {"max_registers": registers}
    return cuda.jit(**options)((SHARED if shared else ALONE).copy(function))


def make_kernel_of_threads(function, registers):
    """Return a kernel whose threads have nothing to do with each other."""
    options = {} if SIMULATED else {"max_registers": registers}
    return cuda.jit(**options)(EACH.copy(function))


def launch(kernel, blocks, threads, *arguments):
    """Run a kernel and wait until it ends."""
    kernel[blocks, threads, 0, 4 * block.MOST_WARPS](*arguments)
    cuda.synchronize()


def missing():
    """Return why no GPU can be used, or an empty string."""
    if SIMULATED or cuda.is_available():
        return ""
    try:
        cuda.current_context()
    except Exception as error:  # of the driver, or of what looks for it
        said = [line.strip(" :.") for line in str(error).splitlines() if line.strip(" :")]
        return f"no GPU can be used: {(said[1:] or said or ['it does not say why'])[0]}"
    return "no GPU can be used"


def device_name():
    """Return the name of the GPU."""
    return "simulator" if SIMULATED else str(cuda.get_current_device().name)


def memory():
    """Return the free memory of the device in bytes."""
    return 2**62 if SIMULATED else cuda.current_context().get_memory_info().free


def to_device(values):
    """Return a copy whose arrays are on the device, also those in named tuples."""
    if isinstance(values, np.ndarray):
        return cuda.to_device(values)
    return type(values)(*map(to_device, values)) if hasattr(values, "_fields") else values


def empty(shape, dtype):
    """Return an array of the device, not initialised."""
    return cuda.device_array(shape, dtype)


@cuda.jit
def copy_every(array, step, out):
    """Copy every step-th number with all threads of the grid."""
    i = np.int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
    while i < out.size:
        out[i] = array[i * step]
        i += cuda.gridDim.x * cuda.blockDim.x


def copy_here(array, step, between, out):
    """Copy every step-th number of a device array to the CPU, by way of a device array."""
    blocks, threads = (1, 1) if SIMULATED else (1024, 256)
    copy_every[blocks, threads](array, step, between)
    between.copy_to_host(out)


def pinned(array):
    """Pin an array of the CPU, for fast copies from the device, while the result exists."""
    stack = ExitStack()
    with suppress(Exception):  # of the driver: it is slower then
        stack.enter_context(cuda.pinned(array))
    return stack


def compile_ptx(function, copies, arguments, capability=(9, 0)):
    """Return the PTX code of a kernel for these arguments; no device is needed.

    Its copies: "alone" or "shared" for blocks of threads, "each" for single ones.
    """
    from numba.cuda import dispatcher
    from numba.cuda.typing.typeof import typeof

    there = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        copy = {"alone": ALONE, "shared": SHARED, "each": EACH}[copies].copy(function)
        return cuda.compile_ptx(copy, tuple(map(typeof, arguments)), cc=capability)[0]
    finally:
        dispatcher.get_current_device = there
