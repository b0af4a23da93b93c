// Which plots a run gets: each card is a title and curves.
import { columnsOf } from "./data.js";

/**
 * @typedef {import("./data.js").Run} Run
 * @typedef {import("./data.js").Column} Column
 * @typedef {{title: string, name: string} & import("./plot.js").Content} Card     name: of the file that its picture is saved to
 */

/** Values have so many digits: a smaller change of a value, in parts of it, is rounding. */
export const roundingOf = run => Math.max(1e-12, 2 * 10 ** (1 - run.digits));

/** @param {Run} run @param {Column[]} columns */
function againstTime(run, columns, more = {}) {
    const t = run.columns[0];
    const events = [...run.events, ...(run.pieces?.resets ?? [])];
    return { curves: columns.map((y, index) => ({ x: t, y, index })), times: t.values, events, rounding: roundingOf(run), ...more };
}

/** x with y, x_1 with y_1, xC with yC .. */
export function planarPairs(columns) {
    const named = new Map(columns.map(column => [column.name, column]));
    return columns.flatMap(x => {
        const y = /^x/i.test(x.name) && named.get((x.name[0] === "x" ? "y" : "Y") + x.name.slice(1));
        return y ? [[x, y]] : [];
    });
}

/** q with q'. */
export function phasePairs(run) {
    const velocities = new Map(columnsOf(run, "velocity").map(column => [column.name, column]));
    return columnsOf(run, "coordinate").flatMap(q => {
        const rate = velocities.get(q.name + "'");
        return rate ? [[q, rate]] : [];
    });
}

function pathCard(run) {
    const pairs = planarPairs(columnsOf(run, "coordinate", "observable"));
    const curves = pairs.map(([x, y], index) => ({ x, y, index }));
    return { title: "Path in the plane", name: "path", curves, times: run.columns[0].values, rounding: roundingOf(run), equal: true, height: 300 };
}

/** What contacts do: forces in one card, gaps and slips in theirs; modes have a strip (modes.js). */
function contactCards(run) {
    const columns = columnsOf(run, "contact");
    return [["Forces of contact", "contact-forces", /^(normal|friction)\[/], ["Gaps", "gaps", /^gap\[/], ["Slip", "slip", /^slip\[/]]
        .map(([title, name, pattern]) => ({ title, name, ...againstTime(run, columns.filter(column => pattern.test(column.name))) }));
}

/** Relative errors of what is not shown as a residual; 0 cannot stand on a logarithmic axis and is a gap. */
function errorCard(run) {
    const named = new Map(run.columns.map(column => [column.name, column]));
    const columns = run.errors.filter(({ name }) => named.get(name)?.kind !== "residual").map(({ name, scale, values }) => ({
        name,
        label: named.get(name)?.label,
        kind: "error",
        values: values.map(value => (value === null || value <= 0 ? null : value / (scale > 0 ? scale : 1))),
    }));
    return { title: "Relative errors of constants", name: "errors", ...againstTime(run, columns, { logarithmic: true }) };
}

function residualCard(run) {
    const columns = columnsOf(run, "residual").map(column => ({
        ...column,
        values: column.values.map(value => (value === null || value === 0 ? null : Math.abs(value))),
    }));
    return { title: "Residuals of the constraints", name: "residuals", ...againstTime(run, columns, { logarithmic: true }) };
}

/** Without curves that are gaps all along: errors that are 0. */
function withoutEmpty(card) {
    return { ...card, curves: card.curves.filter(({ y }) => y.values.some(value => value !== null)) };
}

/** @param {Run} run @returns {Card[]} */
export function cardsOf(run) {
    const kinds = [
        ["Coordinates", "coordinates", "coordinate"],
        ["Velocities", "velocities", "velocity"],
        ["Quasi-velocities", "quasi-velocities", "quasi"],
        ["Multipliers and reactions", "multipliers", "multiplier"],
        ["Energy", "energy", "energy"],
        ["Invariants", "invariants", "invariant"],
        ["Observables", "observables", "observable"],
    ];
    const cards = kinds.map(([title, name, kind]) => ({ title, name, ...againstTime(run, columnsOf(run, kind)) }));
    cards.splice(3, 0, pathCard(run));
    cards.push(...contactCards(run));
    cards.push(...[errorCard(run), residualCard(run)].map(withoutEmpty));
    return cards.filter(card => card.curves.length > 0);
}
