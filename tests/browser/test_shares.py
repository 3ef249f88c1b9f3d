# SPDX-License-Identifier: GPL-3.0-or-later
"""The pixels of tasks are exact shares: compared with sums over the CSV, and with traceviz's PNG."""
import base64
import csv
import os

from report import ns, report, rows, run

RUN = "data/cholesky.csv"


def linear(c):
    c /= 255
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def srgb(l):
    return round(255 * (l * 12.92 if l <= 0.0031308 else 1.055 * l ** (1 / 2.4) - 0.055))


def blend(parts):
    """parts: [(share, 0xRRGGBB)], the rest is white."""
    rest = 1 - sum(share for share, _ in parts)
    return [srgb(sum(share * linear(rgb >> shift & 255) for share, rgb in [*parts, (rest, 0xffffff)])) for shift in (16, 8, 0)]


def paint(browser, width, height, names, begin, end):
    """Pixels of rows of the first chart painted as one line."""
    return browser.js("""
        const [width, height, names, begin, end] = arguments, chart = TV.scene.charts[0], out = new Uint32Array(width * height);
        const rows = chart.rows.filter((row) => names.includes(row.name));
        new TV.Painter().paint(out, width, height, chart, begin, end, [{ y0: 0, y1: height, rows }], TV.figure.draw.hiddenStyles(chart), Infinity);
        return Array.from(new Uint8Array(out.buffer));""", width, height, names, begin, end)


def shares(names, begin, end, width):
    """[cell][type]: ns, by brute force over the CSV."""
    cells = [{} for _ in range(width)]
    edge = [begin + (end - begin) * c // width for c in range(width)] + [end]
    for task in rows(RUN):
        if task.get("Kind", "app") != "app" or task["ResourceId"] not in names:
            continue
        first, last = ns(task["Start"]), ns(task["End"])
        for c in range(width):
            inside = min(last, edge[c + 1]) - max(first, edge[c])
            if inside > 0:
                cells[c][task["Value"]] = cells[c].get(task["Value"], 0) + inside
    return cells, edge


def test_blended_shares(browser):
    browser.open(report("cholesky", RUN))
    types = {t["name"]: t["faded"] for t in browser.js("return TV.scene.charts[0].types")}
    names = ["CUDA0_0", "CUDA1_0", "CUDA2_0"]
    for begin, end in ((0, 4196477978), (1234567, 987654321), (10 ** 9, 10 ** 9 + 3 * 10 ** 7)):
        width = 150
        cells, edge = shares(names, begin, end, width)
        got = paint(browser, width, 1, names, begin, end)
        for c in range(width):
            whole = (edge[c + 1] - edge[c]) * len(names)
            want = blend([(time / whole, types[name]) for name, time in cells[c].items()])
            off = max(abs(a - b) for a, b in zip(want, got[4 * c:4 * c + 3]))
            assert off <= 1, (begin, end, c, want, got[4 * c:4 * c + 3])


def test_stacked_shares(browser):
    browser.open(report("cholesky", RUN))
    types = browser.js("return TV.scene.charts[0].types")
    names, width, height, begin, end = ["CUDA0_0", "CUDA1_0", "CUDA2_0"], 100, 60, 0, 4196477978
    cells, edge = shares(names, begin, end, width)
    got = paint(browser, width, height, names, begin, end)
    for c in range(width):
        whole, at = (edge[c + 1] - edge[c]) * len(names), 0
        for t in types:
            share = cells[c].get(t["name"], 0) / whole * height
            # Whole pixels of this type, counted from the bottom.
            for y in range(int(at) + 1, int(at + share)):
                k = 4 * ((height - 1 - y) * width + c)
                assert got[k:k + 3] == [t["faded"] >> shift & 255 for shift in (16, 8, 0)], (c, y, t["name"])
            at += share


def picture(browser, name, *options):
    """The figure as PNG, its first three images: {row's top in pixels: (x, width, height, [RGBA] of its image)}, and the pixels of bounds, which lie over it."""
    path, boxes = (os.path.join(os.environ["TV_TMP"], f"{name}.{ending}") for ending in ("png", "csv"))
    run(RUN, "-q", "--panels", "spacetime", *options, "-o", path, "--dump-boxes", boxes)
    dpi = float(options[options.index("--dpi") + 1])
    with open(path, "rb") as file:
        data = base64.b64encode(file.read()).decode()
    with open(boxes, newline="", encoding="utf-8") as file:
        shapes = list(csv.DictReader(file))
    found = {}
    for shape in shapes:
        if shape["Shape"] != "image" or len(found) == 3:
            continue
        x, y, width, height = (float(shape[key]) * dpi / 72 for key in ("X", "Y", "Width", "Height"))
        assert all(abs(v - round(v)) < 0.01 for v in (x, y, width, height)), (x, y, width, height)
        box = [round(v) for v in (x, y, width, height)]
        found[box[1]] = (*box, browser.driver.execute_async_script("""
            const [url, x, y, width, height, done] = arguments, image = new Image();
            image.onload = () => { const canvas = document.createElement('canvas'); canvas.width = image.width; canvas.height = image.height;
                const context = canvas.getContext('2d', {willReadFrequently: true}); context.drawImage(image, 0, 0);
                done(Array.from(context.getImageData(x, y, width, height).data)); };
            image.src = url;""", f"data:image/png;base64,{data}", *box))
    lines = [float(shape["X"]) * dpi / 72 for shape in shapes if shape["Class"] == "bound"]
    frame = next(shape for shape in shapes if shape["Class"] == "frame")
    return found, lines, [round(float(frame[key]) * dpi / 72) for key in ("X", "Width")]


def compare_with_png(browser, name, rows_of_images, high, tolerance, *options):
    """Rows of the viewer, at the window and cell width of the PNG, against its pixels."""
    found, bounds, (left, wide) = picture(browser, name, *options)
    browser.open(report("cholesky", RUN))
    begin, end = browser.js("return [TV.scene.begin, TV.scene.end]")
    assert len(found) == len(rows_of_images), found.keys()
    for y, names in zip(sorted(found), rows_of_images):
        x, _, width, height, want = found[y]
        assert high(height), height
        got = paint(browser, wide, height, names, begin, end)
        seen = 0
        # The frame around the rows and the lines of bounds lie over their pixels.
        for c in range(2, width - 2):
            if any(abs(x + c + 0.5 - line) < 2 for line in bounds):
                continue
            for line in range(1 if y == min(found) else 0, height):
                k, m = 4 * (line * width + c), 4 * (line * wide + c + x - left)
                off = max(abs(a - b) for a, b in zip(want[k:k + 3], got[m:m + 3]))
                assert off <= tolerance, (names, c, line, want[k:k + 3], got[m:m + 3])
                seen += want[k:k + 3] != [255, 255, 255]
        assert seen > width * height / 3, (names, seen)


def test_stacked_rows_are_those_of_the_png(browser):
    compare_with_png(browser, "stacked", [["CUDA0_0"], ["CUDA1_0"], ["CUDA2_0"]], lambda height: height >= 4, 2, "--dpi", "200")


def test_rows_of_one_cell_are_those_of_the_png(browser):
    # One row is one cell high, the others two: too low to show types one above the other.
    compare_with_png(browser, "cell", [["CUDA0_0"], ["CUDA1_0"], ["CUDA2_0"]], lambda height: height < 4, 2, "--dpi", "72", "--height", "1.2")
