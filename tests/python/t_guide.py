#!/usr/bin/env python3
"""The examples of docs/python.md and of the README that are in Python do what is printed below them."""
import doctest
import re
import unittest

import _run

PAGES = ("docs/python.md", "docs/sweep-machines.md", "README.md", "python/README.md")


class Guide(unittest.TestCase):
    def test_examples(self):
        tried = 0
        for page in PAGES:
            names = {}
            for block in re.findall(r"(?ms)^```python\n(.*?)^```$", (_run.ROOT / page).read_text()):
                if ">>>" in block:
                    example = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
                    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
                    runner.run(example, clear_globs=False)
                    names = example.globs
                    self.assertEqual(runner.failures, 0, page)
                    tried += runner.tries
                else:
                    exec(compile(block, page, "exec"), names)
                    tried += 1
        self.assertGreater(tried, 30)


if __name__ == "__main__":
    _run.main()
