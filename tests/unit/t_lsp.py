#!/usr/bin/python3
"""`hamel lsp` as an editor uses it: open, edit, errors, correct, ask, rename, close; and messages that no editor should send."""
import os
import pathlib
import re
import subprocess
import tempfile

from _checks import check, finish
from lsp_client import HAMEL, Server, edited, frame, offset, position

SLEIGH = """system sleigh "a sleigh 𝄞"   # 𝄞 takes two units
param m = 1, J = 2, a = 0.5   # 🛷🛷
coord x, y, θ
/*END*/kinetic m/2*(x'^2 + y'^2) + J/2*θ'^2
constraint blade: y'*cos(θ) - x'*sin(theta) - a*θ' = 0
quasi v = x'*cos(θ) + y'*sin(θ), w = θ'
initial x' = 1, θ' = 0.3
invariant energy = m/2*(x'^2 + y'^2) + J/2*θ'^2
observe rest = sum(i in 1..3, i*x) + lambda[blade]
claim wrong: x'' = 0
""".replace("/*END*/", "")
URI = "file:///nowhere/sleigh.ham"


def place(text, word, more=0):
    return position(text, text.index(word) + more)


def shown(text, found):
    """What the ranges of diagnostics, locations .. hold."""
    return [text[offset(text, f["range"]["start"]):offset(text, f["range"]["end"])] for f in found]


def labels(answer):
    return [item["label"] for item in answer["items"]]


def what_is_asked(server):
    text = SLEIGH
    server.open(URI, text)
    check(server.diagnostics(URI) == [], "a model without errors has none")
    hover = server.at("hover", URI, place(text, "θ'^2"))
    check("coordinate" in hover["contents"]["value"] and "velocity" in hover["contents"]["value"], f"θ' is a velocity: {hover}")
    check(shown(text, [hover]) == ["θ"], "the range of a Greek letter behind others")
    hover = server.at("hover", URI, place(text, "a*θ"))["contents"]["value"]
    check("parameter" in hover and "0.5" in hover and "🛷" in hover, f"a parameter has its value and the comment behind it: {hover}")
    hover = server.at("hover", URI, place(text, "kinetic", 3))["contents"]["value"]
    check("kinetic E" in hover, "a statement is explained")
    check("the sine" in server.at("hover", URI, place(text, "sin("))["contents"]["value"], "a function is explained")
    check("linear" in server.at("hover", URI, place(text, "blade"))["contents"]["value"], "a constraint has its kind")
    check(server.at("hover", URI, {"line": 500, "character": 3}) is None, "nothing stands behind the end")
    found = server.at("definition", URI, place(text, "theta"))
    check(shown(text, found) == ["θ"] and found[0]["range"]["start"]["line"] == 2, f"theta is θ: {found}")
    found = server.at("references", URI, place(text, "θ"), context={"includeDeclaration": True})
    check(sorted(shown(text, found)) == ["theta"] + ["θ"] * 9, f"all places of θ: {shown(text, found)}")
    found = server.at("references", URI, place(text, "θ"), context={"includeDeclaration": False})
    check(len(found) == 9, "all but the declaration")
    found = server.at("documentHighlight", URI, place(text, "lambda[blade", 7))
    check(shown(text, found) == ["blade", "blade"], "a constraint inside lambda[..]")
    found = server.at("documentHighlight", URI, place(text, "i*x"))
    check(shown(text, found) == ["i", "i"], "the index of a sum")
    names = [s["name"] for s in server.result("textDocument/documentSymbol", {"textDocument": {"uri": URI}})]
    check(names == ["sleigh", "m", "J", "a", "x", "y", "theta", "blade", "v", "w", "energy", "rest", "wrong"], f"the outline: {names}")
    data = server.result("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})["data"]
    line = unit = 0
    tokens = []
    for i in range(0, len(data), 5):
        line, unit = line + data[i], data[i + 1] + (0 if data[i] else unit)
        at = offset(text, {"line": line, "character": unit})
        tokens.append(text[at:at + data[i + 2]])
    check(all(re.fullmatch(r"\w+", t) for t in tokens) and tokens.count("θ") == 9, f"tokens are names: {tokens}")
    lenses = server.result("textDocument/codeLens", {"textDocument": {"uri": URI}})
    titles = [server.result("codeLens/resolve", lens)["command"]["title"] for lens in lenses]
    server.change(URI, {"text": text.replace(", w = θ'", "")})
    lens = server.result("textDocument/codeLens", {"textDocument": {"uri": URI}})[0]
    title = server.result("codeLens/resolve", lens)["command"]["title"]
    check("1 quasi-velocity is declared" in title, f"what is wrong with the system as a whole: {title}")
    server.change(URI, {"text": text})
    check(titles[0].startswith("2 degrees of freedom") and titles[1].startswith("proved") and titles[2].startswith("refuted"), f"lenses: {titles}")


def what_can_be_written(server):
    uri = "file:///nowhere/complete.ham"
    head = "coord x, y, q[1..3]\nparam mass_1 = 2\nbody wheel: mass 1 at (x, y, 0) inertia (1, 1, 1)\nkinetic x'^2 + y'^2\n" \
           "constraint blade: x' = y'\nroll c: wheel as ball 1 on plane\n"
    server.open(uri, head)

    def at(line):
        server.change(uri, {"text": head + line + "\n"})
        return labels(server.at("completion", uri, {"line": 6, "character": len(line)}))

    check({"kinetic", "coord", "include"} <= set(at("")) and "x" not in at(""), "statements at the beginning of a line")
    check({"kinetic", "coord"} <= set(at("ki")), "a statement that is half written")
    check({"x", "x'", "q", "mass_1", "sin", "c_normal"} <= set(at("potential x + ")), "names where a value is expected")
    check("kinetic" not in at("potential x + "), "no statements there")
    check(set(at("observe l = lambda[")) == {"blade", "c"}, f"constraints inside lambda[..]: {at('observe l = lambda[')}")
    check(at("observe l = norm(vel(") == ["wheel"] and at("force on ") == ["wheel"], "bodies where they are expected")
    check(set(at("initial x = 0, ")) == {"x", "x'", "y", "y'", "q", "q'", "lambda"}, f"what has an initial value: {at('initial x = 0, ')}")
    check("taylor" in at("simulate method = ") and "maggi" in at("simulate form = "), "methods and forms by their names")
    check({"at", "inertia", "rotation"} <= set(at("body B: mass 1 ")), "clauses of a statement")
    for line in ("param m = 1  # x", 'system s "x', "coord ", "param k = 3.", "param k = 3 [k"):
        check(at(line) == [], f"nothing behind `{line}`: {at(line)}")
    check(at("observe l = pos(wheel).") == ["x", "y", "z"], "components behind a dot")
    check(set(at("x")) == set(at("")), "the word that is there is no obstacle")
    server.close(uri)
    check(server.diagnostics(uri) is not None, "what was wrong is taken away")


def editing(server):
    text = SLEIGH

    def edit(start, end, new):
        nonlocal text
        change = {"range": {"start": position(text, start), "end": position(text, end)}, "text": new}
        text = text[:start] + new + text[end:]
        server.change(URI, change)

    at = text.index("cos(θ)")
    edit(at, at + 6, "cos(ψ)")
    wrong = server.diagnostics(URI)
    check(shown(text, wrong) == ["ψ"] and "unknown name" in wrong[0]["message"], f"an error has its place: {wrong}")
    edit(text.index("ψ"), text.index("ψ") + 1, "θ")
    check(server.diagnostics(URI) == [], "corrected")
    edit(text.index("coord"), text.index("coord"), "coord x\nparam 🛷 = 1\n")
    wrong = server.diagnostics(URI)
    check(len(wrong) == 2 and any("declared here" in r["message"] for w in wrong for r in w.get("relatedInformation", [])),
          f"two errors, one with another place: {wrong}")
    check("🛷" in shown(text, wrong), f"a character of two units: {shown(text, wrong)}")
    at = text.index("coord x\n")
    edit(at, text.index("coord x, y"), "")
    check(server.diagnostics(URI) == [] and text == SLEIGH, "and back")
    for i, c in enumerate("let late = θ'"):  # as it is typed, without waiting
        edit(len(text), len(text), c)
    edit(len(text), len(text), "\n")
    hover = server.at("hover", URI, position(text, len(text) - 12))
    check(hover and "abbreviation" in hover["contents"]["value"], f"typed and asked for at once: {hover}")
    changes = [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 10 ** 6, "character": 0}}, "text": "coord z"},
               {"range": {"start": {"line": 0, "character": 7}, "end": {"line": 0, "character": 99}}, "text": "\r\nkinetic z'^2 # one\rtwo\npotential w"}]
    server.change(URI, *changes)
    symbols = server.result("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    check([s["name"] for s in symbols] == ["z"], "several changes in one message, ends of lines of all kinds")
    wrong = server.diagnostics(URI)
    check(wrong[0]["range"]["start"] == {"line": 3, "character": 10}, f"lines end in \\r\\n and \\r: {wrong}")
    server.close(URI)
    server.open(URI, SLEIGH)
    answer = server.at("hover", URI, place(SLEIGH, "blade"))
    check(answer is not None, "closed and opened again")


def layout(server):
    uri, text = "file:///nowhere/layout.ham", "coord   x,y # 𝄞\n\n\n\nkinetic x'^2+y'^2  \n"
    server.open(uri, text)
    after = edited(text, server.result("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}}))
    told = subprocess.run([HAMEL, "fmt", "-"], input=text, capture_output=True, text=True)
    check(after == told.stdout != text, f"laid out as by `hamel fmt`: {after}")
    server.change(uri, {"text": after})
    check(server.result("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}}) == [], "nothing to do the second time")
    server.change(uri, {"text": "coord ="})
    check(server.result("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}}) == [], "what cannot be read stays as it is")
    server.close(uri)


def long_lines(server):
    """What takes a time that grows faster than the text would take minutes here."""
    uri, text = "file:///nowhere/long.ham", "coord x, θ\nkinetic x'^2 + θ'^2 + " + " + ".join(["θ", "x"] * 30000) + "\n"
    server.open(uri, text)
    found = server.at("references", uri, place(text, "θ"), context={"includeDeclaration": True})
    check(len(found) == 30002 and {f["range"]["end"]["character"] - f["range"]["start"]["character"] for f in found} == {1}, "all places in a long line")
    check(set(shown(text, found[:3] + found[-40::5])) == {"θ"}, "and they are right, to its end")
    data = server.result("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    check(len(data) == 5 * 60004 and set(data[-500 * 5 + 1::5]) == {4}, "tokens of a long line")
    changes = server.result("textDocument/rename", {"textDocument": {"uri": uri}, "position": place(text, "x"), "newName": "y"})["changes"][uri]
    check(len(changes) == 30002, "a new name in a long line")
    for count in range(50, 100):  # a mark in a long line stands before, in and behind a character of four bytes
        text = "coord x\nkinetic x'^2\nsystem s \"" + "a" * (count % 4) + "🛷" * count + "\" ψ\n"
        server.change(uri, {"text": text})
        wrong = server.diagnostics(uri)
        check(shown(text, wrong[:1]) == ["ψ"], f"behind {count} characters of two units: {wrong}")
    server.close(uri)


def new_names(server):
    def rename(word, name, more=0):
        return server.ask("textDocument/rename", {"textDocument": {"uri": URI}, "position": place(SLEIGH, word, more), "newName": name})

    after = edited(SLEIGH, rename("θ", "ϕ2")["result"]["changes"][URI])
    check(after == SLEIGH.replace("theta", "ϕ2").replace("θ", "ϕ2"), "every θ has the new name, and theta")
    after = edited(SLEIGH, rename("lambda[blade", "edge", 8)["result"]["changes"][URI])
    check(after == SLEIGH.replace("blade", "edge"), "a constraint")
    after = edited(SLEIGH, rename("i*x", "k")["result"]["changes"][URI])
    check(after == SLEIGH.replace("i in", "k in").replace("i*x", "k*x"), "an index")
    for word, name, why in (("x'^2", "y", "taken"), ("x'^2", "kinetic", "statement"), ("x'^2", "sin", "word"), ("x'^2", "2x", "letter"),
                            ("x'^2", "x y", "letter"), ("x'^2", "", "letter"), ("x'^2", "x'", "letter"), ("x'^2", "i", "taken"),
                            ("x'^2", "theta", "taken"), ("i*x", "x", "taken"), ("x'^2", "t", "word"), ("sin(", "cosine", "no name")):
        answer = rename(word, name)
        check(why in answer.get("error", {}).get("message", ""), f"`{name}` for {word} is refused: {answer}")
    found = server.at("prepareRename", URI, place(SLEIGH, "blade", 2))
    check(found["placeholder"] == "blade" and shown(SLEIGH, [found]) == ["blade"], "what is to be renamed")
    check(server.at("prepareRename", URI, place(SLEIGH, "kinetic")) is None, "a keyword has no other name")


def several_texts(folder):
    main, part = folder / "main ü.ham", folder / "part.ham"
    part.write_text("param g = 9.81\ncoord x\nkinetic x'^2\n")
    main_text = 'include "part.ham"\npotential g*x\ninitial x = 1\n'
    server = Server()
    server.open(main.as_uri(), main_text)
    check(server.diagnostics(main.as_uri()) == [], "a text that includes one on the disk")
    found = server.at("definition", main.as_uri(), place(main_text, "g*x"))
    check(found[0]["uri"] == part.as_uri() and found[0]["range"]["start"] == {"line": 0, "character": 6}, f"into an included file: {found}")
    found = server.at("definition", main.as_uri(), place(main_text, "part.ham"))
    check(found["uri"] == part.as_uri(), "the string behind include leads to the file")
    links = server.result("textDocument/documentLink", {"textDocument": {"uri": main.as_uri()}})
    check([link["target"] for link in links] == [part.as_uri()] and shown(main_text, links) == ['"part.ham"'], f"links: {links}")
    text = "param gee = 9.81\ncoord x\nkinetic x'^2\n"
    server.open(part.as_uri(), text)
    wrong = server.diagnostics(main.as_uri())
    check(shown(main_text, wrong) == ["g"], f"what is not saved counts: {wrong}")
    text = text.replace("gee", "g")
    server.change(part.as_uri(), {"text": text})
    check(server.diagnostics(main.as_uri()) == [], "and again")
    server.change(part.as_uri(), {"text": text + "potential 1 +\n"})
    wrong = server.diagnostics(part.as_uri())
    check(wrong and wrong[0]["range"]["start"]["line"] == 3, f"what is wrong in the part is shown there: {wrong}")
    server.change(part.as_uri(), {"text": text})
    changes = server.result("textDocument/rename", {"textDocument": {"uri": part.as_uri()}, "position": place(text, "g ="), "newName": "gravity_1"})["changes"]
    check(edited(main_text, changes[main.as_uri()]) == main_text.replace("g*x", "gravity_1*x"), "a new name in the text that includes")
    check(edited(text, changes[part.as_uri()]) == text.replace("g =", "gravity_1 ="), ".. and in the part")
    part.unlink()
    server.close(part.as_uri())
    server.tell("workspace/didChangeWatchedFiles", {"changes": []})
    wrong = server.diagnostics(main.as_uri())
    check("cannot read" in wrong[0]["message"], f"the file is gone: {wrong}")
    untitled = "untitled:Untitled-1"
    server.open(untitled, "coord x\nkinetic x'^2 +\n")
    check(len(server.diagnostics(untitled)) == 1, "a text that has no file yet")
    check(server.end() == 0, "status 0")


def wrong_messages():
    server = Server(initialize=False)
    check(server.ask("textDocument/hover", {})["error"]["code"] == -32002, "a request before initialize")
    server.tell("textDocument/didOpen", {"textDocument": {"uri": URI, "text": SLEIGH}})
    server.result("initialize", {"processId": None, "capabilities": {}})
    check(server.ask("initialize", {})["error"]["code"] == -32600, "initialize twice")
    check(server.ask("textDocument/nonsense", {})["error"]["code"] == -32601, "an unknown method")
    server.tell("textDocument/nonsense", {})
    server.tell("$/setTrace", {"value": "off"})
    for params in (None, [], 3, {"textDocument": 3}, {"textDocument": {"uri": URI}, "position": {"line": -1, "character": 0}},
                   {"textDocument": {"uri": URI}, "position": {"line": 1.5, "character": "x"}}, {"textDocument": {"uri": "x"}}):
        for method in ("hover", "definition", "references", "documentHighlight", "prepareRename", "documentSymbol", "codeLens", "documentLink"):
            answer = server.ask("textDocument/" + method, params)
            check("result" in answer, f"{method} with {params}: {answer}")
        check("error" in server.ask("textDocument/rename", params), f"rename with {params}")
    for change in (3, {}, {"contentChanges": [{}]}, {"textDocument": {"uri": URI}, "contentChanges": [{"range": {}, "text": "x"}]}):
        server.tell("textDocument/didChange", change)
    server.write(frame(b"{\"jsonrpc\":\"2.0\",") + frame(b"[1,2]") + frame(b"\"x\"") + frame(b"") + frame(b"[" * 100000) + frame(b"\xff\xfe\x00"))
    server.write(b"Nonsense: 3\r\n\r\n" + b"garbage " * 1000 + b"\n\n" + b"Content-Length: x\r\n\r\n")
    body = b'{"jsonrpc":"2.0","id":"\\u00e9\\ud834\\udd1e","method":"shutdown!" }'
    server.write(b"content-length:   %d\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n" % len(body) + body)
    while "é𝄞" not in server.answers:
        server.receive()
    check(server.answers["é𝄞"]["error"]["code"] == -32601, "an id that is a text, and a header in other letters")
    check(server.answers[None]["error"]["code"] in (-32700, -32600), "what is no message is refused")
    text = "coord x\nkinetic x'^2\n" + "# " + "ä𝄞" * 500000 + "\npotential nonsense\n"
    server.open(URI, text)
    wrong = server.diagnostics(URI)
    check(wrong[0]["range"]["start"] == {"line": 3, "character": 10}, "a text of three megabytes")
    server.open(URI, "coord x\nkinetic " + "(" * 100000)
    check(server.diagnostics(URI), "brackets without end")
    server.open(URI, "const N = 100000\ncoord q[1..N]\nkinetic sum(i in 1..N, sum(j in 1..N, q[i]'*q[j]'))\n")
    check(server.diagnostics(URI), "a model without end")
    server.open(URI, "coord x\nkinetic x'^2\nclaim no: x'' = 1\n")
    one = server.begin("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    server.write(frame({"jsonrpc": "2.0", "id": 777, "method": "textDocument/hover", "params": {}})
                 + frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 777}}))
    check("result" in server.answer(one) and "id" in server.answer(777), "a cancelled request is answered, too")
    lens = server.result("textDocument/codeLens", {"textDocument": {"uri": URI}})[0]
    begun = server.begin("codeLens/resolve", lens)
    server.tell("$/cancelRequest", {"id": begun})
    check("id" in server.answer(begun), "a lens that is cancelled is answered")
    begun = server.begin("codeLens/resolve", lens)
    server.change(URI, {"text": "coord x\nkinetic x'^2\n"})
    check("id" in server.answer(begun), "a lens of a text that changes is answered")
    check("error" in server.ask("$/cancelRequest", {"id": 1}), "what asks for an answer gets one, cancelling too")
    texts = {"file:///nowhere/%d.ham" % i: "coord x\nkinetic x'^2\nclaim no: x'' = %d\n" % i for i in range(4)}
    waiting = {}
    for uri, text in texts.items():  # one child proves at a time: the others wait
        server.open(uri, text)
        lens = server.result("textDocument/codeLens", {"textDocument": {"uri": uri}})[0]
        waiting[uri] = server.begin("codeLens/resolve", lens)
    first, second, third, fourth = texts
    server.write(b"".join(frame({"jsonrpc": "2.0", "method": "textDocument/" + method, "params": params}) for method, params in (
        ("didChange", {"textDocument": {"uri": first}, "contentChanges": [{"text": "coord x\nkinetic x'^2\n"}]}),
        ("didClose", {"textDocument": {"uri": second}}))))
    check(all("id" in server.answer(number) for number in waiting.values()), "lenses of other texts do not wait for one that changes")
    check(server.ask("textDocument/hover", {"textDocument": {"uri": third}, "position": {"line": -1.5, "character": 0}})["result"] is None,
          "a position that is none")
    server.ask("shutdown", None)
    check(server.ask("textDocument/hover", {})["error"]["code"] == -32600, "a request after shutdown")
    server.tell("exit", None)
    check(server.wait() == 0, "status 0 after shutdown")


def endings():
    for sent, status in ((b"", 1), (b"Content-Length: 100\r\n\r\n{\"jsonrpc\"", 1), (b"Content-Le", 1), (b"\x00" * 10000, 1),
                         (frame({"jsonrpc": "2.0", "method": "exit"}), 1)):
        done = subprocess.run([HAMEL, "lsp", "--stdio"], input=sent, capture_output=True, timeout=100)
        check(done.returncode == status and not done.stderr, f"{sent[:30]}: {done.returncode} {done.stderr}")
    server = Server("--limit", "nodes=60")
    server.open(URI, SLEIGH)
    check("limit reached" in server.diagnostics(URI)[0]["message"], "--limit holds for reading a text")
    check(server.end() == 0, "status 0")
    done = subprocess.run([HAMEL, "lsp", "--limit", "time=x"], input=b"", capture_output=True, timeout=100)
    check(done.returncode == 1 and b"time" in done.stderr, "a limit that is none")
    nobody_reads, their_end = os.pipe()
    os.close(nobody_reads)
    asked = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    done = subprocess.run([HAMEL, "lsp"], input=2000 * asked, stdout=their_end, stderr=subprocess.PIPE, timeout=100)
    os.close(their_end)
    check(done.returncode == 1 and not done.stderr, f"an editor that reads nothing: {done.returncode} {done.stderr}")


def main():
    server = Server()
    what_is_asked(server)
    what_can_be_written(server)
    server.close(URI)
    server.open(URI, SLEIGH)
    check(server.diagnostics(URI) is not None, "opened again")
    editing(server)
    long_lines(server)
    new_names(server)
    layout(server)
    check(server.end() == 0, "status 0")
    with tempfile.TemporaryDirectory() as folder:
        several_texts(pathlib.Path(folder))
    wrong_messages()
    endings()
    finish()


if __name__ == "__main__":
    main()
