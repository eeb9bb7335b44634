"""A real browser on pages from disk, or of this machine: chromium by the WebDriver protocol of its chromedriver, without a library between."""
import base64
import json
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # as the protocol names it
KEYS = {"right": "\ue014", "left": "\ue012", "shift": "\ue008", "escape": "\ue00c", "page down": "\ue00f"}


class Browser:
    """Its window is width x height; what it saves goes to `folder`."""

    def __init__(self, folder, width=1440, height=900, dark=False):
        if not shutil.which("chromedriver") or not shutil.which("chromium"):
            print("skipped: no chromium and chromedriver (apt-get install chromium chromium-driver)")
            sys.exit(77)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if "successfully on port " in line:
                self.root = f"http://127.0.0.1:{line.split('on port ')[1].strip().rstrip('.')}"
                break
        # No host but this machine is found: what a page fetches from elsewhere is missing and told by errors().
        switches = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                    f"--window-size={width},{height}", f"--user-data-dir={folder}/profile_{width}_{dark}"]
        if dark:
            switches.append("--blink-settings=preferredColorScheme=0")
        options = {"args": switches, "prefs": {"download.default_directory": str(folder)}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        try:
            self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def ask(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.root + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, file):
        """Returns when all figures are there."""
        self.ask("POST", self.session + "/url", {"url": file.resolve().as_uri()})
        for _ in range(600):
            if self.run("return document.querySelectorAll('figure.plot > script').length === document.querySelectorAll('figure.has-live').length"):
                self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
                return
            time.sleep(0.1)
        raise RuntimeError("the figures did not come to life: " + str(self.errors()))

    def visit(self, address):
        self.ask("POST", self.session + "/url", {"url": address})

    def wait(self, script, *arguments, patience=60.0):
        """Until it returns what counts as true. -> that"""
        until = time.monotonic() + patience
        while not (found := self.run(script, *arguments)):
            if time.monotonic() > until:
                raise RuntimeError(f"it did not come true: {script}; {self.errors()}")
            time.sleep(0.05)
        return found

    def click(self, selector):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/click")

    def run(self, script, *arguments):
        return self.ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.ask("POST", self.session + "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def drag(self, selector, from_share, to_share):
        """Across an element, from and to a share of its width: with a mouse, as a hand does."""
        box = self.run("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]", selector)
        place = lambda share: {"type": "pointerMove", "duration": 50, "x": round(box[0] + share * box[2]), "y": round(box[1] + box[3] / 2)}
        actions = [place(from_share), {"type": "pointerDown", "button": 0}, place(to_share), {"type": "pointerUp", "button": 0}]
        self.ask("POST", self.session + "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})
        self.settle()

    def press(self, *keys):
        """On what has the focus; "shift+right" holds the one while it presses the other."""
        actions = []
        for key in keys:
            held = [KEYS.get(name, name) for name in key.split("+")] if len(key) > 1 else [key]
            actions += [{"type": "keyDown", "value": one} for one in held] + [{"type": "keyUp", "value": one} for one in reversed(held)]
        self.ask("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})
        self.settle()

    def settle(self):
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def picture(self, file):
        """Of the whole page."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return window.innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, 12000), "scale": 1}
        shot = self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": {"captureBeyondViewport": True, "clip": clip}})
        file.write_bytes(base64.b64decode(shot["data"]))

    def printed(self, file):
        """As A4."""
        page = self.ask("POST", self.session + "/print", {"page": {"width": 21.0, "height": 29.7}})
        file.write_bytes(base64.b64decode(page))

    def errors(self):
        return [entry["message"] for entry in self.ask("POST", self.session + "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]
