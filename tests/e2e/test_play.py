"""Playing: setting up, undo, resigning, the swap rule, two people, steps that can be scrubbed."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.playing import (
    address,
    assert_cells_shown,
    assert_shown_as_played,
    click,
    good_move,
    legal,
    line_address,
    make_move,
    moves_of,
    play_to_the_end,
    position_of,
    vertex,
    wait_for_turn,
)
from tests.e2e.watching import Pages

GRAPH = "source,target\nanna,bert\nbert,carl\ncarl,anna\ncarl,dora\n"
CASCADE = "2.1.8.3.2.2.5.7.5"  # on a grid of 3x3: four squares explode, one after the other


def open_hex(pages: Pages, players: str = "human,human", **params: object) -> Page:
    """Open a small game of Hex."""
    where = line_address("play", game="hex", board="hex:3", players=players, **params)
    return pages.open(where)


def test_the_first_page_is_a_game_that_can_be_played(page: Page) -> None:
    wait_for_turn(page)
    expect(page.get_by_role("heading", name="How to play")).to_be_visible()
    make_move(page, 0)
    wait_for_turn(page, 2)
    assert_cells_shown(page, position_of(page))


def test_the_rules_are_always_there_with_the_options_in_force(pages: Pages) -> None:
    where = line_address(
        "play", game="chain-reaction", board="grid:3x3", players="human,human", moves="2.1"
    )
    page = pages.open(where)
    wait_for_turn(page, 2)
    page.get_by_role("button", name="Rules").click()
    rules = page.get_by_role("dialog", name="Rules of Chain Reaction")
    expect(rules).to_contain_text("those that are left over leave the game (surplus drop)")
    expect(rules).to_contain_text("surplus: drop")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    shown = page.get_by_role("dialog", name="Help")
    expect(shown.get_by_role("heading", name="Rules of Chain Reaction")).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(pages.address + where.replace("play", "analyse").replace("n&", "n:surplus=keep&"))
    page.get_by_role("button", name="Rules").click()
    expect(rules).to_contain_text("those that are left over stay on it (surplus keep)")


def test_home_and_end_go_through_the_game_wherever_the_focus_is(pages: Pages) -> None:
    page = open_hex(pages, "human,human", moves="0.1.2")
    wait_for_turn(page, 3)
    here = page.get_by_role("group", name="Moves").locator("[aria-current]")
    page.get_by_role("button", name="One move back").click()
    expect(here).to_have_text("2b1")
    page.keyboard.press("Home")  # the button still has the focus
    expect(here).to_have_text("Start")
    page.keyboard.press("End")
    expect(here).to_have_text("3c1")


def open_setup(page: Page) -> None:
    """Open the form of a new game."""
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()


def test_a_game_is_set_up_and_started(page: Page) -> None:
    open_setup(page)
    page.get_by_role("radio", name="Hex").click()
    expect(page.get_by_role("img", name="Board hex:11, 121 vertices")).to_be_visible()
    page.get_by_role("dialog").get_by_role("slider").first.fill("4")
    expect(page.get_by_role("img", name="Board hex:4, 16 vertices")).to_be_visible()
    seats = page.get_by_label("Who plays")
    seats.nth(0).select_option("human")
    seats.nth(1).select_option("random")
    page.get_by_role("button", name="Start the game").click()
    wait_for_turn(page)
    said = address(page)
    assert (said["game"], said["players"]) == ("hex", "human,random")
    assert position_of(page).game.board.n_vertices == 16


def test_the_first_opponent_has_a_network(page: Page) -> None:
    wait_for_turn(page)
    assert address(page)["players"] == "human,puct:time=0.5"
    links = page.get_by_role("region", name="Before the first move").get_by_role("link")
    opponents = {
        link.inner_text().strip(): (link.get_attribute("href") or "").partition("human,")[2]
        for link in links.all()
    }
    assert opponents.pop("INFLUENCE").startswith("uct:time=0.5")
    assert all(each.startswith("puct:time=0.5") for each in opponents.values())


def test_a_network_is_offered_where_one_fits_game_and_board(page: Page) -> None:
    open_setup(page)
    seat = page.get_by_label("Who plays").nth(1)
    names = seat.locator("option")
    expect(names.nth(1)).to_have_text("puct")
    expect(seat).to_have_value("puct")
    page.get_by_role("radio", name="INFLUENCE").click()
    expect(seat).to_have_value("uct")
    expect(names.nth(1)).to_have_text("uct")
    expect(names.filter(has_text="policy")).to_have_count(0)
    page.get_by_role("radio", name="Chain Reaction").click()
    expect(seat).to_have_value("puct")  # as it was chosen
    page.get_by_label("Kind of board").select_option("ba")
    expect(page.get_by_role("img", name="Board ba:")).to_be_visible()
    expect(seat).to_have_value("uct")
    expect(names.filter(has_text="puct")).to_have_count(0)
    page.get_by_role("button", name="Start the game").click()
    wait_for_turn(page)
    assert address(page)["players"] == "human,uct:time=0.5"


def test_undo_takes_back_to_the_persons_last_move(pages: Pages) -> None:
    page = open_hex(pages, "human,random")
    wait_for_turn(page)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    make_move(page, 4)
    wait_for_turn(page, 2)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("group", name="Moves").get_by_role("button")).to_have_count(1)
    wait_for_turn(page)
    assert moves_of(page) == []
    assert_cells_shown(page, position_of(page))
    expect(legal(page)).to_have_count(9)
    make_move(page, 0)
    wait_for_turn(page, 2)
    assert moves_of(page)[0] == 0


def test_a_person_can_resign_or_think_better_of_it(pages: Pages) -> None:
    page = open_hex(pages, "human,random")
    wait_for_turn(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    expect(legal(page)).to_have_count(9)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("complementary")).to_contain_text("Red wins: Blue resigned")
    expect(legal(page)).to_have_count(0)
    assert address(page)["ending"] == "resignation.0"
    page.reload()
    expect(page.get_by_role("complementary")).to_contain_text("Red wins: Blue resigned")


def test_two_people_play_on_one_page(pages: Pages) -> None:
    page = open_hex(pages)
    wait_for_turn(page)
    expect(page.get_by_role("complementary")).to_contain_text("Blue to move")
    make_move(page, 4)
    wait_for_turn(page, 1)
    expect(page.get_by_role("complementary")).to_contain_text("Red to move")
    play_to_the_end(page)
    assert_shown_as_played(page)


def test_the_second_player_may_swap_in_hex(pages: Pages) -> None:
    where = line_address("play", game="hex:swap=true", board="hex:3", players="human,human")
    page = pages.open(where)
    wait_for_turn(page)
    expect(page.get_by_role("button", name="Swap sides")).to_have_count(0)
    make_move(page, 4)
    wait_for_turn(page, 1)
    page.get_by_role("button", name="Swap sides").click()
    expect(page.get_by_role("button", name="swap-pieces")).to_be_visible()
    wait_for_turn(page, 2)
    expect(page.get_by_role("button", name="Swap sides")).to_have_count(0)
    assert_cells_shown(page, position_of(page))
    play_to_the_end(page)
    assert_shown_as_played(page)


def test_the_steps_of_a_cascade_are_scrubbed_back_and_forth(pages: Pages) -> None:
    page = open_cascade(pages)
    steps = page.get_by_role("slider", name="Steps of the last move")
    last = int(steps.get_attribute("max") or 0)
    assert last == 5  # what is put down, then four explosions
    after = heard(page)
    before = []
    for at in range(last, -1, -1):
        expect(steps).to_have_value(str(at))
        before.append(heard(page))
        page.get_by_role("button", name="One step back").click()
    assert before[0] == after
    assert len({tuple(each) for each in before}) == last + 1  # every step changes something
    for at in range(last + 1):
        expect(steps).to_have_value(str(at))
        assert heard(page) == before[last - at]
        page.get_by_role("button", name="One step on").click()
    assert heard(page) == after
    steps.fill("1")
    assert heard(page) == before[last - 1]
    assert_cells_shown_after_a_pick(page)


def open_cascade(pages: Pages) -> Page:
    """Open a game after a move that lets several squares explode."""
    where = line_address(
        "play", game="chain-reaction", board="grid:3x3", moves=CASCADE, players="human,human"
    )
    page = pages.open(where)
    wait_for_turn(page, CASCADE.count(".") + 1)
    return page


def heard(page: Page) -> list[str]:
    """What is on the vertices of a board of nine."""
    return [vertex(page, number).get_attribute("aria-label") or "" for number in range(9)]


def assert_cells_shown_after_a_pick(page: Page) -> None:
    """A board that was scrubbed returns to the position when it is played on."""
    plies = len(moves_of(page))
    make_move(page, good_move(position_of(page)))
    wait_for_turn(page, plies + 1)
    assert_cells_shown(page, position_of(page))


def test_steps_play_by_themselves_and_can_be_skipped(pages: Pages) -> None:
    where = line_address(
        "play",
        game="chain-reaction",
        board="grid:3x3",
        moves=CASCADE.rpartition(".")[0],
        players="human,human",
    )
    page = pages.open(where, speed=1)
    wait_for_turn(page, CASCADE.count("."))
    click(vertex(page, 5))
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(legal(page)).to_have_count(0)
    page.keyboard.press("Space")
    wait_for_turn(page, CASCADE.count(".") + 1)
    assert_cells_shown(page, position_of(page))


def test_a_graph_file_is_dropped_and_played_on(page: Page, tmp_path: Path) -> None:
    open_setup(page)
    page.get_by_role("radio", name="Spread-It").click()
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    drop(page, "friends.csv", GRAPH)
    expect(page.get_by_text("4 vertices, 4 edges.")).to_be_visible()
    page.get_by_label("Who plays").nth(0).select_option("human")
    page.get_by_label("Who plays").nth(1).select_option("human")
    page.get_by_role("button", name="Start the game").click()
    wait_for_turn(page)
    assert address(page)["board"].startswith("kept:")
    expect(vertex(page, 0)).to_have_attribute("aria-label", "anna: empty, full at 2")
    vertex(page, 3).click()
    wait_for_turn(page, 1)
    page.reload()
    wait_for_turn(page, 1)
    expect(page.get_by_role("group", name="Moves")).to_contain_text("dora")


def test_a_file_that_is_no_graph_is_refused_in_words(pages: Pages) -> None:
    pages.forgive("400")
    page = pages.open()
    open_setup(page)
    drop(page, "entities.graphml", '<!DOCTYPE g [<!ENTITY a "b">]><graphml>&a;</graphml>')
    expect(page.get_by_role("alert").filter(has_text="entit")).to_be_visible()
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file where the page takes one."""
    place = page.get_by_text("or drop one here")
    data = page.evaluate_handle(
        """([name, text]) => {
          const data = new DataTransfer();
          data.items.add(new File([text], name));
          return data;
        }""",
        [name, text],
    )
    place.dispatch_event("dragover", {"dataTransfer": data})
    place.dispatch_event("drop", {"dataTransfer": data})
