#!/usr/bin/env python3
"""More kills of sweeps than make test has time for."""
import sys

sys.argv[1:] = ["53", "50"]
import t_sweep_kills  # noqa: E402, F401
