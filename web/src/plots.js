// The cards of the section on motion: plots that were chosen for the reader, a phase portrait, and one where the reader chooses.
import "uplot/dist/uPlot.min.css";
import { cardsOf, phasePairs, planarPairs, roundingOf } from "./cards.js";
import { columnsOf } from "./data.js";
import { element, select } from "./dom.js";
import { startModes } from "./modes.js";
import { save } from "./save.js";
import { pictureOfPlot } from "./picture.js";
import { Plot } from "./plot.js";
import { onTheme } from "./theme.js";

/**
 * A frame with a title, room for choices, buttons, and a plot that can be exchanged.
 * @param {{host: HTMLElement, name: string, clock: ReturnType<import("./clock.js").createClock>, cards: Object[]}} page
 */
export function createCard(page, title, choices = []) {
    const host = element("div", { class: "host" });
    const card = { plot: null, name: "", show };
    const picture = element("button", { type: "button", title: "Save this plot as PNG" }, "PNG");
    picture.addEventListener("click", async () => save(await pictureOfPlot(card.plot, title), `${page.name}-${card.name}.png`));
    const reset = element("button", { type: "button", title: "The whole range again (or: double click)" }, "Reset");
    reset.addEventListener("click", () => card.plot.reset());
    page.host.append(element("figure", { class: "card" },
        element("figcaption", {}, element("h3", {}, title), element("span", { class: "choices" }, ...choices), element("span", { class: "buttons" }, reset, picture)), host));
    page.cards.push(card);

    function show(content, name) {
        card.plot?.destroy();
        card.name = name;
        card.plot = new Plot(host, content, page.clock, title);
    }
    return card;
}

function pairContent(run, x, y) {
    return { curves: [{ x, y, index: 0 }], times: run.columns[0].values, rounding: roundingOf(run) };
}

function createPhaseCard(page, run) {
    const pairs = phasePairs(run);
    if (pairs.length === 0) return;
    const planar = new Set(planarPairs(columnsOf(run, "coordinate")).flat());
    const first = Math.max(0, pairs.findIndex(([q]) => !planar.has(q)));
    const show = index => {
        const [q, rate] = pairs[index];
        card.show(pairContent(run, q, rate), "phase-" + q.name);
    };
    const card = createCard(page, "Phase portrait", [select("Coordinate", pairs.map(([q]) => q.name), first, show)]);
    show(first);
}

function createPickerCard(page, run) {
    const names = run.columns.map(column => column.name);
    const chosen = { x: 0, y: Math.min(1, names.length - 1) };
    const show = () => {
        const [x, y] = [run.columns[chosen.x], run.columns[chosen.y]];
        card.show(pairContent(run, x, y), `${y.name}-against-${x.name}`);
    };
    const choice = (axis, label) => select(label, names, chosen[axis], index => {
        chosen[axis] = index;
        show();
    });
    const card = createCard(page, "Any two columns",
        [choice("y", "Vertical"), element("span", { class: "against" }, "against"), choice("x", "Horizontal")]);
    show();
}

/**
 * @param {HTMLElement} host
 * @param {import("./data.js").Data} data with a run
 * @param {ReturnType<import("./clock.js").createClock>} clock
 */
export function startPlots(host, data, clock) {
    const page = { host, name: data.name, clock, cards: [] };
    if (data.run.pieces) startModes(host, data.run.pieces, clock);
    for (const { title, name, ...content } of cardsOf(data.run)) createCard(page, title).show(content, name);
    createPhaseCard(page, data.run);
    createPickerCard(page, data.run);
    clock.onChange(() => page.cards.forEach(card => card.plot.showTime()));
    onTheme(() => page.cards.forEach(card => card.plot.redraw()));
}
