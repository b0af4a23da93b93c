#!/usr/bin/python3
"""Stands in the place of nvcc where there is no GPU: takes the options that hamel gives it, and compiles the text as C++ with cuda_shim.h. NVCC=tests/support/nvcc_shim.py"""
import os
import pathlib
import shlex
import shutil
import sys

SHIM = pathlib.Path(__file__).resolve().parent / "cuda_shim.h"
CXX = shlex.split(os.environ.get("CXX", "")) or ["g++" if shutil.which("g++") else "c++"]
WITH_VALUE = ("-x", "-Xcompiler", "-cudart")

given, kept = sys.argv[1:], []
while given:
    word = given.pop(0)
    if word in WITH_VALUE:
        given.pop(0)
    elif not word.startswith("-arch") and word != "-O3":
        kept.append(word)
sources = [w for w in kept if w.endswith(".c")]
command = [*CXX, "-O1", "-fPIC", "-ffp-contract=off", "-include", str(SHIM), "-x", "c++", *sources, "-x", "none", *(w for w in kept if w not in sources)]
os.execvp(command[0], command)
