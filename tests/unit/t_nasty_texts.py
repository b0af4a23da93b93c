"""Titles, labels and names of files that try to be markup, code or commands of a terminal, in every output."""
import ast
import html.parser
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import unicodedata
import xml.etree.ElementTree

from _checks import check, finish, run_cases

HAMEL = os.environ["HAMEL"]
COUNT = run_cases(12, 120)
MODEL = """system nasty "{}"
param m = 1, label_1 = 2
coord x, y, phi
kinetic m/2*(x'^2 + y'^2) + phi'^2/2
constraint blade: y'*cos(phi) = x'*sin(phi)
initial x' = 1, phi = 0.1, phi' = 0.5
simulate t = 0 .. 0.2, output = 0.1
"""
PIECES = ("<script>alert(1)</script>", "</title>", "<!--", "-->", "]]>", "&amp;", "&#x1b;", "'", "`code`", "**bold**", "_it_", "$x$", "$(touch owned)",
          "[a](javascript:alert(1))", "![i](x)", "# ", "{#id onclick=x}", "|", "\\", "\\\\", "\\input{x}", "\\end{document}", "%", "%s%n", "??/", "*/",
          "/*", "//", "#", "'''", "{}", "~", "^", "..", "\t", "θ", "𝄞", "é", "<a href=x>", "{{x}}", "@", "http://a.b", "- ", "1. ", "\\n",
          "\\u001b", "x" * 150, "ä" * 140)
PLAIN = ("a title", "Chaplygin sleigh (skate): 2nd", "Ferrers' disc, 1/2")
# characters that act and are not seen; none may stand in a text of a model, nor reach a terminal
HIDDEN = [chr(c) for c in (*range(1, 9), 11, 12, 13, 0x1B, 0x7F, 0x80, 0x84, 0x85, 0x90, 0x9B, 0x9D, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
                           0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069)]


def run(*arguments, folder):
    done = subprocess.run([HAMEL, *arguments], cwd=folder, capture_output=True, timeout=120 * int(os.environ.get("HAMEL_PATIENCE", "1")))
    return done.returncode, done.stdout, done.stderr


def is_safe(output):
    """Valid UTF-8 that holds no hidden character but ends of lines and tabs."""
    try:
        text = output.decode()
    except UnicodeDecodeError:
        return False
    return not any(c in HIDDEN or unicodedata.category(c) == "Cc" and c not in "\n\t" for c in text)


class Page(html.parser.HTMLParser):
    """The words of <title> and <h1>, and whether something of the title became an element or an attribute."""

    def __init__(self, text):
        super().__init__()
        self.words, self.open, self.strange = {"title": "", "h1": ""}, None, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.open = tag if tag in self.words and not self.words[tag] else None
        if any(name.startswith("on") or "javascript:" in (value or "") for name, value in attributes):
            self.strange.append((tag, attributes))

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.words[self.open] += data


def heading(markdown, dialect):
    """What pandoc takes the first block for: its words, the kinds of elements in it, its attributes."""
    done = subprocess.run(["pandoc", "-f", dialect, "-t", "json"], input=markdown, capture_output=True, check=True)
    block = json.loads(done.stdout)["blocks"][0]
    if block["t"] != "Header":
        return "", {block["t"]}, []
    words, kinds = "", set()
    for inline in block["c"][2]:
        if inline["t"] in ("Str", "Space", "SoftBreak"):
            words += inline.get("c", " ") if inline["t"] == "Str" else " "
        elif inline["t"] == "Link" and inline["c"][2][0] == "".join(part.get("c", " ") for part in inline["c"][1]):
            words += inline["c"][2][0]  # an address that is shown leads where it says
        else:
            kinds.add(inline["t"])
    return words, kinds, block["c"][1][2]


def squeezed(text):
    return " ".join(text.replace("\xa0", " ").split())


def a_title_is_a_title(title, folder):
    (folder / "nasty.ham").write_text(MODEL.format(title))
    said = f"the title {title[:70]!r}: "
    for command in (("check",), ("describe",), ("derive",), ("derive", "--format", "latex"), ("derive", "--format", "json"), ("simulate",), ("prove",)):
        status, out, err = run(command[0], "nasty.ham", *command[1:], folder=folder)
        check(status == 0 and is_safe(out) and is_safe(err), said + f"{command}: status {status} {err[:200]}")
    status, out, _ = run("derive", "nasty.ham", "--format", "json", folder=folder)
    check(status == 0 and json.loads(out), said + "JSON is JSON")
    _, out, _ = run("check", "nasty.ham", "--json", folder=folder)
    check(json.loads(out)["title"] == title, said + "JSON has it")
    _, out, _ = run("derive", "nasty.ham", "--format", "latex", folder=folder)
    check(out.decode().split("\n")[0] == "% " + title and not out.decode().split("\n")[1].startswith(title), said + "a comment of LaTeX")
    _, out, _ = run("derive", "nasty.ham", "--format", "sympy", folder=folder)
    check(not [n for n in ast.walk(ast.parse(out)) if isinstance(n, ast.Name) and n.id in ("alert", "touch")] and
          out.decode().split("\n")[0] == "# " + title, said + "a comment of Python")
    _, out, _ = run("derive", "nasty.ham", "--format", "markdown", folder=folder)
    for dialect in ("markdown-smart", "gfm", "commonmark"):
        words, kinds, attributes = heading(out, dialect)
        check(squeezed(words) == squeezed(title) and not kinds and not attributes, said + f"a heading of {dialect}: {words!r} {kinds} {attributes}")
    status, out, err = run("report", "nasty.ham", "-o", "page.html", folder=folder)
    page = Page((folder / "page.html").read_text())
    check(status == 0 and page.words["h1"] == title and page.words["title"] == title and not page.strange, said + f"a page: {page.words} {page.strange}")
    run("plot", "nasty.ham", "-o", "figure.svg", "--title", title, folder=folder)
    figure = xml.etree.ElementTree.parse(folder / "figure.svg").getroot()
    kinds = {e.tag.rpartition("}")[2] for e in figure.iter()}
    check(kinds <= {"svg", "title", "g", "path", "rect", "line", "text", "tspan", "circle", "polyline", "clipPath", "defs", "style", "use", "symbol"},
          said + f"a figure: {kinds}")


def code_with_it_compiles(title, folder):
    (folder / "nasty.ham").write_text(MODEL.format(title))
    status, _, err = run("codegen", "nasty.ham", "-o", "code", folder=folder)
    made = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "nasty.c", "main.c"], cwd=folder / "code", capture_output=True)
    check(status == 0 and made.returncode == 0, f"code with the title {title[:70]!r}: {err} {made.stderr[-400:]}")
    for file in (folder / "code").iterdir():
        check(is_safe(file.read_bytes()), f"{file.name} with the title {title[:70]!r} is UTF-8 without hidden characters")


def hidden_characters_are_refused(c, folder):
    (folder / "nasty.ham").write_text(MODEL.format("a" + c + "print(666)"), newline="")
    status, out, err = run("check", "nasty.ham", folder=folder)
    check(status == 2 and b"control character U+%04X" % ord(c) in err and is_safe(err), f"U+{ord(c):04X} in a title: {status} {err}")
    (folder / "nasty.ham").write_text(MODEL.format("a") + c + "coord q\n", newline="")
    status, out, err = run("check", "nasty.ham", folder=folder)
    check(is_safe(out) and is_safe(err) and (status == 2 or c == "\r"), f"U+{ord(c):04X} in a model: {status} {err}")
    (folder / "nasty.ham").write_text(MODEL.format("a") + "coord x # " + c + "\n", newline="")
    status, out, err = run("check", "nasty.ham", folder=folder)
    check(status == 2 and is_safe(err), f"U+{ord(c):04X} in a comment beside an error: {status} {err}")


def names_of_files_are_shown(name, folder):
    said = f"a file called {name!r}: "
    (folder / os.fsdecode(name)).write_text(re.sub(".*\n", "", MODEL, count=1))  # nameless: it is called after its file
    model = os.fsdecode(name)
    for command in (("check",), ("check", "--json"), ("derive", "--format", "sympy"), ("derive", "--format", "markdown"), ("simulate", "-o", model + ".csv"),
                    ("report",), ("codegen", "-o", model + "-c"), ("nonsense",), ("check", "more"), ("plot", "-o", model), ("simulate", "-o", "no/" + model)):
        status, out, err = run(command[0], model, *command[1:], folder=folder)
        check(status in range(7) and is_safe(out) and is_safe(err), said + f"{command[0]}: {status} {out[:100]} {err[:300]}")
    status, out, err = run("derive", model, "--format", "sympy", folder=folder)
    check(status == 0 and not [n for n in ast.walk(ast.parse(out)) if isinstance(n, ast.Constant) and n.value == 666], said + "a comment of Python")
    for command in (("check", model + "none"), ("recover", model), ("plot", model + ".csv2"), (model,), ("check", "nasty.ham", "--set", model)):
        status, out, err = run(*command, folder=folder)
        check(status and is_safe(out) and is_safe(err), said + f"{command[0]}: {status} {out[:100]} {err[:300]}")


def words_of_figures_are_shown(folder):
    (folder / "rows.csv").write_text("t,x\n0,1\n1,2\n")
    nasty = os.fsdecode(b"a\x1b[31m\xc2\x9b1m\xe2\x80\xae\xff\n<b>")
    for output in ((), ("-o", "-"), ("-o", "figure.svg"), ("-o", "figure.pdf"), ("-o", "figure.png")):
        for option in (("--title", nasty), ("--xlabel", nasty), ("--ylabel", nasty), ("t:x=" + nasty, "--legend", "above")):
            status, out, err = run("plot", "rows.csv", *option, *output, folder=folder)
            check(status == 0 and is_safe(out) and not err, f"a figure {output} with {option}: {status} {out[:100]} {err}")


def main():
    rng = random.Random(14)
    titles = list(PLAIN) + ["".join(rng.choice(PIECES) for _ in range(rng.randint(1, 6))).strip() or "x" for _ in range(COUNT)]
    names = [b"a\nprint(666)#.ham", b"\x1b]0;owned\x07.ham", "\x9b31m.ham".encode(), "‮mah.x.ham".encode(), b"\xff\xfe.ham", b"$(touch owned) `x`.ham"]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for title in titles:
            a_title_is_a_title(title, folder)
        for title in titles[:6] + ["x??/", "x\\", "??\\", "ä" * 140, "*/ x /*"]:
            code_with_it_compiles(title, folder)
        for c in HIDDEN if COUNT > 12 else rng.sample(HIDDEN, 8) + ["\r", "\x9b", "‮"]:
            hidden_characters_are_refused(c, folder)
        for name in names if COUNT > 12 else names[:3]:
            names_of_files_are_shown(name, folder)
        words_of_figures_are_shown(folder)
        check(not (folder / "owned").exists(), "nothing was run")
    finish()


main()
