#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench.py REPORT.html...: what a reader of each report waits for, in headless Chromium without a GPU.

From navigation to the first picture; from the move of the pointer to the tooltip, the first one with what it makes for
all later ones; from one frame to the next while zooming and panning, each frame another window; CPU time of the browser
for these, which other programs change less; memory of the page; and, as the peer, a plain canvas that draws a box for
every task of the window in each frame."""
import os
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from harness import Browser  # noqa: E402

FRAMES = 120
HOVERS = 20

# Each frame shows another window: in to a hundredth of the time, along it, out again. Gives ms between frames.
MOVE = """
    const [frames, done] = arguments, { view } = TV, times = [], { begin, end } = TV.scene, all = end - begin;
    const step = (now) => {
        times.push(now);
        const k = times.length / frames, third = Math.min(k * 3, 1, 3 - 3 * k), length = all * 100 ** -Math.max(third, 0);
        const middle = begin + all * (0.3 + 0.4 * Math.min(Math.max(3 * k - 1, 0), 1));

        view.show(Math.max(middle - length / 2, begin), Math.min(middle + length / 2, end));
        if (times.length <= frames)
            requestAnimationFrame(step);
        else
            done(times.slice(1).map((time, i) => time - times[i]));
    };
    requestAnimationFrame(step);"""

# ms from each move of the pointer over tasks to the frame in which its tooltip is there.
HOVER = """
    const [hovers, done] = arguments, { figure } = TV, place = figure.layout.frames.find((p) => p.frame.chart && p.frame.chart.tasks);
    const tip = document.querySelector('.tv-tip'), target = document.elementFromPoint(place.left + 100, innerHeight / 2), times = [];
    const next = (k) => {
        if (times.length === hovers || k > 50 * hovers) {
            done(times);
            return;
        }
        target.dispatchEvent(new PointerEvent('pointermove', { clientX: 1, clientY: 1, bubbles: true }));
        requestAnimationFrame(() => {
            const box = target.getBoundingClientRect(), at = performance.now();
            const x = place.left + (k * 0.618 % 1) * place.width, y = box.top + place.top + (k * 0.382 % 1) * Math.min(place.height, innerHeight - box.top - place.top - 10);

            target.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: y, bubbles: true }));
            requestAnimationFrame(() => {
                if (!tip.hidden)
                    times.push(performance.now() - at);
                next(k + 1);
            });
        });
    };
    next(1);"""

# ms for one frame of a plain canvas: a rectangle for each task of all the time.
PLAIN = """
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d'), chart = TV.scene.charts.find((c) => c.tasks), times = [];

    canvas.width = innerWidth;
    canvas.height = innerHeight;
    for (let n = 0; n < 5; n++) {
        const at = performance.now(), scale = canvas.width / (TV.scene.end - TV.scene.begin), height = canvas.height / chart.rows.length;

        context.clearRect(0, 0, canvas.width, canvas.height);
        chart.rows.forEach((row, r) => {
            for (let i = row.first; i < row.first + row.n; i++) {
                context.fillStyle = `#${chart.types[chart.style[i] >> 1].faded.toString(16).padStart(6, '0')}`;
                context.fillRect(chart.begin[i] * scale, r * height, Math.max((chart.end[i] - chart.begin[i]) * scale, 0.1), height);
            }
        });
        context.getImageData(0, 0, 1, 1);
        times.push(performance.now() - at);
    }
    return times;"""


def processes(browser):
    """Of the processes of this browser: seconds of CPU time of all, MB of the largest that draws pages."""
    parent, size, cpu = {}, {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                fields = dict(line.split(":", 1) for line in file)
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
                cpu[int(pid)] = sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
                renderer = "--type=renderer" in file.read()
        except OSError:
            continue
        parent[int(pid)] = int(fields["PPid"])
        if renderer:
            size[int(pid)] = int(fields["VmRSS"].split()[0]) / 1024

    def ours(pid):
        while pid in parent and pid != browser.driver.service.process.pid:
            pid = parent[pid]
        return pid == browser.driver.service.process.pid
    return sum(time for pid, time in cpu.items() if ours(pid)), max((mb for pid, mb in size.items() if ours(pid)), default=0)


def p95(times):
    return sorted(times)[int(0.95 * (len(times) - 1))]


def main(reports):
    for report in reports:
        browser = Browser()
        browser.driver.set_script_timeout(900)
        browser.driver.command_executor.set_timeout(900)
        start, _ = processes(browser)
        load = browser.open(report)
        browser.settle()
        drawn, memory = processes(browser)
        first = browser.driver.execute_async_script(HOVER, 1)
        asked, more = processes(browser)
        hover = browser.driver.execute_async_script(HOVER, HOVERS)
        before, _ = processes(browser)
        frames = browser.driver.execute_async_script(MOVE, FRAMES)
        moved, _ = processes(browser)
        plain = browser.js(PLAIN)
        assert first and hover, "no task under the pointer"
        print(f"    {os.path.basename(report)}: picture after {load:.2f} s, {drawn - start:.1f} s of CPU, {memory:.0f} MB; first tooltip {asked - drawn:.1f} s of CPU, "
              f"{more:.0f} MB, later ones {statistics.median(hover):.0f} ms, 95 %: {p95(hover):.0f} ms; frames {statistics.median(frames):.1f} ms, "
              f"95 %: {p95(frames):.1f} ms, {(moved - before) / FRAMES * 1000:.0f} ms of CPU; a plain canvas {statistics.median(plain):.0f} ms", flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
