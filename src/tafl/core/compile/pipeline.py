"""Numba's pipeline for kernels: a kernel is compiled as one piece, with everything that it calls.

Left to itself Numba optimises every function that it meets, makes machine code of it and wrappers
for Python, and optimises it again inside its callers. But what a kernel calls is inlined and never
called from outside. So such a function, a part, ends as LLVM's code here; a kernel takes in all its
parts and is optimised once, as a whole. That halves the time of compiling.

Nothing else in tafl derives from classes inside Numba. `cpu.py` uses this with versions of Numba
that it is known to work with; with others, kernels compile as Numba does it by itself, and later.
"""

import gc

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):
    """The code of a function that kernels call: not optimised, and no machine code."""

    def finalize(self):
        self._raise_if_finalized()
        self._finalized = True

    def alone(self):
        """Return its module without what it calls, to be linked into others."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self):
        """Return its module with what it calls, for Numba's own linking."""
        whole = self.alone().clone()
        link_callees(self, whole)
        return whole


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel with all its parts."""

    def finalize(self):
        link_callees(self, self._final_module)
        self._linking_libraries = []
        super().finalize()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:  # a part prints something
                self.codegen.set_env(variable.name, environment)

    def _verify_declare_only_symbols(self):
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith("_ZN"):
                raise RuntimeError(f"{self.name} calls {function.name}, which is missing")


def link_callees(library, module):
    """Link everything that a library needs into a module."""
    for callee in callees(library):
        library._reload_init.update(callee._reload_init)
        part = isinstance(callee, PartLibrary)
        module.link_in(callee.alone() if part else callee._get_module_for_linking(), preserve=True)


def callees(library):
    """Return all that a library needs, callers first: LLVM links only what is called."""
    found = {}

    def visit(library):
        if library not in found:
            if isinstance(library, PartLibrary | KernelLibrary):
                for callee in library._linking_libraries:
                    visit(callee)
            found[library] = None

    visit(library)
    return list(found)[-2::-1]


class PartLower(Lower):
    """Numba's lowering to LLVM code, without an environment of Python objects."""

    def emit_environment_object(self):
        pass


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """The last step of compiling a part."""

    _name = "tafl_part_lowering"
    lowering_class = PartLower

    def run_pass(self, state):
        library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library, state.flags.no_compile = library, True
        super().run_pass(state)
        lowered = state["cr"]
        module, name = lowered.fndesc.lookup_module(), lowered.fndesc.qualname
        entry = _dynfunc.make_function(module, name, "", 0, lowered.env, (library,))
        state.targetctx.insert_user_function(entry, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)  # what callers know it by; never called
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """The last step of compiling a kernel."""

    _name = "tafl_kernel_lowering"

    def run_pass(self, state):
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class KernelCompiler(CompilerBase):
    """Numba's steps, but for the last one."""

    last_step = KernelLowering

    def compile_extra(self, func):
        collecting = gc.isenabled()
        gc.disable()  # a tenth of the time, and nothing would be found before the end
        try:
            return super().compile_extra(func)
        finally:
            if collecting:
                gc.enable()

    def define_pipelines(self):
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        ours = {NativeLowering: self.last_step}
        steps.passes = [(ours.get(step, step), text) for step, text in steps.passes]
        steps.finalize()
        return [steps]


class PartCompiler(KernelCompiler):
    """Numba's steps, but for the last one, for a part."""

    last_step = PartLowering


# Options of `jit` for a kernel and for a part of one.
KERNEL = {"pipeline_class": KernelCompiler, "no_cfunc_wrapper": True}
PART = {
    "pipeline_class": PartCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
