"""A page in a browser: filters, sorting, search, record links and keys work, and nothing of the data runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import open_browser, set_screen, wait_for, why_not
from report_testing import line, page_of, report, write_lines
from test_report_hostile import HOSTILE, calls_with, lines_with

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"no browser: {why_not()}")

ROWS = "[...document.querySelectorAll('#worst-table tbody tr:not([hidden])')]"
TEXTS = """
const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT), found = [];
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (!/^(SCRIPT|STYLE)$/.test(node.parentElement.tagName) && node.data.trim()) found.push(node.data);
}
return found;
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    opened = open_browser()
    yield opened
    opened.quit()


@pytest.fixture(scope="module")
def page(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("browser") / "page.html"
    data = ("--data", runs / "base.pairs.jsonl", "--data", runs / "new.pairs.jsonl")
    arguments = ("--compare", runs / "base.jsonl", "--by", "model", *data, "--worst", 20, "--max-drop", 0.01)
    assert report(runs / "new.jsonl", *arguments, "-o", path) == 1
    return path.as_uri()


@pytest.fixture
def opened(browser: Any, page: str) -> Iterator[Any]:
    """The page, just opened; nothing may have gone wrong in it at the end."""
    browser.get("about:blank")
    browser.get_log("browser")
    set_screen(browser, 1280, 900)
    browser.get(page)
    wait_for(browser, "document.readyState === 'complete'")
    yield browser
    assert browser.get_log("browser") == []


def press(browser: Any, keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(keys).perform()


def choose(browser: Any, name: str, label: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("css selector", f"#filters [name={name}]")).select_by_visible_text(label)


def rows(browser: Any) -> list[str]:
    found: list[str] = browser.execute_script(f"return {ROWS}.map((row) => row.textContent)")
    return found


def test_filters_hide_rows_and_sections_and_tell_how_many_are_left(opened: Any) -> None:
    everything = len(rows(opened))
    choose(opened, "scorer", "levenshtein")
    left = rows(opened)
    assert 0 < len(left) < everything and all("levenshtein" in row for row in left)
    shown = opened.execute_script(
        "return [...document.querySelectorAll('section[data-scorer]')].filter((s) => !s.hidden).map((s) => s.dataset.scorer)"
    )
    assert len(set(shown)) == 1
    assert opened.execute_script("return found.textContent") == f"{len(left)} of {everything} rows of records"
    choose(opened, "model", "model-c")
    assert all("model-c" in row for row in rows(opened))
    choose(opened, "outcome", "failed")
    assert all("failed" in row for row in rows(opened))
    opened.find_element("css selector", "#filters [type=reset]").click()
    wait_for(opened, f"{ROWS}.length === {everything}")


def test_search_finds_ids_and_fields_without_case(opened: Any) -> None:
    press(opened, "/")
    first = opened.execute_script(f"return {ROWS}[0].querySelector('th').textContent")
    press(opened, first.upper())
    assert rows(opened) and all(first in row for row in rows(opened))
    fields = opened.execute_script("return document.querySelectorAll('.heat tbody tr:not([hidden])').length")
    assert fields == 0
    opened.execute_script("document.querySelector('#filters').reset()")
    wait_for(opened, f"{ROWS}.length > 20")
    press(opened, "street supplier")
    names = opened.execute_script(
        "return [...document.querySelectorAll('.heat tbody tr:not([hidden]) th')].map((cell) => cell.textContent)"
    )
    assert names == ["supplier.address.street"]
    opened.execute_script("document.querySelector('#filters').reset()")


def test_columns_sort_both_ways_by_key_and_by_mouse(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    heads = opened.find_elements("css selector", "#worst-table thead button")
    now = next(head for head in heads if head.text == "Now")
    values = f"return {ROWS}.map((row) => Number(row.cells[4].dataset.v))"
    now.click()
    found = opened.execute_script(values)
    assert found == sorted(found, reverse=True)
    now.send_keys(Keys.ENTER)
    assert opened.execute_script(values) == sorted(found)
    head = opened.execute_script("return document.activeElement.parentElement.getAttribute('aria-sort')")
    assert head == "ascending"


def test_what_has_no_figure_is_sorted_to_the_end(opened: Any) -> None:
    opened.execute_script("""
      const table = document.querySelector('#worst-table');
      delete table.tBodies[0].rows[3].cells[4].dataset.v;
    """)
    button = "#worst-table thead th:nth-child(5) button"
    for _ in range(2):
        opened.find_element("css selector", button).click()
        assert opened.execute_script(f"return {ROWS}.at(-1).cells[4].dataset.v === undefined")


def test_record_links_open_pages_and_keys_go_on_and_back(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    link = opened.find_element("css selector", "#worst-table tbody a")
    name = link.text
    link.send_keys(Keys.ENTER)
    shown = "[...document.querySelectorAll('.record:not([hidden])')]"
    wait_for(opened, f"{shown}.length === 1 && overview.hidden")
    assert opened.execute_script(f"return {shown}[0].querySelector('h2').textContent") == f"Record {name}"
    assert opened.execute_script("return document.activeElement.className") == "record"
    assert name in opened.title
    press(opened, Keys.ARROW_RIGHT)
    wait_for(opened, f"{shown}[0].querySelector('.muted').textContent.startsWith('2 of')")
    press(opened, Keys.ARROW_LEFT)
    wait_for(opened, f"{shown}[0].querySelector('h2').textContent === 'Record {name}'")
    press(opened, Keys.ESCAPE)
    wait_for(opened, "!overview.hidden")
    assert opened.execute_script("return document.activeElement.textContent") == name
    opened.back()
    wait_for(opened, "overview.hidden")


def test_a_record_goes_by_the_rows_that_filters_leave(opened: Any) -> None:
    everything = len(rows(opened))
    choose(opened, "model", "model-a")
    assert len(rows(opened)) < everything
    number = opened.execute_script(f"return new Set({ROWS}.map((row) => row.querySelector('a').hash)).size")
    opened.find_element("css selector", "#worst-table tbody tr:not([hidden]) a").click()
    wait_for(opened, f"document.querySelector('.record:not([hidden]) .muted').textContent === '1 of {number}'")


def test_places_that_match_are_shown_on_request(opened: Any) -> None:
    page = opened.execute_script("return document.querySelector('.record:has(tr.same)').id")
    opened.execute_script(f"location.hash = '{page}'")
    wait_for(opened, "overview.hidden")
    hidden = f"getComputedStyle(document.querySelector('#{page} tr.same')).display === 'none'"
    assert opened.execute_script(f"return {hidden}")
    opened.find_element("css selector", f"#{page} .show-same input").click()
    assert not opened.execute_script(f"return {hidden}")


def test_the_keyboard_reaches_the_report_first_and_focus_is_seen(opened: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    press(opened, Keys.TAB)
    assert opened.execute_script("return document.activeElement.textContent") == "Skip to the report"
    assert opened.execute_script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    press(opened, Keys.ENTER)
    wait_for(opened, "document.activeElement.id === 'main'")


def test_charts_are_drawn_and_drawn_again_in_another_theme(opened: Any) -> None:
    drawn = "document.querySelector('#changes .chart svg text')"
    opened.execute_script("document.querySelector('#changes').scrollIntoView()")
    wait_for(opened, drawn)
    before = opened.execute_script(f"return [{drawn}.getAttribute('fill'), getComputedStyle(document.body).backgroundColor]")
    opened.find_element("css selector", "#theme").click()
    wait_for(opened, f"{drawn} && {drawn}.getAttribute('fill') !== '{before[0]}'")
    assert opened.execute_script("return getComputedStyle(document.body).backgroundColor") != before[1]
    opened.execute_script("localStorage.clear()")


def test_every_control_has_a_name_and_every_table_a_caption(opened: Any) -> None:
    unnamed = opened.execute_script("""
      const named = (e) => e.textContent.trim() || e.ariaLabel || (e.labels && e.labels.length);
      const controls = [...document.querySelectorAll('button, a, input, select, figure, [role=region]')];
      const tables = [...document.querySelectorAll('table')];
      return [
        ...controls.filter((e) => !named(e)).map((e) => e.outerHTML),
        ...tables.filter((t) => !t.caption || !t.querySelector('thead th[scope=col]')).map((t) => t.outerHTML.slice(0, 99)),
      ];
    """)
    assert unnamed == []
    levels = opened.execute_script(
        "return [...overview.querySelectorAll('h1, h2, h3, [aria-level]')].map((h) => Number(h.ariaLevel || h.tagName[1]))"
    )
    assert levels[0] == 1 and all(after <= before + 1 for before, after in zip(levels, levels[1:]))


def test_nothing_is_loaded_and_a_narrow_screen_does_not_scroll_sideways(opened: Any) -> None:
    assert opened.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []
    for width in (320, 390, 768):
        set_screen(opened, width, 800)
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width


def test_the_first_screen_answers_and_shows_the_leaderboard(opened: Any) -> None:
    set_screen(opened, 1280, 800)
    bottoms = opened.execute_script(
        "return [...document.querySelectorAll('.answers, #leaderboard tbody tr:first-child')].map("
        "(part) => part.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) >= 2 and all(bottom <= 800 for bottom in bottoms[:2])
    words = opened.execute_script("return [...document.querySelectorAll('.answers .word')].map((word) => word.innerText)")
    assert "Regressed: it got worse" in words[0] and words[1] == "★ base is best"


def test_no_column_is_lost_on_a_narrow_screen(opened: Any) -> None:
    set_screen(opened, 390, 844)
    lost = opened.execute_script("""
      return [...document.querySelectorAll('#overview table')]
        .filter((table) => table.clientWidth && table.parentElement.scrollWidth > table.parentElement.clientWidth)
        .map((table) => table.caption.textContent);
    """)
    assert lost == []
    assert opened.execute_script("return document.querySelector('#leaderboard td.n').dataset.label") == "Rank"


@pytest.fixture
def wide(browser: Any, tmp_path: Path) -> Any:
    """A page of ten models with names of one long word, opened; some fields changed since the base."""
    sides = []
    for side in ("base", "new"):
        lines = []
        for number in range(10):
            leaves = [
                {"path": f"field_{leaf}", "expected": 1, "actual": 2, "similarity": 0.1 * leaf * (side == "new")} for leaf in range(9)
            ]
            groups = {"model": f"model_of_some_long_name_{number}"}
            lines += [line(record, 0.3, groups=groups, details={"leaves": leaves}) for record in range(12)]
        sides.append(write_lines(tmp_path / f"{side}.jsonl", lines))
    arguments = ("--compare", sides[0], "--unverified", "--by", "model", "-o", tmp_path / "page.html")
    assert report(sides[1], *arguments) == 0
    browser.get("about:blank")
    set_screen(browser, 1280, 800)
    browser.get((tmp_path / "page.html").as_uri())
    wait_for(browser, "document.readyState === 'complete'")
    return browser


def test_what_goes_on_at_a_side_fades_there(wide: Any) -> None:
    heat = "document.querySelector('.heat').parentElement"
    wait_for(wide, f"{heat}.classList.contains('goes-right')")
    assert wide.execute_script(f"return getComputedStyle({heat}).maskImage").startswith("linear-gradient")
    wide.execute_script(f"{heat}.scrollLeft = 99999")
    wait_for(wide, f"!{heat}.classList.contains('goes-right') && {heat}.classList.contains('goes-left')")
    assert not wide.execute_script("return document.querySelector('.bar nav').classList.contains('goes-right')")
    set_screen(wide, 390, 844)
    wait_for(wide, "document.querySelector('.bar nav').classList.contains('goes-right')")


def test_heads_of_fields_are_not_broken_within_a_word(wide: Any) -> None:
    heights = wide.execute_script("""
      const heads = [...document.querySelectorAll('.heat thead bdi, .heat th[scope=row] bdi')];
      return heads.map((head) => head.getClientRects()[0].height / parseFloat(getComputedStyle(head).fontSize));
    """)
    assert len(heights) == 19 and all(height < 2 for height in heights), heights


def test_charts_stay_within_their_boxes_on_a_narrow_screen(wide: Any) -> None:
    set_screen(wide, 390, 844)
    for chart in wide.find_elements("css selector", "[data-chart]:not([hidden])"):
        wide.execute_script("arguments[0].scrollIntoView()", chart)
        wait_for(wide, f"document.querySelector('[data-chart={chart.get_attribute('data-chart')}] svg')")
    widths = "return [...document.querySelectorAll('[data-chart]')].map((chart) => chart.scrollWidth - chart.clientWidth)"
    assert all(beyond <= 0 for beyond in wide.execute_script(widths))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_cells_of_fields_can_be_read_in_both_themes(wide: Any, width: int, dark: bool) -> None:
    set_screen(wide, width, 844, dark=dark)
    contrasts = wide.execute_script("""
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const light = (...colours) => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const linear = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c /= 255) <= 0.04 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
      };
      const card = getComputedStyle(document.querySelector('.heat')).backgroundColor;
      return [...document.querySelectorAll('.heat td.h')].flatMap((cell) => {
        const under = light(card, getComputedStyle(cell).backgroundColor);
        return [cell, cell.querySelector('small') ?? cell].map((text) => getComputedStyle(text).color)
          .concat(getComputedStyle(cell, '::before').color)
          .map((colour) => light(colour))
          .map((ink) => (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05));
      });
    """)
    assert len(contrasts) == 3 * 90 and min(contrasts) >= 4.5


def test_a_search_finds_fields_that_a_row_does_not_show(browser: Any, tmp_path: Path) -> None:
    leaves = [{"path": f"{name}[{n}].value", "expected": 1, "actual": 2, "similarity": 0} for name in "abcde" for n in (0, 1)]
    lines = [line(number, 0, details={"leaves": leaves}) for number in range(4)]
    lines.append(line(4, 0, details={"leaves": leaves[:2]}))
    scores, path = write_lines(tmp_path / "scores.jsonl", lines), tmp_path / "page.html"
    assert report(scores, "--unverified", "-o", path) == 0
    browser.get("about:blank")
    set_screen(browser, 1280, 900)
    browser.get(path.as_uri())
    wait_for(browser, "document.readyState === 'complete'")
    press(browser, "/")
    press(browser, "e[*].value")
    assert len(rows(browser)) == 4 and not any("e[" in row for row in rows(browser))


def test_calls_stand_side_by_side_on_any_screen(browser: Any, tmp_path: Path) -> None:
    scores = write_lines(tmp_path / "scores.jsonl", [line(1, 0, details=calls_with("a-long-name-" * 9))])
    assert report(scores, "--unverified", "-o", tmp_path / "page.html") == 0
    browser.get((tmp_path / "page.html").as_uri() + "#r1")
    for width in (320, 390, 1280):
        set_screen(browser, width, 800)
        left, right = browser.execute_script(
            "return [...document.querySelectorAll('.calls > div')].map((side) => side.getBoundingClientRect().toJSON())"
        )
        assert left["top"] == right["top"] and left["right"] < right["left"]
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_hostile_texts_run_nothing_and_stand_in_the_browser_as_in_the_file(browser: Any, tmp_path: Path) -> None:
    lines = [line for text in HOSTILE for line in lines_with(text, 0.6, compared=False)]
    scores, path = write_lines(tmp_path / "scores.jsonl", lines), tmp_path / "page.html"
    assert report(scores, "--unverified", "--by", "model", "-o", path) == 0
    browser.get("about:blank")
    browser.get_log("browser")
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "window.hit = 0"})
    browser.get(path.as_uri())
    wait_for(browser, "document.readyState === 'complete'")
    browser.execute_script("for (const e of document.querySelectorAll('*')) { e.focus(); if (e.onclick) e.onclick(); }")
    for chart in browser.find_elements("css selector", "[data-chart]"):
        browser.execute_script("arguments[0].scrollIntoView()", chart)
        wait_for(browser, "true")
    shown = set(browser.execute_script(TEXTS))
    browser.execute_script("document.querySelectorAll('.record').forEach((page) => (location.hash = page.id))")
    assert browser.execute_script("return window.hit") == 0
    assert browser.get_log("browser") == []
    source = page_of(path)
    assert len(source.texts) > 1000
    assert set(source.texts) - shown <= {"Dark", "All records"}
