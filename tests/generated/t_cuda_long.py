#!/usr/bin/python3
"""t_cuda_slow.py with more models of the library and more random ones."""
import os
import sys

os.environ["HAMEL_EVERY"] = "1"

import t_cuda_slow

sys.exit(t_cuda_slow.main())
