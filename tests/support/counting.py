"""Counting what holds, for the scripts among the tests: the last line is what tools/run-tests adds up."""
import os
import resource
import sys

counted = {True: 0, False: 0}


def run_seed(usual):
    """The seed of a random test: $HAMEL_SEED, or `usual`."""
    return int(os.environ.get("HAMEL_SEED") or usual)


def run_size(usual, full):
    """`full` if $HAMEL_LONG is set (make test-long), else `usual`. tests/CMakeLists.txt adds a test NAME_long for every script that calls this
    function or run_cases()."""
    return full if os.environ.get("HAMEL_LONG") else usual


def run_cases(usual, full):
    """The number of cases of a test: $HAMEL_CASES, else run_size(), of which a quarter if $HAMEL_SANITIZED is set: a case takes many times as long."""
    if os.environ.get("HAMEL_CASES"):
        return int(os.environ["HAMEL_CASES"])
    size = run_size(usual, full)
    return max(1, size // 4) if os.environ.get("HAMEL_SANITIZED") else size


def in_time(cases):
    """The cases of a random test, until the process and its children have used $HAMEL_SECONDS of processor time; all if it is not set."""
    limit = float(os.environ.get("HAMEL_SECONDS") or "inf")
    for case in cases:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        if sum(u.ru_utime + u.ru_stime for u in used) >= limit:
            return
        yield case


def check(condition, sentence):
    if not isinstance(sentence, str):
        raise TypeError(f"check({condition!r}, {sentence!r}): the condition stands where the sentence belongs, and a sentence holds always")
    counted[bool(condition)] += 1
    if not condition:
        print("not so:", sentence)


def finish():
    print(f"{counted[True]} passed, {counted[False]} failed")
    sys.exit(counted[False] > 0)
