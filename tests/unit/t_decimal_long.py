#!/usr/bin/env python3
"""A million doubles, written and read."""
import sys

sys.argv[1:] = ["1000000"]
import t_decimal  # noqa: E402, F401
