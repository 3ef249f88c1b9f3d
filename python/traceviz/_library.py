# SPDX-License-Identifier: GPL-3.0-or-later
"""libtraceviz by ctypes: include/traceviz/trace.h as it is."""

import ctypes
import os

TIME, INT, DOUBLE, LABEL, TEXT, LIST = range(6)

_CHAR, _VOID, _SIZE = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t
_WORDS, _INT = ctypes.POINTER(ctypes.c_char_p), ctypes.c_int
_FUNCTIONS = {
    "version": (_CHAR,),
    "error_status": (_INT, _VOID),
    "error_text": (_CHAR, _VOID),
    "error_free": (None, _VOID),
    "open": (_VOID, _WORDS, ctypes.POINTER(_VOID)),
    "close": (None, _VOID),
    "trace_message": (_CHAR, _VOID, _SIZE),
    "run": (_VOID, _VOID, _CHAR, _WORDS, ctypes.POINTER(_VOID)),
    "free": (None, _VOID),
    "verdict": (_INT, _VOID),
    "text": (_VOID, _VOID, ctypes.POINTER(_SIZE)),
    "message": (_CHAR, _VOID, _SIZE),
    "columns": (_SIZE, _VOID),
    "rows": (_SIZE, _VOID),
    "column_name": (_CHAR, _VOID, _SIZE),
    "column_type": (_INT, _VOID, _SIZE),
    "column_unit": (_CHAR, _VOID, _SIZE),
    "column_meaning": (_CHAR, _VOID, _SIZE),
    "ints": (_VOID, _VOID, _SIZE),
    "doubles": (_VOID, _VOID, _SIZE),
    "labels": (_VOID, _VOID, _SIZE),
    "bytes": (_VOID, _VOID, _SIZE),
    "offsets": (_VOID, _VOID, _SIZE),
    "valid": (_VOID, _VOID, _SIZE),
    "label_count": (_SIZE, _VOID, _SIZE),
    "label_text": (_VOID, _VOID, _SIZE, _SIZE, ctypes.POINTER(_SIZE)),
}


def _load():
    """TRACEVIZ_LIBRARY, the library of the tree or of the prefix around this file, or that of the system."""
    name = "libtraceviz.so.0"
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(here, "../../build", name), os.path.join(here, "../../..", name)]
    path = os.environ.get("TRACEVIZ_LIBRARY") or next(filter(os.path.exists, places), name)
    return ctypes.CDLL(path)


class _Functions:
    """The functions without their prefix."""

    def __init__(self):
        library = _load()
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, "traceviz_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


lib = _Functions()


def decode(text):
    return text.decode("utf-8", "surrogateescape")


def text_at(function, *arguments):
    """What a function gives that returns a text and its length."""
    n = _SIZE()
    return decode(ctypes.string_at(function(*arguments, ctypes.byref(n)), n.value))


def messages(function, handle):
    """All texts of a function that numbers them."""
    found = []
    while (text := function(handle, len(found))) is not None:
        found.append(decode(text))
    return found


def words(texts):
    """Texts as an array that NULL ends."""
    encoded = [os.fsencode(text) for text in texts]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None)


class Error(Exception):
    """A message of traceviz; status as the exit status of the command: 1 failure, 2 wrong usage."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


def call(function, *arguments):
    """Calls a function whose last parameter is an error; what it returns."""
    error = _VOID()
    value = function(*arguments, ctypes.byref(error))
    if value is not None:
        return value
    try:
        raise Error(decode(lib.error_text(error)), lib.error_status(error))
    finally:
        lib.error_free(error)
