// One browser for a whole test file: Debian's chromium, without a head, through playwright-core.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = process.env.HAMEL_WEB_PACKAGES; // the node_modules of the build
if (!packages) throw new Error("HAMEL_WEB_PACKAGES must name the node_modules folder of the build: run this through ctest");
const { chromium } = createRequire(packages + "/")("playwright-core");

export const DESKTOP = { width: 1200, height: 900 };

export function launch(args = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"]) {
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", ...args] });
}

// Pages of each browser that were closed and can show another file: a new page takes a second of processor time.
const idle = new Map();
// Of the browser itself, which reads back what WebGL has drawn
const STALL = /GPU stall due to ReadPixels/;

async function newPage(browser, options) {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(60_000); // machines may be busy
    page.on("console", message => ["error", "warning"].includes(message.type()) && !STALL.test(message.text()) && page.complaints.push(message.text()));
    page.on("pageerror", error => page.complaints.push(String(error)));
    page.on("request", request => /^https?:/.test(request.url()) && page.complaints.push("network: " + request.url()));
    page.on("dialog", dialog => {
        page.complaints.push("dialog: " + dialog.message());
        dialog.dismiss();
    });
    return page;
}

/**
 * Opens a file and notes whatever the console or a failed script says, and each attempt at the network. A page without options, or with those that can
 * be changed later, may have shown another file before; with others (`{}` too) it is a new one.
 * @returns {Promise<import("playwright-core").Page & {complaints: string[]}>}
 */
export async function open(browser, file, options = null) {
    const { viewport = DESKTOP, colorScheme = null, reducedMotion = "reduce", ...others } = options ?? {};
    const isReusable = !Object.keys(others).length && (options === null || Object.keys(options).length > 0);
    if (!idle.has(browser)) idle.set(browser, []);
    const page = (isReusable && idle.get(browser).pop()) || (await newPage(browser, { viewport, reducedMotion, ...others }));
    page.complaints = [];
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion, media: null });
    if (isReusable) page.close = async () => idle.get(browser).push(page);
    await page.goto(pathToFileURL(file).href);
    return page;
}

/** What makes the page wider than its window; empty when it is not. */
export function overflowing(page) {
    return page.evaluate(() => {
        const width = innerWidth;
        if (document.documentElement.scrollWidth <= width) return [];
        const scrolls = element => element && element !== document.body && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
        const beyond = element => element.getBoundingClientRect().right > width;
        return Array.from(document.querySelectorAll("body *"))
            .filter(element => beyond(element) && !beyond(element.parentElement) && !scrolls(element.parentElement))
            .map(element => `${element.tagName}.${element.className} ends at ${element.getBoundingClientRect().right}: ${element.textContent.slice(0, 60)}`);
    });
}

/** The data that a page carries. */
export function dataOf(page) {
    return page.evaluate(() => JSON.parse(document.getElementById("hamel-data").textContent));
}

export const vectorIn = (scene, quantities, frame) => quantities.map(quantity => (Array.isArray(quantity) ? scene.tracks[quantity[0]][frame] : quantity));

/** Where docs/page.md says that an item is: a line by its middle, a curve by its first point. */
export function placeOf(scene, item, frame) {
    if (item.kind === "line") {
        const [from, to] = [item.from, item.to].map(end => vectorIn(scene, end, frame));
        return from.map((value, axis) => (value + to[axis]) / 2);
    }
    return vectorIn(scene, item.at ?? item.centre ?? item.points[0], frame);
}

const RELATIVE = 1e-6; // of the scene: trails are drawn in single precision

/** The items of the animation that are not where the data has them, at the beginning, in the middle and at the end. */
export async function misplaced(page, scene) {
    const frames = [0, scene.times.length >> 1, scene.times.length - 1];
    const seen = await page.evaluate(([times, count]) => {
        const animation = document.getElementById("animation").hamel;
        return times.map(time => {
            animation.setTime(time);
            return Array.from({ length: count }, (none, index) => animation.positionOf(index));
        });
    }, [frames.map(frame => scene.times[frame]), scene.items.length]);
    const size = Math.max(...[0, 1, 2].map(axis => scene.high[axis] - scene.low[axis])) || 1;
    return frames.flatMap((frame, which) => scene.items.flatMap((item, index) => {
        const expected = placeOf(scene, item, frame);
        const distance = Math.hypot(...expected.map((value, axis) => value - seen[which][index][axis]));
        return distance <= RELATIVE * size ? [] : [`${item.kind} ${index} at t = ${scene.times[frame]}: ${seen[which][index]} instead of ${expected}`];
    }));
}
