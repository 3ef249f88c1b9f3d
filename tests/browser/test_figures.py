# SPDX-License-Identifier: GPL-3.0-or-later
"""SVG in a browser: text has the widths of the layout, whatever fonts the machine has."""
import os

from report import run


def texts(browser, path):
    """Of each text: the width that the layout gave it, that of the browser, and its box."""
    browser.open(path, ready=False)
    browser.driver.execute_async_script("const done = arguments[0]; document.fonts.ready.then(() => done())")
    return browser.js("""return [...document.querySelectorAll('text')].map(text => {
        const wanted = +text.getAttribute('textLength');
        text.removeAttribute('textLength');
        text.removeAttribute('lengthAdjust');
        const box = text.getClientRects()[0];
        return [text.textContent, wanted, text.getComputedTextLength(), box.left, box.top, box.right, box.bottom];
    })""")


def overlapping(boxes):
    """Pairs of texts that share more than a pixel across and two pixels down: lines of text are close."""
    return [(a[0], b[0]) for i, a in enumerate(boxes) for b in boxes[:i]
            if a[3] < b[5] - 1 and b[3] < a[5] - 1 and a[4] < b[6] - 2 and b[4] < a[6] - 2]


def test_svg_has_its_font(browser):
    if "harfbuzz-subset" not in run("--version"):
        return
    for name, options in (("cholesky.csv", []), ("cholesky-ws.csv", ["--width", "3.5"]), ("cholesky-2nodes", []),
                          ("qr-mumps-like.csv", ["--font-size", "10"])):
        path = os.path.join(os.environ["TV_TMP"], "figure.svg")
        run("-q", f"data/{name}", *options, "-o", path)
        boxes = texts(browser, path)
        wrong = [box[:3] for box in boxes if abs(box[1] - box[2]) > 0.1 + 0.01 * box[1]]
        assert not wrong, (name, wrong[:9])
        assert not overlapping(boxes), (name, overlapping(boxes)[:5])
