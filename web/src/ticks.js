// Ticks of a linear axis that a person would choose, as src/report/ticks.c has them: multiples of 1, 2 or 5 times a power of ten. What all
// labels have in common, a power of ten or the number that they count from, stands once in a note, so that labels are short and never alike.
import { typeset } from "./number.js";

const SLACK = 1e-9; // of a step: an end of the range that is a tick but for rounding
const PLAIN_DIGITS = 5; // 99999 is written as it is
const SMALLEST_PLAIN = -3;
const OFFSET_DIGITS = 4; // labels have so many digits that do not change, at most

/** number * 10^exponent, rounded once where 10^|exponent| is exact. */
const decimal = (number, exponent) => (exponent < 0 ? number / 10 ** -exponent : number * 10 ** exponent);
const digitsOf = number => String(Math.abs(number)).length;

/** The smallest of 1, 2, 5 times a power of ten that is no smaller than `size`. */
function stepAbove(size) {
    const exponent = Math.floor(Math.log10(size));
    const mantissa = [1, 2, 5].find(factor => decimal(factor, exponent) >= size * (1 - SLACK));
    return mantissa ? { mantissa, exponent } : { mantissa: 1, exponent: exponent + 1 };
}

/** number * 10^exponent in digits, -exponent of them behind the point. */
function digits(number, exponent) {
    const decimals = Math.max(0, -exponent);
    const all = String(Math.abs(number)).padStart(decimals + 1, "0") + (number ? "0".repeat(Math.max(0, exponent)) : "");
    const text = decimals ? all.slice(0, -decimals) + "." + all.slice(-decimals) : all;
    return number < 0 ? "-" + text : text;
}

/** The roundest number among them, which labels count from; 0 where they are short enough. */
function offsetOf(numbers) {
    const [first, last] = [numbers[0], numbers[numbers.length - 1]];
    const largest = Math.max(Math.abs(first), Math.abs(last));
    if (digitsOf(largest) <= digitsOf(last - first) + OFFSET_DIGITS) return 0;
    let offset = first;
    for (let round = 1; round <= largest; round *= 10) { // the multiple of the highest power of ten, in their middle if there are several
        const multiple = Math.round((first + last) / 2 / round) * round;
        if (multiple >= first && multiple <= last) offset = multiple;
    }
    return offset;
}

function noteOf(offset, exponent, shared) {
    const power = shared ? "\u00d7" + typeset("1e" + shared) : "";
    if (!offset) return power;
    let [number, place] = [offset, exponent];
    while (number % 10 === 0 && place < 0) [number, place] = [number / 10, place + 1];
    const leading = digitsOf(number) - 1 + place;
    const plain = leading < 9 && leading > -9;
    while (!plain && number % 10 === 0) [number, place] = [number / 10, place + 1];
    const from = plain ? typeset(digits(number, place)) : typeset(digits(number, place - leading) + "e" + leading);
    return (power ? power + " " : "") + (offset > 0 ? "+ " : "") + from;
}

/**
 * @param {number} low @param {number} high above it
 * @param {number} wanted at most so many
 * @returns {{values: number[], texts: string[], note: string}} value = text * power of the note + number of the note
 */
export function linearTicks(low, high, wanted) {
    const { mantissa, exponent } = stepAbove((high - low) / Math.max(1, wanted));
    const size = decimal(mantissa, exponent);
    const numbers = [];
    for (let n = Math.ceil(low / size - SLACK); n <= Math.floor(high / size + SLACK) && numbers.length <= wanted; n++) numbers.push(n * mantissa + 0); // no -0
    if (numbers.length === 0) return { values: [], texts: [], note: "" };
    const offset = offsetOf(numbers);
    const largest = Math.max(...numbers.map(number => Math.abs(number - offset)));
    const leading = digitsOf(largest) - 1 + exponent;
    const shared = largest && (leading >= PLAIN_DIGITS || leading < SMALLEST_PLAIN) ? leading : 0;
    return {
        values: numbers.map(number => decimal(number, exponent)),
        texts: numbers.map(number => typeset(number === offset ? "0" : digits(number - offset, exponent - shared))),
        note: noteOf(offset, exponent, shared),
    };
}
