"""The page's own modules, each by itself in the browser: state without drawing, addresses, jobs."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.watching import Pages

# Each case: a module, what is done with it as `m`, and what comes of it.
CASES: list[tuple[str, str, Any]] = [
    # Specs.
    ("state/spec.js", "m.parseSpec('hex')", {"name": "hex", "values": [], "options": {}}),
    (
        "state/spec.js",
        "m.parseSpec('grid:3x4, seed=1')",
        {"name": "grid", "values": ["3x4"], "options": {"seed": "1"}},
    ),
    (
        "state/spec.js",
        "m.parseSpec('uct:c=1=2,time=')",
        {"name": "uct", "values": [], "options": {"c": "1=2", "time": ""}},
    ),
    ("state/spec.js", "m.formatSpec('uct', {time: 1, c: 0.5})", "uct:time=1,c=0.5"),
    ("state/spec.js", "m.formatSpec('grid', {}, ['3x4'])", "grid:3x4"),
    ("state/spec.js", "m.formatSpec('hex', {})", "hex"),
    # Players.
    ("state/players.js", "m.parsePlayers('')", []),
    (
        "state/players.js",
        "m.parsePlayers('human, uct:time=1,c=1.4,random')",
        ["human", "uct:time=1,c=1.4", "random"],
    ),
    ("state/players.js", "m.parsePlayers('c=1')", ["c=1"]),
    (
        "state/players.js",
        "['human', 'uct:time=1', 'Ada', ''].map(m.isHuman)",
        [True, False, True, True],
    ),
    ("state/players.js", "m.seated(['uct'], 3)", ["uct", "human", "human"]),
    ("state/players.js", "m.seated(['a', 'b'], 1)", ["a"]),
    ("state/players.js", "['', 'human', 'uct'].map(m.playerText)", ["Person", "Person", "uct"]),
    # Clocks.
    (
        "state/clock.js",
        "[0, 9949, 9960, 65000, 3599999, 3725000].map(m.clockText)",
        ["0.0 s", "9.9 s", "10.0 s", "1:05", "59:59", "1:02:05"],
    ),
    (
        "state/clock.js",
        """(() => {
          const clock = new m.Clock(2);
          clock.run(0, 100); clock.run(1, 400); clock.run(null, 450);
          const still = [clock.read(0, 9000), clock.read(1, 9000)];
          clock.run(0, 1000);
          return [still, clock.read(0, 1500)];
        })()""",
        [[300, 50], 800],
    ),
    # Picking moves.
    ("state/picking.js", "new m.Picking([]).pick(3)", []),
    (
        "state/picking.js",
        "new m.Picking([{move: 7, vertex: 3, to: null}]).pick(3)",
        [{"move": 7, "vertex": 3, "to": None}],
    ),
    (
        "state/picking.js",
        "new m.Picking([{move: 1, vertex: 3}, {move: 2, vertex: 3}]).pick(3).length",
        2,
    ),
    (
        "state/picking.js",
        "new m.Picking([{move: 9, vertex: null}, {move: 1, vertex: 2}]).others.map((x) => x.move)",
        [9],
    ),
    (
        "state/picking.js",
        """(() => {
          const spreads = [{move: 1, vertex: 0, to: 1}, {move: 2, vertex: 0, to: 2},
                           {move: 3, vertex: 1, to: 0}];
          const picking = new m.Picking(spreads);
          const first = [picking.pick(0), picking.picked, picking.targets.map((x) => x.move)];
          const again = [picking.pick(0), picking.picked];  // a second time lets go
          picking.pick(0);
          const onward = picking.pick(2)[0].move;
          picking.pick(0);
          return [first, again, onward, picking.pick(1)[0].move, picking.picked];
        })()""",
        [[[], 0, [1, 2]], [[], None], 2, 1, None],
    ),
    # Standings.
    (
        "compare/standings.js",
        """(() => {
          const agent = {agent: "uct", games: 4, moves: 1, seconds_per_move: 1,
                         simulations_per_move: 0, nodes_per_move: 0, forfeits: {crash: 4},
                         forfeit_reasons: {crash: "RuntimeError: boom"}};
          const parts = m.standingsParts({games: 4, ratings: [], contests: [], agents: [agent]});
          return parts.at(-1).querySelector("tbody td:last-child").textContent;
        })()""",
        "4first crash: RuntimeError: boom",
    ),
    # Steps.
    (
        "state/move_frames.js",
        """(() => {
          const before = [[-1, 0, 0], [-1, 0, 0], [0, 0, 1]];
          const view = {cells: [[-1, 0, 0], [0, 0, 1], [0, 0, 2]], placed: [[0, [0, 0, 2]]],
                        steps: [{vertex: 0, text: "fires",
                                 changes: [[0, [-1, 0, 0]], [1, [0, 0, 1]], [2, [0, 0, 2]]]}]};
          const rolled = new m.MoveFrames(before, view);
          const length = rolled.length;
          const touched = [...rolled.goTo(0)].sort();
          const start = JSON.stringify(rolled.cells) === JSON.stringify(before);
          rolled.goTo(1);
          const placed = rolled.cells[0];
          rolled.goTo(2);
          return [length, touched, start, placed,
                  JSON.stringify(rolled.cells) === JSON.stringify(view.cells),
                  [...rolled.changed()].sort()];
        })()""",
        [2, [0, 1, 2], True, [0, 0, 2], True, [0, 1, 2]],
    ),
    (
        "state/move_frames.js",  # steps that were cut: the rest happens at once
        """(() => {
          const view = {cells: [[0, 0, 5]], placed: [[0, [0, 0, 1]]], steps: [], steps_cut: true};
          const rolled = new m.MoveFrames([[-1, 0, 0]], view);
          return rolled.list.map((frame) => frame.text);
        })()""",
        ["", "the rest of the steps, all at once"],
    ),
    ("state/move_frames.js", "new m.MoveFrames(null, {cells: [[0, 0]]}).length", 0),
    # Lines of play.
    (
        "state/line.js",
        """(() => {
          const line = new m.Line("hex", "hex:3");
          const entry = (move) => ({move, text: `m${move}`, vertex: move, player: 0});
          for (const move of [1, 2, 3]) line.play(entry(move));
          line.goTo(1);
          line.play(entry(9));
          const branch = line.moves();
          line.back();
          const kept = [line.isAtEnd, line.moves(line.end)];
          line.go(line.find([1, 2, 3]));
          line.back(); line.back();
          const other = line.moves(line.end);
          line.promote(line.find([1, 9]));
          const main = line.root.children[0].children.map((node) => node.move);
          line.go(line.find([1, 2]));
          line.cut(line.here);
          return [branch, kept, other, main, line.moves(), line.find([1, 2]), line.moves(line.end)];
        })()""",
        [[1, 9], [False, [1, 9]], [1, 2, 3], [9, 2], [1], None, [1, 9]],
    ),
    (
        "state/line.js",
        """(() => {
          const line = new m.Line("hex", "hex:3");
          const last = line.follow([{move: 4, text: "b2", vertex: 4, player: 0}]);
          return [line.here === line.root, last.text, line.find(["b2"]) === last, last.ply];
        })()""",
        [True, "b2", True, 1],
    ),
    # The catalogue: boards that suit a game.
    (
        "state/catalogue.js",
        """m.kindsFor(m.findGame("influence")).map((kind) => kind.name).includes("grid")""",
        False,
    ),
    (
        "state/catalogue.js",
        """["spread-it", "hex"].map((game) =>
             m.kindsFor(m.findGame(game)).map((kind) => kind.name).includes("karate"))""",
        [True, False],
    ),
    ("state/catalogue.js", "m.findGame('hex:swap=true').name", "hex"),
    ("state/catalogue.js", "m.findAgent('nobody') === undefined", True),
    # Addresses.
    (
        "address.js",
        "m.parseAddress('#papers?paper=hex')",
        {"page": "papers", "params": {"paper": "hex"}},
    ),
    ("address.js", "m.parseAddress('#nowhere').page", "play"),
    ("address.js", "m.parseAddress('').page", "play"),
    (
        "address.js",
        "m.formatAddress('compare', {store: 'a & b', none: ''})",
        "#compare?store=a%20%26%20b",
    ),
    ("address.js", "m.readLine({})", None),
    (
        "address.js",
        "m.readLine({game: 'hex', moves: '3.b2.4', at: '9', players: 'human,uct:time=1'})",
        {
            "game": "hex",
            "board": "",
            "moves": [3, "b2", 4],
            "at": 3,
            "players": ["human", "uct:time=1"],
            "time": "",
            "ending": None,
        },
    ),
    ("address.js", "m.readLine({game: 'hex', moves: '1.2', at: '-4'}).at", 0),
    ("address.js", "m.readLine({game: 'hex', moves: '1.2', at: 'x'}).at", 0),
    (
        "address.js",
        "m.readLine({game: 'hex', ending: 'resignation.1'}).ending",
        {"by": "resignation", "player": 1},
    ),
    (
        "address.js",  # what is written reads back
        """(() => {
          const line = {game: "hex:swap=true", board: "hex:3", moves: [1, 2, 3], at: 2,
                        players: ["human", "uct:time=1,c=1"], time: "180+2",
                        ending: {by: "time", player: 0}};
          const hash = m.formatAddress("play", m.lineParams(line));
          const read = m.readLine(m.parseAddress(hash).params);
          return JSON.stringify(read) === JSON.stringify(line);
        })()""",
        True,
    ),
    # Jobs.
    (
        "jobs.js",
        "['queued', 'running', 'done', 'stopped', 'failed'].map((state) => m.hasEnded({state}))",
        [False, False, True, True, True],
    ),
]


MODULES = sorted({module for module, *_ in CASES})


@pytest.mark.parametrize("module", MODULES)
def test_a_module_does_what_it_says(page: Page, module: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    own = [(done, expected) for name, done, expected in CASES if name == module]
    for done, expected in own:
        assert with_module(page, module, done) == expected, done


def with_module(page: Page, module: str, done: str) -> Any:
    """What comes of some words of JavaScript with a module at hand."""
    words = f"async () => {{ const m = await import('/js/{module}'); return {done}; }}"
    return page.evaluate(words)


FOLLOW = """new Promise((done) => {
  const heard = [];
  const hear = (job) => {
    heard.push(job.state);
    if (m.hasEnded(job)) done(heard);
  };
  const fail = (error) => done([...heard, error.message]);
  const follower = m.startJob({kind: "think"}, hear, fail);
  BEGIN
})"""


def answer_jobs(page: Page, states: list[str], stopped: list[str]) -> None:
    """Stand in for the server's jobs: it tells these states one by one, but streams nothing."""

    def answer(route: Route) -> None:
        request = route.request
        if request.url.endswith("/events"):
            route.abort()
        elif request.method == "DELETE":
            stopped.append(request.url)
            route.fulfill(json={"id": "7", "state": "stopped"})
        elif request.method == "POST" or request.url.endswith("/7"):
            route.fulfill(json={"id": "7", "state": states.pop(0)})
        else:
            route.fulfill(json=[])

    page.route("**/api/jobs**", answer)
    page.route("**/api/jobs/**", answer)


def test_a_job_whose_stream_breaks_is_asked_after_until_it_ends(pages: Pages) -> None:
    pages.forgive("events|ERR_FAILED")
    page = pages.open()
    answer_jobs(page, ["queued", "running", "running", "done"], [])
    heard = with_module(page, "jobs.js", FOLLOW.replace("BEGIN", ""))
    assert heard == ["queued", "running", "running", "done"]


def test_a_job_that_is_stopped_before_it_is_known_is_stopped_when_it_is(pages: Pages) -> None:
    pages.forgive("events|ERR_FAILED")
    page = pages.open()
    stopped: list[str] = []
    answer_jobs(page, ["queued", "stopped"], stopped)
    heard = with_module(page, "jobs.js", FOLLOW.replace("BEGIN", "follower.stop();"))
    assert heard == ["queued", "stopped"]
    assert len(stopped) == 1
    assert stopped[0].endswith("/api/jobs/7")


def test_what_the_server_refuses_is_told_in_its_own_words(pages: Pages) -> None:
    pages.forgive("429")
    page = pages.open()
    page.route(
        "**/api/jobs",
        lambda route: route.fulfill(status=429, json={"error": "Too much is waiting already."}),
    )
    heard = with_module(page, "jobs.js", FOLLOW.replace("BEGIN", ""))
    assert heard == ["Too much is waiting already."]


def test_settings_are_kept_by_the_browser_and_may_be_broken(page: Page) -> None:
    with_module(page, "state/settings.js", "m.set('speed', 5)")
    page.reload()
    assert with_module(page, "state/settings.js", "m.setting('speed')") == 5
    page.evaluate("() => localStorage.setItem('topple', '{broken')")
    page.reload()
    assert with_module(page, "state/settings.js", "m.setting('speed')") == 3


def test_views_are_asked_for_once_and_again_after_a_failure(pages: Pages) -> None:
    pages.forgive("400")
    page = pages.open("#games")  # which shows no position of its own
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data_json)
        if len(asked) == 1:
            route.fulfill(status=400, json={"error": "not yet"})
        else:
            route.fulfill(json={"ply": len(asked)})

    page.route("**/api/view", answer)
    ask = "m.viewOf('hex', 'hex:3', [4]).then((view) => view.ply, (error) => error.message)"
    told = [with_module(page, "state/views.js", ask) for _ in range(3)]
    assert told == ["not yet", 2, 2]
    assert asked[0] == {"game": "hex", "board": "hex:3", "moves": [4], "steps": True}
