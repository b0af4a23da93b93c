// Quantities of a scene in time. A quantity is a number that does not change, or [i]: track i, a number a frame.
import { locate, valueAt } from "./samples.js";

/**
 * @param {{times: number[], tracks: number[][]}} scene
 * Between two frames a quantity goes on the straight line.
 */
export function createFrames({ times, tracks }) {
    let place = locate(times, times[0]);
    const inPlace = (quantity, where) => (typeof quantity === "number" ? quantity : valueAt(tracks[quantity[0]], where) ?? NaN);
    return {
        times,
        setTime(time) {
            place = locate(times, time);
        },
        /** The last frame that is not later than now. */
        index: () => (place.part === 1 ? place.index + 1 : place.index),
        number: quantity => inPlace(quantity, place),
        vector: quantities => quantities.map(quantity => inPlace(quantity, place)),
        vectorInFrame: (quantities, index) => quantities.map(quantity => inPlace(quantity, { index, part: 0 })),
    };
}

/** Does any of these quantities change in time? */
export function changes(quantities) {
    return quantities.some(Array.isArray);
}
