#!/usr/bin/python3
"""The same as t_second_slow.py by every form on every system."""
import os

os.environ["HAMEL_EVERY"] = "1"
import t_second_slow  # noqa: E402, F401
