"""The looks of a report's page: light or dark as the reader has it, wide or on a phone."""

STYLE = """
:root {
  --paper: #ffffff; --ink: #22303f; --faint: #5d6975; --grid: #d5dbe1; --pale: #d9dfe5;
  --link: #00598c; --caution: #fff4dc; --caution-edge: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15191e; --ink: #e3e8ed; --faint: #a3aeb9; --grid: #38424c; --pale: #59646f;
    --link: #7cc4ee; --caution: #33290f; --caution-edge: #b98004;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--grid); overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .25rem; overflow-wrap: anywhere; }
p, ul, dl, nav { margin: .5rem 0; max-width: 45rem; }
a { color: var(--link); }
nav ul { padding-left: 1.2rem; }
.scroll { overflow-x: auto; margin: .75rem 0; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); font-size: .85rem; padding: .25rem 0; }
caption span { position: sticky; left: 0; display: block; max-width: min(58rem, 100vw - 2rem); }
th, td { padding: .3rem .55rem; text-align: right; border-bottom: 1px solid var(--grid);
  white-space: nowrap; vertical-align: top; }
th { font-weight: 600; }
thead th { white-space: normal; vertical-align: bottom; }
tbody th { font-weight: 500; min-width: 5rem; }
.words { text-align: left; }
tbody .words { white-space: normal; overflow-wrap: anywhere; }
td small, th small { display: block; color: var(--faint); font-weight: 400; font-size: .85em; }
tbody th small { min-width: min(11rem, 34vw); color: inherit; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--faint); font-size: .85rem; }
.cautions { background: var(--caution); border-left: 4px solid var(--caution-edge);
  padding: .5rem 1rem .5rem 2rem; margin: 1rem 0; max-width: none; }
details { margin: .75rem 0; }
summary { cursor: pointer; color: var(--link); }
pre { overflow-x: auto; background: color-mix(in srgb, var(--grid) 35%, transparent);
  padding: .75rem 1rem; font-size: .85rem; }
dt { font-weight: 600; margin-top: .6rem; }
dd { margin: 0; }
@media print { details > * { display: block; } nav { display: none; } }
"""
