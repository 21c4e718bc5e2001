"""Numba for the CPU: the method overload that compiles rules, and bodies of the primitives."""

import contextlib
import ctypes
import hashlib
import io
import uuid

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys
from numba.extending import intrinsic, overload, overload_method, register_jitable

from tafl.core.compile import primitives
from tafl.core.compile.methods import APPROXIMATOR_METHODS, METHODS, overload_of
from tafl.signals import LEVEL

DIGEST = hashlib.sha256().digest_size

# Versions of Numba that pipeline.py is known to work with: tests/test_pipeline.py tells.
KNOWN = ("0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
if numba.__version__.startswith(KNOWN):
    from tafl.core.compile.pipeline import KERNEL, PART
else:
    KERNEL, PART = {}, {}

# Sums of weights may run in several accumulators; NaN and infinity keep their meaning.
OPTIONS = {
    "nogil": True,
    "_nrt": False,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
}

# What a kernel calls becomes part of the kernel: the many arrays it is passed then cost nothing.
INLINE = {**OPTIONS, **PART, "forceinline": True}
REORDERED = {**INLINE, "fastmath": {*OPTIONS["fastmath"], "reassoc"}}


def compile_method(name, arguments):
    """Let kernels call game.<name>(...) on any NamedTuple class that defines it."""
    method = overload_of(name, arguments, lambda function: function)
    overload_method(types.BaseNamedTuple, name, strict=False, jit_options=INLINE)(method)


for _name, _arguments in (METHODS | APPROXIMATOR_METHODS).items():
    compile_method(_name, _arguments)


def word_instruction(primitive, instruction):
    """Give a function of a word its compiled body: one instruction of LLVM."""

    @intrinsic
    def compiled(typing_context, word):
        def build(context, builder, signature, arguments):
            return instruction(builder, arguments[0])

        return types.int64(types.int64), build

    overload(primitive, jit_options=INLINE)(lambda word: lambda word: compiled(word))


word_instruction(primitives.popcount, lambda builder, word: builder.ctpop(word))
word_instruction(
    primitives.trailing_zeros,
    lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)),
)


@intrinsic
def _prefetch(typing_context, array, i):
    def build(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointer = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        int32 = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [pointer.type, int32, int32, int32]),
            "llvm.prefetch.p0",
        )
        builder.call(function, [pointer, int32(0), int32(3), int32(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), build


overload(primitives.prefetch, jit_options=INLINE)(
    lambda array, i: lambda array, i: _prefetch(array, i)
)


@intrinsic
def _count_up(typing_context, array, i):
    def build(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        one = ir.Constant(ir.IntType(64), 1)
        place = builder.gep(data, [arguments[1]])
        return builder.atomic_rmw("add", place, one, "monotonic")

    return types.int64(array, types.int64), build


overload(primitives.count_up, jit_options=INLINE)(
    lambda array, i: lambda array, i: _count_up(array, i)
)

# Machine code, from the cache as well, finds the level by this name.
STOP_LEVEL = "tafl_stop_level"
binding.add_symbol(STOP_LEVEL, ctypes.addressof(LEVEL))


@intrinsic
def _stop_level(typing_context):
    def build(context, builder, signature, arguments):
        known = builder.module.globals.get(STOP_LEVEL)
        level = known or ir.GlobalVariable(builder.module, ir.IntType(64), STOP_LEVEL)
        return builder.load_atomic(level, "monotonic", 8)  # never taken out of a loop

    return types.int64(), build


overload(primitives.stop_level, jit_options=INLINE)(lambda: lambda: _stop_level())


@intrinsic
def _call_back(typing_context, address, state, number):
    def build(context, builder, signature, arguments):
        data = context.make_array(signature.args[1])(context, builder, arguments[1]).data
        int64 = ir.IntType(64)
        function = builder.inttoptr(
            arguments[0], ir.FunctionType(int64, [int64, int64]).as_pointer()
        )
        return builder.call(function, [builder.ptrtoint(data, int64), arguments[2]])

    return types.int64(types.int64, state, types.int64), build


overload(primitives.call_back, jit_options=INLINE)(
    lambda address, state, number: lambda address, state, number: _call_back(address, state, number)
)


def make_inline(function, reorder=False):
    """Register a Python function so that compiled code can call it; its sums may be reordered."""
    register_jitable(**(REORDERED if reorder else INLINE))(function)


make_inline(primitives.give_way)
make_inline(primitives.call_python)


class _GivenFolder(CompileResultCacheImpl):
    """Machine code lies in numba.config.CACHE_DIR and nowhere else."""

    _locator_classes = CompileResultCacheImpl._locator_classes[:1]


class CheckedFiles(IndexDataCacheFile):
    """Numba's files of machine code, each with its SHA-256 at its end, which pickle ignores."""

    def _load_index(self):
        with contextlib.suppress(FileNotFoundError):
            self._verify(self._index_path)
        return super()._load_index()

    def _load_data(self, name):
        self._verify(self._data_path(name))
        return super()._load_data(name)

    def _verify(self, path):
        """Refuse a damaged file: machine code with a flipped bit can end the process."""
        with open(path, "rb") as file:
            content = file.read()
        if hashlib.sha256(content[:-DIGEST]).digest() != content[-DIGEST:]:
            raise OSError(f"{path} is damaged")

    @contextlib.contextmanager
    def _open_for_write(self, path):
        content = io.BytesIO()
        yield content
        with super()._open_for_write(path) as file:
            file.write(content.getvalue())
            file.write(hashlib.sha256(content.getvalue()).digest())


class KernelCache(FunctionCache):
    """Numba's cache, but no file in it can stop a run or be taken for another's."""

    _impl_class = _GivenFolder

    def __init__(self, function):
        super().__init__(function)
        # Two processes that save different signatures at once must not choose the same name.
        stamp = self._cache_file._source_stamp
        self._cache_file = file = CheckedFiles(self._cache_path, self._impl.filename_base, stamp)
        mine = f"{uuid.uuid4().hex[:8]}-{{number"
        file._data_name_pattern = file._data_name_pattern.replace("{number", mine)

    def load_overload(self, signature, target_context):
        try:
            if not KERNEL:
                return super().load_overload(signature, target_context)
            # Numba would load all that its compiler knows; machine code needs just the runtime
            rtsys.initialize(target_context)
            return self._load_overload(signature, target_context)
        except Exception:  # of pickle, if a file is damaged
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature, data):
        with contextlib.suppress(OSError):
            super().save_overload(signature, data)


def target() -> str:
    """Return the processor that machine code is made for; sums may round differently on others."""
    return str(numba.config.CPU_NAME or binding.get_host_cpu_name())


def make_dispatcher(function, cache_folder=None):
    """Return a Numba dispatcher that caches machine code in this folder, or not at all."""
    dispatcher = numba.njit(function, **OPTIONS, **KERNEL)
    if cache_folder is not None:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache_folder)
        try:
            dispatcher._cache = KernelCache(function)
        except RuntimeError:  # the folder has vanished
            pass
        finally:
            numba.config.CACHE_DIR = before
    return dispatcher


# The arguments of methods that are arrays.
ARGUMENTS = dict.fromkeys(("state", "before", "after", "out"), types.int64[::1])
ARGUMENTS["rng"] = types.uint64[::1]

# What a method has to return.
RETURNS = {
    "player": types.Integer,
    "legal": (types.Boolean, types.Integer),
    "over": (types.Boolean, types.Integer),
    "hides": types.Boolean,
    "rotates": types.Boolean,
    "score": types.Number,
    "cell": types.Integer,
    "changed": types.Integer,
    "legal_mask": types.Integer,
    "list_moves": types.Integer,
    "outcomes": types.Integer,
    "outcome": types.Number,
    "sees": types.Integer,
}


def compile_alone(game, name):
    """Compile one method by itself; return its return type and whether kernels can use that."""
    arguments = [ARGUMENTS.get(argument, types.int64) for argument in METHODS[name]]
    dispatcher = numba.njit(getattr(type(game), name), **INLINE)
    dispatcher.compile((numba.typeof(game), *arguments))
    returned = dispatcher.nopython_signatures[0].return_type
    return str(returned), isinstance(returned, RETURNS.get(name, types.Type))
