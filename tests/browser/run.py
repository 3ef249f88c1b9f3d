#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of the interactive report, or those whose name contains an argument; the last line is
"N passed, N failed"."""
import glob
import importlib
import os
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from harness import Browser  # noqa: E402


def main(wanted):
    passed = failed = 0
    browser = Browser()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TV_TMP"] = folder
        for path in sorted(glob.glob(os.path.join(HERE, "test_*.py"))):
            module = importlib.import_module(os.path.basename(path)[:-3])
            for name, test in vars(module).items():
                if not name.startswith("test_") or not all(word in f"{module.__name__}.{name}" for word in wanted):
                    continue
                browser.complaints()
                try:
                    test(browser)
                    complaints = browser.complaints()
                    assert not complaints, "\n".join(complaints)
                    print(f"ok {module.__name__[5:]}: {name[5:].replace('_', ' ')}", flush=True)
                    passed += 1
                except Exception:  # pylint: disable=broad-except
                    print(f"not ok {module.__name__[5:]}: {name[5:].replace('_', ' ')}")
                    traceback.print_exc(limit=-3, file=sys.stdout)
                    print("\n".join(browser.complaints()), flush=True)
                    browser.shot(f"failed-{name}")
                    failed += 1
    browser.close()
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
