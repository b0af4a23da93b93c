// Rectangles of a plot's plane: {x: [low, high], y: [low, high]}. On a logarithmic axis the numbers are still those of the data.

/** @typedef {{x: [number, number], y: [number, number]}} Box */

const MARGIN = 0.04; // of the length of an axis, on each side
const LEAST_DECADES = 2;

/** An interval a little wider than the data; around a single value, of its own size. */
export function padded(range) {
    const [low, high] = range ?? [0, 1];
    const length = high - low;
    const flat = length <= 1e-12 * Math.max(Math.abs(low), Math.abs(high));
    const margin = flat ? 0.5 * Math.abs(low) || 1 : MARGIN * length;
    return [low - margin, high + margin];
}

/** Whole decades around positive data. */
export function decades(range) {
    const [low, high] = range ?? [1e-16, 1e-14];
    const bottom = Math.floor(Math.log10(low) + 1e-9);
    const top = Math.max(Math.ceil(Math.log10(high) - 1e-9), bottom + LEAST_DECADES);
    return [10 ** bottom, 10 ** top];
}

/** The least box around `box` in which both units are as long on a screen of width x height. */
export function equalised(box, width, height) {
    const perPixel = Math.max((box.x[1] - box.x[0]) / width, (box.y[1] - box.y[0]) / height);
    const around = ([low, high], pixels) => [(low + high - perPixel * pixels) / 2, (low + high + perPixel * pixels) / 2];
    return { x: around(box.x, width), y: around(box.y, height) };
}

/** An interval made shorter or longer by a factor about a point that stays. */
export function scaled([low, high], about, factor, logarithmic) {
    if (logarithmic) return scaled([low, high].map(Math.log10), Math.log10(about), factor, false).map(exponent => 10 ** exponent);
    return [about + (low - about) * factor, about + (high - about) * factor];
}

/** An interval moved by a part of its length. */
export function shifted([low, high], part, logarithmic) {
    if (logarithmic) return shifted([low, high].map(Math.log10), part, false).map(exponent => 10 ** exponent);
    return [low + part * (high - low), high + part * (high - low)];
}
