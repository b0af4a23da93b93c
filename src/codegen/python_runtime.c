// Texts of the target `python` that are the same for every system, and words that names must not
// be.
#include "codegen/python.h"

// clang-format off
// Keywords, and what bodies call things themselves
static const char *const words[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "match", "case", "type", "print", "abs", "sqrt", "power", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "exp", "log", "sign", "solve",
    "math", "np", "t", "z", "p", "c", "u", "f", NULL};
// A module in the folder where a program starts stands in front of Python's own: modules of Python
// 3.11, and what main.py needs
static const char *const modules[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield", "main", "np", "numpy", "scipy", "matplotlib", "sympy", "pandas", "system",
    "abc", "aifc", "antigravity", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore",
    "atexit", "audioop", "base64", "bdb", "binascii", "bisect", "builtins", "bz2", "cProfile",
    "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codecs", "codeop", "collections",
    "colorsys", "compileall", "concurrent", "configparser", "contextlib", "contextvars", "copy",
    "copyreg", "crypt", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal",
    "difflib", "dis", "distutils", "doctest", "email", "encodings", "ensurepip", "enum", "errno",
    "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools",
    "gc", "genericpath", "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip",
    "hashlib", "heapq", "hmac", "html", "http", "idlelib", "imaplib", "imghdr", "imp", "importlib",
    "inspect", "io", "ipaddress", "itertools", "json", "keyword", "lib2to3", "linecache", "locale",
    "logging", "lzma", "mailbox", "mailcap", "marshal", "math", "mimetypes", "mmap",
    "modulefinder", "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt",
    "ntpath", "nturl2path", "numbers", "opcode", "operator", "optparse", "os", "ossaudiodev",
    "pathlib", "pdb", "pickle", "pickletools", "pipes", "pkgutil", "platform", "plistlib",
    "poplib", "posix", "posixpath", "pprint", "profile", "pstats", "pty", "pwd", "py_compile",
    "pyclbr", "pydoc", "pydoc_data", "pyexpat", "queue", "quopri", "random", "re", "readline",
    "reprlib", "resource", "rlcompleter", "runpy", "sched", "secrets", "select", "selectors",
    "shelve", "shlex", "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket",
    "socketserver", "spwd", "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat",
    "statistics", "string", "stringprep", "struct", "subprocess", "sunau", "symtable", "sys",
    "sysconfig", "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap",
    "this", "threading", "time", "timeit", "tkinter", "token", "tokenize", "tomllib", "trace",
    "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata",
    "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser",
    "winreg", "winsound", "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport",
    "zlib", "zoneinfo",
    NULL};
// clang-format on
const identifier_rules python_rules = {.words = words};
const identifier_rules python_program_rules = {.words = modules};

const char python_head[] = "import math\n"
                           "import types\n"
                           "\n"
                           "import numpy as np\n"
                           "\n";

const char python_bodies[] =
    "\n"
    "def _bodies(f):\n"
    "    sqrt, power, sign, solve = f.sqrt, f.power, f.sign, f.solve\n"
    "    sin, cos, tan, arcsin, arccos = f.sin, f.cos, f.tan, f.arcsin, f.arccos\n"
    "    arctan, arctan2, exp, log = f.arctan, f.arctan2, f.exp, f.log\n"
    "    sinh, cosh, tanh = f.sinh, f.cosh, f.tanh\n";

const char python_runtime[] =
    "\n"
    "def _solve_one(n, columns, entries):\n"
    "    full = np.array(entries)\n"
    "    return np.linalg.solve(full[:n * n].reshape(n, n), full[n * n:].reshape(columns, "
    "n).T).T.ravel().tolist()\n"
    "\n"
    "\n"
    "def _solve_many(n, columns, entries):\n"
    "    full = np.stack(np.broadcast_arrays(*entries), axis=-1)\n"
    "    shape = full.shape[:-1]\n"
    "    matrix, sides = full[..., :n * n].reshape(*shape, n, n), full[..., n * "
    "n:].reshape(*shape, columns, n)\n"
    "    solution = np.swapaxes(np.linalg.solve(matrix, np.swapaxes(sides, -1, -2)), -1, -2)\n"
    "    return np.moveaxis(solution.reshape(*shape, columns * n), -1, 0)\n"
    "\n"
    "\n"
    "# Plain numbers go through Python's own functions, which are several times as fast for one "
    "state.\n"
    "_ONE = _bodies(types.SimpleNamespace(\n"
    "    sqrt=math.sqrt, power=math.pow, sin=math.sin, cos=math.cos, tan=math.tan, "
    "arcsin=math.asin, arccos=math.acos, arctan=math.atan,\n"
    "    arctan2=math.atan2, sinh=math.sinh, cosh=math.cosh, tanh=math.tanh, exp=math.exp, "
    "log=math.log,\n"
    "    sign=lambda x: float((x > 0) - (x < 0)), solve=_solve_one))\n"
    "_MANY = _bodies(types.SimpleNamespace(\n"
    "    sqrt=np.sqrt, power=np.power, sin=np.sin, cos=np.cos, tan=np.tan, arcsin=np.arcsin, "
    "arccos=np.arccos, arctan=np.arctan,\n"
    "    arctan2=np.arctan2, sinh=np.sinh, cosh=np.cosh, tanh=np.tanh, exp=np.exp, log=np.log, "
    "sign=np.sign, solve=_solve_many))\n"
    "\n"
    "\n"
    "class Parameters(tuple):\n"
    "    \"\"\"Values of the parameters in the order of PARAMETERS, numbers or arrays; made by "
    "parameters().\n"
    "\n"
    "    What follows from them alone is computed once and kept here.\n"
    "    \"\"\"\n"
    "\n"
    "    def __new__(cls, values):\n"
    "        made = tuple.__new__(cls, values)\n"
    "        if len(made) != len(PARAMETERS):\n"
    "            raise ValueError(\"%d values for the %d parameters %s\" % (len(made), "
    "len(PARAMETERS), \", \".join(PARAMETERS)))\n"
    "        made.plain = all(np.ndim(v) == 0 for v in made)\n"
    "        made.kept = {}\n"
    "        return made\n"
    "\n"
    "\n"
    "def parameters(values=None, **named):\n"
    "    \"\"\"The model's values with others in their places: parameters(a=2), "
    "parameters({\"a[1]\": 3}).\"\"\"\n"
    "    named = {**(values or {}), **named}\n"
    "    for name in named:\n"
    "        if name not in PARAMETERS:\n"
    "            raise ValueError(\"there is no parameter %r; they are: %s\" % (name, \", "
    "\".join(PARAMETERS) or \"none\"))\n"
    "    return Parameters(v if np.ndim(v) else float(v) for v in {**PARAMETERS, "
    "**named}.values())\n"
    "\n"
    "\n"
    "_STATED = parameters()\n"
    "_BLOCK = 4096  # states\n"
    "\n"
    "\n"
    "def _look_up(data, t):\n"
    "    \"\"\"The piece of a function from data at t: where it begins, and its four terms; not "
    "numbers outside of the data.\"\"\"\n"
    "    time, term = data\n"
    "    slack = 1e-14 * np.abs(t)\n"
    "    piece = np.clip(np.searchsorted(time, t, side=\"right\") - 1, 0, len(time) - 2)\n"
    "    inside = (t >= time[0] - slack) & (t <= time[-1] + slack)\n"
    "    return [time[piece], *np.where(inside, np.moveaxis(term[piece], -1, 0), np.nan)]\n"
    "\n"
    "\n"
    "def _run(bodies, name, t, z, p, u):\n"
    "    kept, number = p.kept, float if bodies is _ONE else lambda v: np.asarray(v, "
    "dtype=float)[()]\n"
    "    if INPUTS or _DATA:  # they change in every call\n"
    "        p = [*p, *([np.nan] * len(INPUTS) if u is None else u), *(v for data in _DATA for v "
    "in _look_up(data, t))]\n"
    "        p = [number(v) for v in p]\n"
    "        return bodies[name](t, z, p, bodies[name + \"_fixed\"](p))\n"
    "    key = name, bodies is _ONE\n"
    "    if key not in kept:\n"
    "        p = [number(v) for v in p]\n"
    "        kept[key] = p, bodies[name + \"_fixed\"](p)\n"
    "    return bodies[name](t, z, *kept[key])\n"
    "\n"
    "\n"
    "def _evaluate(name, t, z, p, u):\n"
    "    p = _STATED if p is None else p if type(p) is Parameters else parameters(p) if "
    "isinstance(p, dict) else Parameters(p)\n"
    "    z, shape = np.asarray(z, dtype=float), _SHAPES[name]\n"
    "    if z.ndim == 0 or len(z) != len(STATE):\n"
    "        raise ValueError(\"the state has the shape %s: first come %d entries, %s\" % "
    "(z.shape, len(STATE), \", \".join(STATE)))\n"
    "    if INPUTS and name != \"inputs\":\n"
    "        u = _evaluate(\"inputs\", t, z, p, None) if u is None else np.asarray(u, "
    "dtype=float)\n"
    "        if u.ndim == 0 or len(u) != len(INPUTS):\n"
    "            raise ValueError(\"the inputs have the shape %s: first come %d entries, %s\" % "
    "(u.shape, len(INPUTS), \", \".join(INPUTS)))\n"
    "    elif u is not None:\n"
    "        raise ValueError(\"the system has no inputs\")\n"
    "    if z.ndim == 1 and np.ndim(t) == 0 and p.plain and (u is None or u.ndim == 1):\n"
    "        try:\n"
    "            return np.array(_run(_ONE, name, float(t), z.tolist(), p, None if u is None else "
    "u.tolist())).reshape(shape)[()]\n"
    "        except (ArithmeticError, ValueError):\n"
    "            pass  # no number there: NumPy says inf or nan, with a warning\n"
    "    t = np.asarray(t, dtype=float)[()]\n"
    "    many = z.shape[1:]\n"
    "    if len(many) == 1 and many[0] > _BLOCK and p.plain and np.shape(t) in ((), many) and (u "
    "is None or u.shape[1:] in ((), many)):\n"
    "        out = np.empty((int(np.prod(shape)), *many))  # in blocks whose temporaries stay in "
    "the cache\n"
    "        for at in range(0, many[0], _BLOCK):\n"
    "            part = slice(at, at + _BLOCK)\n"
    "            held = u if u is None or u.ndim == 1 else u[:, part]\n"
    "            for row, value in zip(out, _run(_MANY, name, t[part] if np.ndim(t) else t, z[:, "
    "part], p, held)):\n"
    "                row[part] = value\n"
    "        return out.reshape(*shape, *many)\n"
    "    values = _run(_MANY, name, t, z, p, u)\n"
    "    many = np.broadcast_shapes(z.shape[1:], np.shape(t), () if u is None else u.shape[1:], "
    "*(() if p.plain else map(np.shape, p)))\n"
    "    out = np.empty((len(values), *many))\n"
    "    for row, value in zip(out, values) if many else ():\n"
    "        row[...] = value\n"
    "    if not many:\n"
    "        out[...] = values\n"
    "    return out.reshape(*shape, *many)[()]\n"
    "\n";

const char python_main[] =
    "import sys\n"
    "\n"
    "import numpy as np\n"
    "from scipy.integrate import solve_ivp\n"
    "\n"
    "import @ as system\n"
    "\n"
    "\n"
    "def stop_at(index, stops, direction):\n"
    "    def event(t, z):\n"
    "        return system.events(t, z)[index]\n"
    "\n"
    "    event.terminal, event.direction = stops, direction\n"
    "    return event\n"
    "\n"
    "\n"
    "def main():\n"
    "    end = float(sys.argv[1]) if len(sys.argv) > 1 else system.END_TIME\n"
    "    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 200\n"
    "    start = system.INITIAL_TIME\n"
    "    run = solve_ivp(system.rhs, (start, end), system.INITIAL_STATE, method=\"DOP853\", "
    "rtol=1e-10, atol=1e-12,\n"
    "                    t_eval=np.linspace(start, end, rows + 1),\n"
    "                    events=[stop_at(i, stops, direction) for i, (_, stops, direction) in "
    "enumerate(system.EVENTS)])\n"
    "    names = [\"t\", *system.STATE, *(name for function in system.ROWS for name in "
    "system.ENTRIES[function])]\n"
    "    print(\",\".join('\"%s\"' % name if \",\" in name else name for name in names))\n"
    "    shown = [np.atleast_2d(getattr(system, function)(run.t, run.y)) for function in "
    "system.ROWS]\n"
    "    for row in np.vstack([run.t, run.y, *shown]).T:\n"
    "        print(\",\".join(map(repr, row.tolist())))\n"
    "    for (name, _, _), times in zip(system.EVENTS, run.t_events or ()):\n"
    "        for t in times:\n"
    "            print(\"%s at t = %r\" % (name, float(t)), file=sys.stderr)\n"
    "    if run.status < 0:\n"
    "        print(run.message, file=sys.stderr)\n"
    "    return 5 if run.status < 0 else 0\n"
    "\n"
    "\n"
    "if __name__ == \"__main__\":\n"
    "    sys.exit(main())\n";
