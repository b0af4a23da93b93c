#!/usr/bin/python3
"""What `prove` says of how it proved: certificates where they can be had, and bounds that are numbers and promise no more than the trials give."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import check, finish  # noqa: E402

HAMEL = os.environ["HAMEL"]
# A root of a square and an absolute value have two signs in F_p: a false statement may survive a trial by chance.
WITH_SIGNS = """coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z' = y*x'
initial x = 0.3, y = 0.5, x' = 1, y' = 1
claim root: (sqrt(x^2 + 2*x*y + y^2) + z)*(sqrt(x^2 + 2*x*y + y^2) - z) = (x + y)^2 - z^2
claim signs: (abs(x) + abs(y))^2 = x^2 + y^2 + 2*abs(x)*abs(y)
claim both: (abs(x + z) + sqrt(1 + y^2))*(abs(x + z) - sqrt(1 + y^2)) = (x + z)^2 - 1 - y^2
claim plain: z'^2 = y^2*x'^2
"""
LEAST = -100  # no proof by chance is worth the word with a larger exponent
BITS = 64  # of a prime: one trial cannot give more
# How many statements (forms, claims, invariants, energy) have a certificate; all that are proved but those named, which are too large.
CERTIFIED = {"sleigh": 18, "vertical_disc": 22, "knife_edge": 21, "rolling_disc": 20, "snakeboard": 20, "appell_hamel": 15, "pendulum": 15}
TOO_LARGE = {("snakeboard", "hamel"), ("snakeboard", "poincare")}


def verdicts(model, *options):
    done = subprocess.run([HAMEL, "prove", model, "--json", *options], capture_output=True, text=True)
    return [v for v in json.loads(done.stdout)["verdicts"] if v["kind"] != "mass"]


def bounds_are_numbers_that_the_trials_give(name, found):
    for v in found:
        if v["method"] != "modular":
            continue
        exponent = re.fullmatch(r"2\^(-\d+)", v["bound"])
        check(exponent and -BITS * v["trials"] <= int(exponent.group(1)) <= LEAST,
              f"{name}: the bound of {v['name']} is a number for {v['trials']} trials, not {v['bound']}")


def verdicts_of_text(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "m.ham")
        with open(file, "w") as f:
            f.write(text)
        return verdicts(file, *options)


# Statements of degree about 2 N in what is random: one trial is worth 1 bit less for each doubling of N.
DEGREES = """coord x, y
kinetic (x'^2 + y'^2)/2
initial x = 1, y = 1
claim powers: (x^{n} - y)*(x^{n} + y) = x^(2*{n}) - y^2
claim angles: 2*sin({n}*x)*cos({n}*x) = sin(2*{n}*x)
claim below: 1/(x^{n} - y) - 1/(x^{n} + y) = 2*y/(x^(2*{n}) - y^2)
"""


def bits_of_a_trial(n):
    found = [v for v in verdicts_of_text(DEGREES.format(n=n), "--form", "lagrange") if v["kind"] == "claim"]
    check(len(found) == 3 and all(v["verdict"] == "proved" for v in found), f"statements of degree {2 * n} are proved")
    return {v["name"]: -int(v["bound"].partition("^")[2] or 0) / v["trials"] for v in found if v["method"] == "modular"}


def large_degrees_cost_bits():
    few, many = bits_of_a_trial(2), bits_of_a_trial(16)
    for name in few:
        lost = few[name] - many.get(name, 0)
        check(2.5 <= lost <= 7, f"a trial of `{name}` is worth 3 bits less for 8 times the degree, not {lost}")
        check(few[name] <= 61 - 2, f"a trial of `{name}` is worth the bits of a prime less those of the degree at most, not {few[name]}")
    check(set(few) == {"powers", "angles", "below"} == set(many), "they are proved by trials")


def signs_are_counted():
    found = verdicts_of_text(WITH_SIGNS)
    claims = [v for v in found if v["kind"] == "claim"]
    check(len(claims) == 4 and all(v["verdict"] == "proved" for v in claims), "statements with signs are proved")
    check(any(v["method"] == "modular" for v in claims), "some of them by trials")
    bounds_are_numbers_that_the_trials_give("signs", found)
    free = [v for v in claims if v["name"] != "plain" and v["method"] == "modular"]
    check(free and all(-int(v["bound"][2:]) <= v["trials"] for v in free), "a trial with a free sign is worth one bit at most")
    two = [v for v in free if v["name"] == "signs"]
    check(all(-int(v["bound"][2:]) <= 0.42 * v["trials"] for v in two), "with two free signs -log2(3/4) = 0.415 bits")


# A position that a root determines: both signs of the root of 1 + x^2 + y^2 are conjugate, as those of (x + y)^2 are not.
ON_A_ROOT = """coord x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z = sqrt({radicand})
initial x = 0.3, y = 0.5, x' = 1, y' = 1
claim square: z^2 = {radicand}
claim sum: z = x + y
"""


def a_root_in_free_positions_takes_no_more_trials():
    found = {v["name"]: v for v in verdicts_of_text(ON_A_ROOT.format(radicand="1 + x^2 + y^2"), "--form", "maggi")}
    check(found["square"]["verdict"] == "proved" and 0 < found["square"]["trials"] < 10,
          f"a root in a holonomic constraint takes few trials, not {found['square']['trials']}")
    check(found["sum"]["verdict"] == "refuted", "what does not hold on it is refuted")
    found = {v["name"]: v for v in verdicts_of_text(ON_A_ROOT.format(radicand="x^2 + 2*x*y + y^2"), "--form", "maggi")}
    check(found["square"]["verdict"] == "proved" and found["square"]["trials"] > 100, "the root of a square has one sign or the other, by chance")
    check(found["sum"]["verdict"] != "proved", "and is not x + y everywhere")


# An eigenvalue of the mass matrix is negative; the second of three components is wrong.
WRONG = """coord x, y, z
kinetic 5*x'^2 + y'^2/2 + 3*x'*y' - z'^2/50
initial x = 1
claim second: (x'', y'', z'') = (0, y, 0)
"""


def wrong_statements_are_refuted():
    done = subprocess.run([HAMEL, "prove", "-", "--json", "--form", "lagrange"], input=WRONG, capture_output=True, text=True)
    found = {v["name"]: v["verdict"] for v in json.loads(done.stdout)["verdicts"]}
    check(found.get("positive definite") == "refuted", "an indefinite mass matrix is refuted, with a direction")
    verdict = {name[-1]: found.get("second." + name) for name in "xyz"}
    check(verdict == {"x": "proved", "y": "refuted", "z": "proved"}, f"of a vector the wrong component is refuted: {verdict}")


signs_are_counted()
a_root_in_free_positions_takes_no_more_trials()
wrong_statements_are_refuted()
large_degrees_cost_bits()
bounds_are_numbers_that_the_trials_give("rolling_disc", verdicts("rolling_disc"))
for model, least in CERTIFIED.items():
    found = [v for v in verdicts(model, "--certify") if v["verdict"] == "proved" and (model, v["name"]) not in TOO_LARGE]
    lost = [v["name"] for v in found if v["method"] != "certificate"]
    check(not lost, f"{model}: all has a certificate, not without {lost}")
    check(len(found) >= least, f"{model}: {least} statements at least have one, not {len(found)}")
for v in verdicts("t15_3_3_unicycle", "--certify", "--form", "ferrers,chaplygin"):  # in rates of quasi-velocities, and too large to be solved
    if v["kind"] == "form":
        check(v["method"] == "certificate", f"t15_3_3_unicycle: {v['name']} has a certificate, by the coefficients of velocities")
finish()
