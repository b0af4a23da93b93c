"""Data files of models that are no files, too large, not to be read, elsewhere, or changed: each ends in a message and a status, and none keeps anyone waiting."""
import os
import random
import resource
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import counting  # noqa: E402
from counting import finish  # noqa: E402

HAMEL = os.environ["HAMEL"]
LIMIT = 20 * float(os.environ.get("HAMEL_PATIENCE", "1"))
RNG = random.Random(5)
GOOD = "t,f\n0,1\n1,2\n2,0\n"
MODEL = 'coord x\ngiven f from "%s" column f\nkinetic x\'^2/2\nforce x = f\ninitial x = 0\nsimulate t = 0 .. 2\n'


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(text if isinstance(text, bytes) else text.encode())
    return path


def hamel(*arguments, cwd=None, **options):
    return subprocess.run([HAMEL, *arguments], capture_output=True, text=True, errors="replace", timeout=LIMIT, cwd=cwd, **options)


def check(name, p, status, words=""):
    counting.check(p.returncode == status and words in p.stderr, f"{name}: status {p.returncode} for {status}: {p.stderr[:300]}")


def what_is_no_file_is_refused(folder):
    os.mkfifo(os.path.join(folder, "pipe.csv"))
    os.mkdir(os.path.join(folder, "folder.csv"))
    os.symlink("/dev/zero", os.path.join(folder, "zero.csv"))
    os.symlink("/etc/passwd", os.path.join(folder, "secret.csv"))
    outside = tempfile.mkdtemp()
    write(outside, "data.csv", GOOD)
    os.symlink(os.path.join(outside, "data.csv"), os.path.join(folder, "link.csv"))
    os.symlink(outside, os.path.join(folder, "elsewhere"))
    for name, words in (("pipe.csv", "no regular file"), ("folder.csv", "no regular file"), ("zero.csv", "no regular file"), ("secret.csv", "leads out"),
                        ("link.csv", "leads out"), ("elsewhere/data.csv", "leads out"), ("none.csv", "no file")):
        p = hamel("check", write(folder, "m.ham", MODEL % name))
        check(name, p, 2, words)
        counting.check("root" not in p.stderr, f"{name}: nothing of a file elsewhere is shown")
    os.symlink("real.csv", os.path.join(folder, "inner.csv"))
    write(folder, "real.csv", GOOD)
    check("a link that stays inside", hamel("simulate", write(folder, "m.ham", MODEL % "inner.csv")), 0)


def sizes_have_limits(folder):
    with open(os.path.join(folder, "sparse.csv"), "wb") as out:
        out.truncate(2 << 30)
    check("two gigabytes of nothing", hamel("check", write(folder, "m.ham", MODEL % "sparse.csv")), 6, "bytes of a data file")
    write(folder, "lines.csv", "t,f\n" + "\n" * 4000001)
    check("too many lines", hamel("check", write(folder, "m.ham", MODEL % "lines.csv")), 6, "lines of data")
    write(folder, "wide.csv", ",".join(f"c{i}" for i in range(10001)) + "\n")
    check("too many columns", hamel("check", write(folder, "m.ham", MODEL % "wide.csv")), 6, "columns of data")
    write(folder, "digits.csv", "t,f\n0,1\n1," + "7" * 100000 + "\n")
    check("too many digits", hamel("check", write(folder, "m.ham", MODEL % "digits.csv")), 2, "expected a number")


def permissions_are_said(folder):
    path = write(folder, "closed.csv", GOOD)
    os.chmod(path, 0)
    if not os.access(path, os.R_OK):
        check("no permission", hamel("check", write(folder, "m.ham", MODEL % "closed.csv")), 5, "closed.csv")


def texts_are_read_as_people_write_them(folder):
    good = {
        "with a mark of its byte order": b"\xef\xbb\xbft,f\n0,1\n1,2\n2,0\n",
        "with the line ends of Windows": b"t,f\r\n0,1\r\n1,2\r\n2,0\r\n",
        "without an end of the last line": b"t,f\n0,1\n1,2\n2,0",
        "with comments, blanks and signs": b"# a\n\n  t , f  \n 0 , +1 \n\n#b\n 1.,  2e0\n2 ,\t-.0\n\n",
        "with quotes": b'"t","f"\n"0","1"\n"1","2"\n"2"," 0 "\n',
        "with the time elsewhere": b"f,t\n1,0\n2,1\n0,2\n",
        "with the time called otherwise": b"time,f\n0,1\n1,2\n2,0\n",
        "with words in other columns": b'who,t,f\n"a, b",0,1\n,1,2\nnan,2,0\n',
        "in full": b"t,f\n0.000000000000000000000000000000,1.00E+00\n1E0,2\n2,0e-9\n",
    }
    want = None
    for name, text in good.items():
        model = write(folder, "m.ham", MODEL % "good.csv")
        write(folder, "good.csv", text)
        p = hamel("simulate", model, "-o", "-", env=dict(os.environ, LC_ALL="de_DE.UTF-8"))
        want = want or p.stdout
        counting.check(p.returncode == 0 and p.stdout == want, f"{name}: {p.stderr[:200]}")


def data_lie_beside_the_file_that_names_them(folder):
    write(folder, "sub/data.csv", GOOD)
    write(folder, "sub/road.ham", 'given f from "data.csv" column f\n')
    top = write(folder, "top.ham", 'coord x\ninclude "sub/road.ham"\nkinetic x\'^2/2\nforce x = f\ninitial x = 0\nsimulate t = 0 .. 2\n')
    check("an include in a folder below", hamel("simulate", top), 0)
    check("from another folder", hamel("simulate", os.path.join(os.path.basename(folder), "top.ham"), cwd=os.path.dirname(folder)), 0)
    with open(top, "rb") as text:
        check("standard input", hamel("simulate", "-", stdin=text, cwd=folder), 0)
    write(folder, "family.csv", "t,u[1],u[2]\n0,1,2\n1,2,3\n2,5,4\n")
    family = write(folder, "family.ham", 'coord x[1..2]\nfor i in 1..2 {\n  given f[i] from "family.csv" column u[i]\n  kinetic x[i]\'^2/2\n  force x[i] = f[i]\n}\n'
                   "initial x[1] = 0\nsimulate t = 0 .. 2\nobserve a = f[1]\nobserve b = f[2]\n")
    p = hamel("simulate", family, "-o", "-", "--every", "1")
    last = dict(zip(p.stdout.splitlines()[0].replace('"', "").split(","), p.stdout.splitlines()[-1].split(",")))
    counting.check(p.returncode == 0 and (last["a"], last["b"]) == ("5", "4"), f"columns of a family: {p.stdout[-200:]}{p.stderr[:200]}")


def outside_of_the_data_is_an_error(folder):
    write(folder, "data.csv", GOOD)
    model = write(folder, "m.ham", MODEL % "data.csv")
    check("a run beyond", hamel("simulate", model, "--until", "2.5"), 1, "reach from t = 0 to t = 2")
    check("a state beyond", hamel("eval", model, "--at", "t = 3"), 2, "reach from t = 0 to t = 2")
    check("a state before", hamel("eval", model, "--at", "t = -1/1000"), 2, "has no value")
    check("both ends themselves", hamel("eval", model, "--at", "t = 2"), 0)
    late = write(folder, "late.ham", (MODEL % "late.csv").replace("simulate t = 0 .. 2\n", ""))
    write(folder, "late.csv", "t,f\n100,1\n101,2\n150,3\n")
    check("a run begins where data do", hamel("simulate", late), 0)
    write(folder, "far.csv", "t,f\n-1e300,1\n1e300,2\n1.5e300,0\n")
    check("times far away", hamel("simulate", write(folder, "far.ham", MODEL % "far.csv")), 0)
    write(folder, "near.csv", "t,f\n0,1\n1e-300,2\n2e-300,1\n1,1\n2,0\n")
    p = hamel("simulate", write(folder, "near.ham", MODEL % "near.csv"))
    counting.check(p.returncode in (0, 5), f"times at the smallest doubles: {p.returncode} {p.stderr[:200]}")


def damaged_data_never_crash(folder):
    rows = ["t,f,\"g, h\"\n"] + [f"{i / 7:.6f},{RNG.uniform(-1, 1):.9g},{i}\n" for i in range(40)]
    text = "".join(rows).encode()
    model = write(folder, "m.ham", (MODEL % "hurt.csv").replace("0 .. 2", "0 .. 5"))
    for i in range(60):
        hurt = bytearray(text)
        for _ in range(RNG.randint(1, 4)):
            at = RNG.randrange(len(hurt))
            how = RNG.randrange(4)
            if how == 0:
                hurt[at] = RNG.randrange(256)
            elif how == 1:
                del hurt[at:at + RNG.randint(1, 30)]
            elif how == 2:
                hurt[at:at] = RNG.choice([b'"', b",", b"\n", b"e", b"-", b"\0", b"1e308", b"#", b"\r", b"\xff"])
            else:
                hurt = hurt[:at + 1]
        write(folder, "hurt.csv", bytes(hurt))
        p = hamel("simulate", model, "--until", "1")
        counting.check(p.returncode in (0, 1, 2), f"damaged data {i}: status {p.returncode}: {p.stderr[-300:]}")
        counting.check(p.returncode == 0 or "error" in p.stderr, f"damaged data {i}: a message")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for test in (what_is_no_file_is_refused, sizes_have_limits, permissions_are_said, texts_are_read_as_people_write_them,
                 data_lie_beside_the_file_that_names_them, outside_of_the_data_is_an_error, damaged_data_never_crash):
        with tempfile.TemporaryDirectory() as scratch:
            test(scratch)
    finish()
