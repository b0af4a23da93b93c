#!/usr/bin/python3
"""FMUs run to t = 10 by an importer (_fmu.py), by model exchange with an integrator of its own and by co-simulation, against `hamel simulate`: rolling disc,
rattleback, resets, clocks, data, a model with inputs, events and both. Then what hosts rely on: states saved in the middle, several instances in threads,
other start values, steps of any length, an event that ends the motion, equal bytes from equal models."""
import ctypes
import math
import os
import sys
import tempfile
import threading

from _fmu import DISCARD, ERROR, EXCHANGE, Exchange, Fmu, HAMEL, OK, Simulation, doubles, references, run, run_size, simulate

BELOW = 1e-8  # of what `simulate` finds at t = 10
INPUTS = """system driven "A driven pendulum that strikes a wall, with a sampled brake"
param m = 1.2, l = 0.8, g = 9.81, e = 0.9, brake = 0.1, limit = 0.12
coord th
input u = 0.8*sin(1.7*t) + 0.1*t
kinetic m*l^2/2*th'^2
potential -m*g*l*cos(th)
dissipation brake/2*th'^2
force th = u
when wall: th - limit { th' = -e*th' }
every 0.25 { brake = 0.1 + 0.05*th^2 }
event lowest: th
event falls: th' down
observe power = u*th'
initial th = 0.1, th' = 1
simulate t = 0 .. 10, tol = 1e-13, output = 0.1
"""
LAWS = {"u": lambda t: [0.8 * math.sin(1.7 * t + k * math.pi / 2) * 1.7 ** k + 0.1 * (t if k == 0 else k == 1) for k in range(5)]}
# a reset of a velocity among three, with a constraint and a quasi-velocity: the others follow as in `simulate`
CONSTRAINED = """system kicked "A sleigh that is turned round at a line"
param m = 1, J = 2, a = 0.5
coord x, y, th
kinetic m/2*(x'^2 + y'^2) + J/2*th'^2
constraint blade: y'*cos(th) - x'*sin(th) - a*th' = 0
when line: x - 1 { %s }
initial x = 0, y = 0, th = 0.3, x' = 1, th' = 0.2
simulate t = 0 .. 10, tol = 1e-13, output = 0.1
"""
STOPS = """system stops "A fall that ends at the ground"
param g = 9.81
coord y
kinetic y'^2/2
potential g*y
event ground: y down stop
initial y = 5
simulate t = 0 .. 10, tol = 1e-13, output = 0.1
"""
results = {"passed": 0, "failed": 0}


def check(what, good, words=""):
    results["passed" if good else "failed"] += 1
    if not good:
        print("FAIL %s %s" % (what, words))


def model_file(folder, text):
    file = os.path.join(folder, text.split()[1] + ".ham")
    open(file, "w").write(text)
    return file


def error_at_end(instance, reference):
    """The largest difference from the last row of `simulate`, in what both have."""
    names = [n for n in reference if n in instance.fmu.reference and n != "t"]
    assert len(names) >= 2, names
    return max((abs(v - reference[n]) / max(1, abs(reference[n])), n) for n, v in zip(names, instance.get(*names)))


def run_steps(c, end, length):
    """Co-simulation in steps of a length, the last of them shorter."""
    k, start = 0, c.t
    while c.t < end and c.status == OK:
        k += 1
        c.step(min(start + k * length, end) - c.t)
    return c


def accuracy(model, folder, end=10.0, laws=None, length=0.1, *options):
    fmu = Fmu(model, os.path.join(folder, os.path.basename(model) + "-fmu"), *options)
    reference = simulate(model, end, folder, "--tol", "1e-13", *options)
    c = run_steps(Simulation(fmu, laws), end, length)
    error = error_at_end(c, reference)
    check("co-simulation of " + model, c.status == OK and error[0] < BELOW, (c.status, error, c.messages[-2:]))
    e = Exchange(fmu, {n: lambda t, get, law=law: law(t)[0] for n, law in (laws or {}).items()})
    e.go_to(end)
    exchanged = error_at_end(e, reference)
    check("model exchange of " + model, exchanged[0] < BELOW, exchanged)
    if len(sys.argv) > 1:
        print("%s: %d bytes, co-simulation %.1e (%s), model exchange %.1e (%s)" % (fmu.name, os.path.getsize(fmu.file), *error, *exchanged))
    for event in (n[6:-1] for n in fmu.reference if n.startswith("count[")):
        check("both ways find `%s` of %s as often" % (event, model), c.count(event) == e.count(event), (c.count(event), e.count(event)))
    return fmu, c, reference


def saved_states(fmu, laws):
    """From a state saved in the middle everything happens again, to the last bit, also in another instance."""
    one = run_steps(Simulation(fmu, laws), 3.0, 0.1)
    saved = one.state_bytes()
    run_steps(one, 6.0, 0.1)
    first = one.state_bytes()
    one.back_to(saved)
    one.t = 3.0
    check("the state that was saved is back", one.state_bytes() == saved)
    run_steps(one, 6.0, 0.1)
    check("a run from a saved state has the same bits", one.state_bytes() == first)
    other = Simulation(fmu, laws)
    other.back_to(saved)
    other.t = 3.0
    run_steps(other, 6.0, 0.1)
    check("another instance goes on from it with the same bits", other.state_bytes() == first)
    for broken in (saved[:-1], b"\0" * len(saved), saved[:48] + b"\xff" * 4 + saved[52:]):
        state = ctypes.c_void_p()
        other.good(other.fmi2Reset())
        status = other.fmi2DeSerializeFMUstate(broken, ctypes.c_size_t(len(broken)), ctypes.byref(state))
        check("bytes that are no state are refused", status == ERROR and not state.value, status)
    other.close()


def threads(fmu, laws):
    """Eight instances at once, with different parameters, give what each gives alone."""
    limits, found = [0.1 + 0.02 * i for i in range(8)], {}

    def work(limit):
        c = run_steps(Simulation(fmu, laws, name="limit %g" % limit, parameters={"limit": limit}), 5.0, 0.05)
        found[limit] = (c.state_bytes(), c.status, c.get("th"))

    for limit in limits:
        work(limit)
    alone = dict(found)
    found.clear()
    all_threads = [threading.Thread(target=work, args=(limit,)) for limit in limits]
    for t in all_threads:
        t.start()
    for t in all_threads:
        t.join()
    check("instances in threads do not meet", found == alone)
    check("instances with other parameters move otherwise", len({v[0] for v in found.values()}) == len(limits))


def steps_of_any_length(fmu, laws, reference):
    import random
    chance, c = random.Random(5), Simulation(fmu, laws)
    while c.t < 10 and c.status == OK:
        c.step(min(10 - c.t, 10 ** chance.uniform(-5, -1.2)))
    error = error_at_end(c, reference)
    check("steps of any length lead to the same end", c.status == OK and error[0] < BELOW, (c.status, error))


def reset_and_start(fmu, laws):
    c = run_steps(Simulation(fmu, laws), 2.0, 0.1)
    end = c.state_bytes()
    c.good(c.fmi2Reset())
    c.t = 0.0
    c.good(c.fmi2SetupExperiment(0, 0.0, 0.0, 0, 0.0))
    c.good(c.fmi2EnterInitializationMode())
    c.set_inputs()
    c.good(c.fmi2ExitInitializationMode())
    run_steps(c, 2.0, 0.1)
    check("after fmi2Reset the same happens again", c.state_bytes() == end)


def stop(folder):
    fmu = Fmu(model_file(folder, STOPS), os.path.join(folder, "stops"))
    when = math.sqrt(10 / 9.81)
    c = run_steps(Simulation(fmu), 10.0, 0.3)
    t, ended = c.ended_at()
    check("an event that stops the motion ends the step there", c.status == DISCARD and ended and abs(t - when) < 1e-12, (c.status, t, ended))
    check("a step behind it is refused", c.fmi2DoStep(float(t), 0.1, 1) == ERROR)
    e = Exchange(fmu)
    e.go_to(10.0)
    check("it asks the host to terminate", e.ended and abs(e.t - when) < 1e-12, e.t)


def bytes_again(folder):
    made = [Fmu("rattleback", os.path.join(folder, "again%d" % i)) for i in range(2)]
    check("two builds are equal, byte by byte", open(made[0].file, "rb").read() == open(made[1].file, "rb").read())
    other = Fmu("rattleback", os.path.join(folder, "other"), "--set", "h=0.011")
    check("another model has another GUID", other.guid != made[0].guid)


def without_compiler(folder):
    target = os.path.join(folder, "bare.fmu")
    made = run(HAMEL, "codegen", "sleigh", "--target", "fmu", "-o", target, env=dict(os.environ, CC="no-such-compiler"))
    listed = run("unzip", "-l", target).stdout
    check("without a compiler there are sources only, and that is said",
          made.returncode == 0 and "no-such-compiler" in made.stderr and "sources/fmu.c" in listed and "linux64" not in listed, made.stderr)
    foreign = os.path.join(folder, "mine.fmu")
    open(foreign, "w").write("not hamel's")
    made = run(HAMEL, "codegen", "sleigh", "--target", "fmu", "-o", foreign)
    check("a file of somebody else stays", made.returncode == 1 and open(foreign).read() == "not hamel's", made.stderr)
    made = run(HAMEL, "codegen", "sleigh", "--target", "fmu", "-o", target)
    check("one of ours is replaced", made.returncode == 0 and "linux64" in run("unzip", "-l", target).stdout, made.stderr)


def refused(folder):
    made = run(HAMEL, "codegen", "bouncing_ball", "--target", "fmu", "-o", folder)
    check("contacts that open and close are refused", made.returncode == 1 and "--set mode[" in made.stderr, made.stderr)
    moved = model_file(folder, "system held \"\"\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint on: x^2 + y^2 = 1\n"
                               "when top: x { x = 0.6 }\ninitial x = -1, y = 0, y' = 1\n")
    made = run(HAMEL, "codegen", moved, "--target", "fmu", "-o", folder)
    check("a reset that moves what is held is refused", made.returncode == 1 and "top" in made.stderr, made.stderr)


with tempfile.TemporaryDirectory() as scratch:
    for name in run_size(("rattleback", "spring_stop"), ("rolling_disc", "rattleback", "rimless_wheel", "spring_stop", "bang_bang")):
        accuracy(name, scratch)
    accuracy("sampled_cart", scratch, 9.97)
    accuracy("measured_road", scratch, 4.9)
    accuracy("block_on_belt", scratch, 10.0, None, 0.1, "--set", "mode[%s]=sliding" % "belt")
    for i, values in enumerate(("th = th + 0.4", "th' = -0.5*th'", "th' = 0.3, th = 0.1", "x' = 0.7*x'")[::run_size(2, 1)]):
        accuracy(model_file(scratch, CONSTRAINED.replace("kicked", "kicked%d" % i) % values), scratch)
    driven, done, row = accuracy(model_file(scratch, INPUTS), scratch, 9.9, LAWS, 0.01)
    check("there were events and resets", done.count("wall") > 5 and done.count("lowest") > 5, (done.count("wall"), done.count("lowest")))
    saved_states(driven, LAWS)
    threads(driven, LAWS)
    reset_and_start(driven, LAWS)
    steps_of_any_length(driven, LAWS, simulate(os.path.join(scratch, "driven.ham"), 10, scratch, "--tol", "1e-13"))
    stop(scratch)
    bytes_again(scratch)
    without_compiler(scratch)
    refused(scratch)
print("%(passed)d passed, %(failed)d failed" % results)
sys.exit(bool(results["failed"]))
