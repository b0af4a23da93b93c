// The list of contents marks the section that is being read.

export function startContents() {
    const links = new Map();
    for (const link of document.querySelectorAll("nav.contents a[href^='#']")) {
        const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
        if (section) links.set(section, link);
    }
    const seen = new Set();
    const observer = new IntersectionObserver(entries => {
        for (const { target, isIntersecting } of entries) {
            if (isIntersecting) seen.add(target);
            else seen.delete(target);
        }
        const current = Array.from(links.keys()).find(section => seen.has(section));
        for (const [section, link] of links) {
            if (section === current) link.setAttribute("aria-current", "true");
            else link.removeAttribute("aria-current");
        }
    }, { rootMargin: "-20% 0px -60% 0px" }); // the band of the window where eyes are
    for (const section of links.keys()) observer.observe(section);
}
