// What the page carries as JSON: docs/page.md says what is in it.

/**
 * @typedef {{name: string, kind: string, label?: string, unit?: string, values: (number|null)[]}} Column
 * @typedef {{name: string, scale: number, values: (number|null)[]}} DriftColumn
 * @typedef {{form: string, method: string, outcome: string, digits: number, count: number, columns: Column[],
 *            errors: DriftColumn[], events: {name: string, t: number, direction: number}[], pieces?: import("./modes.js").Pieces}} Run
 * @typedef {{name: string, label?: string, at: number, values: number[], eigenvalues: {re: number[], im: number[]}[],
 *            critical: {kind: string, value: number}[]}} Sweep
 * @typedef {{name: string, title: string, version: string, run: Run|null, scene: Object|null, steady?: {sweeps: Sweep[]}|null}} Data
 */

/** The text of the data, byte for byte. */
export function dataText() {
    return document.getElementById("hamel-data")?.textContent ?? "null";
}

/** @returns {Data|null} */
export function readData() {
    return JSON.parse(dataText());
}

/** @param {Run} run @param {...string} kinds */
export function columnsOf(run, ...kinds) {
    return run.columns.filter(column => kinds.includes(column.kind));
}
