#!/usr/bin/python3
"""The same as t_listed_slow.py on every pair of a system and a form."""
import os

os.environ["HAMEL_EVERY"] = "1"
import t_listed_slow  # noqa: E402

t_listed_slow.main([], [])
