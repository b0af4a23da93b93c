#!/usr/bin/env python3
"""The notebooks of the guide run from their first cell to their last, are kept without outputs, and show something in each cell that is to."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import _run

NOTEBOOKS = sorted((_run.ROOT / "docs" / "notebooks").glob("*.ipynb"))


def execute(book):
    """The same notebook with what its cells show."""
    from nbconvert.preprocessors import ExecutePreprocessor
    with tempfile.TemporaryDirectory() as folder:
        runner = ExecutePreprocessor(timeout=int(300 * float(os.environ.get("HAMEL_PATIENCE", "1"))), kernel_name="python3")
        return runner.preprocess(book, {"metadata": {"path": folder}})[0]


class Notebooks(unittest.TestCase):
    def test_all_cells_run(self):
        import nbformat
        self.assertGreaterEqual(len(NOTEBOOKS), 5)
        fonts = tempfile.TemporaryDirectory()  # matplotlib's list of them, whose making it would tell in a cell
        self.addCleanup(fonts.cleanup)
        os.environ.update(PYTHONPATH=_run.ENVIRONMENT["PYTHONPATH"], PYDEVD_DISABLE_FILE_VALIDATION="1", MPLCONFIGDIR=fonts.name)
        subprocess.run([sys.executable, "-c", "import matplotlib.font_manager"], capture_output=True, check=True)
        for path in NOTEBOOKS:
            with self.subTest(path.stem):
                done = execute(nbformat.read(path, as_version=4))
                for cell in done.cells:
                    if cell.cell_type == "code":
                        kinds = {kind for one in cell.outputs for kind in one.get("data", {})}
                        self.assertFalse([one for one in cell.outputs if one.output_type == "error" or one.get("name") == "stderr"], cell.source)
                        last = cell.source.splitlines()[-1]
                        for word, kind in ((".plot(", "image/png"), (".derive(", "text/latex"), (".prove(", "text/html"), (".animate(", "text/html")):
                            if word in last and "=" not in last.split("(")[0] and not last.endswith("text)"):
                                self.assertIn(kind, kinds, cell.source)

    def test_they_are_kept_without_outputs(self):
        for path in NOTEBOOKS:
            for cell in json.loads(path.read_text())["cells"]:
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), path.stem)


if __name__ == "__main__":
    sys.exit(_run.main())
