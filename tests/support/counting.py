"""Counting what holds, for the scripts among the tests: the last line is what tools/run-tests adds up."""
import sys

counted = {True: 0, False: 0}


def check(condition, sentence):
    if not isinstance(sentence, str):
        raise TypeError(f"check({condition!r}, {sentence!r}): the condition stands where the sentence belongs, and a sentence holds always")
    counted[bool(condition)] += 1
    if not condition:
        print("not so:", sentence)


def finish():
    print(f"{counted[True]} passed, {counted[False]} failed")
    sys.exit(counted[False] > 0)
