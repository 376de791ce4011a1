"""The page for connecting a language model in real Chromium: tried, saved and removed."""

import pytest
from playwright.sync_api import Browser, expect

from tests.fakes.model_server import ModelServer, failing, normal
from tests.live import House, arrive, looks_right, sign_in, visitor

pytestmark = pytest.mark.browser
KEY = "sk-proj-aQ7xP2mZ9vK4tW8yB3nC"


def test_staff_try_a_model_save_it_and_go_back(browser: Browser, house: House) -> None:
    with ModelServer(normal("Paris", usage=(20, 1))) as server, visitor(browser, house) as page:
        sign_in(page, "mira@example.org")
        page.get_by_label("Account menu").click()
        arrive(page.get_by_role("link", name="Language model"))
        expect(page.get_by_text("No model is set here or in the environment")).to_be_visible()
        page.get_by_label("Endpoint").fill(server.url)
        page.get_by_label("Key", exact=True).fill(KEY)
        page.get_by_label("Chat model").fill("small")
        server.play(failing(401))
        page.get_by_role("button", name="Try it").press("Enter")
        expect(page.get_by_text("The server refused the key.")).to_be_visible()
        looks_right(page, "model-refused")
        server.play(normal("Paris", usage=(20, 1)))
        page.get_by_role("button", name="Try it").press("Enter")
        expect(page.get_by_text("small answered: Paris")).to_be_visible()
        # What was typed is still there to be saved.
        expect(page.get_by_label("Key", exact=True)).to_have_value(KEY)
        looks_right(page, "model-tried")
        arrive(page.get_by_role("button", name="Save"))
        expect(page.get_by_text("small at 127.0.0.1")).to_be_visible()
        expect(page.get_by_text(f"its key ends in {KEY[-4:]}")).to_be_visible()
        expect(page.get_by_label("Key", exact=True)).to_have_value("")
        looks_right(page, "model-saved")
        arrive(page.get_by_role("button", name="Use the environment’s settings again"))
        expect(page.get_by_text("No model is set here or in the environment")).to_be_visible()
        page.get_by_label("Endpoint").fill("http://models.example/v1?key=x")
        page.get_by_role("button", name="Try it").press("Enter")
        expect(page.get_by_text("Endpoint: Leave passwords")).to_be_visible()
        looks_right(page, "model-wrong")
