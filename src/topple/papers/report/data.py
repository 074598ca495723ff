"""Findings as plain data, for programs."""

from collections.abc import Iterable
from typing import Any

from topple.papers.engine.findings import (
    GamesSummary,
    ItemFindings,
    JudgedCell,
    Measured,
    PaperFindings,
)
from topple.papers.paper import Number


def findings_data(findings: Iterable[PaperFindings]) -> list[dict[str, Any]]:
    """The findings on papers as plain data: numbers, texts, lists and mappings of these."""
    return [
        {
            "paper": found.paper.name,
            "title": found.paper.title,
            "authors": found.paper.authors,
            "source": found.paper.source,
            "scale": found.scale.text,
            "items": [item_data(item) for item in found.items],
        }
        for found in findings
    ]


def item_data(found: ItemFindings) -> dict[str, Any]:
    """The findings on one item as plain data."""
    item = found.item
    return {
        "item": item.name,
        "kind": item.kind,
        "number": item.number,
        "title": item.title,
        "section": item.section,
        "verdict": found.verdict,
        "cells": [cell_data(each) for each in found.cells],
        "claims": [
            {"claim": each.claim.text, "section": each.claim.section, "verdict": each.verdict}
            for each in found.claims
        ],
        "why": [
            {"why": each.why.text, "explains": list(each.why.explains), "verdict": each.verdict}
            for each in found.why
        ],
        "choices": [{"choice": each.label, "about": each.about} for each in item.choices],
        "notes": list(item.notes),
        "games": [played_data(each) for each in found.played],
        "n_games": found.n_games,
        "seconds": round(found.seconds, 3),
        "curves": dict(found.curves),
        "command": found.command,
    }


def cell_data(judged: JudgedCell) -> dict[str, Any]:
    """A cell as plain data."""
    cell = judged.cell
    return {
        "row": cell.row,
        "column": cell.column,
        "choice": judged.choice,
        "published": published_data(cell.published),
        "measured": measured_data(judged.measured),
        "verdict": judged.verdict,
    }


def published_data(published: Number | str | bool | None) -> Any:
    """A published value as plain data."""
    return published._asdict() if isinstance(published, Number) else published


def measured_data(measured: Measured | None) -> dict[str, Any] | None:
    """A measured value as plain data."""
    return None if measured is None else measured._asdict()


def played_data(played: GamesSummary) -> dict[str, Any]:
    """A set of games as plain data."""
    games = played.games
    return {
        "games": games.name,
        "agents": dict(played.agents),
        "fields": [
            {"game": each.game, "board": each.board, "thresholds": dict(each.thresholds)}
            for each in games.fields[: played.n_fields]
        ],
        "plies": games.plies,
        "seed": games.seed,
        "about": games.about,
        "n_games": played.n_games,
        "planned": played.planned,
        "full": played.full,
        "n_forfeits": played.n_forfeits,
        "seconds": round(played.seconds, 3),
    }
