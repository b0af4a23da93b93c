"""The notebooks of docs/notebooks as documents of the site, for tools/make-docs: markdown with what the cells show below each of them."""
import json
import os
import pathlib
import re
import subprocess
import tempfile


def executed(path, hamel):
    """The notebook with the outputs of its cells; as it is where nothing here runs it."""
    book = json.loads(path.read_text())
    if not hamel:
        return book
    root = path.parent.parent.parent
    environment = {**os.environ, "PYTHONPATH": str(root / "python"), "PYDEVD_DISABLE_FILE_VALIDATION": "1",
                   "HAMEL_LIBRARY": str(pathlib.Path(hamel).resolve().with_name("libhamel.so.0"))}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["/usr/bin/python3", "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir", folder, "--output", "run.ipynb", path],
                              env=environment, capture_output=True, text=True)
        if done.returncode and "No module named nbconvert" in done.stderr:
            return book
        if done.returncode:
            raise SystemExit(f"{path.name}: {done.stderr}")
        return json.loads((pathlib.Path(folder) / "run.ipynb").read_text())


def text_of(value):
    return "".join(value) if isinstance(value, list) else value


def fenced(text, kind="text"):
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{marks}{kind}\n{text.rstrip()}\n{marks}"


def shown(output):
    """An output by the richest of its forms that a page can hold."""
    if output["output_type"] == "stream":
        return fenced(text_of(output["text"])) if output["name"] == "stdout" else ""
    data = output.get("data", {})
    if "text/latex" in data:
        return re.sub(r"^\$(?!\$)(?:\\displaystyle )?(.*[^$])\$$", r"$$\1$$", text_of(data["text/latex"]).strip(), flags=re.S)
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{text_of(data["image/png"]).strip()}">'
    if "text/html" in data:
        return re.sub(r"\n\s*\n", "\n", text_of(data["text/html"]))  # a blank line would end the markup
    return fenced(text_of(data.get("text/plain", "")))


def markdown(book):
    out = []
    for cell in book["cells"]:
        source = text_of(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(source)
        else:
            out.append(fenced(source, "python"))
            out += filter(None, map(shown, cell["outputs"]))
    return "\n\n".join(out) + "\n"


def collect(root, hamel):
    """name: markdown of each notebook; with the program `hamel` they are run."""
    return {f"notebooks/{path.stem}.md": markdown(executed(path, hamel)) for path in sorted((root / "docs" / "notebooks").glob("*.ipynb"))}
