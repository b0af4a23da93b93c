#!/usr/bin/env python3
"""More damaged journals than make test has time for."""
import sys

sys.argv[1:] = ["1000"]
import t_journal  # noqa: E402, F401
