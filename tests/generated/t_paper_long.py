"""The same as t_paper_slow.py on every model of the library."""
import os
import sys

os.environ["HAMEL_EVERY"] = "1"
import t_paper_slow  # noqa: E402

sys.exit(t_paper_slow.main())
