#!/usr/bin/env python3
"""The files of editors/: their words are those of the program, every keyword, comment, string, number and primed name of the library has its colour in
Vim, in Emacs and for Pygments, and both editors indent the library as it is. tests/browser/grammar.test.mjs looks at the grammar of VS Code."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from _checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
MODELS = sorted((ROOT / "models").rglob("*.ham"))
FEW = [ROOT / "models" / name for name in ("sleigh.ham", "newtons_cradle.ham", "n_trailer.ham", "car_trailer_path.ham", "measured_road.ham", "crane.ham")]
PIECE = re.compile(r"""(?P<comment>\#[^\n]*)|(?P<string>"[^"\n]*")|(?P<derivative>(?<=[\w\])])'+)|(?P<number>(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?P<name>[A-Za-z\u0370-\u03ff]\w*)|\s+|.""", re.X)


def known(kind):
    sys.path.insert(0, str(EDITORS / "pygments"))
    import hamel_lexer
    return set(getattr(hamel_lexer, kind))


def pieces(text):
    """(kind, offset, word) of what must have a colour; a statement is the first word of a line that begins one."""
    statements = known("STATEMENTS")
    for match in PIECE.finditer(text):
        kind, word = match.lastgroup, match[0]
        if kind == "name":
            before, after = text[text.rfind("\n", 0, match.start()) + 1:match.start()], text[match.end():match.end() + 1]
            if before.strip() or word not in statements or after not in (" ", "("):
                continue
            kind = "statement"
        if kind:
            yield kind, match.start(), word


def words():
    done = subprocess.run([ROOT / "tools/editor-words", "--check"], capture_output=True, text=True)
    check(done.returncode == 0, "the words are those of the program: " + done.stderr)


def manifest():
    folder = EDITORS / "vscode"
    package = json.loads((folder / "package.json").read_text())
    language = json.loads((folder / "language-configuration.json").read_text())
    check({"name", "version", "publisher", "engines", "main", "contributes"} <= set(package) and "vscode" in package["engines"], "what a manifest needs")
    named = [package["main"], package["contributes"]["languages"][0]["configuration"], package["contributes"]["grammars"][0]["path"]]
    check(all((folder / name).is_file() for name in named), "the files that it names are there")
    grammar = json.loads((folder / "syntaxes/hamel.tmLanguage.json").read_text())
    check(grammar["scopeName"] == package["contributes"]["grammars"][0]["scopeName"] and language["comments"]["lineComment"] == "#", "they agree")
    done = subprocess.run(["node", "--check", folder / "extension.js"], capture_output=True, text=True)
    check(done.returncode == 0, "the client is JavaScript: " + done.stderr)


def pygments():
    sys.path.insert(0, str(EDITORS / "pygments"))
    from hamel_lexer import HamelLexer
    from pygments.token import Comment, Error, Keyword, Number, Operator, String
    wanted = {"comment": Comment, "string": String, "number": Number, "derivative": Operator, "statement": Keyword}
    for path in MODELS:
        text = path.read_text()
        colour, at = {}, 0
        for kind, value in HamelLexer(stripnl=False, ensurenl=False).get_tokens(text):
            colour[at] = kind
            at += len(value)
        check(at == len(text) and Error not in colour.values(), f"{path.name} has no error for Pygments")
        wrong = [piece for piece in pieces(text) if colour.get(piece[1], Error) not in wanted[piece[0]]]
        check(not wrong, f"{path.name} for Pygments: {wrong[:3]}")


def vim(folder):
    groups = {"comment": "hamelComment", "string": "hamelString", "number": "hamelNumber", "derivative": "hamelDerivative", "statement": "hamelStatement"}
    for path in FEW:
        text = path.read_text()
        places = list(pieces(text))
        script, out = folder / "look.vim", folder / "groups"
        asked = []
        for kind, at, word in places:
            line, column = text.count("\n", 0, at) + 1, len(text[text.rfind("\n", 0, at) + 1:at].encode()) + 1
            asked.append(f"call add(found, synIDattr(synID({line}, {column}, 1), 'name'))")
        script.write_text("\n".join(["let found = []", *asked, f"call writefile(found, '{out}')",
                                     "silent %left", "silent normal! gg=G", f"silent write! {folder}/indented.ham", "qall!"]))
        subprocess.run(["vim", "-es", "-N", "-u", "NONE", "-i", "NONE", "-n", "--cmd", f"set rtp^={EDITORS}/vim encoding=utf-8", "-c", "filetype plugin indent on", "-c", "syntax on", "-c", f"edit {path}",
                        "-S", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        found = out.read_text().splitlines() if out.exists() else []
        wrong = [(piece, name) for piece, name in zip(places, found) if name != groups[piece[0]]]
        check(len(found) == len(places) and not wrong, f"{path.name} in Vim: {len(found)} of {len(places)}, {wrong[:3]}")
        indented = (folder / "indented.ham").read_text() if (folder / "indented.ham").exists() else ""
        differ = [(a, b) for a, b in zip(text.splitlines(), indented.splitlines()) if a != b]
        check(len(indented.splitlines()) == len(text.splitlines()) and not differ, f"{path.name} indented by Vim: {differ[:2]}")
        for made in (out, folder / "indented.ham"):
            made.unlink(missing_ok=True)


def emacs(folder):
    faces = {"comment": ("font-lock-comment-face", "font-lock-comment-delimiter-face"), "string": ("font-lock-string-face",), "number": ("font-lock-constant-face",),
             "derivative": ("font-lock-builtin-face",), "statement": ("font-lock-keyword-face",)}
    for path in FEW:
        text = path.read_text()
        places = list(pieces(text))
        script = folder / "look.el"
        script.write_text(f"""(load "{EDITORS}/emacs/hamel-mode.el")
(find-file "{path}") (font-lock-ensure)
(princ (format "%s\\n" major-mode))
(dolist (at '({" ".join(str(at + 1) for _, at, _ in places)})) (princ (format "%s\\n" (get-text-property at 'face))))
(goto-char 1) (while (re-search-forward "^[ \\t]+" nil t) (replace-match ""))
(indent-region (point-min) (point-max)) (write-region nil nil "{folder}/indented.ham")
""")
        done = subprocess.run(["emacs", "--batch", "-Q", "-l", script], capture_output=True, text=True, timeout=120)
        mode, *found = done.stdout.splitlines() or [""]
        wrong = [(piece, face) for piece, face in zip(places, found) if face not in faces[piece[0]]]
        check(mode == "hamel-mode" and len(found) == len(places) and not wrong, f"{path.name} in Emacs: {mode} {wrong[:3]} {done.stderr[-300:]}")
        indented = (folder / "indented.ham").read_text() if (folder / "indented.ham").exists() else ""
        differ = [(a, b) for a, b in zip(text.splitlines(), indented.splitlines()) if a != b]
        check(len(indented.splitlines()) == len(text.splitlines()) and not differ, f"{path.name} indented by Emacs: {differ[:2]}")
        (folder / "indented.ham").unlink(missing_ok=True)
    done = subprocess.run(["emacs", "--batch", "-Q", "--eval", "(setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) (make-temp-file \"hamel\")))",
                           "-f", "batch-byte-compile", EDITORS / "emacs/hamel-mode.el"], capture_output=True, text=True)
    check(done.returncode == 0, "Emacs compiles the mode without a warning: " + done.stderr)


def main():
    words(), manifest(), pygments()
    with tempfile.TemporaryDirectory() as made:
        vim(pathlib.Path(made))
        emacs(pathlib.Path(made))
    check(shutil.which("vim") and shutil.which("emacs"), "both editors are there (tools/install-deps --test)")
    finish()


main()
