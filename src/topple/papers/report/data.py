"""Findings as plain JSON data."""

from collections.abc import Iterable
from typing import Any

from topple.papers.engine.findings import GamesSummary, ItemFindings, JudgedCell, PaperFindings
from topple.papers.paper import Number


def findings_data(findings: Iterable[PaperFindings]) -> list[dict[str, Any]]:
    """The findings on papers as plain JSON data."""
    return [
        {
            "paper": found.paper.name,
            "title": found.paper.title,
            "authors": found.paper.authors,
            "source": found.paper.source,
            "scale": found.scale.text,
            "items": [_item_data(item) for item in found.items],
        }
        for found in findings
    ]


def _item_data(found: ItemFindings) -> dict[str, Any]:
    item = found.item
    return {
        "item": item.name,
        "kind": item.kind,
        "number": item.number,
        "title": item.title,
        "section": item.section,
        "verdict": found.verdict,
        "cells": [_cell_data(each) for each in found.cells],
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
        "games": [_games_data(each) for each in found.played],
        "n_games": found.n_games,
        "seconds": round(found.seconds, 3),
        "curves": dict(found.curves),
        "command": found.command,
    }


def _cell_data(judged: JudgedCell) -> dict[str, Any]:
    cell, measured = judged.cell, judged.measured
    published = cell.published
    return {
        "row": cell.row,
        "column": cell.column,
        "choice": judged.choice,
        "published": published._asdict() if isinstance(published, Number) else published,
        "measured": None if measured is None else measured._asdict(),
        "verdict": judged.verdict,
    }


def _games_data(summary: GamesSummary) -> dict[str, Any]:
    games = summary.games
    return {
        "games": games.name,
        "agents": dict(summary.agents),
        "fields": [
            {"game": each.game, "board": each.board, "thresholds": dict(each.thresholds)}
            for each in games.fields[: summary.n_fields]
        ],
        "plies": games.plies,
        "seed": games.seed,
        "about": games.about,
        "n_games": summary.n_games,
        "planned": summary.planned,
        "full": summary.full,
        "n_forfeits": summary.n_forfeits,
        "seconds": round(summary.seconds, 3),
    }
