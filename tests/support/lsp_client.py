"""A client of `hamel lsp` over pipes, for tests and figures: sends messages, keeps what comes back, counts as editors do."""
import json
import os
import queue
import subprocess
import threading

HAMEL = os.environ["HAMEL"]
PATIENCE = 120  # seconds until an answer counts as missing, on a busy machine under sanitizers


class Gone(Exception):
    """The server has ended."""


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def offset(text, position):
    """Of a position of the protocol in a text without \\r: lines, and units of UTF-16 in a line."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[:position["line"]])
    units = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
    return before + len(units.decode("utf-16-le"))


def position(text, at):
    """The position of an offset, counted in another way than the server does."""
    before = text[:at]
    return {"line": before.count("\n"), "character": len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2}


def edited(text, edits):
    """The text with a list of edits, last ones first."""
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        start, end = offset(text, edit["range"]["start"]), offset(text, edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Server:
    def __init__(self, *arguments, initialize=True, program=HAMEL):
        self.process = subprocess.Popen([program, "lsp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.came, self.errors, self.number = queue.Queue(), [], 0
        self.shown, self.answers = {}, {}
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._listen_errors, daemon=True).start()
        self.versions = {}
        if initialize:
            self.capabilities = self.ask("initialize", {"processId": os.getpid(), "capabilities": {}})["result"]["capabilities"]
            self.tell("initialized", {})

    def _listen(self):
        try:
            self._read_messages(self.process.stdout)
        except ValueError:  # a test has closed it
            self.came.put(None)

    def _read_messages(self, out):
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.came.put(None)
                    return
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                if line in (b"\r\n", b"\n"):
                    break
            self.came.put(json.loads(out.read(length)))

    def _listen_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def write(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError) as gone:
            raise Gone("".join(self.errors)) from gone

    def send(self, message):
        self.write(frame(message))

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def receive(self, patience=PATIENCE):
        message = self.came.get(timeout=patience)
        if message is None:
            self.came.put(None)
            raise Gone("".join(self.errors))
        if "method" in message:
            self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]
        else:
            self.answers.setdefault(message["id"], message)
        return message

    def answer(self, number):
        while number not in self.answers:
            self.receive()
        return self.answers.pop(number)

    def ask(self, method, params):
        return self.answer(self.begin(method, params))

    def result(self, method, params):
        answer = self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    # --- texts ---

    def open(self, uri, text):
        self.versions[uri] = 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "hamel", "version": 1, "text": text}})

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": list(changes)})

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri):
        """What is shown for a text once everything sent so far is read; None: nothing was."""
        self.ask("textDocument/documentLink", {"textDocument": {"uri": uri}})
        return self.shown.get(uri)

    def at(self, method, uri, where, **more):
        return self.result("textDocument/" + method, {"textDocument": {"uri": uri}, "position": where, **more})

    def end(self):
        """Status of the program after it was told to end."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.wait()

    def wait(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE)
