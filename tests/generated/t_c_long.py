"""The same as t_c_slow.py on every model of the library."""
import os

os.environ["HAMEL_EVERY"] = "1"
import t_c_slow  # noqa: E402, F401
