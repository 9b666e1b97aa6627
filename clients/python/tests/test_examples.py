"""Runs the examples of the documents that EXAMPLES names, as they are printed."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import tempfile
import unittest
from pathlib import Path


class Examples(unittest.TestCase):
    def test_every_example_runs(self) -> None:
        count = 0
        before = os.getcwd()
        for path in os.environ["EXAMPLES"].split(os.pathsep):
            for needed, code in re.findall(r"^```py ?(\w*)\n(.*?)^```$", Path(path).read_text(), re.M | re.S):
                if needed and importlib.util.find_spec(needed) is None:
                    continue
                count += 1
                with self.subTest(code), tempfile.TemporaryDirectory() as folder:
                    printed = io.StringIO()
                    try:
                        os.chdir(folder)
                        with contextlib.redirect_stdout(printed):
                            exec(compile(code, path, "exec"), {"__name__": "__main__"})
                    finally:
                        os.chdir(before)
                    self.assertRegex(printed.getvalue(), r"\S")
        self.assertGreater(count, 5)
