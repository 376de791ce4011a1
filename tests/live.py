"""The whole house as a person starts it: `manage.py up` on its own port and data, and a browser."""

import fcntl
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from tests.database import shared_directory
from tests.fakes.model_server import ModelServer

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium")
REQUIRED = os.environ.get("THROUGHLINE_REQUIRE_BROWSER") == "1"
# Where the walks leave pictures of the pages; nothing is kept without it.
PICTURES = os.environ.get("THROUGHLINE_PICTURES", "")
SIZES = {"1280": (1280, 960), "390": (390, 844)}
# A large window at 200 %, and at 400 %: nothing sticks out there either.
ENLARGED = (640, 320)
SHOWN_TO_AXE = {"1280": "light", "390": "dark"}
# It ends a hung start, and is far from any that works.
READY_SECONDS = 1800
# A page whose script is still on its way: what is done now goes as on a page without one.
NOT_READY = "html:not([data-ready]):has(script[src*='js/app.'])"
WALKED_TWICE = "walked twice"
# What of a page sticks out of the window, if the page scrolls sideways.
TOO_WIDE = """
document.documentElement.scrollWidth > innerWidth
    ? [...document.querySelectorAll("body *")]
        .filter(one => one.getBoundingClientRect().right > innerWidth)
        .map(one => one.outerHTML.slice(0, 160))
    : []
"""
# A violation is told by its first element; what is no violation is not told at all.
LOOK = """
axe.run({resultTypes: ["violations"]}).then(found =>
    found.violations.map(one => `${one.id}: ${one.nodes[0].html.slice(0, 160)}`))
"""
PASSPHRASE = "a long enough phrase 42"
_addresses = itertools.count(1)


@dataclass(frozen=True)
class House:
    """A running copy: where it answers, and where it keeps its things."""

    url: str
    data_dir: Path

    def manage(self, *words: str) -> str:
        """Run a management command against this copy and return what it printed."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=_environment(self.data_dir),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def token(self, email: str) -> str:
        """A fresh API token."""
        return self.manage("create_token", email).strip()


def _environment(data_dir: Path, **more: str) -> dict[str, str]:
    # Every walk signs up somebody new, all from one address.
    return os.environ | {"DATA_DIR": str(data_dir), "SIGN_UP_LIMIT": "1000/m/ip", **more}


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_house(data_dir: Path | None = None, **environment: str) -> Iterator[House]:
    """Start `manage.py up`, wait until it is healthy, and stop it the way Ctrl-C does.

    Without a place of its own it begins with what a first start leaves behind.
    """
    place = data_dir or a_copy()
    place.chmod(0o711)
    port = free_port()
    log = place / "up.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=_environment(place, PORT=str(port), **environment),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        house = House(f"http://127.0.0.1:{port}", place)
        try:
            _wait_until_healthy(house, process, log)
            yield house
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            finally:
                process.kill()
                if data_dir is None:
                    shutil.rmtree(place, ignore_errors=True)


def a_copy(place: Path | None = None) -> Path:
    """A data directory as a first start leaves it: tables, static files, demonstration people.

    The first who asks in a run starts the product on an empty one, and keeps that for the others.
    """
    place = place or Path(tempfile.mkdtemp(prefix="throughline-house-"))
    first = shared_directory() / "first"
    with (shared_directory() / "first.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not first.exists():
            with tempfile.TemporaryDirectory(prefix="throughline-house-") as empty:
                with running_house(Path(empty)) as house:
                    # Returns when everything is written that a start writes beside.
                    house.manage("demo")
                _copy(Path(empty), first)
    _copy(first, place)
    return place


def _copy(start: Path, end: Path) -> None:
    # Not shutil: under root the database's files belong to somebody else, and stay so.
    end.mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", "--reflink=auto", f"{start}/.", str(end)], check=True)


def _wait_until_healthy(house: House, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + READY_SECONDS
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{house.url}/healthz", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    pytest.fail(f"The house did not come up:\n{log.read_text()}")


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """A copy without a language model, shared by all walks."""
    with running_house() as up:
        yield up


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """The scripted model that the other copy speaks to."""
    with ModelServer(script="normal") as server:
        yield server


@pytest.fixture(scope="session")
def house_with_model(model: ModelServer) -> Iterator[House]:
    """A copy whose OPENAI_BASE_URL names the scripted model."""
    with running_house(OPENAI_BASE_URL=model.url, MODEL_READ_TIMEOUT="5") as up:
        yield up


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; without it these walks are skipped, unless they are required.

    A file has its own: while one is open a loop runs in this thread, and Django refuses to ask the
    database for the tests that come after the walks.
    """
    if CHROMIUM is None:
        if REQUIRED:
            pytest.fail("Chromium is required here and is not installed.")
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def visitor(
    browser: Browser, house: House, *, size: str = "1280", dark: bool = False, script: bool = True
) -> Iterator[Page]:
    """A window of its own; whatever the page complains about fails the walk."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=house.url,
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        java_script_enabled=script,
    )
    page = context.new_page()
    if script:
        # Before every deed and every expectation the page gets ready; it takes care of itself.
        page.add_locator_handler(page.locator(NOT_READY), lambda: None)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: complaints.append(message.text) if _is_complaint(message) else None,
    )
    yield page
    context.close()
    assert not complaints, complaints


def _is_complaint(message: object) -> bool:
    text = str(getattr(message, "text", ""))
    # A refused request is told to the person on the page; the console repeats it.
    return getattr(message, "type", "") == "error" and "Failed to load resource" not in text


def an_address() -> str:
    """Nobody's so far."""
    return f"newcomer{next(_addresses)}@example.org"


def sign_up(page: Page) -> str:
    """A newcomer with an empty notebook, on an empty page; their form is sent without a look."""
    email = an_address()
    form = page.request.get("/accounts/signup/").text()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
    assert token is not None
    filled = {"email": email, "password1": PASSPHRASE, "csrfmiddlewaretoken": token[1]}
    filled["memory_on"] = "true"
    answer = page.request.post("/accounts/signup/", form=filled, max_redirects=0)
    assert answer.headers.get("location") == "/talk/", (answer.status, answer.text())
    page.goto("/talk/")
    return email


def sign_in(page: Page, email: str, password: str = "throughline-demo") -> None:
    """Through the sign-in page, as a person does."""
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/talk/")


def arrive(control: Locator) -> None:
    """Press what leads to another page, and be there: a click alone may return on the old one."""
    with control.page.expect_navigation():
        control.click()


def say(page: Page, text: str) -> None:
    """Type, press Enter, and wait for the whole answer."""
    before = page.locator("article.answer:not([aria-busy])").count()
    page.locator("#id_content").fill(text)
    page.locator("#id_content").press("Enter")
    page.locator("article.answer:not([aria-busy])").nth(before).wait_for(timeout=15_000)


def last_answer(page: Page) -> str:
    """The text of the newest answer, with what was noted."""
    return page.locator("article.answer").last.inner_text()


def picture(page: Page, name: str, *, whole: bool = False) -> None:
    """Leave a picture where THROUGHLINE_PICTURES says."""
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=whole, style="", caret="initial")


def looks_right(
    page: Page, name: str, *, whole: bool = True, sizes: Iterable[str] = tuple(SIZES)
) -> None:
    """In all sizes, in light and dark: a picture, no complaint of axe, nothing beside the window.

    A large page is shown to axe in light and a small one in dark, so that it sees each size and
    each colour once; in the other two it finds the same. The page keeps the size it came with.
    """
    came_with = page.viewport_size
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            # Not awaited: a window that is not drawn just now never comes to their end.
            page.evaluate("document.getAnimations().forEach(one => one.finish())")
            picture(page, f"{name}-{size}-{theme}", whole=whole)
            if theme == SHOWN_TO_AXE[size]:
                complaints = complaints_of_axe(page)
                assert complaints == [], f"{name}, {size}, {theme}: {complaints}"
        too_wide = page.evaluate(TOO_WIDE)
        assert too_wide == [], f"{name}, {size}: {too_wide}"
    for width in ENLARGED:
        page.set_viewport_size({"width": width, "height": 844})
        too_wide = page.evaluate(TOO_WIDE)
        assert too_wide == [], f"{name}, {width}: {too_wide}"
    if came_with:
        page.set_viewport_size(came_with)


def complaints_of_axe(page: Page) -> list[str]:
    """What axe finds, one line a violation. A page is handed axe once, and asked as often."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe_script())
    return list(page.evaluate(LOOK))


@cache
def _axe_script() -> str:
    return str(Axe().axe_script)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A walk in a browser that failed is walked once more, and the output tells why.

    On two busy cores Chromium stands still now and then; what is broken is broken the second time.
    """
    if "browser" not in getattr(item, "fixturenames", ()):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if failed := [one for one in reports if one.failed]:
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        # It travels with the report, from whichever process walked.
        reports[-1].user_properties.append((WALKED_TWICE, failed[0].longreprtext[-600:]))
    for one in reports:
        item.ihook.pytest_runtest_logreport(report=one)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was walked twice, and why."""
    for reports in terminalreporter.stats.values():
        for one in reports:
            told = dict(getattr(one, "user_properties", ()))
            if WALKED_TWICE in told:
                terminalreporter.write_line(f"Walked twice: {one.nodeid}\n{told[WALKED_TWICE]}\n")
