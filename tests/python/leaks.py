# SPDX-License-Identifier: GPL-3.0-or-later
"""What valgrind and sanitizers watch: leaks.py DATA opens traces, runs verbs of each kind, draws, fails, and frees all of it.
leaks.py DATA leak opens a trace and forgets it, which must be found."""
import gc
import os
import sys
import tempfile
import warnings

import traceviz

data = sys.argv[1]
warnings.simplefilter("ignore", traceviz.Message)
if sys.argv[2:] == ["leak"]:
    trace = traceviz.open(f"{data}/cholesky-ws.csv")
    trace._handle = None
    sys.exit()
for _ in range(2):
    with traceviz.open(f"{data}/cholesky-ws.csv") as trace:
        for verb in ("summary", "idle-causes", "bounds", "critical-path", "diagnose", "deps"):
            table = trace.run(verb)
            [table.values(name) for name in table.columns]
        del table
        trace.sql("SELECT Value, count(*) FROM tasks GROUP BY 1")
        for wrong in (lambda: trace.summary(by="Nope"), lambda: trace.sql("SELECT nope FROM tasks"), lambda: trace.messages()):
            try:
                wrong()
                sys.exit("no failure")
            except traceviz.Error:
                pass
        with tempfile.TemporaryDirectory() as folder:
            trace.plot(os.path.join(folder, "a.svg"), panels=["spacetime", "ready"])
    traceviz.open(f"a={data}/cholesky-dmda.csv", f"b={data}/cholesky-ws.csv").compare()
    try:
        traceviz.open("/none/such")
    except traceviz.Error:
        pass
    gc.collect()
print("done")
