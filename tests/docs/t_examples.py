#!/usr/bin/python3
"""Every example of README.md and docs/**/*.md does what the text beside it says; see _examples.py for the kinds of blocks.

  tests/docs/t_examples.py [--update] [DOCUMENT...]      --update rewrites the outputs in the documents

The reference of the library is left out: its `c` blocks are the declarations of the headers, of which tools/api-page makes it.
"""
import argparse
import os
import pathlib
import sys

from _examples import Document

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "api.md"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--update", action="store_true")
    arguments.add_argument("documents", nargs="*", type=pathlib.Path, metavar="DOCUMENT")
    chosen = arguments.parse_args()
    hamel = os.environ.get("HAMEL", ROOT / "build" / "hamel")
    documents = chosen.documents or [p for p in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if p.exists() and p != REFERENCE]
    passed = failed = 0
    for path in documents:
        document = Document(path, hamel)
        document.run()
        document.report()
        if chosen.update:
            document.update()
        passed += document.passed
        failed += len(document.failures)
        print(f"{document.name}: {document.passed} right, {len(document.failures)} wrong")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
