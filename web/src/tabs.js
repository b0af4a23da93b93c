// One tab a formalism, after the ARIA pattern: one tab stop, arrows move, Home and End go to the ends.

function choose(tabs, chosen, focus) {
    for (const tab of tabs) {
        const selected = tab === chosen;
        tab.setAttribute("aria-selected", String(selected));
        tab.tabIndex = selected ? 0 : -1;
        const panel = document.getElementById(tab.getAttribute("aria-controls"));
        if (panel) panel.hidden = !selected;
    }
    if (focus) chosen.focus();
}

function target(tabs, from, key) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (step) return tabs[(from + step + tabs.length) % tabs.length];
    return { Home: tabs[0], End: tabs[tabs.length - 1] }[key];
}

function startTabList(list) {
    const tabs = Array.from(list.querySelectorAll("[role=tab]"));
    if (tabs.length === 0) return;
    list.addEventListener("click", event => {
        const tab = event.target.closest("[role=tab]");
        if (tab) choose(tabs, tab, false);
    });
    list.addEventListener("keydown", event => {
        const next = target(tabs, tabs.indexOf(document.activeElement), event.key);
        if (!next) return;
        event.preventDefault();
        choose(tabs, next, true);
    });
    choose(tabs, tabs.find(tab => tab.getAttribute("aria-selected") === "true") ?? tabs[0], false);
}

export function startTabs() {
    document.querySelectorAll("[role=tablist]").forEach(startTabList);
}
