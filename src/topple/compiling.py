"""From plain functions to a game's compiled kernels.

Rules and search kernels are plain Python functions marked with `@kernel`. They
call the rules by the names of the contract in `topple.rules.interface`;
`specialise` copies them with those names bound to one game's functions and
compiles the copies, so that every game gets kernels of its own at full speed
from one source. Left uncompiled, the same copies run as ordinary Python.

Numba's disk cache notices a change only in a function's own file. The cache
directory therefore carries a digest of every source that may stand behind a
kernel, and of the flags that change the machine code.
"""

import hashlib
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard, TypeVar

Kernel = Callable[..., Any]
Function = TypeVar("Function", bound=Kernel)

BOUNDS_CHECK = os.environ.get("TOPPLE_BOUNDS_CHECK", "") not in ("", "0")

CACHES_KEPT = 8  # per game: a few versions and checkouts may be in use side by side
DIGEST = 12  # hexadecimal digits

_compiling = threading.Lock()
_announced: set[str] = set()
announcements = True


def kernel(function: Function) -> Function:
    """Mark a plain function as one that `specialise` binds and compiles."""
    function.__dict__["is_kernel"] = True
    return function


def contract(function: Function) -> Function:
    """Mark a kernel that a game's rules replace by their own of the same name."""
    function.__dict__["is_contract"] = True
    return kernel(function)


def is_kernel(thing: object) -> TypeGuard[Kernel]:
    """Tell whether a thing is a function marked with `@kernel`."""
    return isinstance(thing, FunctionType) and "is_kernel" in thing.__dict__


class Specialised:
    """Kernels bound to one game's rules, each made when first asked for.

    Calling one compiles it, or loads it from the disk cache; `is_warm` tells
    which of the two it will be, and `called` holds those behind us.
    """

    def __init__(self, rules: ModuleType, compiled: bool) -> None:
        self.rules = rules
        self.compiled = compiled
        self.called: set[Kernel] = set()
        self._bound: dict[Kernel, Any] = {}

    def __call__(self, function: Kernel) -> Any:
        """The game's own copy of a kernel, compiled if the game is."""
        if "is_contract" in function.__dict__:
            function = getattr(self.rules, function.__name__, function)
        if function not in self._bound:
            assert isinstance(function, FunctionType)
            self._bind(function)
        return self._bound[function]

    def _bind(self, function: FunctionType) -> None:
        scope = dict(function.__globals__)
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__name__}_{self._short_name}"
        # Known before the callees are bound: a kernel may call itself.
        self._bound[function] = scope[function.__name__] = self._compile(copy)
        for name in function.__code__.co_names:
            callee = scope.get(name)
            if is_kernel(callee) and callee is not function:
                scope[name] = self(callee)

    def _compile(self, function: FunctionType) -> Any:
        if not self.compiled:
            return function
        import numba

        # Kernels allocate nothing, so they need no reference counts (`_nrt`):
        # counting costs half the time. Inlining saves passing a board's many
        # arrays from helper to helper: that costs the other half.
        caching = self._can_cache()
        compiler = numba.njit(  # type: ignore[call-overload]
            cache=caching,
            nogil=True,
            error_model="numpy",
            boundscheck=BOUNDS_CHECK,
            forceinline=True,
            _nrt=False,
        )
        config: Any = numba.config
        with _compiling:
            before = config.CACHE_DIR
            if caching:
                config.CACHE_DIR = str(self.cache_directory)
            try:
                return widen_integers(compiler(function))
            finally:
                config.CACHE_DIR = before

    def _can_cache(self) -> bool:
        """Tell whether the cache directory is there; Numba's own choice would go stale.

        Rules that come from no file (a notebook's) have no source to tell old from new by.
        """
        if not self._source.is_file():
            return False
        try:
            if not self.cache_directory.exists():
                self.cache_directory.mkdir(parents=True, exist_ok=True)
                self._drop_old_caches()
        except OSError:
            return False
        return os.access(self.cache_directory, os.W_OK)

    def _drop_old_caches(self) -> None:
        """Keep the machine code of this game's latest sources, drop what is older."""
        caches = cache_root().glob(f"{self._short_name}-{'[0-9a-f]' * DIGEST}")
        newest_first = sorted(caches, key=lambda path: path.stat().st_mtime, reverse=True)
        for old in newest_first[CACHES_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)

    @property
    def _source(self) -> Path:
        return Path(self.rules.__dict__.get("__file__") or "no file")

    @property
    def _short_name(self) -> str:
        return self.rules.__name__.rpartition(".")[2]

    @property
    def cache_directory(self) -> Path:
        """Where this game's machine code is kept."""
        return cache_root() / f"{self._short_name}-{_digest(str(self._source))}"

    def is_warm(self, function: Kernel) -> bool:
        """Tell whether a kernel lies compiled in the disk cache, or needs no compiling."""
        return not self.compiled or (self._can_cache() and self._marker(function).exists())

    @contextmanager
    def first_call(self, function: Kernel) -> Iterator[None]:
        """Surround a kernel's first call in this process, which may compile it."""
        if self.is_warm(function):
            yield
        else:
            announce(self.rules.NAME)
            yield
            self._mark_warm(function)
        self.called.add(function)

    def _mark_warm(self, function: Kernel) -> None:
        if self._can_cache():
            self._marker(function).touch()

    def _marker(self, function: Kernel) -> Path:
        return self.cache_directory / f"{function.__name__}.warm"


def widen_integers(dispatcher: Any) -> Any:
    """Let a compiled function take every signed whole number as int64.

    A vertex read from a vector is an int32, a loop's variable an int64, a
    constant a type of its own: left alone, Numba would compile each helper for
    every mixture of them.
    """
    from numba import types

    compile_exactly = dispatcher.compile

    def widened(kind: Any) -> Any:
        is_whole = isinstance(kind, types.IntegerLiteral | types.Integer)
        return types.int64 if is_whole and kind != types.uint64 else kind

    def compile_widely(signature: Any) -> Any:
        return compile_exactly(tuple(widened(kind) for kind in signature))

    dispatcher.compile = compile_widely
    return dispatcher


@cache
def specialised(rules: ModuleType, compiled: bool) -> Specialised:
    """The kernels of a game's rules, shared by all its boards and options."""
    return Specialised(rules, compiled)


def announce(game: str) -> None:
    """Tell the user, once per game, that a compile is on the way."""
    if announcements and game not in _announced:
        _announced.add(game)
        print(f"topple: compiling {game} for this machine (once) …", file=sys.stderr, flush=True)


@contextmanager
def quietly() -> Iterator[None]:
    """Announce no compiles in here: the caller shows them in its own way."""
    global announcements  # noqa: PLW0603
    before, announcements = announcements, False
    try:
        yield
    finally:
        announcements = before


def cache_root() -> Path:
    """The directory for compiled kernels: TOPPLE_CACHE_DIR or the user's cache."""
    chosen = os.environ.get("TOPPLE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    user = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(user) / "topple"


@cache
def _digest(rules_file: str) -> str:
    """Fingerprint every source behind a game's kernels, and the flags."""
    import numba
    from llvmlite.binding import get_host_cpu_name

    package = Path(__file__).parent
    sources = {
        package / "compiling.py",
        package / "rng.py",
        *package.glob("rules/*.py"),
        *package.glob("kernels/*.py"),
        Path(rules_file),
    }
    machine = (get_host_cpu_name(), numba.__version__, sys.version, BOUNDS_CHECK)
    seen = hashlib.sha256(repr(machine).encode())
    for source in sorted(sources):
        # Numba itself discards machine code older than its source file.
        seen.update(f"{source}{source.stat().st_mtime_ns}".encode())
        seen.update(source.read_bytes())
    return seen.hexdigest()[:DIGEST]
