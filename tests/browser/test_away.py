# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking away: SVG, PNG, CSV and the command that draws the view."""
import base64
import csv
import io
import os
import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as xml

from report import PROGRAM, ROOT, ns, report, run
from test_look import RUN, app, cholesky, longest, window

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


def temporary(name):
    return os.path.join(os.environ["TV_TMP"], name)


def saved(browser, name):
    """What a button of the menu saves: (name of the file, bytes)."""
    browser.js("""window.taken = []; HTMLAnchorElement.prototype.click = function () {
        const name = this.download; fetchBlob(this.href).then((text) => window.taken.push([name, text])); };
        window.made = []; const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.made.push(blob); return make.call(URL, blob); };
        window.fetchBlob = () => new Promise((done) => { const reader = new FileReader();
            reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(window.made[window.made.length - 1]); });""")
    browser.keys("e")
    browser.find(f'[data-save="{name}"]').click()
    browser.wait("return window.taken.length > 0", "a file is saved")
    file, text = browser.js("return window.taken[0]")
    return file, base64.b64decode(text)


def colors_at(browser, path, points):
    """Pixels of a picture, read by a page that has it as its image."""
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    kind = "svg+xml" if path.endswith("svg") else "png"
    return browser.driver.execute_async_script("""
        const [url, points, done] = arguments, image = new Image();
        image.onerror = () => done(null);
        image.onload = () => { const canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height;
            const context = canvas.getContext('2d', {willReadFrequently: true}); context.drawImage(image, 0, 0);
            done([image.width, image.height, ...points.map(([x, y]) => [...context.getImageData(x * image.width, y * image.height, 1, 1).data].slice(0, 3))]); };
        image.src = url;""", f"data:image/{kind};base64,{data}", points)


def middle_points(browser, n=40):
    """Middles of items of the first chart that are seen, as shares of the exported picture; and the color there on the canvas."""
    return browser.js("""const f = TV.figure, chart = TV.scene.charts[0], place = f.layout.frames[chart.frame.number], found = [], high = TV.exporting.height();
        f.frame();
        for (let i = 0; i < chart.n && found.length < arguments[0]; i++) { const box = f.itemBox(place, chart, i);
            if (box.x1 - box.x0 < 12 || box.x0 < place.left || box.x1 > place.left + place.width) continue;
            const x = Math.round(box.x0 + 3), y = Math.round(box.y0 + 3);
            found.push([[(x + 0.5) / f.width, (y + 26 + 0.5) / high], [...f.context.getImageData(x, y, 1, 1).data].slice(0, 3)]); }
        return found;""", n)


def test_svg_is_the_view(browser):
    cholesky(browser, "#w=500000000,1000000000&h=SYRK")
    points = middle_points(browser)
    assert len(points) == 40
    name, svg = saved(browser, "svg")
    assert name == "cholesky.svg", name
    root = xml.fromstring(svg)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for text in ("cholesky", "CPU8", "GEMM", "POTRF", "TRSM 2520", "600"):
        assert text in texts, (text, texts[:50])
    assert "SYRK" not in texts[-4:], "a hidden type is in the legend"
    assert len(list(root.iter(f"{SVG}rect"))) > 200 and len(list(root.iter(f"{SVG}path"))) > 5
    assert all(image.get(HREF).startswith("data:image/png;base64,") for image in root.iter(f"{SVG}image"))
    assert not re.search(rb"<script|href=\"http|onload", svg)
    faces = re.findall(r"@font-face{font-family:'([^']*)';font-weight:(normal|bold);src:url\(data:font/ttf;base64,([^)]*)\)}", root.findtext(f"{SVG}style"))
    assert [weight for _, weight, _ in faces] == ["normal", "bold"], root.findtext(f"{SVG}style")[:100]
    assert all(base64.b64decode(face)[:4] == b"\0\1\0\0" for *_, face in faces)
    assert {element.get("font-family").split(",")[0].strip('"') for element in root.iter(f"{SVG}text")} == {faces[0][0]}
    path = temporary("view.svg")
    with open(path, "wb") as file:
        file.write(svg)
    subprocess.run(["rsvg-convert", path, "-o", f"{path}.png"], check=True)
    for picture in (path, f"{path}.png"):
        _, _, *found = colors_at(browser, picture, [at for at, _ in points])
        for (at, want), color in zip(points, found):
            assert max(abs(a - b) for a, b in zip(want, color)) <= 2, (picture, at, want, color)


def test_svg_opens_as_a_page(browser):
    cholesky(browser)
    _, svg = saved(browser, "svg")
    path = temporary("page.svg")
    with open(path, "wb") as file:
        file.write(svg)
    browser.open(path, ready=False)
    assert browser.js("return document.documentElement.tagName") == "svg"
    assert browser.js("return document.querySelectorAll('text').length") > 30
    assert browser.js("return [...document.fonts].map((face) => face.status)") == ["loaded", "loaded"], "the texts are not in the font of the file"
    browser.shot("exported-svg")


def test_png_is_the_view(browser):
    cholesky(browser, "#w=500000000,1000000000&t=dark")
    points = middle_points(browser)
    height = browser.js("return TV.exporting.height()")
    name, png = saved(browser, "png")
    assert name == "cholesky.png" and png[:8] == b"\x89PNG\r\n\x1a\n"
    path = temporary("view.png")
    with open(path, "wb") as file:
        file.write(png)
    wide, high, *found = colors_at(browser, path, [at for at, _ in points])
    assert (wide, high) == (2560, 2 * height), (wide, high, height)
    for (at, want), color in zip(points, found):
        assert max(abs(a - b) for a, b in zip(want, color)) <= 2, (at, want, color)


def lines_of_the_trace(path):
    """The CSV of the trace: its header, and the text of each row."""
    lines = run("convert", path, "--to", "csv", "-q", "-o", "-").splitlines()
    return lines[0], lines[1:]


def test_csv_has_the_text_of_the_trace(browser):
    head, lines = lines_of_the_trace(RUN)
    cholesky(browser)
    name, text = saved(browser, "csv")
    got = text.decode().splitlines()
    assert name == "cholesky.csv" and got[0] == head
    assert got[1:] == [lines[row] for row, _ in app()]


def test_csv_of_region_search_and_selection(browser):
    _, lines = lines_of_the_trace(RUN)
    cholesky(browser)
    browser.js("TV.view.mark({begin: 1e9, end: 1.01e9})")
    in_region = [row for row, task in app() if ns(task["Start"]) < 1.01e9 and ns(task["End"]) > 1e9]
    assert saved(browser, "csv")[1].decode().splitlines()[1:] == [lines[row] for row in in_region]
    browser.find('.tv-chip[data-type="SYRK"]').click()
    shown = [row for row in in_region if app_type(row) != "SYRK"]
    assert 0 < len(shown) < len(in_region)
    assert saved(browser, "csv")[1].decode().splitlines()[1:] == [lines[row] for row in shown]
    browser.js("document.activeElement.blur(); TV.view.mark(null)")
    row, _ = longest()
    browser.js("TV.view.select({run: 0, row: arguments[0]})", row)
    assert saved(browser, "csv")[1].decode().splitlines()[1:] == [lines[row]]


def app_type(row):
    return dict(app())[row]["Value"]


def words_of(browser):
    command = browser.js("return TV.exporting.command()")
    words = shlex.split(command)
    assert words[:2] == ["traceviz", "plot"] and words[-2:] == ["-o", "figure.pdf"], command
    return words[1:-1]


def drawn(words, folder, output):
    """Runs the words of a command beside its trace."""
    done = subprocess.run([os.path.abspath(PROGRAM), *words, output], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return output


def test_command_draws_the_view(browser):
    cholesky(browser, "#w=500000000,1000000000&h=SYRK&x=ready&p=colorblind")
    state = "const s = TV.scene; return [String(s.base), s.begin, s.end, [...new Set(s.parts.filter((p) => TV.isPanel(s, p)).map((p) => p.name))]]"
    panels = browser.js(state)[3]
    colors = "return Object.fromEntries(TV.scene.types.map((t) => [t.name, [TV.colors.css(t.color), TV.colors.css(t.faded)]]))"
    shown = browser.js(colors)
    path = drawn(words_of(browser), os.path.join(ROOT, "data"), temporary("again.html"))
    browser.open(path)
    base, begin, end, again = browser.js(state)
    assert (int(base) + begin, int(base) + end) == (500000000, 1000000000), (base, begin, end)
    # Bounds are those of the whole run: in a window there are none to compare with.
    assert again == [panel for panel in panels if panel not in ("ready", "abe")], again
    del shown["SYRK"]
    assert browser.js(colors) == shown
    for ending in ("pdf", "png", "svg"):
        cholesky(browser, "#w=500000000,1000000000&h=SYRK")
        drawn(words_of(browser), os.path.join(ROOT, "data"), temporary(f"again.{ending}"))


def test_command_keeps_what_was_asked_for(browser):
    path = report("asked", RUN, "--panels", "spacetime,ready,submitted", "--exclude", "POTRF", "--title", "it's $HOME `x`", "--begin", "1s")
    browser.open(path)
    words = words_of(browser)
    for name, value in (("--title", "it's $HOME `x`"), ("--panels", "spacetime,ready,submitted"), ("--exclude", "POTRF"), ("--begin", "1s")):
        assert words[words.index(name) + 1] == value, words
    browser.find('.tv-chip[data-type="TRSM"]').click()
    browser.js("TV.view.togglePanel('submitted')")
    words = words_of(browser)
    assert words[words.index("--exclude") + 1] == "POTRF,TRSM" and words[words.index("--panels") + 1] == "spacetime,ready", words
    drawn(words, os.path.join(ROOT, "data"), temporary("asked.pdf"))


def test_command_with_magnified_windows(browser):
    browser.open(report("zoom", RUN, "--zoom", "1s..1.1s", "--zoom", "2s..2.1s", "--panels", "spacetime,ready"))
    boxes = browser.js("return TV.figure.layout.frames.slice(1, 4).map((place) => [place.frame.name, place.left, place.width])")
    assert [name for name, *_ in boxes] == ["spacetime", "zoom", "zoom"] and len({(left, width) for _, left, width in boxes}) == 1, boxes
    browser.js("TV.view.togglePanel('ready')")
    words = words_of(browser)
    assert words.count("--zoom") == 2 and words[words.index("--panels") + 1].split(",").count("zoom") == 1, words
    browser.js("TV.view.togglePanel('zoom')")
    words = words_of(browser)
    assert "--zoom" not in words and words[words.index("--panels") + 1] == "spacetime", words
    drawn(words, os.path.join(ROOT, "data"), temporary("zoom.pdf"))


def test_command_names_files_that_look_like_options(browser):
    for name in ("a=b.csv", "-x.csv", "it's $(touch x).csv"):
        folder = temporary("names")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(os.path.join(ROOT, RUN), os.path.join(folder, name))
        path = temporary("name.html")
        run("plot", os.path.join(folder, name), "-q", "-o", path)
        browser.open(path)
        drawn(words_of(browser), folder, temporary("name.png"))
        assert not os.path.exists(os.path.join(folder, "x"))


def test_command_dialog(browser):
    cholesky(browser)
    browser.keys("e")
    browser.find('[data-save="command"]').click()
    browser.settle()
    assert browser.js("return document.querySelector('.tv-command textarea').value") == "traceviz plot cholesky.csv -o figure.pdf"
    browser.find(".tv-command button").click()
    browser.settle()
    assert browser.text(".tv-command button") in ("copied", "not copied")


def test_downloads_work(browser):
    folder = temporary("downloads")
    os.makedirs(folder, exist_ok=True)
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
    cholesky(browser)
    before = window(browser)
    for name in ("svg", "csv", "png"):
        browser.keys("e")
        browser.find(f'[data-save="{name}"]').click()
        for _ in range(200):
            if os.path.exists(os.path.join(folder, f"cholesky.{name}")):
                break
            browser.settle()
        assert os.path.getsize(os.path.join(folder, f"cholesky.{name}")) > 10000, name
        browser.js("document.activeElement.blur()")
    assert window(browser) == before
    with open(os.path.join(folder, "cholesky.csv"), encoding="utf-8") as file:
        assert len(list(csv.reader(io.StringIO(file.read())))) == 1 + len(app())


def test_csv_of_a_report_of_a_window(browser):
    """Such a report has no tasks far from the window; those that it has are as in the trace."""
    _, lines = lines_of_the_trace(RUN)
    browser.open(report("window", RUN, "--begin", "1s", "--end", "1.2s"))
    got = saved(browser, "csv")[1].decode().splitlines()[1:]
    inside = [lines[row] for row, task in app() if ns(task["Start"]) < 1.2e9 and ns(task["End"]) > 1e9]
    # What is seen is somewhat longer than the window.
    assert set(inside) <= set(got) <= set(lines) and len(got) < len(inside) + 100, (len(got), len(inside), [line for line in got if line not in lines][:3])
    everything = browser.js("return TV.csv(0, Array.from(TV.data.values(0, 'tasks', 'Start').keys()))").splitlines()[1:]
    assert len(everything) > len(got) and set(everything) <= set(lines), [line for line in everything if line not in lines][:3]


def test_facets_are_saved_one_by_one(browser):
    traces = ("data/cholesky-dmda.csv", "data/cholesky-ws.csv")
    browser.open(report("pair", "--facet", f"a={traces[0]}", f"b={traces[1]}", "--panels", "spacetime,ready"))
    assert browser.driver.title == "a, b" and browser.js("return TV.exporting.name('svg')") == "a-b.svg"
    texts = browser.js("return TV.exporting.tasks().runs.map(({run, rows}) => TV.csv(run, rows))")
    for path, text in zip(traces, texts):
        head, lines = lines_of_the_trace(path)
        assert text.splitlines() == [head, *(lines[row] for row, _ in app(path))], path
    root = xml.fromstring(browser.js("return TV.exporting.svg()"))
    assert {"a", "b"} <= {element.text for element in root.iter(f"{SVG}text")}
    browser.find('.tv-chip[data-type="SYRK"]').click()
    words = words_of(browser)
    assert words[-3:] == ["a=cholesky-dmda.csv", "b=cholesky-ws.csv", "-o"] and words[words.index("--exclude") + 1] == "SYRK", words
    drawn(words, os.path.join(ROOT, "data"), temporary("pair.pdf"))


def test_export_of_many_rows_is_small(browser):
    """37,820 tasks: dense rows are images, not shapes."""
    browser.open(report("sixty", "examples/data/cholesky-60-dmdas.csv.zst"))
    svg = browser.js("return TV.exporting.svg()")
    root = xml.fromstring(svg)
    assert len(list(root.iter(f"{SVG}rect"))) < 10000 and len(svg) < 2000000, len(svg)
    assert len(list(root.iter(f"{SVG}image"))) >= 2
    browser.js("TV.view.show(1e10, 1.01e10)")
    root = xml.fromstring(browser.js("return TV.exporting.svg()"))
    shown = browser.js("return TV.exporting.tasks().runs[0].rows.length")
    assert len(list(root.iter(f"{SVG}rect"))) >= shown > 50, shown
