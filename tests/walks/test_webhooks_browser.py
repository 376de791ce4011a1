"""Webhooks in real Chromium, with a worker that sends to a receiver on this machine."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import PASSPHRASE, House, looks_right, running_house, sign_up, visitor
from tests.webhooks.receiver import Receiver, receiving

pytestmark = pytest.mark.browser
PAGE = "/account/webhooks/"


@pytest.fixture(scope="module")
def open_house() -> Iterator[House]:
    """A copy that may call machines of its own network."""
    with running_house(WEBHOOK_PRIVATE_ADDRESSES="1") as house:
        yield house


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def add(page: Page, url: str) -> str:
    """Add one on the page, and return its secret."""
    page.get_by_label("Address").fill(url)
    page.get_by_label("What is it for?").fill("A lamp in the hall that blinks for each new memory")
    page.get_by_label("A copy of your data is ready").check()
    page.get_by_role("button", name="Add webhook").press("Enter")
    page.get_by_label("Your password").fill(PASSPHRASE)
    page.get_by_role("button", name="Continue").press("Enter")
    return page.get_by_label("Secret of the webhook").input_value()


def sent_after_reloading(page: Page, log: Locator) -> None:
    """Reload until the log says that the event was sent; the last check says what it shows."""
    for _ in range(300):
        if log.get_by_text("Sent").count():
            return
        page.wait_for_timeout(200)
        page.reload()
    expect(log).to_contain_text("Sent")


def test_what_is_remembered_is_sent_by_the_worker_and_seen_in_the_log(
    browser: Browser, open_house: House, receiver: Receiver
) -> None:
    with visitor(browser, open_house) as page:
        sign_up(page)
        page.goto("/account/")
        page.get_by_role("link", name="Manage webhooks").press("Enter")
        expect(page.get_by_role("heading", name="No webhooks yet")).to_be_visible()
        looks_right(page, "webhooks-empty")
        secret = add(page, receiver.url)
        looks_right(page, "webhooks-made")
        page.goto("/notebook/memories/add/")
        page.get_by_label("What should I remember?").fill("Cycles to the office")
        page.get_by_role("button", name="Save").press("Enter")
        page.goto(PAGE)
        page.get_by_role("link", name="Open A lamp in the hall").press("Enter")
        page.get_by_role("button", name="Send a test event").press("Enter")
        log = page.get_by_role("listitem").filter(has_text="Test event")
        sent_after_reloading(page, log)
        types = {event["type"] for event in receiver.verified(secret)}
        assert types == {"memory.added", "webhook.test"}
        looks_right(page, "webhook-log")
        page.get_by_role("link", name="Test event").press("Enter")
        expect(page.get_by_role("heading", name="What’s sent")).to_be_visible()
        looks_right(page, "webhook-delivery")
