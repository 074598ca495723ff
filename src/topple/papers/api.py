"""`topple.reproduce`: reproduce papers from Python."""

from pathlib import Path

from topple.arena.store.store import open_store
from topple.papers.engine.findings import PaperFindings
from topple.papers.engine.judging import judge_items
from topple.papers.engine.plans import QUICK, parse_scale, select_items
from topple.papers.engine.tasks import run_all, tasks_of


def reproduce(
    paper: str,
    *,
    table: str | int | None = None,
    figure: str | int | None = None,
    section: str | int | None = None,
    scale: str = QUICK,
    db: str | Path | None = None,
    workers: int | None = None,
    play: bool = True,
) -> list[PaperFindings]:
    """Play and compute what a paper reports, and compare measured with published values.

    In a script, call it under `if __name__ == "__main__":`, because worker
    processes import the script.

    Parameters
    ----------
    paper : str
        `spread-it`, `chain-reaction`, `infexion`, `sds-hex`, `influence` or `all`.
    table, figure, section : str or int, optional
        The number of one item, such as `table="IV"`; by default all items are reproduced.
    scale : str
        `quick`, `full` (the paper's own numbers of games), or a share of the full scale,
        such as `10%`.
    db : path, optional
        A store for games and computed facts; what it has is not repeated. By default
        nothing is kept.
    workers : int, optional
        The number of processes; by default one for each core.
    play : bool
        If False, only what the store has is reported.

    Returns
    -------
    list of PaperFindings
        One for each paper.

    Raises
    ------
    BadText
        If there is no such paper or item.
    StoreError
        If the store cannot be read or written.

    Examples
    --------
    >>> import topple
    >>> [found] = topple.reproduce("influence", play=False)
    >>> found.items[0].verdict
    'not measured yet'
    """
    asked = {"table": table, "figure": figure, "section": section}
    numbers = {kind: None if number is None else str(number) for kind, number in asked.items()}
    selection = select_items(paper, numbers, parse_scale(scale))
    with open_store(db, create=play, read_only=not play and db is not None) as store:
        if play:
            run_all(tasks_of(selection), store, workers)
        return [judge_items(scaled, items, store) for scaled, items in selection]
