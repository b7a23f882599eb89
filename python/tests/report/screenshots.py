"""Takes the pictures of docs/report.md: screenshots.py PAGE FOLDER."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from browsing import open_browser, set_screen, wait_for, why_not

DRAWN = """[...document.querySelectorAll('.chart')].every((chart) => {
  const { top, bottom } = chart.getBoundingClientRect();
  return !chart.clientWidth || top > innerHeight || bottom < 0 || chart.querySelector('svg');
})"""


def take(browser: Any, page: str, name: Path, address: str, width: int, height: int, *, dark: bool = False) -> None:
    browser.get("about:blank")
    set_screen(browser, width, height, dark=dark)
    browser.get(f"{page}{address}")
    wait_for(browser, DRAWN)
    name.write_bytes(browser.get_screenshot_as_png())
    print(name, f"{name.stat().st_size:,} bytes")


def main() -> None:
    if reason := why_not():
        sys.exit(f"no browser: {reason}")
    page, folder = Path(sys.argv[1]).resolve().as_uri(), Path(sys.argv[2])
    browser = open_browser()
    try:
        take(browser, page, folder / "light.png", "", 1280, 800)
        take(browser, page, folder / "fields.png", "#fields", 1280, 960)
        take(browser, page, folder / "dark.png", "#changes", 1280, 960, dark=True)
        mixed = browser.execute_script("return document.querySelector('.record:has(tr.same):has(del)').id")
        take(browser, page, folder / "record.png", f"#{mixed}", 1280, 960)
        take(browser, page, folder / "narrow.png", "", 390, 844)
    finally:
        browser.quit()


if __name__ == "__main__":
    main()
