#!/usr/bin/env python3
"""Every model of the library, spoilt a dozen times."""
import sys

sys.argv[1:] = ["12"]
import t_layout  # noqa: E402, F401
