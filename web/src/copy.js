// LaTeX, one click away.

const SHOWN_FOR = 1500; // ms that "Copied" is seen

/** The old way, for pages that the browser does not trust with the clipboard (some do not trust file:). */
function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text);
    }
}

export function startCopying() {
    document.addEventListener("click", async event => {
        const button = event.target.closest?.("button.copy");
        if (!button || button.dataset.said) return;
        const done = await copy(button.dataset.latex);
        button.dataset.said = button.textContent;
        button.textContent = done ? "Copied" : "Not allowed";
        button.focus({ preventScroll: true });
        setTimeout(() => {
            button.textContent = button.dataset.said;
            delete button.dataset.said;
        }, SHOWN_FOR);
    });
    for (const button of document.querySelectorAll("button.copy")) {
        button.setAttribute("aria-live", "polite");
        button.title = "Copy as LaTeX";
    }
}
