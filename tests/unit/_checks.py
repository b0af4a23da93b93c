"""What the scripts of this folder count with."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import check, counted, finish, in_time, run_cases, run_seed, run_size  # noqa: E402, F401
