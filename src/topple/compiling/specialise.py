"""Bind kernels to one game's rules and compile them.

Rules and search kernels are plain Python functions marked with `@kernel`. They call the
rules by the names of the contract in `topple.rules.interface`. `Specialised` copies them,
binds those names to one game's functions and compiles the copies, so that one source
gives every game its own kernels at full speed. Uncompiled, the same copies run as plain
Python.
"""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard, TypeVar

from topple.compiling.cache import BOUNDS_CHECK, MachineCode, cache_trouble
from topple.compiling.processor import avoid_avx512
from topple.compiling.products import register_products
from topple.compiling.sources import files_behind
from topple.core.lazy import lazy_module

numba = lazy_module("numba")

Kernel = Callable[..., Any]
Function = TypeVar("Function", bound=Kernel)

_compiling = threading.Lock()
_announced: set[str] = set()
announcements = True


def kernel(function: Function) -> Function:
    """Mark a plain function for `Specialised` to bind and compile."""
    function.__dict__["is_kernel"] = True
    return function


def noinline(function: Function) -> Function:
    """Mark a kernel that is called, not inlined: a search with many calls compiles faster."""
    function.__dict__["is_noinline"] = True
    return kernel(function)


def contract(function: Function) -> Function:
    """Mark a kernel that a game may replace by a function of the same name."""
    function.__dict__["is_contract"] = True
    return kernel(function)


def is_kernel(thing: object) -> TypeGuard[Kernel]:
    """Whether a thing is a function marked with `@kernel`."""
    return isinstance(thing, FunctionType) and "is_kernel" in thing.__dict__


class Specialised:
    """The kernels of one game, each bound when it is first used.

    A function of a contract is taken from `rules`, or else from the first module of
    `beyond` that has it: the game's evaluations, its encoding for networks. The first
    call of a kernel compiles it, or loads it from the disk cache if `is_warm`; `called`
    holds the kernels that have been called.
    """

    def __init__(self, rules: ModuleType, compiled: bool, *beyond: ModuleType | None) -> None:
        self.rules = rules
        self.beyond = beyond
        self.compiled = compiled
        self.called: set[Kernel] = set()
        self._watch: Callable[[str], None] | None = None
        self._machine_codes: dict[frozenset[Path], MachineCode] = {}
        self._bound: dict[Kernel, Any] = {}  # ready for any thread
        self._unfinished: dict[Kernel, Any] = {}  # their callees may not be bound yet
        self._binding = threading.RLock()

    def __call__(self, function: Kernel) -> Any:
        """The game's own copy of a kernel, compiled if the game is."""
        if function not in self._bound:
            with self._binding:
                own = self._find(function)
                self._bound.update({**self._unfinished, function: own})
                self._unfinished.clear()
        return self._bound[function]

    def _own(self, function: Kernel) -> Kernel:
        """The function that replaces a function of the contract in this game, or itself."""
        if "is_contract" in function.__dict__:
            for module in (self.rules, *self.beyond):
                own: Kernel | None = getattr(module, function.__name__, None)
                if own is not None:
                    return own
        return function

    def _find(self, function: Kernel) -> Any:
        function = self._own(function)
        if function in self._bound:
            return self._bound[function]
        if function not in self._unfinished:
            assert isinstance(function, FunctionType)
            self._bind(function)
        return self._unfinished[function]

    def _bind(self, function: FunctionType) -> None:
        scope = dict(function.__globals__)
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__name__}_{self._short_name}"
        # Registered before the callees are bound, because a kernel may call itself.
        directory = self.machine_code(function).directory if self.compiled else None
        self._unfinished[function] = scope[function.__name__] = self._compile(
            copy, directory, inline="is_noinline" not in function.__dict__
        )
        for name, callee in _callees(function).items():
            if callee is not function:
                scope[name] = self._find(callee)

    def _compile(self, function: FunctionType, directory: Path | None, *, inline: bool) -> Any:
        if not self.compiled:
            return function
        if numba.config.DISABLE_JIT:
            return function
        # Kernels allocate nothing, so they need no reference counts (`_nrt`), which would
        # halve their speed. Without inlining, passing a board's many arrays from helper to
        # helper would halve it again.
        compiler = numba.njit(
            cache=directory is not None,
            nogil=True,
            error_model="numpy",
            boundscheck=BOUNDS_CHECK,
            forceinline=inline,
            _nrt=False,
        )
        config: Any = numba.config
        with _compiling:
            avoid_avx512()
            register_products()
            before = config.CACHE_DIR
            config.CACHE_DIR = str(directory or before)
            try:
                return widen_integers(compiler(function))
            finally:
                config.CACHE_DIR = before

    @property
    def _short_name(self) -> str:
        """The game's name as part of the name of a function and of a folder."""
        return re.sub(r"\W", "_", self.rules.NAME)

    def machine_code(self, function: Kernel) -> MachineCode:
        """The cache folder of a kernel."""
        sources = files_behind(self._files(function))
        if sources not in self._machine_codes:
            self._machine_codes[sources] = MachineCode(self._short_name, sources)
        return self._machine_codes[sources]

    def _files(self, function: Kernel) -> set[Path]:
        """The files of a kernel, of all kernels that it calls, and of the rules."""
        waiting = [self._own(function), self.rules.start]
        seen = set(waiting)
        while waiting:
            callees = _callees(waiting.pop()).values()
            new = {self._own(callee) for callee in callees} - seen
            seen |= new
            waiting.extend(new)
        return {Path(each.__code__.co_filename) for each in seen}

    def is_warm(self, function: Kernel) -> bool:
        """Whether a kernel needs no compiling: it is in the disk cache, or has been called."""
        if not self.compiled or function in self.called:
            return True
        return self.machine_code(function).is_warm(_full_name(function))

    def drop_machine_code(self) -> None:
        """Delete the disk cache, which is damaged, and forget what was loaded from it."""
        with self._binding:
            for machine_code in self._machine_codes.values():
                machine_code.drop()
            self._machine_codes.clear()
            self._bound.clear()
            self.called.clear()

    @contextmanager
    def first_call(self, function: Kernel) -> Iterator[None]:
        """Wrap the first call of a kernel in this process, which may compile it."""
        if self.is_warm(function):
            yield
        else:
            is_kept = self.machine_code(function).directory is not None
            announce(self.rules.NAME, is_kept=is_kept)
            yield
            self.machine_code(function).mark_warm(_full_name(function))
            if self._watch:
                self._watch(function.__name__)
        self.called.add(function)

    @contextmanager
    def watched(self, report: Callable[[str], None]) -> Iterator[None]:
        """Call `report` with the name of each kernel that is compiled inside."""
        before, self._watch = self._watch, report
        try:
            yield
        finally:
            self._watch = before


@cache
def specialised(rules: ModuleType, compiled: bool, *beyond: ModuleType | None) -> Specialised:
    """The kernels of a game, which all its boards and options share."""
    return Specialised(rules, compiled, *beyond)


def _full_name(function: Kernel) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _callees(function: Kernel) -> dict[str, Kernel]:
    """The kernels that a function calls, by the names under which it calls them.

    Raises
    ------
    TypeError
        If it calls one as an attribute of a module, which could not be bound.
    """
    names = function.__code__.co_names
    scope = function.__globals__
    for name in names:
        module = scope.get(name)
        if isinstance(module, ModuleType):
            for attribute in names:
                if is_kernel(module.__dict__.get(attribute)):
                    raise TypeError(
                        f"{function.__name__} calls {name}.{attribute}: "
                        f"import {attribute} by its name, so that it can be bound"
                    )
    return {name: scope[name] for name in names if is_kernel(scope.get(name))}


def widen_integers(dispatcher: Any) -> Any:
    """Make a compiled function take every signed whole number as int64.

    A vertex read from a vector is an int32, a loop's variable an int64 and a constant has
    its own type. Numba would compile each helper for every mixture of them.
    """
    types = numba.types
    compile_exactly = dispatcher.compile

    def widened(kind: Any) -> Any:
        is_whole = isinstance(kind, types.IntegerLiteral | types.Integer)
        return types.int64 if is_whole and kind != types.uint64 else kind

    def compile_widely(signature: Any) -> Any:
        return compile_exactly(tuple(widened(kind) for kind in signature))

    dispatcher.compile = compile_widely
    return dispatcher


def announce(game: str, *, is_kept: bool) -> None:
    """Tell the user, once per game, that kernels are being compiled."""
    if announcements and game not in _announced:
        _announced.add(game)
        text = compiling_text(game, is_kept=is_kept)
        print(f"topple: {text}", file=sys.stderr, flush=True)


def compiling_text(game: str, *, is_kept: bool = True) -> str:
    """What a user is told before a compile; warns once per run if no code can be kept.

    `is_kept` is false where the rules have no file, so that nothing can be kept for them.
    """
    is_kept = not _warned_of_cache() and is_kept
    return f"compiling {game} for this machine (once) …" if is_kept else f"compiling {game} …"


@cache
def _warned_of_cache() -> bool:
    """Whether no code can be kept on this machine; the first call tells the user so."""
    trouble = cache_trouble()
    if trouble:
        print(f"topple: {trouble}", file=sys.stderr, flush=True)
    return trouble is not None


@contextmanager
def quietly() -> Iterator[None]:
    """Announce no compiles inside: the caller shows them in its own way."""
    global announcements  # noqa: PLW0603
    before, announcements = announcements, False
    try:
        yield
    finally:
        announcements = before
