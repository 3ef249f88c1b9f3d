# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of verbs."""

import ctypes

from ._library import DOUBLE, INT, LABEL, LIST, TEXT, TIME, decode, lib, messages, text_at

try:
    import numpy
except ImportError:
    numpy = None

_SHOWN = 20  # rows and characters of a cell in str()


class _Result:
    """Owns what the library gave."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        lib.free(self.handle)


class Table:
    """What a verb gave: a table (perhaps of no columns), its text, messages and verdict.

    table["Time"] is a column: with NumPy an array, numbers without a copy (masked where values are
    missing); else a list, with None where one is. Times are in ns. for row in table gives tuples.
    """

    def __init__(self, handle):
        self._result = _Result(handle)
        self.columns = [decode(lib.column_name(handle, i)) for i in range(lib.columns(handle))]
        self.text = text_at(lib.text, handle)
        self.messages = messages(lib.message, handle)
        self.verdict = lib.verdict(handle)  # 0, 3: a check such as --fail-if holds, 4: undecided

    def __len__(self):
        return lib.rows(self._result.handle)

    def __iter__(self):
        return zip(*(self.values(name) for name in self.columns))

    def __getitem__(self, name):
        return self.values(name) if numpy is None else self._array(name)

    @property
    def units(self):
        """The unit of each column."""
        return {name: decode(self._ask(lib.column_unit, name)) for name in self.columns}

    @property
    def meanings(self):
        """What each column means."""
        return {name: decode(self._ask(lib.column_meaning, name)) for name in self.columns}

    def _ask(self, function, name):
        if name not in self.columns:
            raise KeyError(name)
        return function(self._result.handle, self.columns.index(name))

    def _view(self, function, name, ctype, n):
        """The memory of a column, which keeps the result alive; None where it has none."""
        address = self._ask(function, name)
        if address is None:
            return None
        view = (ctype * n).from_address(address)
        view.owner = self._result
        return view

    def _numbers(self, name):
        kind = self._ask(lib.column_type, name)
        function, ctype = {
            TIME: (lib.ints, ctypes.c_int64),
            INT: (lib.ints, ctypes.c_int64),
            DOUBLE: (lib.doubles, ctypes.c_double),
            LABEL: (lib.labels, ctypes.c_int32),
        }[kind]
        return self._view(function, name, ctype, len(self))

    def _missing(self, name):
        """Whether a value is missing, by row; None: none is."""
        bits = self._view(lib.valid, name, ctypes.c_uint8, len(self) // 8 + 1)
        return None if bits is None else [not bits[i // 8] >> i % 8 & 1 for i in range(len(self))]

    def _label_texts(self, name):
        column, handle = self.columns.index(name), self._result.handle
        return [text_at(lib.label_text, handle, column, i) for i in range(lib.label_count(handle, column))]

    def _parts(self, name):
        """The items of a list or the text of each row."""
        offset = self._view(lib.offsets, name, ctypes.c_int64, len(self) + 1)
        if self._ask(lib.column_type, name) == TEXT:
            data = ctypes.string_at(self._ask(lib.bytes, name), offset[len(self)])
            return [decode(data[offset[i] : offset[i + 1]]) for i in range(len(self))]
        number = self._view(lib.labels, name, ctypes.c_int32, offset[len(self)])
        text = self._label_texts(name)
        return [[text[k] for k in number[offset[i] : offset[i + 1]]] for i in range(len(self))]

    def values(self, name):
        """A column as a list; None where a value is missing."""
        kind, missing = self._ask(lib.column_type, name), self._missing(name)
        if kind in (TEXT, LIST):
            found = self._parts(name)
        else:
            found = list(self._numbers(name))
        if kind == LABEL:
            text = self._label_texts(name)
            found = [text[i] if text else None for i in found]
        if missing is None:
            return found
        return [None if gone else value for value, gone in zip(found, missing)]

    def _array(self, name):
        if self._ask(lib.column_type, name) in (LABEL, TEXT, LIST):
            array = numpy.empty(len(self), dtype=object)
            array[:] = self.values(name)
            return array
        array = numpy.ctypeslib.as_array(self._numbers(name))
        missing = self._missing(name)
        return array if missing is None else numpy.ma.array(array, mask=missing, copy=False)

    def _printed(self, name):
        """The same values with times in ms, as the command prints them."""
        values = self.values(name)
        if self._ask(lib.column_type, name) != TIME:
            return values
        return [None if value is None else value / 1e6 for value in values]

    def to_pandas(self):
        """A DataFrame; times in ms, as the command prints them."""
        import pandas

        data = {}
        for name in self.columns:
            values = self._printed(name)
            whole = self._ask(lib.column_type, name) == INT and None in values
            data[name] = pandas.array(values, dtype="Int64") if whole else values
        return pandas.DataFrame(data, columns=self.columns)

    def __str__(self):
        if not self.columns or self.text:
            return self.text
        shown = [[name, *map(_cell, self._printed(name)[:_SHOWN])] for name in self.columns]
        width = [max(map(len, column)) for column in shown]
        lines = ["  ".join(cell.ljust(n) for cell, n in zip(row, width)).rstrip() for row in zip(*shown)]
        more = [f"... {len(self)} rows"] if len(self) > _SHOWN else []
        return "\n".join(lines + more)

    def __repr__(self):
        return f"<traceviz.Table: {len(self)} rows of {', '.join(self.columns) or 'no columns'}>"


def _cell(value):
    if value is None:
        return ""
    text = " ".join(value) if isinstance(value, list) else f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 2 * _SHOWN else text[: 2 * _SHOWN - 3] + "..."
