from pathlib import Path

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from support.waiting import PATIENCE

DRIVER = "/usr/bin/chromedriver"
TELEPHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
AXE = Path(Axe(None).script_url).read_text()


class Browser:
    """Debian's Chromium, as a person has it before them."""

    def __init__(self, *, dark=False, width=1280, height=900, language="en-US"):
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}",
            f"--window-size={width},{height}", "--force-device-scale-factor=1", "--hide-scrollbars",
        ):
            options.add_argument(argument)
        if dark:
            options.add_argument("--blink-settings=preferredColorScheme=0")
        settings = {"intl.accept_languages": language}
        options.add_experimental_option("prefs", settings)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_page_load_timeout(PATIENCE)
        self._is_dark, self._metrics = dark, None

    def close(self):
        self.driver.quit()

    def look(self, *, dark: bool = False, metrics: dict | None = None) -> "Browser":
        """Shows everything from now on as in the dark, or in a window of other metrics. Nothing is loaded again."""
        if dark != self._is_dark:
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            self._command("Emulation.setEmulatedMedia", features=[scheme])
        if metrics and metrics != self._metrics:
            self._command("Emulation.setDeviceMetricsOverride", **metrics)
        elif self._metrics and not metrics:
            self._command("Emulation.clearDeviceMetricsOverride")
        self._is_dark, self._metrics = dark, metrics
        return self

    def run_scripts(self, do: bool) -> "Browser":
        """Whether pages that are loaded from now on run their scripts."""
        self._command("Emulation.setScriptExecutionDisabled", value=not do)
        return self

    def expect(self, *, barriers: bool = False, leaving: bool = False) -> "Browser":
        """Prepares pages that are loaded from now on: to be looked at for barriers, and sheets to be left for another
        page, which is otherwise a no."""
        source = (AXE if barriers else "") + ("\nnavigator.sendBeacon = () => true;" if leaving else "")
        self._command("Page.addScriptToEvaluateOnNewDocument", source=source)
        return self

    def _command(self, name: str, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

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

    def barriers(self, *rules: str) -> list[str]:
        """What axe finds that keeps somebody from using the page, by all of its rules or by the given ones."""
        if not self.driver.execute_script("return window.axe !== undefined"):
            self.driver.execute_script(AXE)
        # This axe does not know that a dl may have its pairs in div.
        options = {
            "resultTypes": ["violations"], "preload": False, "iframes": False, "rules": {"dlitem": {"enabled": False}},
        }
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        found = self.driver.execute_async_script(
            "const done = arguments[1];"
            "axe.run(document, arguments[0]).then((found) => done(found.violations), (error) => done(String(error)))",
            options,
        )
        assert isinstance(found, list), f"{self.address}: {found}"
        return [
            f"{self.address}: {one['id']}, {one['help']}: {[node['html'][:120] for node in one['nodes']][:3]}"
            for one in found
            if one["impact"] in ("serious", "critical")
        ]

    def stretched(self) -> list[str]:
        """Boxes and radio buttons that are as wide as a field, so that their words stand below them."""
        ticked = "document.querySelectorAll('input[type=checkbox], input[type=radio]')"
        return self.driver.execute_script(
            f"return [...{ticked}].filter(one => one.offsetWidth > 40).map(one => one.name || one.id)"
        )

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def picture(self, file: Path):
        """The page from its head to its foot, and the whole window where it is higher."""
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        if self._metrics and height > self._metrics["height"]:
            self.look(dark=self._is_dark, metrics=self._metrics | {"height": min(height, 6000)})
        file.parent.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(file))
