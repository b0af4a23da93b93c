#!/usr/bin/python3
"""The same as t_forms_along_trajectories_slow.py on all of its models."""
import os

os.environ["HAMEL_EVERY"] = "1"
import t_forms_along_trajectories_slow  # noqa: E402, F401
