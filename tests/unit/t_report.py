#!/usr/bin/env python3
"""Report pages: what they hold, what they say where something cannot be had, and that no text of a model becomes markup."""
import json
import random
import re
import subprocess

from _checks import check, finish
from _pages import HAMEL, Page, faults_of_frame, faults_of_mathematics, report


def page_of(text, *options):
    return Page(report("-", *options, stdin=text.encode("utf-8", "surrogateescape"))[0])


def sound(page, what):
    faults = faults_of_frame(page) + faults_of_mathematics(page)
    check(not faults, f"{what}: {faults[:3]}")


SIMPLE = """system swing "%s"
%s
param m = 1, g = 10
coord x, y
kinetic m/2*(x'^2 + y'^2)
potential m*g*y
constraint rod: x^2 + y^2 = 1
initial x = 1, y = 0
simulate t = 0 .. 0.1, output = 0.05
"""

# --- what a page holds
page, said = report("sleigh")
page = Page(page)
sound(page, "sleigh")
check(not said, "nothing is said about a model without trouble")
check(page.words["title"] == ["Chaplygin-Caratheodory sleigh"], "the title is that of the model")
check("m/2*(x'^2 + y'^2)" in page.words["pre"][0], "the text of the model is there")
panels = [a["id"] for _, a in page.with_attribute("role", "tabpanel")]
check("form-maggi" in panels and "form-hamel" in panels and "form-lagrange" not in panels, "forms that apply have a panel")
check("Lagrange&#39;s second kind needs free coordinates" in page.text, "those that do not are listed with the reason")
check([a["id"] for _, a in page.with_attribute("aria-selected", "true")] == ["tab-maggi"], "the default form is open")
check("\\dot{v} = a w^{2}" in [a.get("data-latex") for _, a in page.classes("copy")], "an equation has its LaTeX")
check("2 degrees of freedom: 3 coordinates - 1 constraint" in page.text, "the degrees of freedom are counted")
check(len(page.classes("proved")) > 10 and not page.classes("refuted"), "the forms are proved to agree")
check(page.data()["name"] == "sleigh" and page.data()["version"] == "0.1.0", "the data names the model")

page = Page(report("rs_1_2_printed")[0])
sound(page, "rs_1_2_printed")
check(len(page.classes("refuted")) == 3 and len(page.classes("witness")) == 3, "refuted claims have a witness")
check("relative size" in page.text, "and the size of the gap")

for model in ("sleigh", "rs_1_2_printed", "rs_3_4_abstract"):
    proved = subprocess.run([HAMEL, "prove", model, "--json"], capture_output=True, text=True).stdout
    verdicts = [v["verdict"] for v in json.loads(proved)["verdicts"]]
    rows = [a["class"] for t, a in Page(report(model)[0]).elements if t == "tr" and a.get("class") in ("proved", "refuted", "undecided")]
    check(rows == verdicts, f"{model}: the verdicts are those of `hamel prove`")

# --- options
page = Page(report("sleigh", "--form", "maggi,appell")[0])
check([a["id"] for _, a in page.with_attribute("role", "tabpanel")] == ["form-maggi", "form-appell"], "forms can be chosen")
page = Page(report("sleigh", "--form", "appell", "--until", "1", "--every", "0.5", "--tol", "1e-6", "--set", "a=2")[0])
check("at t = 1<" in page.text and "<td>1e-06</td>" in page.text and "<td>3</td>" in page.text, "the run is as asked")
check("Gibbs-Appell equations</td>" in page.text, "a single form makes the run")
data = subprocess.run([HAMEL, "report", "sleigh", "--json"], capture_output=True, text=True, check=True).stdout
check(data.startswith('{"name":"sleigh"'), "--json gives the data alone")

# --- equations that nobody reads
page = Page(report("bicycle", "--form", "maggi", "--until", "0.01", "--set", "rR=31/100")[0])
sound(page, "bicycle")
panel = page.text[page.text.index('id="form-maggi"'):page.text.index('<section id="proofs"')]
check("What needs more than 24 of them is left out here" in panel and "<code>hamel derive bicycle --set rR=31/100 --form maggi</code>" in panel,
      "a form of hundreds of names says what is left out, and the command that prints it")
check("Left out: 3 of 3 equations; the unknowns are <math>" in panel and "Left out: 2 of 5 equations" in panel, "how many equations are missing is said where they would be")
named = set(re.findall(r"w_\{\d+\}", panel))
defined = {name for name in named if any(a.get("data-latex", "").startswith(name + " = ") for _, a in page.classes("copy"))}
check(4 < len(named) < 40 and named == defined, "what is shown uses only names that are shown")
check('<details class="names"><summary>' in panel and len(panel) < 30000, "the names stand collapsed, and the panel is short")
printed = subprocess.run([HAMEL, "derive", "bicycle", "--set", "rR=31/100", "--form", "maggi"], capture_output=True, text=True, check=True).stdout
check(len(printed) > 40000 and "phi''" in printed, "the command prints them whole")

# --- where something cannot be had
page, said = report("-", stdin=b"system s\nparam m\ncoord x\nkinetic m/2*x'^2\n")
check("there is no run: " in said and "warning" in said, "a run that cannot be is a warning")
page = Page(page)
sound(page, "a symbolic parameter")
check(page.data()["run"] is None and page.classes("no-run") and "symbolic: it has no value" in page.text, "and the page says why")
page, said = report("-", stdin=b"system s\ncoord x\nkinetic x'^2/2\npotential -x^4\ninitial x = 1, x' = 1\nsimulate t = 0 .. 10\n")
check("the run did not reach its end" in said and "the run did not reach its end" in page, "a run that stops says so")

# --- of what a proof speaks
page = page_of("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: (x' - y')*z' = 0\ninitial x' = 1, y' = 1, z' = 1/2\nclaim same: x' = y'\n", "--form", "maggi")
sound(page, "a product")
check("on this branch of the constraints" in page.text, "a proof on one branch of a product says so on the page")
check("on the branch x&#39; - y&#39; = 0" in page.text, "and the page says which")

# --- escaping
HOSTILE = "</script><b>"
page = page_of(SIMPLE % (HOSTILE, "# " + HOSTILE + "<!-- ]]> &amp; \\u003c"))
sound(page, HOSTILE)
check(page.words["h1"] == [HOSTILE] and page.words["title"] == [HOSTILE], "a title with markup shows exactly that")
check("# </script><b><!-- ]]> &amp; \\u003c" in page.words["pre"][0], "so does a comment")
check(page.data()["title"] == HOSTILE and HOSTILE not in page.text, "and it stands in the data as it was")

random.seed(6)
PIECES = ["<", ">", "&", "'", "</script>", "<!--", "-->", "<script>", "]]>", "&lt;", "\\", "\\u003c", "θ", "é", "😀", " ", "x", "onload="]
for trial in range(12):
    title = "t" + "".join(random.choices(PIECES, k=12)) + "t"
    comment = "".join(random.choices(PIECES + ['"', "\t", "\u2028", "\u2029"], k=20)).rstrip()
    page = page_of(SIMPLE % (title, "# " + comment), "--form", "maggi")
    sound(page, repr(title))
    check(page.words["h1"] == [title] and page.data()["title"] == title, f"the title comes back: {title!r}")
    shown = re.sub("[\u2028\u2029]", "\ufffd", comment)  # separators of lines, refused in a title
    check("# " + shown + "\n" in page.words["pre"][0], f"the comment comes back: {comment!r}")
    check("<b>" not in page.text and page.text.count("<script") == 2 and page.text.count("</script>") == 2, f"no markup but its own: {title!r}")

page = page_of(SIMPLE % ("plain", "# control \x01 and \udcff no UTF-8\r"))
check("# control \ufffd and \ufffd no UTF-8\n" in page.words["pre"][0], "what no page may hold is replaced")

finish()
