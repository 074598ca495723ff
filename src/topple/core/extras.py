"""Optional libraries, which are installed as extras of topple."""

from topple.core.errors import Unsupported


def missing_extra(library: str, extra: str, error: ImportError | None = None) -> Unsupported:
    """The error to raise when an optional library is not installed.

    >>> str(missing_extra("Ray", "ray"))
    "Ray is not installed: pip install 'topple[ray]'"
    """
    reason = "" if error is None else f" ({error})"
    return Unsupported(f"{library} is not installed: pip install 'topple[{extra}]'{reason}")
