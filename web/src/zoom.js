// Zoom of a plot: drag a rectangle, pinch or Ctrl and wheel, keys + - 0 and Shift with arrows; a double click resets.
import { scaled, shifted } from "./box.js";

const KEY_FACTOR = 0.8;
const KEY_SHIFT = 0.1;
const WHEEL_RATE = 0.004; // of the logarithm of the scale, a pixel of the wheel

/** @typedef {import("./plot.js").Plot} View */

/** @param {View} view @param {{x: number, y: number}} about what stays where it is */
function zoomAbout(view, { x, y }, factor) {
    const box = view.box();
    view.setBox({ x: scaled(box.x, x, factor, false), y: scaled(box.y, y, factor, view.logarithmic) });
}

function zoomAtCentre(view, factor) {
    const { width, height } = view.area.getBoundingClientRect();
    zoomAbout(view, view.at(width / 2, height / 2), factor);
}

function shift(view, horizontally, vertically) {
    const box = view.box();
    view.setBox({ x: shifted(box.x, horizontally, false), y: shifted(box.y, vertically, view.logarithmic) });
}

function listenForKeys(view, focusable) {
    const actions = {
        "+": () => zoomAtCentre(view, KEY_FACTOR),
        "=": () => zoomAtCentre(view, KEY_FACTOR),
        "-": () => zoomAtCentre(view, 1 / KEY_FACTOR),
        "0": () => view.reset(),
    };
    const shifts = {
        ArrowLeft: () => shift(view, -KEY_SHIFT, 0),
        ArrowRight: () => shift(view, KEY_SHIFT, 0),
        ArrowUp: () => shift(view, 0, KEY_SHIFT),
        ArrowDown: () => shift(view, 0, -KEY_SHIFT),
    };
    focusable.addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = actions[event.key] ?? (event.shiftKey && shifts[event.key]);
        if (!action) return;
        event.preventDefault();
        action();
    });
}

/** A pinch on a touchpad comes as a wheel with Ctrl; a wheel alone scrolls the page. */
function listenForWheel(view) {
    view.area.addEventListener("wheel", event => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const { left, top } = view.area.getBoundingClientRect();
        zoomAbout(view, view.at(event.clientX - left, event.clientY - top), Math.exp(WHEEL_RATE * event.deltaY));
    }, { passive: false });
}

/** Two fingers: what was under their middle stays there. */
function listenForPinch(view) {
    let before = null;
    const distance = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    view.area.addEventListener("touchmove", event => {
        if (event.touches.length !== 2) return;
        event.preventDefault();
        const now = distance(event.touches);
        if (before !== null && now > 0) {
            const { left, top } = view.area.getBoundingClientRect();
            const [one, other] = event.touches;
            zoomAbout(view, view.at((one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top), before / now);
        }
        before = now;
    }, { passive: false });
    const end = () => (before = null);
    view.area.addEventListener("touchend", end);
    view.area.addEventListener("touchcancel", end);
}

export function listenForZoom(view, focusable) {
    listenForKeys(view, focusable);
    listenForWheel(view);
    listenForPinch(view);
}
