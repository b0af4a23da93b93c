// Starts `hamel lsp` and connects it with the editor; everything else is done there.
"use strict";
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
    const command = workspace.getConfiguration("hamel").get("program") || "hamel";
    const server = { command, args: ["lsp"] };
    client = new LanguageClient("hamel", "hamel", server, { documentSelector: [{ language: "hamel" }] });
    return client.start();
};

exports.deactivate = () => client && client.stop();
