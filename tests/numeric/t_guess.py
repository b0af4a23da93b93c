"""`guess`: of the two ways in which a linkage closes, the one near the guess is taken. Random linkages; the angles come from the law of cosines here."""
import json
import math
import random
import subprocess

from _checks import check, finish, near
from _linkages import TEXT, closed
from _runs import HAMEL, LIMIT, trajectory


def the_nearest_assembly_is_taken():
    draw = random.Random(5)
    tried = 0
    while tried < 20:
        a, b, c, d = draw.uniform(0.3, 1), draw.uniform(1.5, 3), draw.uniform(1.5, 3), draw.uniform(1.5, 3)
        p = draw.uniform(-3, 3)
        e = math.hypot(d - a * math.cos(p), a * math.sin(p))
        if not abs(b - c) + 0.3 < e < b + c - 0.3:
            continue  # it does not close, or both ways are near to each other
        tried += 1
        for side in (1, -1):
            q, r = closed(a, b, c, d, p, side)
            text = TEXT.format(a=a, b=b, c=c, d=d, p=p, q=q + draw.uniform(-0.05, 0.05), r=r + draw.uniform(-0.05, 0.05))
            done = subprocess.run([HAMEL, "eval", "-", "--json"], input=text, capture_output=True, text=True, timeout=LIMIT)
            check("it is evaluated", done.returncode == 0, done.stderr)
            found = json.loads(done.stdout)["q"]
            near(f"q on side {side}", float(found["q"]), q, 1e-12)
            near(f"r on side {side}", float(found["r"]), r, 1e-12)


def the_library_linkage_turns_and_stays_closed():
    run = trajectory("four_bar", until=2)
    near("it stays closed", max(run["closes"]), 0, 1e-9)
    q, r = closed(1, 2, 2, 2.2, 0.5, 1)
    near("it begins above the diagonal: q", run["q"][0], q, 1e-12)
    near("it begins above the diagonal: r", run["r"][0], r, 1e-12)


def of_the_roots_of_a_polynomial_the_nearest_is_taken():
    """Roots are drawn, and a guess anywhere among them: where slopes are small Newton's method alone leaps to another one."""
    draw = random.Random(11)
    for _ in range(40):
        roots = sorted(draw.uniform(-3, 3) for _ in range(draw.choice((2, 3, 4))))
        guess = draw.uniform(-3.2, 3.2)
        apart = sorted(abs(guess - root) for root in roots)
        if min(b - a for a, b in zip(roots, roots[1:])) < 0.02 or apart[1] - apart[0] < 1e-3:
            continue  # nearly a double root, or two that are as near
        product = "*".join(f"(y - ({root!r}))" for root in roots)
        text = f"coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: {product} = x\ninitial x = 0\nguess y = {guess!r}\n"
        done = subprocess.run([HAMEL, "assemble", "-", "--json"], input=text, capture_output=True, text=True, timeout=LIMIT)
        check("it is assembled", done.returncode == 0, done.stderr)
        near(f"{guess} among {roots}", float(json.loads(done.stdout)["q"]["y"]), min(roots, key=lambda r: abs(guess - r)), 1e-9)


the_nearest_assembly_is_taken()
of_the_roots_of_a_polynomial_the_nearest_is_taken()
the_library_linkage_turns_and_stays_closed()
finish()
