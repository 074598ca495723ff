"""Typer's commands, made quick to start."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


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
