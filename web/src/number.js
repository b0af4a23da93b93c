// Numbers as a reader wants them.

const MINUS = "\u2212";
const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

function superscript(exponent) {
    const digits = String(Math.abs(exponent)).replace(/\d/g, digit => SUPERSCRIPTS[digit]);
    return (exponent < 0 ? "\u207b" : "") + digits;
}

/** "1.5e-7" as 1.5·10⁻⁷, a hyphen as a minus sign. */
export function typeset(text) {
    const [mantissa, exponent] = text.split("e");
    const head = mantissa.replace("-", MINUS);
    return exponent === undefined ? head : (head === "1" ? "" : head + "\u00b7") + "10" + superscript(Number(exponent));
}

/** A value for the readout: six significant digits. */
export function readout(value) {
    if (value === null || !Number.isFinite(value)) return "\u2013";
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-4 && size < 1e6)) return typeset(String(Number(value.toPrecision(6))));
    return typeset(value.toExponential(4));
}

const MOST_POWERS = 7;

/** Powers of ten for a logarithmic axis: all, or every second, third .. where there are many; without any, the ends. */
export function powersWithin(low, high) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    if (last < first) return [low, high];
    const every = Math.ceil((last - first + 1) / MOST_POWERS);
    const powers = [];
    for (let exponent = last; exponent >= first; exponent -= every) powers.unshift(10 ** exponent);
    return powers;
}

/** Texts for them. */
export function powerTexts(ticks) {
    return ticks.map(tick => typeset(tick.toExponential(2).replace(/\.?0*e\+?/, "e")));
}

/** The largest of 1, 2, 5 times a power of ten that is not above the limit. */
export function roundStep(limit) {
    const power = 10 ** Math.floor(Math.log10(limit));
    return [5, 2, 1].find(factor => factor * power <= limit * (1 + 1e-9)) * power;
}
