// Elements of the page, made in one expression. Text goes in as text nodes only: nothing here can become markup.

/**
 * @param {string} tag
 * @param {Object<string, any>} [attributes] on...: a listener; true: an attribute without value; null, undefined, false: left out
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else made.setAttribute(name, value === true ? "" : String(value));
    }
    made.append(...children);
    return made;
}

/**
 * A select whose options are numbered.
 * @param {string} label what it chooses, for those who hear the page
 * @param {string[]} options
 * @param {number} chosen
 * @param {(index: number) => void} onchoice
 */
export function select(label, options, chosen, onchoice) {
    const made = element("select", { "aria-label": label },
        ...options.map((text, index) => element("option", { value: index, selected: index === chosen }, text)));
    made.addEventListener("change", () => onchoice(Number(made.value)));
    return made;
}

/** A button that says whether it is pressed. */
export function toggle(text, pressed, onchange) {
    const made = element("button", { type: "button", "aria-pressed": String(pressed) }, text);
    made.addEventListener("click", () => {
        pressed = !pressed;
        made.setAttribute("aria-pressed", String(pressed));
        onchange(pressed);
    });
    return made;
}
