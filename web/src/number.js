// Numbers as a reader wants them.

const MINUS = "\u2212";
const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

function superscript(exponent) {
    const digits = String(Math.abs(exponent)).replace(/\d/g, digit => SUPERSCRIPTS[digit]);
    return (exponent < 0 ? "\u207b" : "") + digits;
}

/** "1.5e-7" as 1.5·10⁻⁷, a hyphen as a minus sign. */
function typeset(text) {
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

/** Texts for ticks that lie `step` apart: as many digits as tell them apart. */
export function tickTexts(ticks, step) {
    const largest = Math.max(...ticks.map(Math.abs));
    const plain = largest < 1e5 && step >= 1e-5;
    const decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    return ticks.map(tick => {
        if (Math.abs(tick) < step * 1e-9) return "0";
        if (plain) return typeset(tick.toFixed(decimals));
        return typeset(String(Number(tick.toPrecision(6)).toExponential()).replace("e+", "e"));
    });
}

/** Texts for ticks on a logarithmic axis: the powers of ten alone. */
export function powerTexts(ticks) {
    return ticks.map(tick => {
        if (tick === null) return "";
        const exponent = Math.round(Math.log10(tick));
        return Math.abs(tick / 10 ** exponent - 1) < 1e-6 ? "10" + superscript(exponent) : "";
    });
}

/** The largest of 1, 2, 5 times a power of ten that is not above the limit. */
export function roundStep(limit) {
    const power = 10 ** Math.floor(Math.log10(limit));
    return [5, 2, 1].find(factor => factor * power <= limit * (1 + 1e-9)) * power;
}
