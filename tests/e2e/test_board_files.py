"""Graph files on the page: what is refused stays refused, what is read can be played on."""

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.e2e.watching import Pages

SPREAD_IT = "#play?game=spread-it&board=karate&players=human,human"


def csv_file(name: str, text: str) -> FilePayload:
    """An edge list as a person chooses it."""
    return {"name": name, "mimeType": "text/csv", "buffer": text.encode()}


def open_setup(page: Page) -> Locator:
    """The form of a new game, with a board that could be played on."""
    page.get_by_role("button", name="New game").click()
    dialog = page.get_by_role("dialog", name="New game")
    expect(start_button(dialog)).to_be_enabled()
    return dialog


def start_button(dialog: Locator) -> Locator:
    """What begins the game."""
    return dialog.get_by_role("button", name="Start the game")


def test_a_refused_file_stays_refused_until_another_board_is_chosen(pages: Pages) -> None:
    pages.forgive("400")
    page = pages.open(SPREAD_IT)
    dialog = open_setup(page)
    big = "".join(f"{v},{v + 1}\n" for v in range(5000))
    dialog.get_by_label("Open a graph file").set_input_files(csv_file("big.csv", big))
    refusal = dialog.get_by_role("alert")
    expect(refusal).to_contain_text("5,001 vertices are too many")
    expect(start_button(dialog)).to_be_disabled()
    expect(dialog.get_by_role("img", name="vertices")).to_have_count(0)  # no other board is shown
    with page.expect_response("**/api/board"):  # whatever is looked at next
        dialog.get_by_label("Kind of board").select_option("florentine")
    expect(start_button(dialog)).to_be_enabled()
    expect(refusal).to_be_hidden()
    with page.expect_response("**/api/upload**"):
        dialog.get_by_label("Open a graph file").set_input_files(csv_file("torn.csv", "a;b;c;d"))
    expect(refusal).to_contain_text("torn.csv")
    dialog.get_by_text("Options of Spread-It").click()
    dialog.get_by_label("Tokens", exact=True).fill("3")  # another option is no other board
    expect(refusal).to_contain_text("torn.csv")
    expect(start_button(dialog)).to_be_disabled()


def test_an_own_network_has_its_name_and_is_listed_again(pages: Pages) -> None:
    page = pages.open(SPREAD_IT)
    dialog = open_setup(page)
    real = "ann;bob;1,5\nbob;ann;1,5\nbob;cid;2\ncid;ann;1\ncid;cid;9\n"
    dialog.get_by_label("Open a graph file").set_input_files(csv_file("friends.csv", real))
    expect(dialog.get_by_text("1 repeated edge was merged, 1 loop dropped.")).to_be_visible()
    expect(start_button(dialog)).to_be_enabled()
    kinds = dialog.get_by_label("Kind of board")
    expect(kinds.locator("option:checked")).to_have_text("friends.csv")
    start_button(dialog).click()
    expect(page.get_by_role("complementary", name="Game")).to_contain_text("friends.csv")
    later = open_setup(pages.open(SPREAD_IT))
    later.get_by_label("Kind of board").select_option("friends.csv")
    expect(later.get_by_role("img", name="Board friends.csv, 3 vertices")).to_be_visible()
    expect(start_button(later)).to_be_enabled()
