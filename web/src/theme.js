// Light and dark: as the system has it until the button says otherwise. Colours live in the style sheet; canvases ask for them here.
import { element } from "./dom.js";

const listeners = new Set();
const system = matchMedia("(prefers-color-scheme: dark)");
const probe = element("span"); // takes on a colour so that it can be read
let colours = new Map();

function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : system.matches;
}

function announce() {
    colours = new Map();
    for (const listener of listeners) listener();
}

/** A colour of the style sheet, as it is now: colour("ink") is that of --ink. */
export function colour(name) {
    if (!colours.has(name)) {
        probe.style.color = `var(--${name})`;
        document.body.append(probe);
        colours.set(name, getComputedStyle(probe).color);
        probe.remove();
    }
    return colours.get(name);
}

/** How many colours there are for curves; the style sheet names them --curve-0, --curve-1 .. */
export const CURVE_COLOURS = 7;

/** @param {() => void} listener called when the colours have changed */
export function onTheme(listener) {
    listeners.add(listener);
}

export function startTheme() {
    const button = element("button", { type: "button", class: "theme" });
    const show = () => {
        button.textContent = isDark() ? "Light" : "Dark";
        button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
    };
    button.addEventListener("click", () => {
        document.documentElement.dataset.theme = isDark() ? "light" : "dark";
        announce();
    });
    system.addEventListener("change", announce);
    onTheme(show);
    show();
    document.querySelector("header")?.append(button);
}
