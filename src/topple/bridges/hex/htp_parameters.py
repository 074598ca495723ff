"""An agent's options as HexGui shows and changes them."""

from topple.agents import Agent, agent
from topple.core.errors import BadText, unknown
from topple.core.spec import Option, option_text


def list_parameters(chosen: Agent) -> str:
    """Each option on a line, with its kind: `[string] iterations 1000`.

    >>> print(list_parameters(agent("random")))
    <BLANKLINE>
    """
    return "\n".join(_line(option, chosen.options[option.name]) for option in chosen.OPTIONS)


def _line(option: Option, value: object) -> str:
    if option.kind is bool:
        return f"[bool] {option.name} {int(bool(value))}"
    kind = f"list/{'/'.join(option.choices)}" if option.choices else "string"
    text = "" if value is None else option_text(value)
    return f"[{kind}] {option.name} {text}".rstrip()


def changed_agent(chosen: Agent, name: str, value: str) -> Agent:
    """The same agent with one option changed; without a value it has its default again.

    Raises
    ------
    BadText
        If there is no such option, or not with this value.
    """
    defaults = {option.name: option.default for option in chosen.OPTIONS}
    if name not in defaults:
        raise BadText(unknown(f"option of {chosen.NAME}", name, defaults))
    return agent(chosen.NAME, **{**chosen.options, name: value or defaults[name]})
