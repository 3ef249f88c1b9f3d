# SPDX-License-Identifier: GPL-3.0-or-later
"""Headless Chromium for the tests of the interactive report.

A test is a function test_*(browser) of a file test_*.py. It opens a report with browser.open(path) and
asserts. Errors and warnings on the console, and requests to anything but the file itself, fail it.
"""
import json
import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WAIT = 60  # seconds until a report is drawn


class Browser:
    """One browser window; each page in it is watched."""

    def __init__(self, width=1280, height=800, dark=False, javascript=True):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--hide-scrollbars", "--force-device-scale-factor=1",
                         "--disable-background-networking", "--disable-component-update",
                         "--enable-precise-memory-info", f"--window-size={width},{height}"):
            options.add_argument(argument)
        if not javascript:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.scheme(dark)
        self.paths = set()

    def close(self):
        self.driver.quit()

    def scheme(self, dark):
        """What the page sees as the reader's preferred color scheme."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, path, fragment="", ready=True, answer=False):
        """Loads a file; ready: waits until it is drawn; answer: with what is beside the figure. Returns the seconds that it took."""
        if not answer:
            fragment += "&a=0" if fragment else "#a=0"
        path = os.path.abspath(path)
        self.paths.add(path)
        # A change of the fragment alone would not load the page again.
        self.driver.get("about:blank")
        begin = time.monotonic()
        self.driver.get(f"file://{path}{fragment}")
        if ready:
            self.wait("return document.documentElement.dataset.tvState === 'ready'", "the report is drawn")
        took = time.monotonic() - begin
        if ready:
            # The size of the page may be reported after that, and then it is drawn once more.
            self.settle()
            self.wait("return typeof TV === 'undefined' || !TV.figure || TV.figure.layout !== null", "it is drawn again")
        return took

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, what, seconds=WAIT):
        end = time.monotonic() + seconds
        while not self.js(script):
            if time.monotonic() > end:
                raise AssertionError(f"within {seconds} s never: {what}")
            time.sleep(0.02)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def mouse(self, kind, x, y, **more):
        """One event of the mouse (mouseMoved, mousePressed, mouseReleased, mouseWheel) at a point of the page."""
        event = {"type": kind, "x": x, "y": y, "button": "none"}
        event.update(more)
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x, y, count=1):
        self.mouse("mouseMoved", x, y)
        for n in range(1, count + 1):
            self.mouse("mousePressed", x, y, button="left", clickCount=n, buttons=1)
            self.mouse("mouseReleased", x, y, button="left", clickCount=n)
        self.settle()

    def drag(self, x0, y0, x1, y1, modifiers=0):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, button="left", clickCount=1, buttons=1, modifiers=modifiers)
        for step in range(1, 6):
            self.mouse("mouseMoved", x0 + (x1 - x0) * step / 5, y0 + (y1 - y0) * step / 5, button="left", buttons=1,
                       modifiers=modifiers)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1, modifiers=modifiers)
        self.settle()

    def wheel(self, x, y, dy, dx=0, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=dx, deltaY=dy, modifiers=modifiers)
        self.settle()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

    def shot(self, name):
        """A screenshot, as PNG in the folder $SHOTS (default: build/browser)."""
        folder = os.environ.get("SHOTS", os.path.join(os.path.dirname(__file__), "../../build/browser"))
        os.makedirs(folder, exist_ok=True)
        self.driver.save_screenshot(os.path.join(folder, f"{name}.png"))

    def complaints(self):
        """What the page must not do, since the last call: messages on the console, requests."""
        # Chromium advises tests that read pixels often.
        found = [f"console: {entry['message']}" for entry in self.driver.get_log("browser") if "willReadFrequently" not in entry["message"]]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"]
            own = url.split("#")[0].removeprefix("file://") in self.paths
            if not own and not url.startswith(("data:", "blob:", "about:")):
                found.append(f"request: {url[:200]}")
        return found


__all__ = ["Browser", "By", "Keys", "WAIT"]
