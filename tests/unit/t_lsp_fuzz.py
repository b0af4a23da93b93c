#!/usr/bin/python3
"""`hamel lsp` under messages by chance: edits, questions, and what no editor sends. Every question is answered once, what comes back is
well-formed, the server lives, and after all edits it has the text that the editor has: its diagnostics are those of a server that opened
that text at once. make test-long sends 100,000."""
import json
import os
import pathlib
import queue
import random
import re

from _checks import check, counted, finish, in_time, run_cases, run_seed
from lsp_client import Gone, Server, frame

ROOT = pathlib.Path(os.environ.get("HAMEL_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
ASKED = ["hover", "definition", "references", "documentHighlight", "completion", "documentSymbol", "documentLink", "semanticTokens/full",
         "prepareRename", "rename", "formatting", "codeLens"]
WORDS = ["x", "θ", "x'", "kinetic", "coord", "param", "constraint c:", "=", "+", "(", ")", "[1..3]", "lambda[", "]", "{", "}", '"', "#",
         "\n", "\r\n", "\r", " ", "𝄞", "🛷", "\u2028", "\ufeff", "\0", "include \"part.ham\"", "include \"main.ham\"", "for i in 1..3 {", "q[i]",
         "sum(i in 1..4, x)", "1e400", "1/0", "sqrt(-1)", "body B: mass 1 at (x, 0, 0)", "claim no: x'' = 0", "event e: x", "\\", "%s", "\ud800"]
NAMES = ["x", "kinetic", "sin", "θ", "2x", "", "a b", "x'", "é", "🛷", "q", "A" * 5000, "\0"]
CHECKED = 100  # messages between looks at the texts of both


class Editor:
    """A client with its own copy of each text."""

    def __init__(self, seed, texts):
        self.random, self.texts, self.server = random.Random(seed), texts, Server()
        self.open, self.asked, self.number = {}, {}, 10 ** 6

    # --- texts ---

    def place(self, text):
        """(offset, position); some positions lie behind the ends of lines and texts."""
        ends = [m.span() for m in re.finditer("\r\n|\r|\n", text)] + [(len(text), len(text))]
        line = self.random.randrange(len(ends))
        begin = ends[line - 1][1] if line else 0
        content = text[begin:ends[line][0]]
        at = self.random.randrange(len(content) + 1)
        unit = len(content[:at].encode("utf-16-le")) // 2
        offset = begin + at
        if at == len(content) and self.random.random() < 0.1:
            unit += self.random.choice([1, 50, 2 ** 31 - 5000])
        return offset, {"line": line, "character": unit}

    def some_text(self):
        r = self.random
        if r.random() < 0.4:
            return "".join(r.choice(WORDS) for _ in range(r.randrange(1, 30)))
        text = r.choice(self.texts)
        from_ = r.randrange(len(text) + 1)
        return text[from_:from_ + r.choice([1, 3, 20, 10 ** 6])] if r.random() < 0.5 else text

    # --- messages ---

    def begin(self, method, params):
        self.number += 1
        self.asked[self.number] = (method, params)
        self.server.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})

    def open_one(self):
        uri = "file:///nowhere/%s.ham" % self.random.choice(["main", "part", "a%20b", "ü", "𝄞"])
        text = self.some_text()
        self.open[uri] = text.encode("utf-8", "replace").decode()
        self.server.open(uri, self.open[uri])

    def edit(self):
        uri = self.random.choice(list(self.open))
        changes = []
        for _ in range(self.random.choice([1, 1, 1, 2, 5])):
            text = self.open[uri]
            (a, start), (b, end) = sorted([self.place(text), self.place(text)], key=lambda p: p[0])
            if self.random.random() < 0.6:
                b, end = a, start
            new = self.random.choice(WORDS) if self.random.random() < 0.8 else self.some_text()
            new = new.encode("utf-8", "replace").decode()
            if self.random.random() < 0.03:
                a, b = 0, len(text)
                changes.append({"text": new})
            else:
                changes.append({"range": {"start": start, "end": end}, "text": new})
            self.open[uri] = text[:a] + new + text[b:]
        self.server.change(uri, *changes)

    def close(self):
        uri = self.random.choice(list(self.open))
        del self.open[uri]
        self.server.close(uri)

    def ask(self):
        uri = self.random.choice([*self.open, "file:///nowhere/unknown.ham"])
        method = self.random.choice(ASKED)
        params = {"textDocument": {"uri": uri}, "position": self.place(self.open.get(uri, ""))[1], "newName": self.random.choice(NAMES)}
        self.begin("textDocument/" + method, params)

    def lens(self):
        uri = self.random.choice(list(self.open))
        lenses = self.server.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
        if lenses:
            self.begin("codeLens/resolve", self.random.choice(lenses))

    def nonsense_value(self, depth=0):
        r = self.random
        kinds = [lambda: None, lambda: r.choice([True, False]), lambda: r.choice([0, -1, 2 ** 31, 1.5, -1.5, 1e300, 10 ** 30]), lambda: r.choice(WORDS),
                 lambda: r.choice([*self.open, "untitled:1", "file://", "x"]),
                 lambda: [self.nonsense_value(depth + 1) for _ in range(r.randrange(4))],
                 lambda: {r.choice(["textDocument", "uri", "text", "position", "line", "character", "range", "start", "end", "contentChanges",
                                    "data", "name", "id", "newName"]): self.nonsense_value(depth + 1) for _ in range(r.randrange(5))}]
        return r.choice(kinds if depth < 5 else kinds[:5])()

    def nonsense(self):
        """The right method with members that are wrong, and texts that are not the editor's own."""
        method = self.random.choice(["textDocument/" + m for m in ASKED] + ["codeLens/resolve", "workspace/didChangeWatchedFiles", "$/cancelRequest",
                                                                             "textDocument/didSave", "initialize", "initialized", "x", ""])
        params = self.nonsense_value()
        if self.random.random() < 0.5:
            self.begin(method, params)
        else:
            self.server.tell(method, params)

    def broken(self):
        """Bytes that are no message, and messages that are broken: nothing of them may end the server or spoil the next one."""
        body = bytearray(json.dumps({"jsonrpc": "2.0", "method": "textDocument/hover", "params": self.nonsense_value()}).encode())
        for _ in range(self.random.randrange(1, 6)):
            body[self.random.randrange(len(body))] = self.random.randrange(256)
        bad = self.random.choice([frame(bytes(body)), b"Content-Length: -5\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n", b"\r\n\r\n", b"\0" * 9,
                                  b"Content-Length: 3\r\n\r\n{}}", b"Content-Type: x\r\n\r\n", frame(b"[" * 300), frame(b"\xff\xfe{\0}\0"), frame(b"")])
        self.server.write(bad + b"\n\n")

    def cancel(self):
        if self.asked:
            self.server.tell("$/cancelRequest", {"id": self.random.choice(list(self.asked)[-5:])})

    def step(self):
        if not self.open:
            return self.open_one()
        doings = [self.edit, self.ask, self.nonsense, self.broken, self.open_one, self.close, self.cancel, self.lens]
        return self.random.choices(doings, [40, 35, 8, 3, 5, 2, 4, 3])[0]()

    # --- what must hold ---

    def compare(self):
        """All was answered, and the texts are the same on both sides."""
        for uri in list(self.open):
            self.server.ask("textDocument/documentLink", {"textDocument": {"uri": uri}})
        for number in sorted(self.asked):
            try:
                answer = self.server.answer(number)
            except queue.Empty:
                check(False, f"a question without an answer: {self.asked[number]}")
                finish()
            check(("result" in answer) != ("error" in answer), f"an answer is a result or an error: {answer}")
        self.asked.clear()
        check(not [n for n in self.server.answers if isinstance(n, int) and n > 10 ** 6], "no question is answered twice")
        self.server.answers.clear()
        fresh = Server()
        for uri, text in self.open.items():
            fresh.open(uri, text)
        for uri in self.open:
            self.server.diagnostics(uri), fresh.diagnostics(uri)
        for uri, text in self.open.items():
            # nothing said of a text is the same as nothing wrong with it
            same = (self.server.shown.get(uri) or []) == (fresh.shown.get(uri) or [])
            check(same, f"the texts are the same: {uri}" + ("" if same else f"\n{text!r}\n{self.server.shown.get(uri)}\n{fresh.shown.get(uri)}"))
        check(fresh.end() == 0 and not fresh.errors, f"the server beside it ends: {fresh.errors}")


def main(count, seed):
    texts = [path.read_text() for path in sorted((ROOT / "models").rglob("*.ham"))]
    texts = [text for text in texts if len(text) < 4000]
    editor = Editor(seed, texts)
    try:
        for number in in_time(range(count)):
            editor.step()
            if (number + 1) % CHECKED == 0:
                editor.compare()
                if len(editor.open) > 3:
                    editor.close()
    except Gone as gone:
        check(False, f"the server is gone after {number} messages, seed {seed}: {gone}")
        finish()
    check(editor.server.end() == 0, "the server ends with status 0")
    check(not editor.server.errors, f"nothing on standard error: {editor.server.errors[:40]}")
    print(f"net: messages to the language server: {count} tried, {counted[False]} failed")
    finish()


if __name__ == "__main__":
    main(run_cases(2000, 100_000), run_seed(1))
