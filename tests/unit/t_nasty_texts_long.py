#!/usr/bin/env python3
"""More nasty titles, every hidden character, every nasty name of a file."""
import sys

sys.argv[1:] = ["120"]
import t_nasty_texts  # noqa: E402, F401
