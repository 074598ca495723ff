"""From a paper's items to verdicts: plan the games, play or compute, measure, judge."""
