// Names over the scene: text of the page, moved to where things are seen.
import { element } from "./dom.js";
import { colour } from "./theme.js";

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
            for (const label of labels) {
                const point = label.at().clone().project(camera);
                label.x = (0.5 + 0.5 * point.x) * width;
                label.y = (0.5 - 0.5 * point.y) * height;
                label.shown = (label.seen?.() ?? true) && Math.abs(point.z) < 1 && label.x > 0 && label.x < width && label.y > 0 && label.y < height;
                label.element.hidden = !label.shown;
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
