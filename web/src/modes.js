// The modes of contacts in time: a strip for each, coloured by what it does, with marks where it was hit or something was reset.
import { element } from "./dom.js";
import { readout } from "./number.js";

/**
 * @typedef {{contacts: {name: string, modes: {t: number, mode: string}[], left_out: number}[], impacts: {name: string, t: number}[],
 *            resets: {name: string, t: number}[]}} Pieces
 */

/** Which colour of the style sheet a mode has: "sliding-" is the other way along a line, "resting" holds as "sticking" does. */
export const modeColour = mode => "mode-" + ({ "sliding-": "back", resting: "sticking" }[mode] ?? mode);

const MARK = { impacts: "hit", resets: "reset" };

/** From each mode to the next, the last to the end; those that last no time are left out. */
function stretches(modes, last) {
    return modes.map(({ t, mode }, index) => ({ mode, from: t, to: modes[index + 1]?.t ?? last })).filter(({ from, to }) => from !== to);
}

function strip(clock, label, segments, marks) {
    const share = time => `${(100 * (time - clock.first)) / (clock.last - clock.first)}%`;
    const width = (from, to) => `${(100 * (to - from)) / (clock.last - clock.first)}%`;
    const line = element("div", { class: "time-line" });
    const bar = element("div", { class: "strip", role: "img", "aria-label": label },
        ...segments.map(({ mode, from, to }) => element("div", {
            class: "stretch", title: `${mode}, t = ${readout(from)} to ${readout(to)}`,
            style: `left: ${share(from)}; width: ${width(from, to)}; background: var(--${modeColour(mode)})`,
        })),
        ...marks.map(({ what, name, t }) => element("div", { class: "moment " + what, title: `${name} ${what}, t = ${readout(t)}`, style: `left: ${share(t)}` })), line);
    bar.addEventListener("click", event => {
        const { left, width: all } = bar.getBoundingClientRect();
        clock.setTime(clock.first + (clock.last - clock.first) * Math.min(1, Math.max(0, (event.clientX - left) / all)));
    });
    clock.onChange(() => (line.style.left = share(clock.time())));
    line.style.left = share(clock.time());
    return bar;
}

const sentence = segments => segments.slice(0, 20).map(({ mode, from }) => `${mode} from ${readout(from)}`).join(", ") + (segments.length > 20 ? " .." : "");

function legend(pieces, modes) {
    const entry = (kind, style, words) => element("span", {}, element("i", { class: kind, style }), words);
    const used = Object.keys(MARK).filter(key => pieces[key].length > 0);
    return element("div", { class: "mode-legend" },
        ...[...modes].map(mode => entry("swatch", `background: var(--${modeColour(mode)})`, mode)),
        ...used.map(key => entry("swatch " + MARK[key], "", MARK[key])));
}

/**
 * @param {HTMLElement} host
 * @param {Pieces} pieces
 * @param {ReturnType<import("./clock.js").createClock>} clock
 */
export function startModes(host, pieces, clock) {
    if (clock.first === clock.last || pieces.contacts.length + pieces.resets.length === 0) return;
    const marksOf = (key, name) => pieces[key].filter(mark => name === null || mark.name === name).map(mark => ({ ...mark, what: MARK[key] }));
    const rows = pieces.contacts.map(({ name, modes, left_out: missing }) => {
        const segments = stretches(modes, clock.last);
        return [name + (missing > 0 ? ` (${missing} changes more)` : ""), strip(clock, `${name}: ${sentence(segments)}`, segments, marksOf("impacts", name))];
    });
    if (pieces.resets.length > 0) rows.push(["resets", strip(clock, `${pieces.resets.length} resets`, [], marksOf("resets", null))]);
    const seen = new Set(pieces.contacts.flatMap(({ modes }) => modes.map(({ mode }) => mode)));
    host.append(element("figure", { class: "card modes" }, element("figcaption", {}, element("h3", {}, pieces.contacts.length > 0 ? "Contacts" : "Resets")),
        element("div", { class: "strips" }, ...rows.flatMap(([name, bar]) => [element("span", { class: "strip-name" }, name), bar])), legend(pieces, seen)));
}
