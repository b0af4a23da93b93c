#!/usr/bin/env python3
"""Every command-line case under locales with another decimal mark."""
import sys

sys.argv[1:] = ["long"]
import t_locale  # noqa: E402, F401
