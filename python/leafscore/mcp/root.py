"""The one folder whose files a client may name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OUTPUT_ENDINGS = tuple(f"{kind}{packed}" for kind in (".jsonl", ".csv") for packed in ("", ".gz", ".zst"))
MANIFEST = ".manifest.json"  # beside a file of scores


class Refused(Exception):
    """A name or a scorer that a client may not use, in a sentence for it."""


class Root:
    """Turns names that a client gives into paths of files below a folder, whatever links lie there.

    A name is looked at when it is given. Other programs that exchange files of the folder for links at that moment are
    not guarded against: the tools themselves make no links.
    """

    def __init__(self, folder: str) -> None:
        """ERRORS: Refused for what is no folder."""
        self._path = os.path.realpath(folder)
        if not os.path.isdir(self._path):
            raise Refused(f"{folder} is no folder")

    def input(self, name: str) -> str:
        """Returns the path of a file that may be read. ERRORS: Refused."""
        path = self._below(name)
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            raise Refused(f"{name} cannot be read: {error.strerror}") from None
        if not stat.S_ISREG(mode):
            raise Refused(f"{name} is no file")
        return path

    def scores(self, name: str) -> str:
        """Returns the path of a file of scores, beside which the engine looks for its manifest. ERRORS: Refused."""
        path = self.input(name)
        if os.path.lexists(path + MANIFEST):
            self.input(os.path.relpath(path, self._path) + MANIFEST)
        return path

    def output(self, name: str) -> str:
        """Returns the path of a new file in a folder that is there. ERRORS: Refused; nothing is written over."""
        if not name.endswith(OUTPUT_ENDINGS):
            raise Refused(f"the name of an output ends in {', '.join(OUTPUT_ENDINGS)}; {name} does not")
        folder, last = os.path.split(name)
        path = os.path.join(self._below(folder or "."), last)
        if not os.path.isdir(os.path.dirname(path)):
            raise Refused(f"the folder of {name} does not exist")
        for taken in (path, path + MANIFEST):
            if os.path.lexists(taken):
                raise Refused(f"{self.shown(taken)} exists, and nothing is written over: give another name")
        return path

    def shown(self, text: str) -> str:
        """Returns a text with the paths of files below the folder as the client names them."""
        return text.replace(self._path + os.sep, "").replace(self._path, ".")

    def _below(self, name: str) -> str:
        if not name or "\0" in name:
            raise Refused("a name is empty, or holds a NUL")
        if os.path.isabs(name) or ".." in Path(name).parts:
            raise Refused(f"{name}: names are relative to the folder of this server, without ..")
        path = os.path.realpath(os.path.join(self._path, name))
        if path != self._path and not path.startswith(os.path.join(self._path, "")):
            raise Refused(f"{name} leads out of the folder of this server")
        return path
