"""The same as t_targets_slow.py on every model of the library, and on more random ones."""
import os
import sys

os.environ["HAMEL_EVERY"] = "1"
import t_targets_slow  # noqa: E402

sys.exit(t_targets_slow.main())
