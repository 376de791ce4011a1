"""The staff desk in real Chromium: how it looks, and worked by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import (
    PASSPHRASE,
    House,
    arrive,
    complaints_of_axe,
    looks_right,
    picture,
    sign_in,
    sign_up,
    visitor,
)
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
LIST = "/admin/ledger/contradiction/"
OTHER_PAGES = {
    "start": "/admin/",
    "people": "/admin/accounts/user/",
    "work": "/admin/accounts/work/",
    "quality": "/admin/memory/sitequality/",
    "lessons": "/admin/memory/lesson/?state=read",
    "reports": "/admin/memory/lessonreport/",
    "figures": "/admin/memory/experienceday/",
    "personas": "/admin/personas/persona/",
    "proposals": "/admin/personas/personaproposal/",
    "classifiers": "/admin/ledger/profileclassifier/",
    "flags": "/admin/accounts/flag/",
}


def asks_for_help(page: Page) -> str:
    """Somebody who told two employers and asked staff for help."""
    email = sign_up(page)
    new_conversation(page, "I work at Initech")
    new_conversation(page, "I work at Umbrella")
    page.goto("/notebook/conflicts/")
    arrive(page.locator("main a[href*='/notebook/conflicts/0']").first)
    page.get_by_text("Ask staff for help").click()
    arrive(page.locator(".settle-help button"))
    expect(page.locator(".settle-help")).to_contain_text("Staff can read both values")
    return email


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused: Any = page.evaluate(
            "[document.activeElement.innerText, document.activeElement.id].join(' ')"
        )
        if name in focused:
            return
    pytest.fail(f"{name} cannot be reached with Tab.")


def test_the_desk_stands_up_to_axe_and_is_worked_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        email = asks_for_help(page)
    with visitor(browser, house) as page:
        sign_in(page, "mira@example.org")
        for name, path in OTHER_PAGES.items():
            page.goto(path)
            looks_right(page, f"desk-{name}")
        page.goto(LIST)
        looks_right(page, "desk")
        page.get_by_role("checkbox", name="Select this object").first.check()
        page.get_by_role("combobox", name="Action").select_option("dismiss")
        arrive(page.get_by_role("button", name="Go"))
        looks_right(page, "desk-dismiss")

        page.goto(LIST)
        tab_to(page, email)
        page.keyboard.press("Enter")
        expect(page.locator("#content h1")).to_contain_text("Umbrella")
        looks_right(page, "desk-one")
        address = page.url
        page.get_by_label("Settle as").select_option("timeline")
        page.get_by_role("button", name="Settle and tell").click()
        expect(page.locator("#id_reason_error")).to_contain_text("will read it")
        looks_right(page, "desk-error")
        page.goto(address)
        tab_to(page, "id_resolution")
        page.keyboard.type("Umbrella")
        tab_to(page, "id_reason")
        page.keyboard.type("You said so last")
        tab_to(page, "Settle and tell")
        page.keyboard.press("Enter")
        expect(page.locator(".messagelist")).to_contain_text("will see who settled it")
    with visitor(browser, house) as page:
        sign_in(page, email, PASSPHRASE)
        notice = page.locator(".side-answered a")
        expect(notice).to_contain_text("Staff settled the conflict about your employer")
        picture(page, "desk-notice")
        assert complaints_of_axe(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".bar-answered a")).to_be_visible()
        assert complaints_of_axe(page) == []
        page.set_viewport_size({"width": 1280, "height": 960})
        notice.click()
        expect(page.locator("main")).to_contain_text("Umbrella")
        page.goto("/talk/")
        expect(page.locator(".side-answered")).to_have_count(0)


# A job that was given up and one that is failing, neither of which the worker takes up.
FAILED_JOBS = """
from datetime import timedelta
from uuid import uuid4
from django.utils.timezone import now
from accounts.database.isolation import acting_as_worker
from accounts.models import Work
failed = {"failure": "TimeoutError", "failed_at": now() - timedelta(minutes=5)}
later = now() + timedelta(days=1)
with acting_as_worker():
    Work.objects.create(kind="topics", subject=uuid4(), run_after=now(), attempts=6, **failed)
    Work.objects.create(kind="compact", subject=uuid4(), run_after=later, attempts=3, **failed)
"""


def test_staff_drop_a_failed_job_on_a_phone(browser: Browser, house: House) -> None:
    house.manage("shell", "-c", FAILED_JOBS)
    with visitor(browser, house, size="390") as page:
        sign_in(page, "mira@example.org")
        page.goto("/admin/")
        arrive(page.get_by_role("link", name="Health"))
        expect(page.get_by_role("heading", name="Given up")).to_be_visible()
        looks_right(page, "desk-health")
        page.locator("summary", has_text="Drop").click()
        looks_right(page, "desk-health-drop")
        page.get_by_role("button", name="Drop the job topics").click()
        expect(page.locator(".messagelist")).to_contain_text("The job was dropped.")
        expect(page.get_by_role("button", name="Drop the job")).to_have_count(0)
        expect(page.locator("section", has_text="Last failures")).to_contain_text("compact")
