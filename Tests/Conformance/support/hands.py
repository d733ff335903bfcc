"""The ways in which somebody uses a page: with a pointer, with a thumb on a telephone, with a keyboard alone."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support.browser import Browser
from support.waiting import eventually, wait_until

THUMB = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


# What somebody reads on a thing that can be pressed, without the letter that leads to it.
WORDS = """
const words = (one) => {
  const text = one.innerText.trim(), letter = one.querySelector("kbd")?.innerText.trim();
  return (letter && text.endsWith(letter) ? text.slice(0, -letter.length) : text).trim();
};
"""


class Pointer:
    """Points at things and clicks them, in a window as wide as a desk."""

    metrics: dict | None = None

    def __init__(self, browser: Browser):
        self.browser = browser.look(metrics=self.metrics)

    def open(self, address: str) -> "Pointer":
        self.browser.open(address)
        self.look()
        return self

    def look(self):
        """What holds of every page that is seen on the way."""
        assert self.browser.overflow() <= 0, f"{self.browser.address} is wider than its window"

    def fill(self, **fields: str) -> "Pointer":
        for name, value in fields.items():
            field = self.find(name)
            if field.tag_name == "select":
                self.choose(field, value)
            elif field.get_attribute("type") in ("radio", "checkbox"):
                self.tick(self.browser.driver.find_element(By.CSS_SELECTOR, f'[name="{name}"][value="{value}"]'))
            else:
                self.type(field, value)
        return self

    def find(self, name: str):
        shown = [one for one in self.browser.all(f'main [name="{name}"]') if one.get_attribute("type") != "hidden"]
        assert shown, f"{self.browser.address} has no field {name}: {self.browser.text[:400]!r}"
        return shown[0]

    def choose(self, field, value: str):
        Select(field).select_by_value(value)

    def tick(self, field):
        # What is seen of it is its label.
        label = self.browser.driver.execute_script("return arguments[0].labels[0] ?? arguments[0]", field)
        self.click(label)

    def type(self, field, value: str):
        self.click(field)
        field.clear()
        field.send_keys(value)

    def press(self, text: str) -> "Pointer":
        before = self.browser.driver.find_element(By.TAG_NAME, "html")
        self.activate(text)
        self.wait_for_another(before)
        self.look()
        return self

    def unfold(self, text: str) -> "Pointer":
        """Opens what is folded under some words."""
        self.activate(text)
        return self

    def activate(self, text: str):
        find = "return [...document.querySelectorAll('a, button, summary')].find((one) => words(one) === arguments[0])"

        def found():
            return self.browser.driver.execute_script(WORDS + find, text)

        if not eventually(found, 20):
            raise AssertionError(f"nothing is called {text!r} on {self.browser.address}: {self.browser.text!r}")
        self.click(found())

    def click(self, element):
        """Scrolls until it is well in sight, as somebody does for whom the bar at the lower edge lies over it."""
        self.browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def wait_for_another(self, before):
        def is_gone() -> bool:
            try:
                before.is_enabled()
                return False
            except Exception:  # It was of the page that was left.
                return True

        wait_until(is_gone)
        self.browser.wait_for("")

    def wait_for(self, *words: str) -> "Pointer":
        self.browser.wait_for(*words)
        return self


class Thumb(Pointer):
    """The same on a telephone, 390 pixels wide."""

    metrics = THUMB


class Typist(Pointer):
    """Goes through a page by Tab, types, and presses Enter: nothing is pointed at."""

    most = 400

    def _strike(self, *keys: str):
        ActionChains(self.browser.driver).send_keys(*keys).perform()

    def _go(self, is_there: str, *arguments):
        """Presses Tab until the focus is where a script says."""
        script = WORDS + f"const one = document.activeElement; return {is_there};"
        for _ in range(self.most):
            if self.browser.driver.execute_script(script, *arguments):
                seen = "const box = one.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight"
                assert self.browser.driver.execute_script("const one = document.activeElement;" + seen)
                return
            self._strike(Keys.TAB)
        raise AssertionError(f"Tab never came to {arguments} on {self.browser.address}")

    def choose(self, field, value: str):
        self._go("one === arguments[0]", field)
        name = field.find_element(By.CSS_SELECTOR, f'option[value="{value}"]').text
        self._strike(name)

    def tick(self, field):
        if field.get_attribute("type") == "checkbox":
            self._go("one === arguments[0]", field)
            self._strike(" ")
            return
        # Radio buttons of one name are one stop; arrows go through them.
        self._go("one.name === arguments[0].name", field)
        for _ in range(20):
            if self.browser.driver.execute_script("return arguments[0].checked", field):
                return
            is_first = self.browser.driver.execute_script("return document.activeElement === arguments[0]", field)
            self._strike(" " if is_first else Keys.ARROW_DOWN)

    def type(self, field, value: str):
        self._go("one === arguments[0]", field)
        ActionChains(self.browser.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self._strike(value)

    def activate(self, text: str):
        self._go("one.matches('a, button, summary') && words(one) === arguments[0]", text)
        self._strike(Keys.ENTER)
