"""The third machine: kernels as WebAssembly, for a page in a browser.

Numba types a kernel and lowers it to LLVM's code, as for the CPU, but nothing is optimised for the
CPU: LLVM's passes for wasm32 run over the code of all kernels together. Each kernel gets one
exported function that takes the address of an argument block:

    0   8 bytes   what the kernel returns: a whole number, or nothing
    8   8 bytes   where an exception of Numba would be described
    16  ...       the arguments, tuples flattened: 8 bytes a number; for an array its address and
                  its shape, 4 bytes each

The function returns 0, or another number if the kernel raised an exception. The layout is described
by a JSON object, which is all that the caller has to know.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numba
from llvmlite import binding
from numba import types

from tafl.core.compile.cpu import INLINE, STOP_LEVEL
from tafl.core.compile.wasm_object import Module, exporting
from tafl.errors import InputError

# A kernel stays as LLVM's code, like its parts, but it is not inlined anywhere.
WHOLE = {name: value for name, value in INLINE.items() if name != "forceinline"}

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext,+mutable-globals"

ARGUMENTS = 16  # where they begin in a block
NUMBER, ADDRESS = 8, 4  # bytes

# Imports that a module may have: functions of JavaScript's Math.
PROVIDED = (
    *("pow", "log", "exp", "sin", "cos", "tan", "tanh", "atan", "atan2", "log2", "log10", "log1p"),
    *("expm1", "sinh", "cosh", "asin", "acos", "cbrt", "hypot"),
)
SURROUNDINGS = ("__linear_memory", "__stack_pointer")

# A page ends a worker, not a kernel: the level that signals raise on the CPU is always 0.
STOP_LOAD = re.compile(rf"load atomic i64, (ptr|i64\*) @{STOP_LEVEL} monotonic, align 8")


# WebAssembly cannot prefetch; the loops that would do so vanish, too.
PREFETCH = re.compile(r"(tail )?call void @llvm\.prefetch\.p0\(.*")


class Wanted(NamedTuple):
    """A kernel, and arguments of the types that it is to be compiled for."""

    kernel: Any
    arguments: tuple[Any, ...]


def compile_part(wanted: Mapping[str, Wanted]) -> tuple[bytes, dict[str, Any]]:
    """Return kernels as optimised LLVM code, a part of a module, and their signatures."""
    if "pipeline_class" not in INLINE:
        raise InputError(
            f"kernels become WebAssembly with the versions of Numba that tafl knows, "
            f"not with {numba.__version__}"
        )
    machine = target_machine()
    whole = binding.parse_assembly(f"@{STOP_LEVEL} = internal constant i64 0")
    signatures = {}
    for name, (kernel, arguments) in wanted.items():
        code, function, argument_types = lower(kernel.python, arguments)
        block = Block(argument_types, kernel.python)
        whole.link_in(binding.parse_assembly(block.entry(name, function)))
        whole.link_in(code)  # LLVM takes in what is called: callers come first
        signatures[name] = block.signature
    optimise(whole, wanted, machine)
    return whole.as_bitcode(), signatures


def link_parts(parts: Iterable[bytes], exported: Iterable[str]) -> bytes:
    """Return the module that parts make together."""
    machine = target_machine()
    first, *others = [binding.parse_bitcode(part) for part in parts]
    for other in others:
        first.link_in(other)
    module = exporting(Module.read(bytes(machine.emit_object(first))), list(exported))
    strange = [name for name in module.imports if name not in (*PROVIDED, *SURROUNDINGS)]
    if strange:
        raise InputError(f"the rules need {strange[0]}, which a page does not have")
    return module.data


def target_machine() -> Any:
    """Return LLVM's description of the machine that a page computes on."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)


def lower(function: Any, arguments: Iterable[Any]) -> tuple[Any, str, tuple[Any, ...]]:
    """Return a kernel's LLVM code with all that it calls, not optimised, its name and types."""
    dispatcher = numba.njit(function, **WHOLE)
    dispatcher.compile(tuple(numba.typeof(argument) for argument in arguments))
    (compiled,) = dispatcher.overloads.values()
    code = str(compiled.library._get_module_for_linking())
    code = PREFETCH.sub("", STOP_LOAD.sub("add i64 0, 0", code))
    # variables that Numba keeps for Python: nothing reads them here
    code = re.sub(r"= common (local_unnamed_addr )?global", "= internal global", code)
    return binding.parse_assembly(code), compiled.fndesc.llvm_func_name, compiled.signature.args


def optimise(whole: Any, exported: Iterable[str], machine: Any) -> None:
    """Optimise the code of kernels together for the target."""
    whole.triple, whole.data_layout = TRIPLE, str(machine.target_data)
    for function in whole.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    whole.verify()
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)


class Block:
    """The argument block of a kernel: its description, and the function that reads it."""

    def __init__(self, argument_types: Iterable[Any], function: Any):
        self.size = ARGUMENTS
        self.lines: list[str] = []
        self.passed: list[str] = []
        names = function.__code__.co_varnames
        fields = [
            self._place(kind, name) for name, kind in zip(names, argument_types, strict=False)
        ]
        self.signature = {"arguments": fields, "size": -(-self.size // 8) * 8}

    def entry(self, name: str, function: str) -> str:
        """Return the exported function as LLVM code."""
        passed = ", ".join(["ptr %block", "ptr %exception", *self.passed])
        kinds = ", ".join(["ptr", "ptr", *(value.split()[0] for value in self.passed)])
        return "\n".join(
            [
                f'declare i32 @"{function}"({kinds})',
                f"define i32 @{name}(ptr %block) {{",
                "%exception = getelementptr i8, ptr %block, i32 8",
                *self.lines,
                f'%status = call i32 @"{function}"({passed})',
                "ret i32 %status",
                "}",
            ]
        )

    def _place(self, kind: Any, name: str) -> dict[str, Any]:
        """Give an argument its place, and write the lines that load it."""
        if isinstance(kind, types.BaseNamedTuple):
            fields = [self._place(t, n) for n, t in zip(kind.fields, kind.types, strict=True)]
            return {"name": name, "fields": fields}
        if isinstance(kind, types.NoneType):
            self.passed.append("ptr null")
            return {"name": name, "none": True}
        offset = self.size
        if isinstance(kind, types.Array):
            return self._place_array(kind, {"name": name, "offset": offset})
        self.size += NUMBER
        if isinstance(kind, types.Boolean):
            self.passed.append(f"i8 {self._load('i8', offset)}")
        elif isinstance(kind, types.Float):
            self.passed.append(f"double {self._load('double', offset)}")
        else:
            self.passed.append(f"i64 {self._load('i64', offset)}")
        return {"name": name, "type": str(types.unliteral(kind)), "offset": offset}

    def _place_array(self, kind: Any, field: dict[str, Any]) -> dict[str, Any]:
        """Place an array as Numba passes it: items, item size, address, shape, strides."""
        itemsize = numba.np.numpy_support.as_dtype(kind.dtype).itemsize
        address = self._load("ptr", self.size)
        shape = [
            self._line(f"zext i32 {self._load('i32', self.size + ADDRESS * (1 + d))} to i64")
            for d in range(kind.ndim)
        ]
        strides, step = [], str(itemsize)
        for length in reversed(shape):
            strides.append(step)
            step = self._line(f"mul nuw nsw i64 {step}, {length}")
        items = self._line(f"udiv i64 {step}, {itemsize}")
        numbers = [f"i64 {value}" for value in (*shape, *reversed(strides))]
        self.passed += ["ptr null", "ptr null", f"i64 {items}", f"i64 {itemsize}"]
        self.passed += [f"ptr {address}", *numbers]
        self.size += -(-ADDRESS * (1 + kind.ndim) // 8) * 8
        return {**field, "type": str(kind.dtype), "dimensions": kind.ndim}

    def _load(self, kind: str, offset: int) -> str:
        place = self._line(f"getelementptr i8, ptr %block, i32 {offset}")
        return self._line(f"load {kind}, ptr {place}, align {4 if kind in ('ptr', 'i32') else 8}")

    def _line(self, code: str) -> str:
        """Add a line; return the name of its value."""
        value = f"%v{len(self.lines)}"
        self.lines.append(f"{value} = {code}")
        return value
