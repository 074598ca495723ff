"""Which instructions of the processor kernels are compiled for: all but AVX-512.

With AVX-512, LLVM miscompiles a loop that stores bytes and wider numbers under a condition: it
spills a mask of 8 lanes as one of 16, and bytes are stored that must stay. LLVM 20 and 22 do
so. Without AVX-512 the kernels are as fast, since 256 bits at a time suffice for them.
"""

from functools import cache

from topple.core.lazy import lazy_module

numba = lazy_module("numba")
llvm = lazy_module("llvmlite.binding")


@cache
def avoid_avx512() -> None:
    """Let Numba compile without AVX-512, unless the user has chosen the features.

    Numba asks once, when it compiles for the first time in a process.
    """
    features = llvm.get_host_cpu_features()
    if numba.config.CPU_FEATURES is None and features.get("avx512f"):
        # Those that depend on a feature go with it.
        numba.config.CPU_FEATURES = f"{features.flatten()},-avx512f"
