#!/usr/bin/env python3
"""More allocations that fail than make test has time for."""
import sys

sys.argv[1:] = ["53", "25", "all"]
import t_memory_faults  # noqa: E402, F401
