# SPDX-License-Identifier: GPL-3.0-or-later
"""Read execution traces of parallel programs, analyze and draw them.

    import traceviz

    t = traceviz.open("run/")
    print(t.diagnose())                     why was it slow?
    causes = t.idle_causes(by="node")       any verb, with its options: help(t.idle_causes)
    causes["Time"], causes.to_pandas()
    t.sql("SELECT Value, count(*) FROM tasks GROUP BY 1")
    t.plot("report.pdf", panels="spacetime,ready")

Verbs are methods: `-` is `_`. Options are keywords: `by="node"` is `--by node`, True is a flag, a
list is a list or a repeated option; names with a point are given as **{"spacetime.chains": "outlier"}.
A failure is an Error; what the command would print on standard error is a Message, a warning.
"""

import inspect
import json
import keyword
import warnings

from ._library import Error, call, decode, lib, messages, words
from ._table import Table

__version__ = decode(lib.version())
__all__ = ["Error", "Message", "Table", "Trace", "open", "run"]


class Message(UserWarning):
    """What the command prints on standard error: what is damaged, missing or left out."""


def _warn(texts):
    for text in texts:
        warnings.warn(text, Message, stacklevel=5)


def _option(name, value, spec):
    """The words of one option."""
    option = "--" + name.rstrip("_").replace("_", "-")
    yes_or_no = {True: "yes", False: "no"}
    if value is None:
        return []
    if isinstance(value, bool) and "yes" not in spec.get("words", ()):
        return [option] if value else []
    if isinstance(value, (list, tuple)) and spec.get("kind") == "list":
        value = ",".join(map(str, value))
    values = value if isinstance(value, (list, tuple)) else [value]
    return [word for one in values for word in (option, yes_or_no[one] if isinstance(one, bool) else str(one))]


def _words(verb, arguments, options):
    known = _OPTIONS.get(verb, {})
    found = []
    for name, value in options.items():
        found += _option(name, value, known.get(name.rstrip("_").replace("_", "-"), {}))
    return words([*found, *arguments])


def _run(handle, verb, arguments, options):
    result = call(lib.run, handle, verb.encode(), _words(verb, arguments, options))
    table = Table(result)
    _warn(table.messages)
    return table


def run(verb, *arguments, **options):
    """Runs a verb that needs no trace, or with traces among the arguments."""
    return _run(None, verb, arguments, options)


class Trace:
    """A trace, read once; open() makes it. Its methods are the verbs of traceviz."""

    def __init__(self, paths, options):
        self._handle = None
        self._handle = call(lib.open, _words("info", paths, options))
        self.reading_messages = messages(lib.trace_message, self._handle)
        _warn(self.reading_messages)

    def run(self, verb, *arguments, **options):
        """Runs a verb by its name."""
        if self._handle is None:
            raise ValueError("the trace is closed")
        return _run(self._handle, verb, arguments, options)

    def plot(self, path, **options):
        """Draws the trace into a file: .pdf, .svg, .png or .html."""
        return self.run("plot", output=path, **options)

    def close(self):
        """Frees the memory of the trace; tables stay."""
        if self._handle is not None:
            lib.close(self._handle)
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


def open(*paths, **options):
    """Opens [LABEL=]PATH, files or folders in any format, with options of reading (`traceviz help input`).

    One run is read now; of several runs (labels, or paths) verbs such as compare read them.
    """
    return Trace(paths, options)


# ---- methods, from the description of the command ----


def _describe(verb):
    lines = [verb["summary"] + ".", "", f"traceviz {verb['name']} {verb['arguments']}", "", "Options:"]
    lines += [f"  {o['name'].replace('-', '_')}={o.get('argument', 'True')}: {o['text']}" for o in verb["options"]]
    for table in verb["tables"]:
        lines += ["", f"Columns{' with ' + table['with'] if 'with' in table else ''}:"]
        lines += [f"  {c['name']}{' (ns)' if c['type'] == 'time' else ''}: {c['text']}" for c in table["columns"]]
    lines += ["", verb.get("notes", verb.get("description", "")), "", "Example: " + verb["example"]]
    return "\n".join(lines)


def _signature(verb, first):
    kind = inspect.Parameter
    names = [o["name"].replace("-", "_") for o in verb["options"] if o["name"] not in ("help", "version", "timings", "csv", "json")]
    names = [name + "_" if keyword.iskeyword(name) else name for name in names]
    own = [kind(name, kind.KEYWORD_ONLY, default=None) for name in names]
    more = [kind("arguments", kind.VAR_POSITIONAL), *own, kind("options", kind.VAR_KEYWORD)]
    return inspect.Signature(first + more)


def _method(verb):
    name = verb["name"]

    def method(self, *arguments, **options):
        return self.run(name, *arguments, **options)

    first = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    method.__signature__ = _signature(verb, first)
    return method


def _function(verb):
    name = verb["name"]

    def function(*arguments, **options):
        return run(name, *arguments, **options)

    function.__signature__ = _signature(verb, [])
    return function


_OPTIONS = {}
_HELP = json.loads(Table(call(lib.run, None, b"help", words(["--json"]))).text)


def _add_verbs():
    for verb in _HELP["verbs"]:
        if verb["name"] in ("record", "help"):
            continue
        python = verb["name"].replace("-", "_")
        has_trace = verb["name"] not in ("generate", "platform")
        made = (_method if has_trace else _function)(verb)
        made.__name__ = made.__qualname__ = python
        made.__doc__ = _describe(verb)
        _OPTIONS[verb["name"]] = {o["name"]: o for o in verb["options"]}
        if verb["name"] == "plot":
            Trace.plot.__doc__ += "\n\n" + made.__doc__
        elif has_trace:
            setattr(Trace, python, made)
        else:
            globals()[python] = made
            __all__.append(python)


_add_verbs()
