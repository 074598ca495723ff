"""Numbers as tables write them."""


def few_digits(value: object) -> str:
    """A number with separators and two decimals if it is small; anything else as it is.

    >>> few_digits(12345), few_digits(1234.5), few_digits(0.125), few_digits("hex")
    ('12,345', '1,234', '0.12', 'hex')
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 100 else f"{value:.2f}"


def percent(rate: float) -> str:
    """A rate between 0 and 1 in percent.

    >>> percent(0.625)
    '62.5%'
    """
    return f"{100 * rate:.1f}%"


def certainty(likelihood: float) -> str:
    """A likelihood in percent, never rounded to certainty.

    >>> certainty(0.5), certainty(0.99999)
    ('50.0%', '> 99.9%')
    """
    if likelihood > 0.9995:
        return "> 99.9%"
    return "< 0.1%" if likelihood < 0.0005 else percent(likelihood)


def elo_text(elo: float) -> str:
    """A number of Elo with its sign.

    >>> elo_text(84.6), elo_text(-0.2), elo_text(float("inf"))
    ('+85', '0', '+inf')
    """
    return f"{elo:+,.0f}" if abs(elo) >= 0.5 else "0"


def milliseconds(seconds: float) -> str:
    """A time in milliseconds, with as many digits as mean something.

    >>> milliseconds(0.01234), milliseconds(0.00001234), milliseconds(2.5)
    ('12.3', '0.012', '2,500')
    """
    ms = 1000 * seconds
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 1 else f"{ms:.3f}"


def regret_text(regret: float) -> str:
    """A mean regret.

    >>> regret_text(0.125), regret_text(12.5)
    ('0.125', '12.5')
    """
    return f"{regret:.3f}" if regret < 10 else f"{regret:,.1f}"
