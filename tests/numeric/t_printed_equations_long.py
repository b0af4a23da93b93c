#!/usr/bin/python3
"""The same as t_printed_equations_slow.py on every model of the library."""
import os

os.environ["HAMEL_EVERY"] = "1"
import t_printed_equations_slow  # noqa: E402, F401
