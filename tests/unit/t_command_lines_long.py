#!/usr/bin/env python3
"""More random command lines than make test has time for."""
import sys

sys.argv[1:] = ["29", "3000"]
import t_command_lines  # noqa: E402, F401
