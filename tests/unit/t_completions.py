#!/usr/bin/env python3
"""What bash, zsh and fish offer, asked of the shells themselves, is what `hamel COMMAND --help` lists. A shell that is not installed
is left out, and said to be."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from _checks import check, finish
from commands import HAMEL, choices, commands, names, options, told

FILES = ["mine.ham", "rows.csv", "notes.txt", "stored.h5", "folder/"]

# Shells tell what they offer at the end of a line that is not yet complete: {line: set of words}.

BASH = r"""
source "$1"
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line
    _hamel
    printf '%s\t' "$line" "${COMPREPLY[@]}"
    echo
done
"""

FISH = r"""
source $argv[1]
while read -l line
    printf '%s' $line
    for offer in (complete -C $line)
        printf '\t%s' (string split \t -- $offer)[1]
    end
    echo
end
"""

# zsh completes for people only: one sits in a pseudo-terminal here, and compadd tells what it is given.
ZSH = r"""
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT=; cd ${(q)PWD}; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D"
zpty -w z 'compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a hits; builtin compadd -A hits "$@"
    local word; for word in $hits; do print -r -- "<$word>"; done; }
told() { comppostfuncs=(told); print "<<end>>" }; comppostfuncs=(told)
setopt no_beep; bindkey "^I" complete-word; bindkey "^U" kill-whole-line; print "<<ready>>"'
zpty -r z heard '*<<ready>>*<<ready>>*'
while IFS= read -r line; do
    zpty -w -n z "$line"$'\t'
    zpty -r z heard '*<<end>>*'
    zpty -w -n z $'\x15'
    printf '%s\t' "$line" ${(f)"$(print -r -- "${heard%<<end>>*}" | tr -d '\r' | grep -o '<[^<>]*>' | tr -d '<>')"}
    echo
done
"""


def answers(command, lines, folder):
    done = subprocess.run(command, input="".join(line + "\n" for line in lines), capture_output=True, text=True, cwd=folder,
                          timeout=100 * float(os.environ.get("HAMEL_PATIENCE", "1")))
    check(not done.stderr, f"{command[0]} says nothing: {done.stderr}")
    found = {}
    for line in done.stdout.splitlines():
        asked, *words = line.split("\t")
        found[asked] = {word.rstrip("/") for word in words if word}
    return found


def shells(scripts):
    """(name, command that answers)"""
    for shell in ("bash", "zsh", "fish"):
        (scripts / f"hamel.{shell}").write_text(told("completions", shell))
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", scripts / f"hamel.{shell}"], capture_output=True, text=True)
            check(done.returncode == 0, f"{shell} can read its script: {done.stderr}")
    (scripts / "_hamel").write_text(told("completions", "zsh"))
    yield "bash", ["bash", "-c", BASH, "bash", scripts / "hamel.bash"]
    yield "zsh", ["zsh", "-f", "-c", ZSH, "zsh", scripts]
    yield "fish", ["fish", "-N", "-c", FISH, scripts / "hamel.fish"]


def expected(folder):
    """{line: (words that must be offered, others that may be)}"""
    models = {line.split()[0] for line in told("models").splitlines()}
    forms = {line.split()[0] for line in told("forms").splitlines() if line[0] != " "}
    wanted = {"hamel ": (set(commands()), {"--help", "--version"}),
              "hamel de": ({"derive", "describe"}, set()),
              "hamel help si": ({"simulate"}, set()),
              "hamel check ": (models | {"mine.ham"}, {name.rstrip("/") for name in FILES}),
              "hamel check mi": ({"mine.ham"}, set()),
              "hamel plot --grid ro": ({"rows.csv"} | {m for m in models if m.startswith("ro")}, set()),
              "hamel show sl": ({m for m in models if m.startswith("sl")}, set()),
              "hamel compare sleigh vo": ({f for f in forms if f.startswith("vo")}, set()),
              "hamel compare --until 3 sleigh maggi ka": ({"kane"}, set()),
              "hamel derive sleigh --form k": ({f for f in forms if f.startswith("k")}, set()),
              "hamel simulate sleigh --resume st": ({"stored.h5"}, set()),
              "hamel simulate sleigh -o no": ({"notes.txt"}, set()),
              "hamel codegen sleigh -o fo": ({"folder"}, set()),
              "hamel codegen -": ({"-o", *(name for shown in options("codegen") for name in names(shown)), "--help"}, {"-h"}),
              "hamel completions ": ({"bash", "zsh", "fish"}, set())}
    for command in commands():
        long = {name for shown in options(command) for name in names(shown) if name.startswith("--")}
        wanted[f"hamel {command} --"] = (long | {"--help"}, set())
        for shown in options(command):
            if choices(shown):
                wanted[f"hamel {command} {names(shown)[-1]} "] = (set(choices(shown)), set())
    return wanted


# What is offered behind a comma; zsh offers the last word alone.
COMMAS = {"hamel derive sleigh --form maggi,ka": {"bash": {"maggi,kane"}, "zsh": {"kane"}, "fish": {"maggi,kane"}}}


def main():
    with tempfile.TemporaryDirectory() as directory:
        scripts, folder = pathlib.Path(directory, "scripts"), pathlib.Path(directory, "folder")
        scripts.mkdir(), folder.mkdir()
        for name in FILES:
            (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text("")
        wanted = expected(folder)
        for shell, command in shells(scripts):
            if not shutil.which(shell):
                print(f"no {shell}: what it offers is not looked at")
                continue
            found = answers(command, [*wanted, *COMMAS], folder)
            for line, of_shell in COMMAS.items():
                check(found.get(line) == of_shell[shell], f"{shell}: `{line}` offers {of_shell[shell]}, not {found.get(line)}")
            for line, (must, may) in wanted.items():
                got = found.get(line, set())
                check(must <= got and got <= must | may, f"{shell}: `{line}` offers {sorted(must)}, not {sorted(got)}")
            check(len(wanted) > 30, "there was something to ask")


main()
finish()
