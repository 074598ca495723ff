"""What can be seen of a game from outside before it is played: its names and its kernels' text.

A kernel that raises, formats a text or allocates would make Numba say so in a hundred lines, at
the first move. Here it is found when the game is registered.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from topple.compiling.specialise import is_kernel
from topple.core.errors import BadModule
from topple.core.outside import place_of
from topple.core.spec import Option
from topple.rules.interface import CONTRACT, REQUIRED

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
PLAIN = {"players": ("options",), "tables": ("board", "options"), "sizes": ("tables",)}
ALLOCATE = ("arange", "array", "asarray", "concatenate", "copy", "empty", "full", "ones", "zeros")
COLLECT = ("bytes", "dict", "filter", "frozenset", "list", "map", "set", "sorted", "str")
INSTEAD = "use the state's scratch space (Sizes.work)"
FORBIDDEN: dict[type[ast.AST], str] = {
    ast.Raise: "raises: a kernel never raises. Let legal_moves offer only what can be played",
    ast.Assert: "asserts, which raises: a kernel never raises. Leave it out, or test it elsewhere",
    ast.JoinedStr: "formats a text: kernels know numbers only. Texts belong into move_text, "
    "cell_text or headline",
    ast.Try: "has a try: a kernel never raises, so nothing is to be caught",
    ast.With: "has a with: kernels know numbers and arrays only",
    ast.List: f"makes a list, which allocates: {INSTEAD}",
    ast.ListComp: "makes a list, which allocates: use a loop",
    ast.GeneratorExp: "makes a generator, which allocates: use a loop",
    ast.Dict: f"makes a dict, which allocates: {INSTEAD}",
    ast.DictComp: "makes a dict, which allocates: use a loop",
    ast.Set: f"makes a set, which allocates: {INSTEAD}",
    ast.SetComp: "makes a set, which allocates: use a loop",
    ast.Lambda: "makes a function: write it at the top of the module, with @kernel",
    ast.Yield: "yields: a kernel is no generator",
    ast.Import: "imports: imports stand at the top of the module",
    ast.ImportFrom: "imports: imports stand at the top of the module",
    ast.Global: "has a global: what changes belongs into the state",
}


def check_rules(module: ModuleType) -> None:
    """Refuse a module that does not keep the contract of `topple.rules.interface`.

    Raises
    ------
    BadModule
        If a required name is missing, a contract function is not a kernel or has other
        parameters, or a kernel does what kernels cannot do; the line says where.
    """
    missing = [name for name in REQUIRED if not hasattr(module, name)]
    if missing:
        raise BadModule(
            f"{module.__name__} is no game: it lacks {', '.join(missing)} (see Adding a game in "
            "CONTRIBUTING.md)"
        )
    check_data(module)
    for function in CONTRACT:
        own = getattr(module, function.__name__, function)
        if "is_kernel" not in getattr(own, "__dict__", {}):
            raise BadModule(
                f"{place_of(own)}: {module.__name__}.{function.__name__} needs the @kernel mark"
            )
    check_functions(module)


def check_name(name: object, what: str, where: str) -> None:
    """Refuse a NAME that could not be typed or stored.

    Raises
    ------
    BadModule
        If it is not of small letters, digits and single hyphens.
    """
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadModule(
            f"{where}: NAME = {name!r:.60} is no name of {what}: use small letters, digits and "
            'hyphens, such as "node-kayles"'
        )


def check_data(module: ModuleType) -> None:
    """Refuse a game whose names and options are not what the rest of topple reads.

    Raises
    ------
    BadModule
        If one is of another type.
    """
    where = file_of(module)
    check_name(module.NAME, "a game", where)
    for name in ("TITLE", "SUMMARY", "BOARD"):
        value = getattr(module, name)
        if not isinstance(value, str) or not value.strip() or "\n" in value:
            raise BadModule(f"{where}: {name} = {value!r:.60} is not one line of text")
    check_options(module.OPTIONS, where)


def check_options(options: object, where: str) -> None:
    """Refuse OPTIONS that are no tuple of `topple.core.spec.Option`.

    Raises
    ------
    BadModule
        If they are anything else.
    """
    if not isinstance(options, tuple) or not all(isinstance(each, Option) for each in options):
        raise BadModule(
            f"{where}: OPTIONS = {options!r:.60} is no tuple of topple.core.spec.Option: write "
            "OPTIONS = () or OPTIONS = (Option(…),)"
        )


def check_functions(module: ModuleType) -> None:
    """Refuse functions with other parameters than the contract's, and kernels that cannot compile.

    Raises
    ------
    BadModule
        If there is one; the line says where.
    """
    for name, wanted in PLAIN.items():
        _check_parameters(getattr(module, name), name, wanted)
    for function in CONTRACT:
        own = getattr(module, function.__name__, None)
        if own is not None:
            wanted = tuple(inspect.signature(function).parameters)
            _check_parameters(own, function.__name__, wanted)
    if getattr(module, "COMPILES", True):
        answering = {each.__name__ for each in CONTRACT if _answers(each)}
        for function in vars(module).values():
            if is_kernel(function) and function.__module__ == module.__name__:
                _check_kernel(function, must_answer=function.__name__ in answering)


def file_of(module: ModuleType) -> str:
    """The file of a module, as messages name it."""
    path = getattr(module, "__file__", None)
    return module.__name__ if path is None else re.split(r"[/\\]", path)[-1]


def _answers(function: Callable[..., Any]) -> bool:
    """Whether a function of the contract returns anything."""
    return function.__annotations__.get("return") is not None


def _check_parameters(function: object, name: str, wanted: tuple[str, ...]) -> None:
    """Refuse another number of parameters, or the contract's own in another order."""
    if not callable(function):
        raise BadModule(f"{name} = {function!r:.60} is no function: write def {name}(…)")
    try:
        given = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return
    # `*rest` takes anything, and names are the module's own business.
    if any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(function).parameters.values()):
        return
    swapped = given != wanted and sorted(given) == sorted(wanted)
    if len(given) != len(wanted) or swapped:
        raise BadModule(
            f"{place_of(function)}: {name}({', '.join(given)}) has the wrong parameters: "
            f"write {name}({', '.join(wanted)})"
        )


def _check_kernel(function: Callable[..., Any], *, must_answer: bool) -> None:
    """Refuse a kernel that raises, formats a text, allocates, or calls what is no kernel."""
    tree = _tree_of(function)
    if tree is None:  # typed where no source is kept; then Numba must say it
        return
    answers = False
    for node in _own_nodes(tree):
        found = _fault(node, function)
        if found is not None:
            _refuse(function, node, found)
        answers = answers or (isinstance(node, ast.Return) and node.value is not None)
    if must_answer and not answers:
        _refuse(function, tree, "returns nothing: it must return a number. Is there a return?")


def _tree_of(function: Callable[..., Any]) -> ast.FunctionDef | None:
    try:
        source = textwrap.dedent(inspect.getsource(function))
        tree = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def _own_nodes(tree: ast.FunctionDef) -> Iterator[ast.AST]:
    """What a function's body consists of; annotations and decorators are left out."""
    for statement in tree.body:
        yield from ast.walk(statement)


def _fault(node: ast.AST, function: Callable[..., Any]) -> str | None:
    """What is wrong with a part of a kernel; None if nothing is."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return f"defines {node.name}: write it at the top of the module"
    if type(node) in FORBIDDEN:
        return FORBIDDEN[type(node)]
    if isinstance(node, ast.Call):
        return _fault_of_call(node, function)
    return None


def _fault_of_call(node: ast.Call, function: Callable[..., Any]) -> str | None:
    """What is wrong with a call in a kernel; None if nothing is."""
    assert isinstance(function, FunctionType)
    scope = function.__globals__
    if isinstance(node.func, ast.Attribute):
        return _fault_of_attribute(node.func, scope)
    if not isinstance(node.func, ast.Name):
        return None
    name = node.func.id
    target = scope.get(name)
    if target is None and name in COLLECT:
        return f"calls {name}, which allocates: {INSTEAD}"
    if isinstance(target, FunctionType) and not is_kernel(target):
        return f"calls {name}, which is no kernel: mark {name} with @kernel"
    return None


def _fault_of_attribute(called: ast.Attribute, scope: dict[str, Any]) -> str | None:
    """What is wrong with calling an attribute in a kernel; None if nothing is."""
    base = scope.get(called.value.id) if isinstance(called.value, ast.Name) else None
    if isinstance(base, ModuleType):
        if is_kernel(getattr(base, called.attr, None)):
            return f"calls {ast.unparse(called)}: import {called.attr} by its name"
        if base.__name__ != "numpy" or called.attr not in ALLOCATE:
            return None
    elif called.attr not in ("copy", "tolist"):
        return None
    return f"calls {ast.unparse(called)}, which allocates: {INSTEAD}"


def _refuse(function: Callable[..., Any], node: ast.AST, what: str) -> NoReturn:
    """Name the line of a part of a kernel, and say what is wrong with it."""
    code: Any = function.__code__
    file = re.split(r"[/\\]", code.co_filename)[-1]
    line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
    raise BadModule(f"{file}:{line}: the kernel {function.__name__} {what}")
