// Rectangles of a plot's plane: {x: [low, high], y: [low, high]}. On a logarithmic axis the numbers are still those of the data.

/** @typedef {{x: [number, number], y: [number, number]}} Box */

const MARGIN = 0.04; // of the length of an axis, on each side
const FLAT_MARGIN = 0.5; // of a constant value, on each side
const SMALLEST = 1e-280; // below it quotients overflow
const LEAST_DECADES = 2;

/**
 * An interval a little wider than the data; around what is constant, of the size of its value.
 * @param {[number, number]|null} range
 * @param {number} rounding the part of a value below which a change tells nothing
 */
export function padded(range, rounding = 1e-12) {
    const [low, high] = range ?? [0, 1];
    const length = high - low;
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (length > rounding * size && length > SMALLEST) return [low - MARGIN * length, high + MARGIN * length];
    const margin = size > SMALLEST ? FLAT_MARGIN * size : 1;
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
