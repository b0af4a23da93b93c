// The controls under the animation: play, pause, scrub, speed, loop; and the keys that do the same.
import { element, select, toggle } from "./dom.js";
import { readout, roundStep } from "./number.js";

const SCRUB_STEPS = 1000;
const KEY_STEPS = 100; // arrow keys move by so many parts of the whole time
const BEARABLE = [3, 30]; // s: a run that takes so long is shown as fast as it is
const USUAL = 10; // s, about, that others take

/** Seconds of the model a second. */
function defaultSpeed(duration) {
    return duration >= BEARABLE[0] && duration <= BEARABLE[1] ? 1 : roundStep(duration / USUAL);
}

function stepTime(clock, parts) {
    clock.pause();
    clock.setTime(clock.time() + parts * (clock.last - clock.first) / KEY_STEPS);
}

/** Keys of the player, when `stage` has the focus; Shift and arrows are left to the camera. */
export function listenForKeys(stage, clock) {
    const actions = {
        " ": () => (clock.playing() ? clock.pause() : clock.play()),
        ArrowLeft: () => stepTime(clock, -1),
        ArrowRight: () => stepTime(clock, 1),
        Home: () => clock.setTime(clock.first),
        End: () => clock.setTime(clock.last),
    };
    stage.addEventListener("keydown", event => {
        if (event.target !== stage || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
        event.preventDefault();
        actions[event.key]();
    });
}

/** @param {string} label what it moves, for those who hear the page @param {string} name what it is called in values */
export function scrubber(clock, label = "Time", name = "t") {
    const duration = clock.last - clock.first;
    const range = element("input", { type: "range", min: 0, max: SCRUB_STEPS, step: 1, value: 0, "aria-label": label });
    range.addEventListener("input", () => {
        const time = clock.first + duration * Number(range.value) / SCRUB_STEPS;
        clock.pause();
        clock.setTime(time);
    });
    clock.onChange(() => {
        range.value = String(Math.round(SCRUB_STEPS * (clock.time() - clock.first) / duration));
        range.setAttribute("aria-valuetext", `${name} = ` + readout(clock.time()));
    });
    return range;
}

function speedChoice(clock) {
    const usual = defaultSpeed(Math.abs(clock.last - clock.first));
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 10].map(factor => factor * usual);
    clock.setSpeed(usual);
    return select("Speed", speeds.map(speed => "\u00d7" + readout(speed)), speeds.indexOf(usual), index => clock.setSpeed(speeds[index]));
}

/** @param {ReturnType<import("./clock.js").createClock>} clock */
export function createPlayer(clock) {
    const play = element("button", { type: "button", class: "play" }, "Play");
    play.addEventListener("click", () => (clock.playing() ? clock.pause() : clock.play()));
    const shown = element("output", { class: "time" });
    const show = () => {
        play.textContent = clock.playing() ? "Pause" : "Play";
        shown.textContent = "t = " + clock.time().toFixed(decimals);
    };
    const decimals = Math.max(0, 3 - Math.ceil(Math.log10(Math.abs(clock.last - clock.first))));
    clock.onChange(show);
    show();
    return element("div", { class: "player", role: "group", "aria-label": "Player" },
        play, scrubber(clock), shown, speedChoice(clock), toggle("Loop", clock.loops(), clock.setLoop));
}
