"""`input`: a run takes what the model states, generated code takes what its caller says.

The second route is a model without inputs: the same text with the expression typed where the input stood, of random forces and laws.
"""
import json
import random
import subprocess
import tempfile

from _checks import HAMEL, check, finish
from _runs import call, trajectory
from t_symmetries import text_model

RNG = random.Random(20)
LAWS = ["-3*x", "-2*x' - y", "sin(t)", "k*th'", "2*cos(t) - x*y", "-k*(th - 0.3) - th'/5", "0", "k/7"]
QUASI = "constraint blade: y'*cos(th) - x'*sin(th) = 0\nquasi v = x'*cos(th) + y'*sin(th)\nquasi w = th'\n"


def text(law, other, blade, typed):
    u, z = (f"({law})", f"({other})") if typed else ("u", "z")
    inputs = "" if typed else f"input u = {law}, z = {other}\n"
    return (f"system s\nparam k = 1.7\ncoord x, y, th\n{inputs}kinetic (2*x'^2 + 3*y'^2 + (1 + x^2)*th'^2)/2\npotential x^2*th/3 + y^2/2\n"
            f"force x = {u}*cos(th)\nforce y = {u}*sin(th) + y*{z}\nforce th = {z}\n{QUASI if blade else ''}observe power = {u}*x'\ninitial x = 0.3, y = -0.2, th = 0.4, x' = 0.7, th' = 0.9\n")


def a_run_takes_what_the_model_states():
    for trial in range(8):
        law, other, blade = RNG.choice(LAWS), RNG.choice(LAWS), trial % 2 == 0
        with_input, without = text_model(text(law, other, blade, False)), text_model(text(law, other, blade, True))
        a, b = (json.loads(call("eval", m, "--json", digits="30")) for m in (with_input, without))
        worst = max(abs(float(a["qdd"][c]) - float(b["qdd"][c])) for c in a["qdd"])
        check(f"accelerations with u = {law}, z = {other}", worst < 1e-15, f"off by {worst:.3g}")
        a, b = (trajectory(m, until=1, every=0.25) for m in (with_input, without))
        worst = max(abs(x - y) for name in b for x, y in zip(a[name], b[name]))
        check(f"a run with u = {law}, z = {other}", worst < 1e-8, f"off by {worst:.3g}")


def an_input_without_a_law_is_zero():
    model = text_model("coord x\ninput u\nkinetic x'^2/2\npotential x^2/2\nforce x = u\ninitial x = 1\n")
    check("x'' = -x", json.loads(call("eval", model, "--json"))["qdd"]["x"].startswith("-1.0"))
    check("check lists it", json.loads(call("check", model, "--json"))["inputs"] == ["u"])
    check("describe says what it is in runs", json.loads(call("describe", model, "--json"))["inputs"][0]["text"] == "0")
    check("derive keeps it", "x'' = u - x" in call("derive", model))


def generated_code_takes_it_as_an_argument():
    model = text_model("system driven\nparam c = 2\ncoord x\ninput u = c*3\nkinetic x'^2/2\nforce x = u\ninitial x = 1\n")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([HAMEL, "codegen", model, "-o", f"{folder}/code"], check=True, capture_output=True)
        with open(f"{folder}/try.c", "w") as out:
            out.write('#include "code/driven.h"\n#include <stdio.h>\nint main(void) {\n    driven_system s;\n    double z[2] = {0, 0}, u[driven_input_count], r[2];\n    driven_defaults(&s);\n'
                      '    driven_inputs(&s, 0, z, u);\n    driven_rate(&s, 0, z, u, r);\n    printf("%g ", r[1]);\n    u[driven_u_u] = 5;\n    driven_rate(&s, 0, z, u, r);\n'
                      '    printf("%g", r[1]);\n}\n')
        subprocess.run(["cc", "-o", f"{folder}/try", f"{folder}/try.c", f"{folder}/code/driven.c", "-lm"], check=True)
        said = subprocess.run([f"{folder}/try"], capture_output=True, text=True, check=True).stdout
    check("6 as stated, then what the caller says", said == "6 5", said)


def a_law_follows_the_inputs_that_it_uses():
    """u = E(state, w) and w = F(state, z): B has the chain rule, and a constant of --trim goes through."""
    for _ in range(6):
        a, b, c, d = (round(RNG.uniform(-3, 3), 2) or 1 for _ in range(4))
        head = "coord x, y\nkinetic (x'^2 + 2*y'^2)/2\npotential 2*x^2 + y^2 + x*y/3\n"
        laws = [f"u = {a}*w - x'", f"w = {b}*z + {c}*x", f"z = {d}"]
        RNG.shuffle(laws)  # in any order
        nested = text_model(head + "input " + ", ".join(laws) + "\nforce x = u\nforce y = w\ninitial x = 0, y = 0\n")
        w = f"({b}*z + {c}*x)"
        flat = text_model(head + f"input z = {d}\nforce x = {a}*{w} - x'\nforce y = {w}\ninitial x = 0, y = 0\n")
        one, other = (json.loads(call("linearise", m, "--json")) for m in (nested, flat))
        check("A", one["A"] == other["A"], (one["A"], other["A"]))
        column = {name: [float(row[i]) for row in one["B"]] for i, name in enumerate(one["inputs"])}
        expected = {"u": [0, 0, 1, 0], "w": [0, 0, a, 0.5], "z": [0, 0, a * b, b / 2]}
        check("B", all(abs(p - q) < 1e-14 for name, values in expected.items() for p, q in zip(column[name], values)), (column, expected))
        # z holds x = 1 in the x direction: a w = 4 + y/3, 2 y + 1/3 = w
        held = json.loads(call("steady", nested, "--json", "--trim", "z", "--at", "x = 1"))["motions"][0]
        y, z = float(held["state"]["q"]["y"]), float(held["solved"]["z"])
        check("trim goes through the laws", abs(a * (b * z + c) - 4 - y / 3) < 1e-12 and abs(b * z + c - 2 * y - 1 / 3) < 1e-12 and "radius" in held, held)


if __name__ == "__main__":
    a_law_follows_the_inputs_that_it_uses()
    a_run_takes_what_the_model_states()
    an_input_without_a_law_is_zero()
    generated_code_takes_it_as_an_argument()
    finish()
