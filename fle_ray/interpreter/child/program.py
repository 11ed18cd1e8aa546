"""From a program's text to code: parsing, the guard of protected names, `return` at top level, line numbers."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["END", "REFUSE", "Program", "ProgramEnd", "compile_program", "program_filename"]

# Builtins that rewritten programs call; not names that a program would choose.
END = "__fle_ray_end__"
REFUSE = "__fle_ray_refuse__"

# Imports that may bind a protected name, because there it is the same thing (`from time import sleep`).
_SAME_THING = ("time", "fle", "factorio_instance", "factorio_types", "factorio_entities", "instance")

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class ProgramEnd(BaseException):
    """A `return` at top level was reached; carries its value."""

    def __init__(self, value: object = None) -> None:
        self.value = value


@dataclass(frozen=True)
class Program:
    """A program that can run.

    Attributes:
        number: 1 for the first program of a session.
        code: its module code, run with the session's namespace.
        lines: for each line of the text (0 unused) the first line of the top-level statement it belongs to;
            statements in bodies of `if`, `for`, `while`, `try`, `with` and `match` count by themselves.
    """

    number: int
    code: types.CodeType
    lines: Sequence[int]

    def statement_line(self, line: int) -> int:
        return self.lines[line] if 0 < line < len(self.lines) else line


def program_filename(number: int) -> str:
    """The file name in the code objects of program `number`."""
    return f"<program {number}>"


def compile_program(source: str, number: int, protected: frozenset[str]) -> Program:
    """Compile a whole program, so that nothing runs of one that is not Python.

    Raises:
        SyntaxError: it is not Python, or is nested too deeply.
    """
    filename = program_filename(number)
    try:
        tree = ast.parse(source, filename)
        lines = _statement_lines(tree, len(source.splitlines()) + 2)
        tree.body = _rewrite(tree.body, protected, module=True)
        ast.fix_missing_locations(tree)
        code = compile(tree, filename, "exec", dont_inherit=True)
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("the program is nested too deeply") from error
    except ValueError as error:  # null bytes
        raise SyntaxError(str(error)) from error
    return Program(number, code, lines)


def _statement_lines(tree: ast.Module, count: int) -> list[int]:
    lines = list(range(count))

    def mark(body: Sequence[ast.stmt]) -> None:
        for statement in body:
            first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
            for line in range(first, min((statement.end_lineno or first) + 1, count)):
                lines[line] = first
            for block in _blocks(statement):
                mark(block)

    mark(tree.body)
    return lines


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The bodies of a compound statement that belong to the same scope."""
    if isinstance(statement, _SCOPES):
        return
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            yield block
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body


def _rewrite(body: list[ast.stmt], protected: frozenset[str], *, module: bool) -> list[ast.stmt]:
    """Guard what binds protected names, and at module level turn `return` into `raise ProgramEnd`.

    Args:
        protected: names that may not be bound in this scope.
        module: whether this is the top level (with the bodies of its compound statements).
    """
    new: list[ast.stmt] = []
    for statement in body:
        for name in sorted(_bound_names(statement) & protected):
            refuse = ast.Expr(ast.Call(ast.Name(REFUSE, ast.Load()), [ast.Constant(name)], []))
            new.append(ast.copy_location(refuse, statement))
        if module and isinstance(statement, ast.Return):
            value = [] if statement.value is None else [statement.value]
            end = ast.Raise(ast.Call(ast.Name(END, ast.Load()), value, []))
            new.append(ast.copy_location(end, statement))
            continue
        if module and isinstance(statement, ast.Try) and statement.handlers and _returns(statement.body):
            # A bare `except` of the program must not catch the end of the program.
            passing = ast.ExceptHandler(ast.Name(END, ast.Load()), None, [ast.Raise()])
            statement.handlers.insert(0, ast.copy_location(passing, statement))
        _rewrite_inside(statement, protected, module=module)
        new.append(statement)
    return new


def _rewrite_inside(statement: ast.stmt, protected: frozenset[str], *, module: bool) -> None:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        declared = {name for node in ast.walk(statement) if isinstance(node, ast.Global) for name in node.names}
        if declared & protected:
            statement.body = _rewrite(statement.body, protected & declared, module=False)
        return
    if isinstance(statement, ast.ClassDef):
        return
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            setattr(statement, name, _rewrite(block, protected, module=module))
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        part.body = _rewrite(part.body, protected, module=module)


def _returns(body: Sequence[ast.stmt]) -> bool:
    return any(
        isinstance(statement, ast.Return) or any(_returns(block) for block in _blocks(statement)) for statement in body
    )


def _bound_names(statement: ast.stmt) -> set[str]:
    """Names that the statement itself binds or deletes, not those bound in its bodies."""
    names: set[str] = set()
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        module = statement.module if isinstance(statement, ast.ImportFrom) else None
        if module is not None and module.partition(".")[0] in _SAME_THING:
            return names
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    inner = {id(child) for block in _blocks(statement) for child in block}
    for handler in getattr(statement, "handlers", ()):
        if handler.name:
            names.add(handler.name)
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            # Its targets are its own; only `:=` inside binds outside.
            names.update(n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            continue
        for child in ast.iter_child_nodes(node):
            if id(child) not in inner and not isinstance(child, _SCOPES):
                waiting.append(child)
    return names
