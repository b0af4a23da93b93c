#!/usr/bin/env python3
"""`hamel fmt` changes blanks alone: tokens and comments stay, in order, what the model says stays, and laying out twice is the same as once.
For every model of the library, for texts spoilt by a generator (blanks, tabs, line ends, breaks where the language allows one), and for texts of
its own. The tokens are cut by a tokenizer of this file that knows nothing of the program's."""
import pathlib
import random
import re
import resource
import subprocess
import tempfile

from _checks import check, finish, run_cases
from commands import HAMEL

COUNT = run_cases(1, 12)
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = re.compile(rb"""(?P<blank>[ \t\r\n]+)|(?P<comment>\#[^\n]*)|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
  |(?P<name>(?:[A-Za-z]|[\xcd-\xcf][\x80-\xbf]|\xc2\xb5)(?:[A-Za-z0-9_]|[\xcd-\xcf][\x80-\xbf]|\xc2\xb5)*)
  |(?P<string>"[^"\n]*")|(?P<primes>'+)|(?P<range>\.\.)|(?P<mark>[-+*/^()\[\]{},=:.])""", re.X)


def tokens(text):
    """What a text holds but blanks: (kind, bytes); a comment without the blanks at its end."""
    found, at = [], 3 if text.startswith(b"\xef\xbb\xbf") else 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match, text[at:at + 20]
        if match.lastgroup != "blank":
            found.append((match.lastgroup, match[0].rstrip(b" \t\r") if match.lastgroup == "comment" else match[0]))
        at = match.end()
    return found


def fmt(text, *options):
    done = subprocess.run([HAMEL, "fmt", "-", *options], input=text, capture_output=True)
    return done.returncode, done.stdout


CONTINUES = re.compile(rb"^(?:[-+*/^,=:]|\.\.)$")


def spoil(text, rng):
    """The same tokens with other blanks; a line end where the line goes on anyway, or where one was."""
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    out, at, squares, depth, last = [], 0, 0, 0, b""
    glue = True  # no blank may be put before a unit's or an index' [: it has a meaning there
    while at < len(text):
        match = TOKEN.match(text, at)
        at, kind, word = match.end(), match.lastgroup, match[0]
        if kind == "blank":
            ends = word.count(b"\n")
            out.append(b"".join(rng.choice([b"", b" ", b"\t", b"   "]) + rng.choice([b"\n", b"\r\n"]) for _ in range(ends)) +
                       rng.choice([b" ", b"  ", b"\t", b" \t "]) if ends else rng.choice([b" ", b"   ", b"\t"]))
            glue = False
            continue
        word_like = last[-1:].isalnum() or last[-1:] in b"_\"'" or last[-1:] >= b"\x80"
        if glue and last and kind != "comment" and not squares and word not in (b"[", b"(", b".") and kind not in ("primes",) and last not in (b".", b"'"):
            hyphen = (word == b"-" or last == b"-") and not depth  # a-model has no blanks
            if not hyphen and rng.random() < 0.3 and (not word_like or kind in ("mark", "range")):
                out.append(rng.choice([b" ", b"  ", b"\t"]))
        if kind != "comment" and last and CONTINUES.match(last) and not squares and rng.random() < 0.1 and not (last == b"-" and not depth):
            out.append(rng.choice([b"\n", b"\n\n", b" # between\n  ", b"\r\n\t"]) if not re.match(rb"[a-z]", word) else b"")
        squares += word == b"["
        squares -= word == b"]"
        depth += word in (b"(", b"[")
        depth -= word in (b")", b"]")
        out.append(word.rstrip(b"\r") if kind == "comment" else word)
        if kind != "comment":
            last = word
        glue = True
    return b"".join(out)


def describe(text, folder, name):
    path = folder / name
    path.write_bytes(text)
    done = subprocess.run([HAMEL, "describe", path, "--json"], capture_output=True)
    return done.returncode, b"" if done.returncode else done.stdout  # errors show the text


def judge(text, what, folder, name="x.ham", meaning=True):
    status, once = fmt(text)
    check(status == 0, f"{what}: laid out")
    if status:
        return text
    check(tokens(once) == tokens(text), f"{what}: tokens and comments stay")
    again, twice = fmt(once)
    check(again == 0 and twice == once, f"{what}: twice is once")
    lines = once.split(b"\n")
    check(b"\r\n" not in once and (not once or once.endswith(b"\n")) and not any(line.endswith((b" ", b"\t")) for line in lines) and
          b"\n\n\n" not in once and not any(line.startswith(b"\t") for line in lines), f"{what}: line ends, blanks and empty lines")
    if meaning:
        check(describe(once, folder, name) == describe(text, folder, name), f"{what}: the model says the same")
    return once


def library(folder, rng, count):
    models = sorted((ROOT / "models").rglob("*.ham"))
    for path in models:
        text = path.read_bytes()
        check(fmt(text) == (0, text), f"{path.name} of the library is laid out")
    for path in models if count > 1 else rng.sample(models, 40):
        text = path.read_bytes()
        needs_others = re.search(rb'^include|\bfrom "', text, re.M)
        for i in range(count):
            spoilt = spoil(text, rng)
            assert tokens(spoilt) != [] and [t for t in tokens(spoilt) if t[1] != b"# between"] == tokens(text)
            once = judge(spoilt, f"{path.name} spoilt {i}", folder, meaning=i == 0 and not needs_others)
            narrow = fmt(spoilt, "--width", "60")[1]
            check(tokens(narrow) == tokens(spoilt) and fmt(narrow, "--width", "60")[1] == narrow, f"{path.name} at 60 columns")
            if b"between" not in spoilt and count == 1:
                check(describe(once, folder, "y.ham")[1] == describe(text, folder, "y.ham")[1], f"{path.name} as before it was spoilt")


OWN = {
    "nothing": b"", "blank lines alone": b"\n\n  \n", "a comment alone": b"# x", "mark of byte order": b"\xef\xbb\xbfcoord x\nkinetic x'^2/2\n",
    "no line end": b"coord x\nkinetic x'^2/2", "returns": b"coord x\r\n\r\n\r\nkinetic x'^2/2   \r\n# end\t\r\n", "a lone return": b"coord x,\r y\nkinetic x'^2/2 + y'^2\n",
    "Greek": "coord θ,φ   # Winkel θ\nparam µ=1\nkinetic µ*θ'^2/2+φ'^2/2\nobserve ω=θ'\n".encode(),
    "signs": b"coord x,y\nparam m=-1,k=+2\nkinetic (x'^2+y'^2)/2\npotential -m*x--k*y+(-x)*-y^-2+2*-x\nobserve a=-x-y\nforce x=-(x)\n",
    "a name with hyphens": b"coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c:y'=x*x'\nclaim s under a-model:x''=0\nclaim r under a-model with c=1:x''=0\nsimulate t=0 .. 1,form=a-model\n",
    "units": b"param g=9.81[m/s^2],l [ m ]=2/3 [m],k [N / m]=3,m=2 [kg]\ncoord x [ m ]\nkinetic m*x'^2/2\npotential k*(x-l)^2/2+m*g*x\nparam h=pi  [rad],a=10^-3[m]\n",
    "indices": b"const n=2\ncoord q[1..n],p[0 ..n - 1]\nkinetic sum(i in 1..n,q[i]'^2)+sum(i in 0..n-1,p[ i ]'^2)\nfor i in 1 ..n{\npotential q[i]^2\n\n\n for j in 1..n {\n observe a[i,j]=q[i]+q[j]}\n}\n",
    "a block in one line": b"const n=2\ncoord q[1..n]\nfor i in 1..n{kinetic q[i]'^2/2}\n",
    "goes on": b"coord x,\n y,  # one\n\n   z   # two\n # three\nkinetic (x'^2+\n# inside\ny'^2+z'^2)/\n2\npotential x +   # why\n  y\nlet r = (\n x,\n  y,\n      z)\n",
    "comments in a block": b"const n=2\ncoord q[1..n]\nfor i in 1..n {\n\n# first\nkinetic q[i]'^2/2 # behind\n   # last\n\n}\n# after\n",
    "a comment that is aligned": b"param a = 1       # one\nparam bbb = 2     # two\nparam c=3 # three\ncoord x\nkinetic x'^2\n",
    "NUL in a comment": b"coord x # a\0b\nkinetic x'^2/2\n", "no UTF-8 in a comment": b"coord x # \xff\xfe\nkinetic x'^2/2\n",
    "include that is not there": b"include   \"nowhere.ham\"\ncoord x\nkinetic x'^2/2\n", "data that are not there": b"given f   from \"no.csv\"   column  f\ncoord x\nkinetic x'^2/2\n",
    "contact": b"coord x,y\nparam mu=0.3\npoint p:mass 1 at (x,y,0)\ncontact floor:gap y,at p (x,y,0),normal (0,1,0),friction mu,mu,restitution 0.5\nevent e:x-1 up stop\n",
    "resets": b"coord x\nkinetic x'^2/2\nwhen hit:x-1 {x'=-x'}\nparam u=0\nevery 0.1 {u=x,x' = 0}\n",
    "drawing": b"coord x\nkinetic x'^2/2\nbody b:mass 1 at (x,0,0) inertia (1,1,1) rotation rot(z,x)\ndraw box b (1,2,3)at(x,0,0)\ndraw curve (s,0,0) in s=0 ..1\ndraw line -(x,0,0),(x,0,0)\n",
    "tab behind a deep line": b"\t\t\tcoord x,\n\t\t\t\t\t\t\t\t\t\t\ty\nkinetic x'^2/2 + y'^2/2\n",
    "semantic mistakes": b"coord x\nkinetic y'^2/2+undefined(  x)\n",
}


def long_lines(folder):
    terms = b" + ".join(b"cos(x*%d)^2*(1 + sin(%d*x + y, z)*%d)" % (i, i, i) for i in range(40))
    text = b"coord x\nkinetic x'^2/2\nlet f(a, b) = 1\nobserve v = " + terms + b"   # the sum\nobserve w = " + b"x" * 190 + b"\n"
    once = judge(text, "a long sum", folder, meaning=False)
    check([line for line in once.split(b"\n") if len(line.split(b"#")[0].rstrip()) > 100 and b"xxx" not in line] == [], "lines are broken within 100 columns")
    for width in (20, 33, 60, 101, 10000):
        status, made = fmt(text, "--width", str(width))
        check(status == 0 and tokens(made) == tokens(text) and fmt(made, "--width", str(width))[1] == made, f"the same at {width} columns")
    check(max(map(len, fmt(text, "--width", "60")[1].replace(b"x" * 190, b"x").split(b"\n"))) <= 72, "short lines where they can be had")
    keyword = b"coord point\nkinetic point'^2\nobserve v = " + b"+".join([b"point"] * 60) + b"\n"
    judge(keyword, "a name that begins statements", folder)


def refused(folder):
    for name, text in {"a bracket that is open": b"coord x\nkinetic (x'^2\npotential x\n", "a bracket too many": b"coord x\nkinetic x'^2)\n", "a block that is open": b"coord x\nfor i in 1..2 {\nkinetic x'^2\n",
                       "a brace too many": b"coord x\n}\n", "bytes": b"coord x\nkinetic \xff\n", "NUL": b"coord x\0\n", "an open text": b"system a \"b\n", "garbage": b"blah blah\n", "blanks in a name with hyphens": b"claim c under a - model: 1 = 1\n"}.items():
        path = folder / "wrong.ham"
        path.write_bytes(text)
        done = subprocess.run([HAMEL, "fmt", path], capture_output=True)
        check(done.returncode == 2 and b"error: " in done.stderr and not done.stdout and path.read_bytes() == text, f"{name} is refused, and the file is left")
        check(not list(folder.glob("wrong.ham.*")), f"{name} leaves no other file")


def files(folder):
    good, bad, wild = folder / "good.ham", folder / "bad.ham", folder / "wild.ham"
    good.write_bytes(b"coord x\nkinetic x'^2/2\n"), bad.write_bytes(b"coord (\n"), wild.write_bytes(b"coord   x\nkinetic x'^2/2\n")
    link = folder / "link.ham"
    link.symlink_to(wild)
    wild.chmod(0o640)
    run = lambda *words: subprocess.run([HAMEL, "fmt", *words], capture_output=True, text=True, cwd=folder)
    done = run("--check", "good.ham", "wild.ham")
    check((done.returncode, done.stdout) == (3, "wild.ham\n") and b"   " in wild.read_bytes(), "--check names what would change, and changes nothing")
    done = run("good.ham", "bad.ham", "link.ham")
    check((done.returncode, done.stdout) == (2, "link.ham\n"), "one file that is wrong does not keep the others from being written")
    check(wild.read_bytes() == good.read_bytes() and link.is_symlink() and wild.stat().st_mode & 0o777 == 0o640, "the file behind a link is written, with its rights")
    check(run("good.ham", "wild.ham").stdout == "" and run("--check", "good.ham").returncode == 0, "nothing more to do")
    check(run("nowhere.ham").returncode in (1, 5) and run("--width", "5", "good.ham").returncode == 1 and run(".").returncode in (1, 5), "wrong names and widths")
    wild.write_bytes(b"coord   x\nkinetic x'^2/2\n")
    check(run("--json", "wild.ham", "good.ham").stdout == '{"changed":["wild.ham"],"status":0}\n', "--json")
    check(run("--json", "-").returncode == 1, "standard input has no room for --json")
    wild.write_bytes(b"coord   x\nkinetic x'^2/2\n")
    folder.chmod(0o555)
    done = run("wild.ham")
    folder.chmod(0o755)
    if done.returncode:  # root may write anywhere
        check(done.returncode == 5 and wild.read_bytes().startswith(b"coord   x"), "a folder that cannot be written to")


def huge_lines():
    """Time grows as the length of a line does, with some room: four times the line was sixteen times the time once."""
    def seconds(terms):
        text = b"coord x\nkinetic x'^2 + " + b"+".join([b"x"] * terms) + b"\n"
        least = 1e9
        for _ in range(3):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            check(fmt(text)[0] == 0, "a huge line is laid out")
            least = min(least, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        return least
    small, large = seconds(20000), seconds(80000)
    check(large < 8 * small + 0.1, f"four times the line, {large:.3f} s after {small:.3f} s")


def main():
    rng = random.Random(2026)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for name, text in OWN.items():
            judge(text, name, folder, meaning=b"\0" not in text and b"from" not in text and b"include" not in text)
        check(fmt(OWN["signs"])[1].splitlines()[3:] == [b"potential -m*x - -k*y + (-x)*-y^-2 + 2*-x", b"observe a = -x - y", b"force x = -(x)"], "signs")
        check(fmt(b"coord x\n\n\nkinetic   x'^2 /2 # c\n")[1] == b"coord x\n\nkinetic x'^2/2 # c\n", "a small text")
        check(fmt(OWN["comments in a block"])[1] == b"const n = 2\ncoord q[1..n]\nfor i in 1..n {\n  # first\n  kinetic q[i]'^2/2 # behind\n  # last\n}\n# after\n", "a block")
        check(b"under a-model with" in fmt(OWN["a name with hyphens"])[1], "names with hyphens")
        long_lines(folder), huge_lines(), refused(folder), files(folder)
        library(folder, rng, COUNT)
    finish()


main()
