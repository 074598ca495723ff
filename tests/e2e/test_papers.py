"""The papers: a list, one of them in full, filters and settings."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.watching import PHONE, Pages


def test_the_papers_are_browsed(pages: Pages) -> None:
    page = pages.open("#papers")
    expect(page.get_by_role("heading", name="Papers")).to_be_visible()
    papers = page.get_by_role("article")
    expect(papers).to_have_count(5)
    title = papers.first.get_by_role("heading").inner_text()
    papers.first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    items = page.locator("section")
    shown = items.count()
    assert shown > 1
    expect(page.get_by_role("img").first).to_be_visible()
    verdict = page.get_by_label("Show")
    options = verdict.locator("option").all_inner_texts()
    verdict.select_option(options[1])
    expect(items.filter(visible=True).first).to_contain_text(options[1])
    verdict.select_option(options[0])
    expect(items.filter(visible=True)).to_have_count(shown)
    page.get_by_role("link", name="All papers").click()
    expect(papers).to_have_count(5)


def test_an_item_is_reached_from_the_list_on_a_phone(pages: Pages) -> None:
    page = pages.open("#papers", size=PHONE, scheme="dark")
    paper = page.get_by_role("article").nth(1)
    paper.get_by_text(re.compile(r"\d+ items")).click()
    paper.get_by_role("listitem").last.get_by_role("link").click()
    expect(page.get_by_role("link", name="All papers")).to_be_attached()
    expect(page.locator("section").last).to_be_in_viewport()


def test_the_papers_own_settings_can_be_asked_for(page: Page) -> None:
    page.get_by_role("link", name="Papers").click()
    page.get_by_role("link", name="The papers' own settings").click()
    chosen = page.get_by_role("navigation", name="Settings").locator("[aria-current]")
    expect(chosen).to_have_text("The papers' own settings")
