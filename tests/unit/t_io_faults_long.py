#!/usr/bin/env python3
"""More calls that fail than make test has time for."""
import sys

sys.argv[1:] = ["41", "120"]
import t_io_faults  # noqa: E402, F401
