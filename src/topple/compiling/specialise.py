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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard, TypeVar

from topple.compiling.cache import BOUNDS_CHECK, MachineCode, cache_trouble
from topple.compiling.helpers import helper_options
from topple.compiling.processor import avoid_avx512
from topple.compiling.products import register_products
from topple.compiling.recorded import RECORD, can_record, recorded_code
from topple.compiling.sources import files_behind
from topple.compiling.trust import is_trusted
from topple.core.lazy import lazy_module
from topple.core.outside import is_from_outside

numba = lazy_module("numba")

RECORDER = Path(__file__).with_name("recorded.py")

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
    holds the kernels that have been called. Without `rules` it keeps the helpers that all
    games share. With a `journal` the rules record what they write into a state by its
    `record`, and its other functions replace those of a contract.
    """

    def __init__(
        self,
        rules: ModuleType | None,
        compiled: bool,
        *beyond: ModuleType | None,
        journal: ModuleType | None = None,
    ) -> None:
        self.modules = [module for module in (journal, rules, *beyond) if module is not None]
        self.journal = journal
        self._recorded = _writers(rules) if rules and journal else frozenset()
        self.name: str = rules.NAME if rules else "every game"
        self.first_rule: list[Kernel] = [rules.start] if rules else []
        self.compiled = compiled
        # A wrong index in a game from outside would end the process, or worse: until `topple
        # check` has passed it, every index is checked.
        self.checks_bounds = BOUNDS_CHECK or (
            rules is not None
            and is_from_outside(rules.__name__)
            and not is_trusted(rules.__name__, files_of_kernels(rules))
        )
        self.called: set[Kernel] = set()
        self._watch: Callable[[str], None] | None = None
        self._machine_codes: dict[tuple[str, frozenset[Path]], MachineCode] = {}
        self._bound: dict[Kernel, Any] = {}  # called from Python; ready for any thread
        self._helpers: dict[Kernel, Any] = {}  # called by kernels
        self._binding = threading.RLock()

    def __call__(self, function: Kernel) -> Any:
        """The game's own copy of a kernel, compiled if the game is, to be called from Python."""
        if function not in self._bound:
            own = self._own(function)
            with self._binding:
                if own not in self._bound:
                    self._bound[own] = self._bind(own, is_helper=False)
                self._bound[function] = self._bound[own]
        return self._bound[function]

    def helper(self, function: Kernel) -> Any:
        """The game's own copy of a kernel, to be called from kernels.

        All games share it if it depends on no rule, unless this one's indices are checked.
        """
        own = self._own(function)
        is_own = self.checks_bounds != BOUNDS_CHECK or _depends_on_rules(own)
        is_own = is_own or not self._recorded.isdisjoint(_reached([own]))
        keeper = self if is_own else shared(self.compiled)
        with keeper._binding:
            if own not in keeper._helpers:
                keeper._bind(own, is_helper=True)
            return keeper._helpers[own]

    def _own(self, function: Kernel) -> Kernel:
        """The function that replaces a function of the contract in this game, or itself."""
        if "is_contract" in function.__dict__:
            for module in self.modules:
                own: Kernel | None = getattr(module, function.__name__, None)
                if own is not None:
                    return own
        return function

    def _bind(self, function: Kernel, *, is_helper: bool) -> Any:
        """Copy a kernel, bind the copy to the game's helpers, and let it be compiled."""
        assert isinstance(function, FunctionType)
        scope, code = dict(function.__globals__), function.__code__
        if function in self._recorded:
            assert self.journal is not None
            code = recorded_code(function) or code
            scope[RECORD] = self.helper(self.journal.record)
        copy = FunctionType(code, scope, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__name__}_{self._short_name}"
        if is_helper:
            copy.__qualname__ += "_helper"
        ready = self._compile(function, copy, is_helper=is_helper)
        # Known before the callees are bound, because a kernel may call itself.
        scope[function.__name__] = ready
        if is_helper:
            self._helpers[function] = ready
        for name, callee in _callees(function).items():
            if callee is not function:
                scope[name] = self.helper(callee)
        return ready

    def _compile(self, function: Kernel, copy: FunctionType, *, is_helper: bool) -> Any:
        if not self.compiled or numba.config.DISABLE_JIT:
            return copy
        # Kernels allocate nothing, so they need no reference counts (`_nrt`), which would
        # halve their speed. Without inlining, passing a board's many arrays from helper to
        # helper would halve it again.
        dispatcher = numba.njit(
            nogil=True,
            error_model="numpy",
            boundscheck=self.checks_bounds,
            forceinline="is_noinline" not in function.__dict__,
            _nrt=False,
            no_cfunc_wrapper=True,
            **(helper_options() if is_helper else {}),
        )(copy)
        with _compiling:
            avoid_avx512()
            register_products()
            self._machine_code(function, is_helper=is_helper).keep(dispatcher)
        return widen_integers(dispatcher)

    @property
    def _short_name(self) -> str:
        """The game's name as part of the name of a function and of a folder."""
        ending = "_journal" if self.journal else ""
        return re.sub(r"\W", "_", self.name) + ending

    def machine_code(self, function: Kernel) -> MachineCode:
        """The cache folder of a kernel that is called from Python."""
        return self._machine_code(function, is_helper=False)

    def _machine_code(self, function: Kernel, *, is_helper: bool) -> MachineCode:
        """The cache folder of a kernel; helpers that games share are kept by their modules."""
        is_shared = is_helper and not self.first_rule
        name = function.__module__.replace(".", "_") if is_shared else self._short_name
        where = name, files_behind(self._files(function))
        if where not in self._machine_codes:
            self._machine_codes[where] = MachineCode(*where, checks_bounds=self.checks_bounds)
        return self._machine_codes[where]

    def _files(self, function: Kernel) -> set[Path]:
        """The files of a kernel, of all kernels that it calls, and of the rules."""
        seen = _reached([self._own(function), *self.first_rule], self._own)
        beside = {Path(str(self.journal.__file__)), RECORDER} if self.journal else set()
        return {Path(each.__code__.co_filename) for each in seen} | beside

    def extent(self, kernels: Iterable[Kernel]) -> int:
        """How many functions kernels consist of, which says how long they take to compile."""
        return len(_reached(map(self._own, kernels), self._own))

    def is_warm(self, function: Kernel) -> bool:
        """Whether a kernel needs no compiling: it is in the disk cache, or has been called."""
        if not self.compiled or function in self.called:
            return True
        return self.machine_code(function).is_warm(_full_name(function))

    @contextmanager
    def first_call(self, function: Kernel) -> Iterator[None]:
        """Wrap the first call of a kernel in this process, which may compile it."""
        if self.is_warm(function):
            yield
        else:
            is_kept = self.machine_code(function).directory is not None
            announce(self.name, is_kept=is_kept)
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
def shared(compiled: bool) -> Specialised:
    """The helpers that depend on no rule, which all games share."""
    return Specialised(None, compiled)


@cache
def _depends_on_rules(function: Kernel) -> bool:
    """Whether a kernel is one of a contract, or calls one, directly or indirectly."""
    return any("is_contract" in each.__dict__ for each in _reached([function]))


def _reached(
    kernels: Iterable[Kernel], own: Callable[[Kernel], Kernel] = lambda each: each
) -> set[Kernel]:
    """Kernels and all that they call, each replaced by what `own` gives for it."""
    waiting = list(kernels)
    seen = set(waiting)
    while waiting:
        new = {own(callee) for callee in _callees(waiting.pop()).values()} - seen
        seen |= new
        waiting.extend(new)
    return seen


def files_of_kernels(rules: ModuleType) -> set[Path]:
    """The files that a game's kernels are written in."""
    return {Path(each.__code__.co_filename) for each in _rule_kernels(rules)}


@cache
def specialised(
    rules: ModuleType, compiled: bool, *beyond: ModuleType | None, journal: ModuleType | None = None
) -> Specialised:
    """The kernels of a game, which all its boards and options share."""
    return Specialised(rules, compiled, *beyond, journal=journal)


@cache
def can_keep_journal(rules: ModuleType) -> bool:
    """Whether all that a game's rules write into a state can be recorded."""
    return can_record(_rule_kernels(rules))


def _rule_kernels(rules: ModuleType) -> set[Kernel]:
    """The kernels of a game's rules, and all that they call."""
    return _reached(each for each in vars(rules).values() if is_kernel(each))


@cache
def _writers(rules: ModuleType) -> frozenset[Kernel]:
    """Those of the kernels of a game's rules that write into a state."""
    return frozenset(each for each in _rule_kernels(rules) if recorded_code(each))


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
