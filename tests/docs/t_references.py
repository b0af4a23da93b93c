#!/usr/bin/python3
"""Every source that outputs, comments, models and documentation name is in the list, the BibTeX is what BibTeX can read, and comments cite no file or section that is not there."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAMEL = os.environ.get("HAMEL", ROOT / "build" / "hamel")
ROOMS = ("src", "cli", "include", "models", "docs", "tests", "tools", "bench", "web/src")
ENDINGS = (".c", ".h", ".def", ".ham", ".md", ".py", ".js", ".mjs", ".sh", ".txt", "")
FIELDS = {"article": {"author", "title", "journal", "year"}, "book": {"author", "title", "year"}, "incollection": {"author", "title", "booktitle", "year"},
          "inproceedings": {"author", "title", "booktitle", "year"}, "misc": {"author", "title"}}
ENTRY = re.compile(r"@(\w+)\{([^,\s{}]+)((?:,\n  \w+ = \{[^{}]*\})+)\n\}\n")
# "Maggi 1896", "Udwadia and Kalaba (1992)", "Hairer, Norsett, Wanner 1993"
CITED = re.compile(r"((?:[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?:, | and |, and ))*[A-Z][a-z]+(?:-[A-Z][a-z]+)?) \(?(1[6-9]\d\d|20[0-2]\d)\b")
NO_AUTHORS = {"January", "Copyright", "Since", "In", "The", "Of", "From", "Seed", "Until", "Nov", "Scientia", "Berlin", "Problem", "Debian", "Ecma", "Springer", "York", "Antonio"}
KEYED = re.compile(r"\b(T\d\d|RS|NF|M)(?: (?:section )?[\d.]+| \(\d)")


def output(*arguments):
    return subprocess.run([HAMEL, *arguments], capture_output=True, text=True, check=True).stdout


def texts():
    skip = {ROOT / "docs" / "references.md", ROOT / "src" / "base" / "references.def", pathlib.Path(__file__).resolve()}
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=ROOT, capture_output=True, text=True)
    paths = [ROOT / p for p in listed.stdout.split("\n") if p] if listed.returncode == 0 and listed.stdout else \
        [p for room in ROOMS for p in (ROOT / room).rglob("*") if p.is_file()]
    for path in [*paths, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        if path.suffix in ENDINGS and path.exists() and path not in skip and "golden" not in path.parts:
            try:
                yield path.relative_to(ROOT), path.read_text()
            except UnicodeDecodeError:
                continue


def bibtex_faults(text, keys):
    """A strict reader: entries of the form above and nothing else, no entry twice, the fields that BibTeX asks for."""
    faults, seen = [], []
    rest = ENTRY.sub(lambda m: seen.append(m) or "", text)
    if rest.strip():
        faults.append(f"BibTeX: this is no entry: {rest.strip()[:80]!r}")
    for m in seen:
        kind, key, fields = m[1], m[2], set(re.findall(r"^  (\w+) = ", m[3], re.M))
        if kind not in FIELDS:
            faults.append(f"BibTeX: {key} is of no known type: {kind}")
        elif FIELDS[kind] - fields:
            faults.append(f"BibTeX: {key} has no {', '.join(sorted(FIELDS[kind] - fields))}")
        if re.search(r"(?<!\\)[&%$#_]", m[3]):
            faults.append(f"BibTeX: {key} has a character that TeX takes for a command")
    if [m[2] for m in seen] != keys:
        faults.append("BibTeX: the entries are not those of the list")
    return faults


def names_of(references):
    """(last names joined, year) of every source, for texts that cite by author and year."""
    known = set()
    for r in references:
        year = re.search(r"\b(1[6-9]\d\d|20\d\d)\b", r["cite"]) or re.search(r"\d{4}", r.get("year", ""))
        if not year:
            continue
        for name in re.findall(r"[A-Z][a-z]+(?:-[A-Z][a-z]+)?", r["cite"]):
            known.add((name, year[0] if len(year.groups()) == 0 else year[1]))
    return known


def main():
    references = json.loads(output("references", "--json"))["references"]
    keys = [r["key"] for r in references]
    faults = bibtex_faults(output("references", "--format", "bibtex"), keys)
    if len(set(keys)) != len(keys):
        faults.append("a key stands twice in the list")
    if not bibtex_faults("@article{x,\n  title = {a & b}\n}\n", ["x"]):
        faults.append("the reader of BibTeX sees no fault where there are two")
    known, used = names_of(references), 0
    page = (ROOT / "docs" / "mathematics.md").read_text()
    sections = set(re.findall(r"^##+ (\d+(?:\.\d+)?)", page, re.M))
    for path, text in texts():
        flat = re.sub(r"\s*\n(?://|#|\*)?\s*", " ", text)
        for m in KEYED.finditer(flat):
            used += 1
            if m[1] not in keys and not (m[1] == "NF"):
                faults.append(f"{path}: the key {m[1]} is not in the list: {m[0]!r}")
        for m in CITED.finditer(flat):
            authors = re.findall(r"[A-Z][a-z]+(?:-[A-Z][a-z]+)?", m[1])
            if authors[-1] in NO_AUTHORS or path.parts[0] in ("tests", "tools", "bench") or path.name in ("misprints.md", "CHANGELOG.md"):
                continue
            used += 1
            if (authors[-1], m[2]) not in known:
                faults.append(f"{path}: {m[0]!r} is not in the list")
        for m in re.finditer(r"\b(MATH|LANGUAGE|DESIGN)\.md", text):
            faults.append(f"{path}: cites {m[0]}, which is not in the repository")
        for m in re.finditer(r"docs/mathematics\.md,\s*(?://\s*|#\s*)?sections? (\d+(?:\.\d+)?)", text):
            if m[1] not in sections:
                faults.append(f"{path}: docs/mathematics.md has no section {m[1]}")
        for m in re.finditer(r"(?<![\w/.])docs/([\w/-]+\.md)", text):
            if "NAME" not in m[1] and not (ROOT / "docs" / m[1]).exists():
                faults.append(f"{path}: there is no docs/{m[1]}")
    for form in json.loads(output("forms", "--json"))["forms"]:
        if not json.loads(output("references", form["id"], "--json"))["references"]:
            faults.append(f"no source of {form['id']} is in the list: {form['paper']}")
    if used < 300:
        faults.append(f"only {used} places that name a source were found")
    print("\n".join(faults))
    print(f"{used + len(keys)} looked at, {len(faults)} wrong\n{1 if not faults else 0} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
