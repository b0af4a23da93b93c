// The TextMate grammar of editors/vscode, as the editor itself would read it, on every model of the library.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const load = createRequire(join(process.env.HAMEL_WEB_PACKAGES, "here.js"));
const { INITIAL, parseRawGrammar, Registry } = load("vscode-textmate");
const oniguruma = load("vscode-oniguruma");

const models = readdirSync(join(root, "models"), { recursive: true }).filter(name => name.endsWith(".ham"));
// a word of these is a statement where it begins a line and a blank or a bracket follows
const statements = new Set(readFileSync(join(root, "src/parse/statements.def"), "utf8").match(/(?<=, )\w+(?=\))/g));

const wanted = { comment: "comment.line", string: "string.quoted", number: "constant.numeric", primes: "keyword.operator.derivative", primed: "variable.other.derivative", statement: "keyword.control.statement" };
const PIECE = /(?<comment>#.*)|(?<string>"[^"]*")|(?<number>(?<![\w.])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>\p{L}[\p{L}\w]*)|(?<primes>'+)|\s+|./gu;

/** What must have a colour in a line: [kind, index, word]. */
function* pieces(line) {
    for (const match of line.matchAll(PIECE)) {
        const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined) ?? [];
        const after = line[match.index + match[0].length];
        if (kind === "name" && after === "'") yield ["primed", match.index, match[0]];
        else if (kind === "name" && !line.slice(0, match.index).trim() && statements.has(match[0]) && (after === " " || after === "(")) yield ["statement", match.index, match[0]];
        else if (kind && kind !== "name") yield [kind, match.index, match[0]];
    }
}

test("every keyword, comment, string, number and derivative of the library has its scope", async () => {
    const wasm = readFileSync(load.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
    await oniguruma.loadWASM(wasm);
    const path = join(root, "editors/vscode/syntaxes/hamel.tmLanguage.json");
    const onigLib = Promise.resolve({ createOnigScanner: patterns => new oniguruma.OnigScanner(patterns), createOnigString: text => new oniguruma.OnigString(text) });
    const registry = new Registry({ onigLib, loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf8"), path) });
    const grammar = await registry.loadGrammar("source.hamel");
    let tried = 0;
    assert.ok(statements.size > 30 && models.length > 200);
    for (const name of models) {
        let stack = INITIAL;
        for (const line of readFileSync(join(root, "models", name), "utf8").split("\n")) {
            const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
            stack = ruleStack;
            for (const [kind, index, word] of pieces(line)) {
                const token = tokens.find(({ startIndex, endIndex }) => startIndex <= index && index < endIndex);
                assert.ok(token?.scopes.at(-1).startsWith(wanted[kind]), `${name}: ${kind} \`${word}\` in \`${line}\` is ${token?.scopes}`);
                tried++;
            }
        }
    }
    assert.ok(tried > 30000, `${tried} pieces`);
});
