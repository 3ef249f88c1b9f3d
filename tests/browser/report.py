# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports and numbers of traceviz for the tests; $TRACEVIZ_BIN is the folder of the program."""
import csv
import io
import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
PROGRAM = os.path.join(os.environ.get("TRACEVIZ_BIN", os.path.join(ROOT, "build")), "traceviz")


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr.decode()}"
    return done.stdout.decode()


def report(name, *arguments):
    """Draws NAME.html, once for all tests; its path."""
    path = os.path.join(os.environ["TV_TMP"], f"{name}.html")
    if not os.path.exists(path):
        run(*arguments, "-q", "-o", path)
    return path


def table(*arguments):
    """What a pass prints, as a list of dicts."""
    return list(csv.DictReader(io.StringIO(run(*arguments))))


def rows(path):
    with open(os.path.join(ROOT, path), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ns(text):
    """Milliseconds of a CSV as whole nanoseconds."""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    whole, _, part = text.partition(".")
    return sign * (int(whole or 0) * 1000000 + int((part + "000000")[:6]))
