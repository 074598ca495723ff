"""The looks of what only a reproduction's page has."""

STYLE = """
:root { --good: #00674b; --bad: #a33a00; --told: #6b4a00; --open: #5d6975; }
@media (prefers-color-scheme: dark) {
  :root { --good: #4cc9a0; --bad: #ff9a5c; --told: #e6b84a; --open: #a3aeb9; }
}
.badge { display: inline-block; border: 1.5px solid currentColor; border-radius: 1rem;
  padding: 0 .6rem; font-size: .85rem; font-weight: 600; white-space: nowrap;
  vertical-align: middle; }
.agrees, .holds { color: var(--good); }
.differs, .fails { color: var(--bad); border-style: double; border-width: 3px; }
.explained { color: var(--told); border-style: dashed; }
.open, .undecided, .ours { color: var(--open); border-style: dotted; }
h3 .badge { margin-left: .4rem; }
section { margin-top: 2.25rem; }
/* Labels fold between words only: a wide table must not squeeze them to single letters. */
tbody .words { overflow-wrap: break-word; max-width: 20rem; }
tbody th.words { min-width: 6.5rem; }
.claims { padding-left: 0; list-style: none; }
.claims li { margin: .35rem 0; }
.claims .badge { margin-right: .35rem; }
code { overflow-wrap: anywhere; background: color-mix(in srgb, var(--grid) 35%, transparent);
  padding: .1rem .3rem; font-size: .9em; }
dd { overflow-wrap: anywhere; }
@media (max-width: 36rem) {
  table { font-size: .82rem; }
  th, td { padding: .3rem .35rem; }
  .badge { white-space: normal; }
  tbody th.words { min-width: 5rem; }
}
h4 { font-size: .95rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
"""
