"""Helpers: kernels that only other kernels call.

Numba makes machine code of every function that it compiles, with a wrapper to call it from
Python. A helper needs neither, since it becomes a part of its callers: it is compiled no further
than LLVM's language. That halves the time that compiling takes.
"""

from functools import cache
from typing import Any

from topple.core.lazy import lazy_module

codegen = lazy_module("numba.core.codegen")
compiler = lazy_module("numba.core.compiler")


@cache
def helper_options() -> dict[str, Any]:
    """The options of `numba.njit` for a helper."""
    library_class: Any = codegen.JITCodeLibrary
    compiler_class: Any = compiler.Compiler

    class HelperLibrary(library_class):  # type: ignore[misc]
        """What is compiled of a helper. It asks for no machine code, so that there is none."""

        @property
        def codegen(self) -> Any:
            """The keeper of environments, which functions in machine code need."""
            return self

        def set_env(self, name: str, environment: Any) -> None:
            """Keep no environment."""

        def get_pointer_to_function(self, name: str) -> int:
            """Where the machine code begins: nowhere."""
            self._ensure_finalized()
            return 0

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def serialize_using_object_code(self) -> Any:
            """What the disk cache keeps."""
            return self.serialize_using_bitcode()

    class HelperCompiler(compiler_class):  # type: ignore[misc]
        """Numba's compiler, which writes into the library above."""

        def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
            super().__init__(typing, target, library, *rest)
            self.state.library = HelperLibrary(target.codegen(), "helper")

    return {"pipeline_class": HelperCompiler, "no_cpython_wrapper": True}
