"""An importer of FMUs: the description read, the binary loaded, and each function of FMI 2.0 called through the standard's C interface.
It shares nothing with the code of an FMU: model exchange has an integrator of its own (extrapolation of Gragg, Bulirsch and Stoer)."""
import ctypes
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from counting import run_size  # noqa: E402, F401

HAMEL = os.environ["HAMEL"]
OK, WARNING, DISCARD, ERROR, FATAL, PENDING = range(6)
EXCHANGE, SIMULATION = 0, 1

LOGGER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
FINISHED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", ctypes.c_void_p), ("free", ctypes.c_void_p), ("finished", ctypes.c_void_p), ("environment", ctypes.c_void_p)]


class EventInfo(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int) for n in ("needed", "terminate", "nominals", "changed", "timed")] + [("time", ctypes.c_double)]


def run(*command, **more):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)


def doubles(values):
    values = list(values)
    return (ctypes.c_double * max(1, len(values)))(*values)


def references(values):
    values = list(values)
    return (ctypes.c_uint * max(1, len(values)))(*values)


class Fmu:
    """One .fmu, made by `hamel codegen`, unpacked into a folder."""

    def __init__(self, model, folder, *options):
        made = run(HAMEL, "codegen", model, "--target", "fmu", "-o", folder, *options)
        assert made.returncode == 0, made.stderr
        self.file, self.folder = made.stdout.strip(), os.path.join(folder, "unpacked")
        zipfile.ZipFile(self.file).extractall(self.folder)
        self.xml = ET.parse(os.path.join(self.folder, "modelDescription.xml")).getroot()
        self.name = self.xml.find("CoSimulation").get("modelIdentifier")
        self.guid = self.xml.get("guid")
        self.variables = list(self.xml.find("ModelVariables"))
        self.reference = {v.get("name"): int(v.get("valueReference")) for v in self.variables}
        self.states = [int(self.variables[int(v[0].get("derivative")) - 1].get("valueReference")) for v in self.variables if v[0].get("derivative")]
        self.events = int(self.xml.get("numberOfEventIndicators"))
        self.code = ctypes.CDLL(os.path.join(self.folder, "binaries", "linux64", self.name + ".so"))
        self.code.fmi2Instantiate.restype = ctypes.c_void_p

    def named(self, causality):
        return [v.get("name") for v in self.variables if v.get("causality") == causality]


class Instance:
    """Any function of the standard is a method: it takes what the C function takes behind the component, with Python floats for fmi2Real."""

    def __init__(self, fmu, kind, name="one", start=0.0, stop=None, parameters=(), tolerance=None):
        self.fmu, self.messages = fmu, []
        self.logger = LOGGER(lambda e, i, status, category, form, words: self.messages.append((status, category.decode(), words.decode())))
        self.callbacks = Callbacks(self.logger, None, None, None, None)
        self.component = fmu.code.fmi2Instantiate(name.encode(), kind, fmu.guid.encode(), b"", ctypes.byref(self.callbacks), 0, 1)
        assert self.component, self.messages
        self.kind, self.t = kind, start
        for key, value in dict(parameters).items():
            self.set(key, value)
        self.good(self.fmi2SetupExperiment(tolerance is not None, tolerance or 0.0, start, stop is not None, float(stop or 0)))
        self.good(self.fmi2EnterInitializationMode())

    def __getattr__(self, name):
        if not name.startswith("fmi2"):
            raise AttributeError(name)
        function = getattr(self.fmu.code, name)
        return lambda *a: function(ctypes.c_void_p(self.component), *[ctypes.c_double(x) if isinstance(x, float) else x for x in a])

    def good(self, status):
        assert status == OK, (status, self.messages[-3:])

    def set(self, name, value):
        self.good(self.fmi2SetReal(references([self.fmu.reference[name]]), ctypes.c_size_t(1), doubles([value])))

    def get(self, *names):
        value = doubles([0] * len(names))
        self.good(self.fmi2GetReal(references(self.fmu.reference[n] for n in names), ctypes.c_size_t(len(names)), value))
        return list(value)[:len(names)]

    def count(self, event):
        value = ctypes.c_int()
        self.good(self.fmi2GetInteger(references([self.fmu.reference["count[%s]" % event]]), ctypes.c_size_t(1), ctypes.byref(value)))
        return value.value

    def state_bytes(self):
        """What the situation is, byte for byte."""
        state, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.good(self.fmi2GetFMUstate(ctypes.byref(state)))
        self.good(self.fmi2SerializedFMUstateSize(state, ctypes.byref(size)))
        out = ctypes.create_string_buffer(size.value)
        self.good(self.fmi2SerializeFMUstate(state, out, size))
        self.good(self.fmi2FreeFMUstate(ctypes.byref(state)))
        return out.raw

    def back_to(self, saved):
        state = ctypes.c_void_p()
        self.good(self.fmi2DeSerializeFMUstate(saved, ctypes.c_size_t(len(saved)), ctypes.byref(state)))
        self.good(self.fmi2SetFMUstate(state))
        self.good(self.fmi2FreeFMUstate(ctypes.byref(state)))

    def close(self):
        self.fmu.code.fmi2FreeInstance(ctypes.c_void_p(self.component))


class Exchange(Instance):
    """Model exchange: the host integrates. `inputs`: name -> function of t and a function that reads variables."""

    def __init__(self, fmu, inputs=None, **more):
        super().__init__(fmu, EXCHANGE, **more)
        self.n, self.inputs, self.ended = len(fmu.states), inputs or {}, False
        self.set_inputs(self.t)
        self.good(self.fmi2ExitInitializationMode())
        self.next = float("inf")
        self.update()

    def set_inputs(self, t):
        for name, law in self.inputs.items():
            self.set(name, law(t, self.get))

    def update(self):
        """Event mode, until nothing is left to do, and back."""
        info = EventInfo()
        while True:
            self.good(self.fmi2NewDiscreteStates(ctypes.byref(info)))
            if info.terminate or not info.needed:
                break
        self.ended, self.next = bool(info.terminate), info.time if info.timed else float("inf")
        self.good(self.fmi2EnterContinuousTimeMode())
        x = doubles([0] * self.n)
        self.good(self.fmi2GetContinuousStates(x, ctypes.c_size_t(self.n)))
        self.x = list(x)

    def place(self, t, x):
        self.good(self.fmi2SetTime(float(t)))
        self.good(self.fmi2SetContinuousStates(doubles(x), ctypes.c_size_t(self.n)))
        self.set_inputs(t)

    def rate(self, t, x):
        self.place(t, x)
        out = doubles([0] * self.n)
        self.good(self.fmi2GetDerivatives(out, ctypes.c_size_t(self.n)))
        return list(out)

    def indicators(self, t, x):
        self.place(t, x)
        out = doubles([0] * self.fmu.events)
        self.good(self.fmi2GetEventIndicators(out, ctypes.c_size_t(self.fmu.events)))
        return [v > 0 for v in list(out)[:self.fmu.events]]

    def extrapolate(self, t, x, h):
        """Modified midpoint rules of 2, 4 .. 16 steps, extrapolated in h^2: the result, and how much the last column changed it."""
        table, change = [], 0.0
        first = self.rate(t, x)
        for row in range(8):
            steps = 2 * (row + 1)
            d = h / steps
            a, b = x, [u + d * v for u, v in zip(x, first)]
            for i in range(1, steps):
                f = self.rate(t + i * d, b)
                a, b = b, [u + 2 * d * v for u, v in zip(a, f)]
            f = self.rate(t + h, b)
            line = [[(u + v + d * w) / 2 for u, v, w in zip(a, b, f)]]
            for k in range(row):
                ratio = ((row + 1) / (row - k)) ** 2 - 1
                line.append([u + (u - v) / ratio for u, v in zip(line[k], table[k])])
            if row:
                change = max(abs(u - v) / max(1, abs(u)) for u, v in zip(line[-1], line[-2]))
            table = line
        return table[-1], change

    def go_to(self, end, most=0.1, fine=1e-13):
        """To this time, or to the event that ends the motion."""
        h = most
        while self.t < end and not self.ended:
            t, x = self.t, self.x
            length = min(h, end - t, self.next - t)
            result, change = self.extrapolate(t, x, length)
            if change > fine and length > 1e-6:
                h = length / 2
                continue
            h = min(most, 1.5 * length if length == h else h)
            stop = t + length if length < min(end, self.next) - t else min(end, self.next)
            before, after = self.indicators(t, x), self.indicators(stop, result)
            crossed = before != after
            if crossed:
                stop, result = self.find(t, x, before, length)
            self.place(stop, result)
            self.t, self.x = stop, result
            if crossed or stop >= self.next:
                self.good(self.fmi2EnterEventMode())
                self.update()

    def find(self, t, x, before, high):
        """The first place where an indicator has changed its sign: bisection, each try one step from the start."""
        low, result = 0.0, self.extrapolate(t, x, high)[0]
        for _ in range(60):
            middle = (low + high) / 2
            if not low < middle < high or high - low < 2e-16 * max(1, abs(t)):
                break
            there = self.extrapolate(t, x, middle)[0]
            if self.indicators(t + middle, there) != before:
                high, result = middle, there
            else:
                low = middle
        return t + high, result


class Simulation(Instance):
    """Co-simulation. `inputs`: name -> function of t that gives the value and its derivatives."""

    def __init__(self, fmu, inputs=None, **more):
        super().__init__(fmu, SIMULATION, **more)
        self.inputs, self.status = inputs or {}, OK
        self.set_inputs()
        self.good(self.fmi2ExitInitializationMode())

    def set_inputs(self):
        for name, law in self.inputs.items():
            value = law(self.t)
            self.set(name, value[0])
            more = value[1:]
            if more:
                self.good(self.fmi2SetRealInputDerivatives(references([self.fmu.reference[name]] * len(more)), ctypes.c_size_t(len(more)),
                                                           (ctypes.c_int * len(more))(*range(1, len(more) + 1)), doubles(more)))

    def step(self, h):
        self.set_inputs()
        self.status = self.fmi2DoStep(float(self.t), float(h), 1)
        if self.status == OK:
            self.t += h
        return self.status

    def ended_at(self):
        value, ended = ctypes.c_double(), ctypes.c_int()
        self.good(self.fmi2GetRealStatus(2, ctypes.byref(value)))
        self.good(self.fmi2GetBooleanStatus(3, ctypes.byref(ended)))
        return value.value, bool(ended.value)


def simulate(model, end, folder, *options):
    """The last row of `hamel simulate`, by column."""
    file = os.path.join(folder, "run.csv")
    made = run(HAMEL, "simulate", model, "-o", file, "--until", end, *options)
    assert made.returncode == 0, made.stderr
    lines = open(file).read().splitlines()
    import csv
    rows = list(csv.reader([lines[0], lines[-1]]))
    return dict(zip(rows[0], map(float, rows[1])))
