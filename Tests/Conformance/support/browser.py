from pathlib import Path

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from support.waiting import PATIENCE

DRIVER = "/usr/bin/chromedriver"


class Browser:
    """Debian's Chromium, as a person has it before them."""

    def __init__(self, *, dark=False, width=1280, height=900, language="en-US", script=True):
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}",
            f"--window-size={width},{height}", "--force-device-scale-factor=1", "--hide-scrollbars",
        ):
            options.add_argument(argument)
        if dark:
            options.add_argument("--blink-settings=preferredColorScheme=0")
        settings = {"intl.accept_languages": language}
        if not script:
            settings["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", settings)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_page_load_timeout(PATIENCE)

    def close(self):
        self.driver.quit()

    def open(self, address: str) -> "Browser":
        self.driver.get(address)
        return self

    @property
    def address(self) -> str:
        return self.driver.current_url

    @property
    def text(self) -> str:
        return self.driver.find_element(By.TAG_NAME, "body").text

    def all(self, selector: str) -> list:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait_for(self, *words: str) -> "Browser":
        """Until all of the words are on the page; nobody loads it again."""
        try:
            WebDriverWait(self.driver, PATIENCE).until(lambda _: all(word in self._shown() for word in words))
        except Exception as error:
            raise AssertionError(f"{self.address} never showed {words}, but {self._shown()!r}") from error
        return self

    def _shown(self) -> str:
        try:
            return self.text
        except Exception:  # The page is being replaced.
            return ""

    def fill(self, **fields: str) -> "Browser":
        for name, value in fields.items():
            field = self.driver.find_element(By.NAME, name)
            field.clear()
            field.send_keys(value)
        return self

    def choose(self, name: str, value: str) -> "Browser":
        Select(self.driver.find_element(By.NAME, name)).select_by_value(value)
        return self

    def press(self, text: str) -> "Browser":
        """Presses a button, or follows a link, by its words."""
        wait = WebDriverWait(self.driver, PATIENCE, ignored_exceptions=[StaleElementReferenceException])
        try:
            wait.until(lambda _: self._press(text))
        except TimeoutException as error:
            raise AssertionError(f"there is nothing called {text!r} on {self.address}: {self._shown()!r}") from error
        return self

    def _press(self, text: str) -> bool:
        """A page that follows the store may replace what was just found."""
        for element in self.all("button, a, summary"):
            if element.text.strip() == text and element.is_displayed():
                element.click()
                return True
        return False

    def errors(self) -> list[str]:
        """What the browser complained of: a refused script or style, a broken picture; not a form that was refused."""
        messages = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        return [message for message in messages if "responded with a status of 40" not in message]

    def barriers(self) -> list[str]:
        """What axe finds that keeps somebody from using the page."""
        axe = Axe(self.driver)
        axe.inject()
        found = axe.run()["violations"]
        return [
            f"{self.address}: {one['id']}, {one['help']}: {[node['html'][:120] for node in one['nodes']][:3]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def picture(self, file: Path, whole: bool = False):
        if whole:
            # The window is higher than the page in it by what the browser keeps for itself.
            height = self.driver.execute_script("return document.documentElement.scrollHeight + outerHeight - innerHeight")
            width = self.driver.get_window_size()["width"]
            self.driver.set_window_size(width, max(400, min(height, 4000)))
        file.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(file))
