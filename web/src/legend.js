// The names of a plot's curves and their values where the mouse or the clock is; a click on a name hides its curve.
import { element } from "./dom.js";
import { labelOf } from "./math.js";
import { readout } from "./number.js";
import { CURVE_COLOURS } from "./theme.js";

const MARKS = ["solid", "dashed", "dotted"];

function entry(curve, named, onswitch) {
    const mark = element("span", {
        class: "mark",
        style: `border-top: 3px ${MARKS[Math.floor(curve.index / CURVE_COLOURS) % MARKS.length]} var(--curve-${curve.index % CURVE_COLOURS})`,
    });
    const value = element("span", { class: "value" });
    const button = element("button", { type: "button", "aria-pressed": "true" }, mark, ...named);
    button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        onswitch(on);
    });
    return { item: element("li", {}, button, value), value };
}

/**
 * @param {import("./plot.js").Content} content
 * @param {boolean} againstTime then a value is y alone, otherwise a pair
 * @param {(index: number, on: boolean) => void} onswitch
 */
export function createLegend(content, againstTime, onswitch) {
    const entries = content.curves.map((curve, index) =>
        entry(curve, againstTime ? [labelOf(curve.y)] : [labelOf(curve.x), ", ", labelOf(curve.y)], on => onswitch(index, on)));
    const time = element("li", { class: "time" });
    return {
        element: element("ul", { class: "legend" }, time, ...entries.map(({ item }) => item)),
        show(now, values) {
            time.textContent = `${content.clockName ?? "t"} = ${readout(now)}`;
            values.forEach(({ x, y }, index) => {
                entries[index].value.textContent = againstTime ? readout(y) : `${readout(x)}, ${readout(y)}`;
            });
        },
    };
}
