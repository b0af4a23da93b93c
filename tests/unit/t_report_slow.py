#!/usr/bin/env python3
"""The page of library models, one in eight (all of them in make test-long): tags that close, mathematics that is MathML, tabs with panels, and not too much of it."""
import concurrent.futures
import os
import subprocess
import sys

from _checks import run_size
from _pages import HAMEL, Page, faults_of_frame, faults_of_mathematics, report

MOST_BYTES = 3_000_000  # of a page


def faults_of(model):
    page = Page(report(model)[0])
    faults = faults_of_frame(page) + faults_of_mathematics(page)
    if len(page.text.encode()) > MOST_BYTES:
        faults.append(f"{len(page.text)} characters")
    if not page.with_attribute("role", "tabpanel"):
        faults.append("no formalism")
    return faults


listed = subprocess.run([HAMEL, "models"], capture_output=True, text=True, check=True).stdout
models = [line.split()[0] for line in listed.splitlines()][::run_size(8, 1)]
failed = 0
with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
    for model, faults in zip(models, pool.map(faults_of, models)):
        for fault in faults[:5]:
            print(f"{model}: {fault}")
        failed += bool(faults)
print(f"{len(models) - failed} passed, {failed} failed")
sys.exit(failed > 0)
