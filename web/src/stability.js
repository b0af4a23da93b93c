// Eigenvalues of the linear motion around a steady one, over a parameter or speed that the reader moves by a slider.
import { createClock } from "./clock.js";
import { element, select } from "./dom.js";
import { labelOf } from "./math.js";
import { readout } from "./number.js";
import { scrubber } from "./player.js";
import { createCard } from "./plots.js";
import { locate, valueAt } from "./samples.js";
import { onTheme } from "./theme.js";

/** @typedef {import("./data.js").Sweep} Sweep */

const ON_THE_AXIS = 1e-9; // of the largest eigenvalue: real parts that are rounding

/** What the eigenvalues at a value of the parameter say. @param {Sweep} sweep */
function verdictAt(sweep, value) {
    const place = locate(sweep.values, value);
    const parts = sweep.eigenvalues.map(({ re, im }) => [valueAt(re, place), valueAt(im, place)]);
    const growth = Math.max(...parts.map(([re]) => re ?? -Infinity));
    const size = Math.max(...parts.map(([re, im]) => Math.hypot(re ?? 0, im ?? 0)));
    if (growth > ON_THE_AXIS * size) return `unstable: a disturbance doubles in ${readout(Math.LN2 / growth)}`;
    if (growth < -ON_THE_AXIS * size) return `stable: the slowest disturbance halves in ${readout(-Math.LN2 / growth)}`;
    return "on the edge: a real part is 0, or not to be told from it";
}

const column = (name, values) => ({ name, kind: "eigenvalue", values });

/** @param {Sweep} sweep @returns {import("./cards.js").Card[]} */
function cardsOf(sweep) {
    const at = { ...column(sweep.name, sweep.values), label: sweep.label };
    const named = sweep.eigenvalues.map(({ re, im }, index) => ({ re: column(`Re λ${index + 1}`, re), im: column(`Im λ${index + 1}`, im), index }));
    const common = { times: sweep.values, clockName: sweep.name, zeroLines: true, events: sweep.critical.map(({ kind, value }) => ({ name: kind, t: value })) };
    return [
        { title: "Eigenvalues in the complex plane", name: "eigenvalues", ...common, height: 300, curves: named.map(({ re, im, index }) => ({ x: re, y: im, index })) },
        { title: "Growth: real parts", name: "growth", ...common, height: 300, curves: named.map(({ re, index }) => ({ x: at, y: re, index })) },
        { title: "Frequencies: imaginary parts", name: "frequencies", ...common, height: 300, curves: named.map(({ im, index }) => ({ x: at, y: im, index })) },
    ];
}

/** The slider, what it stands at and what that means. @param {Sweep} sweep */
function createSlider(sweep, clock) {
    const shown = element("output", { class: "time" });
    const verdict = element("output", { class: "verdict" });
    const show = () => {
        shown.replaceChildren(labelOf(sweep), ` = ${readout(clock.time())}`);
        verdict.textContent = verdictAt(sweep, clock.time());
    };
    clock.onChange(show);
    show();
    return element("div", { class: "player", role: "group", "aria-label": "Parameter" }, scrubber(clock, sweep.name, sweep.name), shown, verdict);
}

/** @param {HTMLElement} host @param {import("./data.js").Data} data with steady motions */
export function startStability(host, data) {
    const { sweeps } = data.steady;
    const slider = element("div", { class: "slider" });
    const plots = element("div", { class: "cards" });
    let page = null;
    const show = index => {
        const sweep = sweeps[index];
        page?.cards.forEach(card => card.plot.destroy());
        plots.replaceChildren();
        const clock = createClock(sweep.values[0], sweep.values.at(-1));
        page = { host: plots, name: `${data.name}-${sweep.name}`, clock, cards: [] };
        slider.replaceChildren(createSlider(sweep, clock));
        for (const { title, name, ...content } of cardsOf(sweep)) createCard(page, title).show(content, name);
        clock.onChange(() => page.cards.forEach(card => card.plot.showTime()));
        clock.setTime(sweep.at);
        host.hamel = { setValue: clock.setTime, value: clock.time };
    };
    if (sweeps.length > 1)
        host.append(element("p", { class: "choices" }, "What is varied: ", select("What is varied", sweeps.map(({ name }) => name), 0, show)));
    host.append(slider, plots);
    show(0);
    onTheme(() => page.cards.forEach(card => card.plot.redraw()));
}
