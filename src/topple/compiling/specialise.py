"""From plain functions to a game's compiled kernels.

Rules and search kernels are plain Python functions marked with `@kernel`. They
call the rules by the names of the contract in `topple.rules.interface`;
`Specialised` copies them with those names bound to one game's functions and
compiles the copies, so that every game gets kernels of its own at full speed
from one source. Left uncompiled, the same copies run as ordinary Python.
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

from topple.compiling.cache import BOUNDS_CHECK, MachineCode
from topple.compiling.sources import files_behind

Kernel = Callable[..., Any]
Function = TypeVar("Function", bound=Kernel)

_compiling = threading.Lock()
_announced: set[str] = set()
announcements = True


def kernel(function: Function) -> Function:
    """Mark a plain function as one that `Specialised` binds and compiles."""
    function.__dict__["is_kernel"] = True
    return function


def noinline(function: Function) -> Function:
    """Mark a kernel that is called, not inlined: searches with many calls compile sooner."""
    function.__dict__["is_noinline"] = True
    return kernel(function)


def contract(function: Function) -> Function:
    """Mark a kernel that a game's rules replace by their own of the same name."""
    function.__dict__["is_contract"] = True
    return kernel(function)


def is_kernel(thing: object) -> TypeGuard[Kernel]:
    """Tell whether a thing is a function marked with `@kernel`."""
    return isinstance(thing, FunctionType) and "is_kernel" in thing.__dict__


class Specialised:
    """Kernels bound to one game's rules, each made when first asked for.

    A contract's function is taken from the rules, else from `knowledge`, a
    module of what is known about the game beyond its rules. Calling a kernel
    compiles it, or loads it from the disk cache; `is_warm` tells which of the
    two it will be, and `called` holds those behind us.
    """

    def __init__(
        self, rules: ModuleType, compiled: bool, knowledge: ModuleType | None = None
    ) -> None:
        self.rules = rules
        self.knowledge = knowledge
        self.compiled = compiled
        self.called: set[Kernel] = set()
        self._watch: Callable[[str], None] | None = None
        self._machine_codes: dict[frozenset[Path], MachineCode] = {}
        self._bound: dict[Kernel, Any] = {}  # finished, for any thread to use
        self._in_hand: dict[Kernel, Any] = {}  # their callees may not be bound yet
        self._binding = threading.RLock()

    def __call__(self, function: Kernel) -> Any:
        """The game's own copy of a kernel, compiled if the game is."""
        if function not in self._bound:
            with self._binding:
                own = self._find(function)
                self._bound.update({**self._in_hand, function: own})
                self._in_hand.clear()
        return self._bound[function]

    def _own(self, function: Kernel) -> Kernel:
        """What stands for a function in this game: a contract's is replaced."""
        if "is_contract" in function.__dict__:
            for module in (self.rules, self.knowledge):
                own: Kernel | None = getattr(module, function.__name__, None)
                if own is not None:
                    return own
        return function

    def _find(self, function: Kernel) -> Any:
        function = self._own(function)
        if function in self._bound:
            return self._bound[function]
        if function not in self._in_hand:
            assert isinstance(function, FunctionType)
            self._bind(function)
        return self._in_hand[function]

    def _bind(self, function: FunctionType) -> None:
        scope = dict(function.__globals__)
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__name__}_{self._short_name}"
        # Known before the callees are bound: a kernel may call itself.
        directory = self.machine_code(function).directory if self.compiled else None
        self._in_hand[function] = scope[function.__name__] = self._compile(
            copy, directory, inline="is_noinline" not in function.__dict__
        )
        for name, callee in _callees(function).items():
            if callee is not function:
                scope[name] = self._find(callee)

    def _compile(self, function: FunctionType, directory: Path | None, *, inline: bool) -> Any:
        if not self.compiled:
            return function
        import numba

        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        # Kernels allocate nothing, so they need no reference counts (`_nrt`):
        # counting costs half the time. Inlining saves passing a board's many
        # arrays from helper to helper: that costs the other half.
        compiler = numba.njit(  # type: ignore[call-overload]
            cache=directory is not None,
            nogil=True,
            error_model="numpy",
            boundscheck=BOUNDS_CHECK,
            forceinline=inline,
            _nrt=False,
        )
        config: Any = numba.config
        with _compiling:
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
        """Where a kernel's machine code is kept."""
        sources = files_behind(self._files(function))
        if sources not in self._machine_codes:
            self._machine_codes[sources] = MachineCode(self._short_name, sources)
        return self._machine_codes[sources]

    def _files(self, function: Kernel) -> set[Path]:
        """The files of a kernel, of all that it calls, and of the rules in any case."""
        waiting = [self._own(function), self.rules.start]
        seen = set(waiting)
        while waiting:
            callees = _callees(waiting.pop()).values()
            new = {self._own(callee) for callee in callees} - seen
            seen |= new
            waiting.extend(new)
        return {Path(each.__code__.co_filename) for each in seen}

    def is_warm(self, function: Kernel) -> bool:
        """Tell whether a kernel lies compiled in the disk cache, or needs no compiling."""
        if not self.compiled:
            return True
        return self.machine_code(function).is_warm(_full_name(function))

    def drop_machine_code(self) -> None:
        """Throw the disk cache away, with what was loaded from it: it is damaged."""
        with self._binding:
            for machine_code in self._machine_codes.values():
                machine_code.drop()
            self._machine_codes.clear()
            self._bound.clear()
            self.called.clear()

    @contextmanager
    def first_call(self, function: Kernel) -> Iterator[None]:
        """Surround a kernel's first call in this process, which may compile it."""
        if self.is_warm(function):
            yield
        else:
            announce(self.rules.NAME)
            yield
            self.machine_code(function).mark_warm(_full_name(function))
            if self._watch:
                self._watch(function.__name__)
        self.called.add(function)

    @contextmanager
    def watched(self, report: Callable[[str], None]) -> Iterator[None]:
        """Tell a function the name of each kernel that is compiled in here."""
        before, self._watch = self._watch, report
        try:
            yield
        finally:
            self._watch = before


@cache
def specialised(
    rules: ModuleType, compiled: bool, knowledge: ModuleType | None = None
) -> Specialised:
    """The kernels of a game's rules, shared by all its boards and options."""
    return Specialised(rules, compiled, knowledge)


def _full_name(function: Kernel) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _callees(function: Kernel) -> dict[str, Kernel]:
    """The kernels that a function calls, by the names it calls them.

    Raises
    ------
    TypeError
        If it calls one through its module: that one would stay unbound.
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
