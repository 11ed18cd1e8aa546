"""The report as a reader sees it, in a headless Chromium: what is shown after which click, and no complaint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fle_ray.report import write_report

from .browser import Browser, chromium, open_browser

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium found; on Debian: apt-get install -y chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as one:
        one.size(1300, 900)
        yield one


@pytest.fixture
def page(browser: Browser) -> Iterator[Browser]:
    """The browser; after the test nothing may have been complained of or asked for."""
    browser.complaints.clear()
    browser.requests.clear()
    yield browser
    assert browser.complaints == []
    assert browser.evaluate("reportProblems") == []
    assert browser.evaluate("window.hacked") is None
    assert all(url.startswith("file:") for url in browser.requests)


@pytest.fixture(scope="module")
def small(small_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    return write_report([small_run], path, compared=("careful", "idle")).as_uri()


@pytest.fixture(scope="module")
def large(large_run: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report([large_run], tmp_path_factory.mktemp("report") / "report.html").as_uri()


def show(page: Browser, url: str, where: str, ready: str) -> None:
    page.go("about:blank")
    page.go(url + where)
    page.wait("document.body.dataset.readyMs")
    page.wait(ready)


def episode_number(page: Browser, episode_id: str) -> int:
    return page.evaluate(f"overview.episodes.findIndex((e) => e.episode_id === {json.dumps(episode_id)})")


def test_the_overview_shows_totals_grid_intervals_and_the_verdict(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    assert "2 / 4episodes played / planned" in page.text("#totals")
    assert "2owed" in page.text("#totals")
    assert page.text("#comparison .verdict").startswith("No verdict")
    assert "1 owed" in page.text("#grid")
    assert "21 % – 100 %" in page.text("#success")
    assert page.evaluate("document.querySelectorAll('#success svg.interval').length") == 2


def test_a_click_on_the_grid_leads_to_the_episode_and_its_steps(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    page.evaluate("[...document.querySelectorAll('#grid a')].find((a) => a.textContent.includes('1 / 1')).click()")
    page.wait("document.getElementById('step-title')")
    assert page.text("#step-title") == "Step 3"
    assert page.evaluate("document.querySelector('#next').disabled") is True
    page.click("#previous")
    page.wait("document.querySelector('#step-title').textContent === 'Step 2'")
    page.wait("document.querySelector('#map svg')")
    titles = page.evaluate("[...document.querySelectorAll('#map title')].map((t) => t.textContent)")
    assert any(title.startswith("burner-mining-drill at (20, 80), facing east") for title in titles)
    assert "+10" in page.text("#flows") and "(2 by hand)" in page.text("#flows")
    assert "+10 iron-plate" in page.text("#inventory") and "−1 coal" in page.text("#inventory")


def test_the_failing_line_is_marked_and_what_the_agent_wrote_stays_text(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'won')}/1'")
    page.wait("document.getElementById('failure')")
    assert page.evaluate("document.querySelector('#program .failed').dataset.line") == "2"
    assert page.text("#program .failed") == 'b"""'
    assert "</script><img src=x onerror=" in page.text("#output")
    assert "NameError" in page.text("#failure") and "(line 2)" in page.text("#failure")
    assert page.evaluate("document.querySelectorAll('main img, main script').length") == 0
    assert "It failed." in page.text("#conversation")
    assert "50 more calls" in page.text("#step")


def test_a_state_that_cannot_be_drawn_says_why(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'won')}/3'")
    page.wait("document.getElementById('map')")
    assert "cannot be drawn: This is no snapshot" in page.text("#map")


def test_a_click_on_the_time_line_chooses_the_step(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'lost')}'")
    page.wait("document.getElementById('timeline')")
    left, top = page.evaluate(
        "(({left, top}) => [left, top])(document.querySelector('#timeline').getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=left + 50, y=top + 80, button="left", clickCount=1)
    page.wait("document.querySelector('#step-title').textContent === 'Step 1'")
    page.send("Input.dispatchKeyEvent", type="keyDown", key="ArrowLeft", code="ArrowLeft")
    page.wait("document.querySelector('#step-title').textContent === 'Step 0'")


def test_the_map_can_be_brought_closer_and_stays_so_from_step_to_step(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'won')}/2'")
    page.wait("document.querySelector('#map svg')")
    before = page.evaluate("document.querySelector('#map svg').getAttribute('viewBox')")
    page.click("#map button")
    after = page.evaluate("document.querySelector('#map svg').getAttribute('viewBox')")
    assert float(after.split()[2]) < float(before.split()[2])
    page.click("#previous")
    page.wait("document.querySelector('#step-title').textContent === 'Step 1'")
    page.click("#next")
    page.wait("document.querySelector('#map svg')")
    assert page.evaluate("document.querySelector('#map svg').getAttribute('viewBox')") == after


def test_a_map_with_anything_but_shapes_is_refused(page: Browser, small: str):
    show(page, small, "", "document.getElementById('grid')")
    for bad in ("<script>1</script>", '<path onload="1"/>', "<image/>", '<a href="x"/>', "<foreignObject/>"):
        text = json.dumps(f'<svg xmlns="http://www.w3.org/2000/svg">{bad}</svg>')
        assert page.evaluate(
            f"(() => {{ try {{ picture({text}); }} catch (e) {{ return e.message; }} }})()"
        ).startswith("a map holds")
    # The policy stops the handler as well, and says so.
    assert all("Content Security Policy" in complaint for complaint in page.complaints)
    page.complaints.clear()


def test_search_finds_programs_outputs_and_errors(page: Browser, small: str):
    show(page, small, "#/search?q=STEP%202", "document.querySelector('#search-state')?.dataset.done")
    assert page.text("#search-state").startswith("2 places")
    assert page.evaluate("document.querySelector('#hits mark').textContent") == "step 2"
    page.click("#hits a")
    page.wait("document.getElementById('step-title')")
    assert page.text("#step-title") == "Step 2"


def test_filters_narrow_the_list_of_episodes(page: Browser, small: str):
    show(page, small, "#/episodes", "document.getElementById('count')")
    assert page.text("#count") == "4 of 4 episodes"
    page.evaluate("document.getElementById('filter-outcome').value = 'success'")
    page.evaluate("document.getElementById('filter-outcome').dispatchEvent(new Event('change')) && null")
    assert page.text("#count") == "1 of 4 episodes"
    assert "won" in page.text(".list")
    page.click(".list .row")
    page.wait("document.getElementById('step-title')")


@pytest.mark.slow
def test_thousands_of_episodes_and_steps_make_no_more_than_what_is_in_sight(page: Browser, large: str):
    show(page, large, "#/episodes", "document.querySelector('.list .row')")
    assert page.text("#count") == "3,001 of 3,001 episodes"
    assert page.evaluate("document.querySelectorAll('.list .row').length") < 100
    page.evaluate("document.querySelector('.list').scrollTop = 60000")
    page.wait("[...document.querySelectorAll('.list .row')].some((r) => parseInt(r.style.top) > 59000)")
    assert page.evaluate("document.querySelectorAll('.list .row').length") < 100
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'long')}/3999'")
    page.wait("document.getElementById('step-title')")
    assert page.text("#step-title") == "Step 3999"
    assert page.evaluate("document.querySelector('#timeline canvas').width") <= 1300
    assert page.evaluate("document.querySelectorAll('main *').length") < 400
    page.evaluate(f"location.hash = '#/episode/{episode_number(page, 'long')}/57'")
    page.wait("document.querySelector('#step-title').textContent === 'Step 57'")
