// The run as files: CSV with every column, and the JSON that the page carries.
import { dataText } from "./data.js";
import { element } from "./dom.js";
import { save } from "./save.js";

/** RFC 4180: quotes where a name needs them. */
function csvField(text) {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {import("./data.js").Run} run */
export function csvOf(run) {
    const lines = [run.columns.map(column => csvField(column.name)).join(",")];
    for (let row = 0; row < run.count; row++) lines.push(run.columns.map(column => column.values[row] ?? "").join(","));
    return lines.join("\n") + "\n";
}

/**
 * @param {HTMLElement} host
 * @param {import("./data.js").Data} data
 * @param {{picture(): Promise<Blob>}|null} animation
 */
export function startDownloads(host, data, animation) {
    const offer = (text, name, make) => {
        const button = element("button", { type: "button" }, text);
        button.addEventListener("click", async () => save(await make(), name));
        host.append(button);
    };
    if (data.run) offer("CSV", data.name + ".csv", () => new Blob([csvOf(data.run)], { type: "text/csv" }));
    offer("JSON", data.name + ".json", () => new Blob([dataText()], { type: "application/json" }));
    if (animation) offer("PNG of the animation", data.name + ".png", () => animation.picture());
}
