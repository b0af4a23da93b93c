"""Reading a report page back: its tags, its mathematics, its data."""
import html.parser
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree

HAMEL = os.environ["HAMEL"]
VOID = {"meta", "br", "img", "link", "input", "hr", "col"}


def report(model, *options, stdin=None):
    """The page of a model, and what was said on standard error."""
    done = subprocess.run([HAMEL, "report", model, "-o", "-", *options], input=stdin, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"hamel report {model}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


class Page(html.parser.HTMLParser):
    """Tags must close in the order in which they were opened; what the page says is gathered."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.text = re.sub(r"<script>.*?</script>", "<script></script>", text, flags=re.S)  # but for its own script
        self.stack, self.faults = [], []
        self.elements = []  # (tag, attributes)
        self.words = {tag: [] for tag in ("title", "h1", "pre")}
        self.feed(re.sub(r"<math.*?</math>", "", self.text, flags=re.S))
        self.close()
        if self.stack:
            self.faults.append(f"open at the end: {self.stack}")

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)
            if tag in self.words:
                self.words[tag].append("")

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes {self.stack[-3:]}")
        else:
            self.stack.pop()

    def handle_data(self, data):
        for tag in self.words:
            if tag in self.stack:
                self.words[tag][-1] += data

    def with_attribute(self, name, value=None):
        return [(t, a) for t, a in self.elements if name in a and (value is None or a[name] == value)]

    def classes(self, name):
        return [(t, a) for t, a in self.elements if name in a.get("class", "").split()]

    def data(self):
        found = re.search(r'<script type="application/json" id="hamel-data">(.*?)</script>', self.text, re.S)
        return json.loads(found.group(1))

    def mathematics(self):
        return re.findall(r"<math.*?</math>", self.text, re.S)


def faults_of_mathematics(page):
    """MathML that is no XML, or holds LaTeX that was not translated."""
    faults = []
    for element in page.mathematics():
        try:
            ElementTree.fromstring(element)
        except ElementTree.ParseError as error:
            faults.append(f"{error}: {element[:200]}")
        if "\\" in element or "<mtext>" in element:
            faults.append(f"not translated: {element[:200]}")
    return faults


def faults_of_frame(page):
    """What docs/page.md promises."""
    faults = list(page.faults)
    sections = [a["id"] for t, a in page.elements if t == "section"]
    if [s for s in sections if s != "steady"] != ["motion", "model", "classification", "equations", "proofs"] or "steady" in sections[:1] + sections[2:]:
        faults.append(f"sections {sections}")
    tabs = page.with_attribute("role", "tab")
    panels = page.with_attribute("role", "tabpanel")
    if [a["aria-controls"] for _, a in tabs] != [a["id"] for _, a in panels]:
        faults.append("tabs and panels do not belong together")
    if [a["aria-labelledby"] for _, a in panels] != [a["id"] for _, a in tabs]:
        faults.append("panels and tabs do not belong together")
    if tabs and sum(a["aria-selected"] == "true" for _, a in tabs) != 1:
        faults.append("not one tab is selected")
    ids = [a["id"] for _, a in page.elements if "id" in a]
    if len(ids) != len(set(ids)):
        faults.append("an id occurs twice")
    equations, buttons = page.classes("equation"), page.classes("copy")
    if len(buttons) < len(equations) or any("data-latex" not in a for _, a in buttons):
        faults.append("an equation without its LaTeX")
    verdicts = sum(len(page.classes(word)) for word in ("proved", "refuted", "undecided"))
    if verdicts != len(page.classes("mark")):
        faults.append("a verdict without its mark")
    if any(t in ("script", "link", "img", "iframe") and ("src" in a or "href" in a) for t, a in page.elements):
        faults.append("something from outside")
    return faults
