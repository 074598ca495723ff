"""The pictures of the lab in README and docs: `make screenshots` makes them anew."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

import topple
from tests.e2e.browser import launch
from tests.e2e.playing import line_address, vertex, wait_for_turn
from tests.e2e.server import LabServer, warm_up
from tests.e2e.watching import PATIENCE, PHONE, Pages
from topple.game.position import Position
from topple.present.boards.canvas import Mark
from topple.present.boards.drawing import paint, pixels
from topple.present.boards.positions import player_colours
from topple.present.colours import VERTEX, mixed
from topple.rules.text import Cell

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS = 256
SIZE = {"width": 1280, "height": 800}
NETWORK = "karate"
HEX_LINE = "b5 e3 d4 c6 e5 f4"
AGENTS = ["random", "greedy", "montecarlo:samples=20", "uct:iterations=200"]
CUP = {
    "kind": "tournament",
    "name": "Summer cup",
    "games": ["hex"],
    "boards": ["hex:5"],
    "agents": AGENTS,
    "games_per_pairing": 60,
    "plies": 2,
    "seed": 1,
}


def cascade(pages: Pages) -> Page:
    """Spread-It on a network in the middle of a cascade."""
    moves = line_to_a_cascade()
    page = pages.open(
        line_address(
            "play",
            game="spread-it",
            board=NETWORK,
            moves=".".join(map(str, moves)),
            players="uct:time=1,human",
        ),
        size=SIZE,
        speed=3,
    )
    steps = page.get_by_role("slider", name="Steps of the last move")
    expect(steps).to_be_enabled()
    steps.fill(str(int(steps.get_attribute("max") or 0) // 2))
    steps.blur()
    return page


def line_to_a_cascade() -> list[int]:
    """Sensible moves up to one that many vertices answer to, after which Red is to move."""
    agent = topple.agent("uct:iterations=100")
    position: Position = topple.load("spread-it", board=NETWORK).start()
    moves: list[int] = []
    while not position.is_over:
        move = agent.choose(position, seed=len(moves)).move
        moves.append(move)
        n_firings = sum(1 for _ in position.steps(move))
        position = position.play(move)
        if n_firings >= 15 and position.player == 1 and not position.is_over:
            return moves
    raise AssertionError("no cascade is long enough for a picture")


def draw_cascade(path: Path) -> None:
    """Draw the same cascade as a moving picture, a frame for each vertex that fires."""
    position = topple.load("spread-it", board=NETWORK).start()
    *moves, last = line_to_a_cascade()
    for move in moves:
        position = position.play(move)
    turn = f"{position.game.players[position.player]} to move"
    frames = [_frame(position, position.contents(), turn)]
    frames += [_frame(position, *scene[2:0:-1], scene.vertex) for scene in position.scenes(last)]
    times = [1200, *[450] * (len(frames) - 2), 2500]  # milliseconds
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0)


def _frame(
    position: Position, contents: tuple[Cell, ...], caption: str, firing: int | None = None
) -> Image.Image:
    """The network with its tokens; the vertex that fires has the full colour of its winner."""
    players = position.game.players
    marks = []
    for number, cell in enumerate(contents):
        black, red = cell.counts
        text = f"{black}b" * (black > 0) + f"{red}r" * (red > 0)
        colour, ink = player_colours(players, 0 if black > red else 1)
        if black == red:
            marks.append(Mark(text, VERTEX))
        elif number == firing:
            marks.append(Mark(text, colour, ink))
        else:
            marks.append(Mark(text, mixed(VERTEX, colour, 0.55)))
    image = Image.fromarray(pixels(paint(position.game.board, marks, caption), 60))
    return image.quantize(colors=12, dither=Image.Dither.NONE)


def heat(pages: Pages) -> Page:
    """Hex with the candidates of an agent as a heat map, and what it expects."""
    game = topple.load("hex", board="hex:7")
    moves = ".".join(str(game.parse_move(text)) for text in HEX_LINE.split())
    page = pages.open(
        line_address("analyse", game="hex", board="hex:7", moves=moves),
        size=SIZE,
        agent="uct:iterations=200000",
    )
    expect(page.get_by_role("complementary")).to_contain_text("to move")
    agent = page.get_by_role("region", name="First agent")
    agent.get_by_role("button", name="Think").click()
    expect(agent.get_by_role("status")).to_contain_text("200,000 games")
    agent.get_by_role("region", name="Candidates").get_by_role("button").first.hover()
    expect(page.locator(".badge").first).to_be_visible()
    return page


def phone(pages: Pages) -> Page:
    """Infexion on a phone, dark, with a stack that is about to spread."""
    game = topple.load("infexion", board="infexion:7")
    position, moves = game.start(), []
    while max(cell.counts[0] for cell in position.contents()) < 3 or position.player != 0:
        moves.append(topple.agent("uct:iterations=300").choose(position, seed=len(moves)).move)
        position = position.play(moves[-1])
    page = pages.open(
        line_address(
            "play",
            game="infexion",
            board="infexion:7",
            moves=".".join(map(str, moves)),
            players="human,human",
        ),
        size=PHONE,
        scheme="dark",
        has_touch=True,
    )
    wait_for_turn(page, len(moves))
    cells = position.contents()
    strongest = max(range(len(cells)), key=lambda number: cells[number].counts[position.player])
    vertex(page, strongest).tap()
    expect(page.locator(".arrow-mark").first).to_be_attached()
    return page


def cup(pages: Pages) -> Page:
    """A tournament with its ratings and its crosstable."""
    page = pages.open("#compare", size=SIZE)
    page.evaluate("async (cup) => (await import('/js/api.js')).post('/jobs', cup)", CUP)
    page.evaluate("(name) => { location.hash = `#compare?store=${name}`; }", CUP["name"])
    expect(page.get_by_text("All games are played")).to_be_visible(timeout=10 * PATIENCE)
    expect(page.get_by_role("img", name="Lengths of games")).to_be_visible()
    crosstable = page.get_by_role("region", name="Crosstable of hex")
    expect(page.get_by_role("button", name="Work under way")).to_have_text("0")
    crosstable.evaluate("(table) => table.closest('section').scrollIntoView({ block: 'end' })")
    return page


def papers(pages: Pages) -> Page:
    """A paper whose numbers are measured, published beside them."""
    page = pages.open("#papers?paper=influence", size=SIZE)
    expect(page.get_by_role("link", name="All papers")).to_be_visible()
    return page


def measure_a_paper(folder: Path) -> Path:
    """Measure what needs no games; gives the store."""
    store = folder / "papers.db"
    command = [sys.executable, "-m", "topple", "reproduce", "influence", "--db", str(store)]
    subprocess.run([*command, "--out", str(folder / "report")], check=True, capture_output=True)
    return store


PICTURES: dict[str, Callable[[Pages], Page]] = {
    "lab-play": cascade,
    "lab-analyse": heat,
    "lab-phone": phone,
    "lab-compare": cup,
    "lab-papers": papers,
}


def make_small(path: Path) -> None:
    """Keep the colours that most of the picture has, and let the others be the nearest of these."""
    with Image.open(path) as opened:
        image = opened.convert("RGB")
    counted = image.getcolors(image.width * image.height) or []
    frequent = sorted(counted, reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in frequent for part in colour])
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    draw_cascade(FOLDER / "cascade.gif")
    expect.set_options(timeout=PATIENCE)
    warm_up()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = LabServer(Path(folder) / "folder")
        lab.start(measure_a_paper(Path(folder)))
        try:
            pages = Pages(launch(playwright), lab.address)
            for name, show in PICTURES.items():
                path = FOLDER / f"{name}.png"
                page = show(pages)
                page.wait_for_function("() => !document.querySelector('.board.moving')")
                page.screenshot(path=path, animations="disabled")
                make_small(path)
                print(f"{path.relative_to(FOLDER.parents[1])}: {path.stat().st_size // 1000} kB")
            faults = pages.close()
        finally:
            lab.stop()
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
