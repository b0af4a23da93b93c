"""What the tests of the Python package share: the package of this checkout, and a last line that is counted."""
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))
sys.path.append(str(ROOT / "tests/support"))
from counting import in_time, run_cases, run_seed  # noqa: E402, F401

os.environ.setdefault("HAMEL_LIBRARY", str(ROOT / "build" / "libhamel.so.0"))
PROGRAM = os.environ.get("HAMEL", str(ROOT / "build" / "hamel"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "PYTHONDONTWRITEBYTECODE": "1"}


def main():
    outcome = unittest.TextTestRunner(verbosity=1).run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))
    failed = len(outcome.failures) + len(outcome.errors)
    print(f"{max(outcome.testsRun - failed, 0)} passed, {failed} failed")
    sys.exit(bool(failed) or not outcome.testsRun)
