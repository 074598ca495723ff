"""Times as people say them."""


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(each) for each in (0.034, 7.26, 252, 180, 7500, 90061)]
    ['0.034 s', '7.3 s', '4 min 12 s', '3 min', '2 h 5 min', '25 h 1 min']
    """
    if seconds < 9.95:
        return f"{seconds:.2g} s" if seconds >= 0.001 else "0 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    large, small, names = whole // 60, whole % 60, ("min", "s")
    if whole >= 3600:
        minutes = round(seconds / 60)
        large, small, names = minutes // 60, minutes % 60, ("h", "min")
    return f"{large:,} {names[0]}" + (f" {small} {names[1]}" if small else "")
