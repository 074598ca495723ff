"""Reproducing papers from Python."""

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
    """Play and compute what a paper reports, and set measured beside published.

    In a script, call it under `if __name__ == "__main__":`, because worker
    processes import the script.

    Parameters
    ----------
    paper : str
        `spread-it`, `chain-reaction`, `infexion`, `sds-hex`, `influence` or `all`.
    table, figure, section : str or int, optional
        The one item that is meant, such as `table="IV"`; all of them unless given.
    scale : str
        `quick`, `full` (the paper's own numbers of games), or a share of these such
        as `10%`.
    db : path, optional
        A store that keeps games and computed facts; what it has is not done again.
    workers : int, optional
        Processes that play; by default one for each core.
    play : bool
        False: only what the store has is looked at.

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
    chosen = select_items(paper, numbers, parse_scale(scale))
    with open_store(db, create=play, read_only=not play and db is not None) as store:
        if play:
            run_all(tasks_of(chosen), store, workers)
        return [judge_items(plans, items, store) for plans, items in chosen]
