"""Kernels whose writes into a state are recorded.

Rules are plain functions that assign to numbers of `state`. For a state that keeps a journal
(`topple.rules.journal`) a copy of such a function calls `record(state, index, value)` instead.
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import CodeType
from typing import Any

STATE = "state"
RECORD = "record"
VECTORS = {"moves", "returns", "scores", "rng", "planes"}  # that rules may write, beside the state


@cache
def recorded_code(function: Callable[..., Any]) -> CodeType | None:
    """The code of a function with its writes recorded; None if it writes into no state.

    Raises
    ------
    ValueError
        If it writes in a way that cannot be recorded, or has no source.
    """
    tree = _tree(function)
    recorder = _Recorder()
    recorder.visit(tree)
    if recorder.cannot:
        raise ValueError(f"{function.__name__}: {recorder.cannot}")
    if not recorder.n_recorded:
        return None
    ast.fix_missing_locations(tree)
    module = compile(tree, function.__code__.co_filename, "exec")
    return next(
        each
        for each in module.co_consts
        if isinstance(each, CodeType) and each.co_name == function.__name__
    )


def can_record(functions: Iterable[Callable[..., Any]]) -> bool:
    """Whether all writes of these functions into a state can be recorded."""
    try:
        for function in functions:
            recorded_code(function)
    except ValueError:
        return False
    return True


def _tree(function: Callable[..., Any]) -> ast.Module:
    """The function alone, without its decorators, at its place in its file."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise ValueError(f"{function.__name__} has no source") from None
    indent = len(lines[0]) - len(lines[0].lstrip())
    tree = ast.parse("".join(line[indent:] for line in lines))
    ast.increment_lineno(tree, first - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise ValueError(f"{function.__name__} is no plain function")
    definition.decorator_list, definition.returns = [], None
    for argument in definition.args.args:
        argument.annotation = None
    return tree


class _Recorder(ast.NodeTransformer):
    """Turns assignments to numbers of the state into calls; says in `cannot` what it could not."""

    def __init__(self) -> None:
        self.n_recorded = 0
        self.cannot = ""

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Record an assignment, to one number or to several at once."""
        pairs = self._pairs(node)
        if not any(map(_is_number_of_state, (target for target, _ in pairs))):
            for target, value in pairs:
                self._check(target, value)
            return node
        if len(node.targets) > 1:
            return [self._one(target, value) for target, value in pairs]
        if len(pairs) == 1:
            return self._one(*pairs[0])
        # All values are computed before the first one is written.
        names = [f"written_{i}" for i in range(len(pairs))]
        first = [
            ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)
            for name, (_, value) in zip(names, pairs, strict=True)
        ]
        then = [
            self._one(target, ast.Name(name, ast.Load()))
            for name, (target, _) in zip(names, pairs, strict=True)
        ]
        return [*first, *(ast.copy_location(each, node) for each in then)]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Record an assignment such as `state[i] += 1`."""
        target = node.target
        if not _is_number_of_state(target):
            self._check(target, node.value)
            return node
        assert isinstance(target, ast.Subscript)
        before = ast.Subscript(target.value, target.slice, ast.Load())
        value = ast.BinOp(ast.copy_location(before, target), node.op, node.value)
        return ast.copy_location(self._one(target, ast.copy_location(value, node)), node)

    def _pairs(self, node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
        """What is assigned to what."""
        if len(node.targets) > 1:
            if not isinstance(node.value, ast.Constant):
                self.cannot = "it assigns what was computed to several numbers in a chain"
            return [(target, node.value) for target in node.targets]
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            return list(zip(target.elts, value.elts, strict=True))
        if isinstance(target, ast.Tuple) and any(map(_is_number_of_state, target.elts)):
            self.cannot = "it unpacks into the state"
        return [(target, value)]

    def _one(self, target: ast.expr, value: ast.expr) -> ast.stmt:
        self._check(target, value)
        if not _is_number_of_state(target):
            return ast.copy_location(ast.Assign([target], value), value)
        assert isinstance(target, ast.Subscript)
        self.n_recorded += 1
        name = ast.Name(RECORD, ast.Load())
        call = ast.Call(name, [ast.Name(STATE, ast.Load()), target.slice, value], [])
        return ast.copy_location(ast.Expr(ast.copy_location(call, value)), value)

    def _check(self, target: ast.expr, value: ast.expr) -> None:
        """Note writes into what may be a part of the state under another name."""
        if isinstance(target, ast.Subscript):
            base = target.value
            name = base.id if isinstance(base, ast.Name) else "?"
            if name not in VECTORS | {STATE} or isinstance(target.slice, ast.Slice):
                self.cannot = f"it writes into {name}"
        if isinstance(value, ast.Name) and value.id == STATE:
            self.cannot = "it gives the state another name"


def _is_number_of_state(target: ast.expr) -> bool:
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id == STATE
    )
