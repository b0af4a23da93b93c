// A file for the reader to keep.
import { element } from "./dom.js";

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
    const address = URL.createObjectURL(blob);
    const link = element("a", { href: address, download: name.replace(/[^\w.-]+/g, "_") });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
