// Labels as mathematics: MathML from the data is built anew from a list of harmless elements, so that no label can bring markup of another sort.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set(["math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "msub", "msup", "msubsup", "mover", "munder", "munderover",
    "mfrac", "msqrt", "mroot", "mfenced", "mstyle", "mpadded"]);
const ATTRIBUTES = new Set(["mathvariant", "stretchy", "accent", "lspace", "rspace", "width", "displaystyle"]);

function copyOf(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !ELEMENTS.has(node.localName)) return document.createTextNode("");
    const copy = document.createElementNS(MATHML, node.localName);
    for (const { name, value } of node.attributes) {
        if (ATTRIBUTES.has(name)) copy.setAttribute(name, value);
    }
    copy.append(...Array.from(node.childNodes, copyOf));
    return copy;
}

/**
 * The label of a column: its mathematics, or its name when there is none; and its unit, if it has one.
 * @param {{name: string, label?: string, unit?: string}} column
 * @returns {Node}
 */
export function labelOf(column) {
    const parsed = column.label && new DOMParser().parseFromString(column.label, "text/html").body.firstElementChild;
    const name = parsed && parsed.localName === "math" ? copyOf(parsed) : document.createTextNode(column.name);
    if (!column.unit) return name;
    const whole = document.createDocumentFragment();
    whole.append(name, ` [${column.unit}]`);
    return whole;
}
