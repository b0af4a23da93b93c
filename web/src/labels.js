// Names over the scene: text of the page, moved to where things are seen.
import { element } from "./dom.js";
import { colour } from "./theme.js";

const EDGE = 10; // px that a name keeps from the sides
const CORNER = 90; // px
const ROW = 20; // px from one name to the next above it
const SHIFTS = [0, -1, 1, -2, 2, -3]; // rows, in the order in which they are tried

const overlap = (one, other) => Math.abs(one.y - other.y) < ROW && one.x < other.x + other.width && other.x < one.x + one.width;

/** The first place around (x, y) where a name covers no other; null where there is none. */
function freePlace(label, others) {
    const places = SHIFTS.map(shift => ({ x: label.x, y: label.y + shift * ROW, width: label.width }));
    return places.find(place => !others.some(other => overlap(place, other))) ?? null;
}

/**
 * @param {HTMLElement} host
 * @param {{text: string, at: () => import("three").Vector3, seen?: () => boolean, class?: string}[]} names
 */
export function createLabels(host, names) {
    const layer = element("div", { class: "labels", "aria-hidden": "true" });
    const labels = names.map(name => ({ ...name, element: element("span", { class: name.class ?? "name" }, name.text), x: 0, y: 0, shown: false }));
    layer.append(...labels.map(label => label.element));
    host.append(layer);
    return {
        setVisible(visible) {
            layer.hidden = !visible;
        },
        /** @param {import("three").Camera} camera */
        place(camera, width, height) {
            const placed = [{ x: width - CORNER, y: height, width: CORNER }]; // there stands the length of the grid
            for (const label of labels) {
                const point = label.at().clone().project(camera);
                label.x = (0.5 + 0.5 * point.x) * width;
                label.y = (0.5 - 0.5 * point.y) * height;
                label.shown = (label.seen?.() ?? true) && Math.abs(point.z) < 1 && label.x > 0 && label.x < width && label.y > 0 && label.y < height;
                label.element.hidden = !label.shown;
                if (label.shown) {
                    label.width ??= label.element.offsetWidth;
                    label.x = Math.min(label.x, width - label.width - EDGE); // inside, as a whole
                    label.y = Math.max(label.y, ROW + EDGE);
                    const place = freePlace(label, placed);
                    label.shown = place !== null;
                    label.element.hidden = !label.shown;
                    if (place) placed.push(place);
                    label.y = place?.y ?? label.y;
                }
                label.element.style.transform = `translate(${label.x}px, ${label.y}px)`;
            }
        },
        /** The same on a canvas. */
        draw(context) {
            if (layer.hidden) return;
            for (const label of labels.filter(({ shown }) => shown)) {
                context.fillStyle = colour(label.class === "axis" ? "muted" : "ink");
                context.fillText(label.text, label.x + 8, label.y - 8);
            }
        },
    };
}
