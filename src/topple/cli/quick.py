"""Typer's commands, made quick to start: each command's module is imported when it is called."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

SETTINGS = {"help_option_names": ["--help", "-h"]}


class _QuickHelp:
    """A command whose `--help` is plainly off unless given.

    Typer leaves the option None, and loads Pydantic to turn that into False:
    a sixth of a second, in every command.
    """

    def get_help_option(self, ctx: Any) -> Any:
        """The `--help` option."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.default = False
        return option


class QuickCommand(_QuickHelp, TyperCommand):
    """A command."""


class QuickGroup(_QuickHelp, TyperGroup):
    """A command with commands of its own."""


class Listed(NamedTuple):
    """A command in the list that `topple --help` shows.

    Its function, or the Typer group of a command with commands of its own, is in the
    module of its name in `topple.cli.commands`, under the same name.
    """

    summary: str  # fits one line of the list
    example: str


class LazyGroup(QuickGroup):
    """A group that knows its commands by name and summary, and imports one when it is called."""

    listed: dict[str, Listed]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        names: dict[str, Any] = dict.fromkeys(self.listed)
        self.commands = names

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command."""
        if cmd_name not in self.listed:
            return None
        home = import_module(f"topple.cli.commands.{cmd_name}")
        command = getattr(home, cmd_name)
        if not isinstance(command, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            add_command(alone, command, self.listed[cmd_name].example)
            command = alone
        return typer.main.get_command(command)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.summary) for name, each in self.listed.items()])


def make_group(meaning: str, cls: type[TyperGroup] = QuickGroup) -> typer.Typer:
    """A command with commands of its own; help is plain text."""
    return typer.Typer(
        cls=cls,
        help=meaning,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )


def add_command(group: typer.Typer, command: Callable[..., None], example: str) -> None:
    """Add a function to a group as a command of the same name."""
    group.command(cls=QuickCommand, epilog=f"Example: {example}", context_settings=SETTINGS)(
        command
    )
