// Columns in time: where a time lies among the samples, and the value there, between two samples on the straight line.

/**
 * @param {number[]} times in order, up or down
 * @param {number} time
 * @returns {{index: number, part: number}} time = times[index] + part*(times[index + 1] - times[index]), 0 <= part <= 1
 */
export function locate(times, time) {
    let low = 0;
    let high = times.length - 1;
    if (high < 1) return { index: 0, part: 0 };
    const rising = times[high] >= times[low];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((times[middle] <= time) === rising) low = middle;
        else high = middle;
    }
    const part = (time - times[low]) / (times[high] - times[low]);
    return { index: low, part: Number.isFinite(part) ? Math.min(1, Math.max(0, part)) : 0 };
}

/** @returns {number|null} null next to a gap */
export function valueAt(values, { index, part }) {
    const from = values[index];
    if (part === 0) return from;
    const to = values[index + 1];
    if (from === null || to === null) return null;
    return part === 1 ? to : from + part * (to - from);
}

export const LARGEST = 1e300; // beyond it differences overflow: what is larger leaves a gap

/** The least and the greatest number of some columns; null where there is none. */
export function rangeOf(columns) {
    let low = Infinity;
    let high = -Infinity;
    for (const values of columns) {
        for (const value of values) {
            if (value === null || Math.abs(value) > LARGEST) continue;
            if (value < low) low = value;
            if (value > high) high = value;
        }
    }
    return low <= high ? [low, high] : null;
}
