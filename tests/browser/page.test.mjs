// The script and the style of report pages, tried on the pages of fixtures.py in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { dataOf, DESKTOP, launch, misplaced, open, overflowing } from "./browser.mjs";

const PAGES = ["sleigh", "disc", "pendulum", "still", "hostile", "long", "extremes", "row", "far", "speeds", "bounces"];
const LARGEST = 3e6; // bytes of a page with 10,000 samples
const TELEPHONE = { width: 375, height: 800 };
const HOSTILE = '</script><b>bold</b> & "quoted" <!-- title';

const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "hamel-pages-"));
const file = name => join(folder, name + ".html");
let browser;

before(async () => {
    const { HAMEL_PAGE_SCRIPT: script, HAMEL_PAGE_STYLE: style } = process.env;
    execFileSync("/usr/bin/python3", [join(here, "fixtures.py"), script, style, folder], { stdio: "inherit" });
    browser = await launch();
});
after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

const shared = new Map(); // pages without options of their own, opened once

/** The page as it was when it was opened, as far as the behaviours below change it. */
async function restore(page) {
    await page.mouse.move(0, 0);
    await page.evaluate(() => {
        const animation = document.getElementById("animation").hamel;
        animation?.pause();
        animation?.setTime(0);
        document.querySelectorAll(".plot").forEach(plot => plot.hamel.reset());
        scrollTo({ top: 0, behavior: "instant" });
    });
}

async function pageFor(name, options) {
    if (options) return open(browser, file(name), options);
    if (!shared.has(name)) shared.set(name, await open(browser, file(name)));
    await restore(shared.get(name));
    return shared.get(name);
}

/** One behaviour on one page; whatever it is, nobody complains. */
function behaviour(title, name, options, body) {
    test(title, async () => {
        const page = await pageFor(name, options);
        try {
            await body(page);
            assert.deepEqual(page.complaints, []);
        } catch (error) {
            shared.delete(name);
            throw error;
        } finally {
            if (page !== shared.get(name)) await page.close();
        }
    });
}

const card = (page, title) => page.locator("figure.card", { has: page.getByRole("heading", { name: title, exact: true }) });
const boxOf = figure => figure.locator(".plot").evaluate(plot => JSON.parse(JSON.stringify(plot.hamel.box())));
const timeOf = page => page.evaluate(() => document.getElementById("animation").hamel.time());
const setTime = (page, time) => page.evaluate(value => document.getElementById("animation").hamel.setTime(value), time);
const frames = (page, count) => page.evaluate(left => new Promise(resolve => {
    const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve());
    next();
}), count);
const pixels = async download => readFileSync(await download.path());
const near = (value, expected, tolerance) => assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not near ${expected}`);

async function drag(page, figure, [left, top], [right, bottom]) {
    const area = figure.locator(".u-over");
    await area.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await area.boundingBox();
    await page.mouse.move(x + left * width, y + top * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.5 * (left + right) * width, y + 0.5 * (top + bottom) * height);
    await page.mouse.move(x + right * width, y + bottom * height);
    await page.mouse.up();
}

/** A download whose picture took so long that the browser forgot the click behind it is asked for again. */
async function saved(page, press, attempts = 12) {
    try {
        const [download] = await Promise.all([page.waitForEvent("download", { timeout: 5_000 }), press()]);
        return download;
    } catch (error) {
        if (attempts === 1) throw error;
        return saved(page, press, attempts - 1);
    }
}

for (const name of PAGES) {
    test(`${name} fits a telephone, light and dark, and complains of nothing`, async () => {
        const page = await open(browser, file(name), { viewport: TELEPHONE });
        for (const colorScheme of ["light", "dark", null]) {
            await page.emulateMedia({ colorScheme });
            assert.deepEqual(await overflowing(page), []);
        }
        assert.deepEqual(page.complaints, []);
        await page.setViewportSize(DESKTOP);
        shared.set(name, page); // for the behaviours below
    });
}

test("a page with 10,000 samples stays small", () => assert.ok(statSync(file("long")).size < LARGEST));

for (const name of ["sleigh", "disc", "pendulum", "hostile", "long", "bounces"]) {
    behaviour(`every item of ${name} is where the data has it at three instants`, name, null, async page => {
        const { scene } = await dataOf(page);
        assert.deepEqual(await misplaced(page, scene), []);
    });
}

behaviour("the strip of a contact shows each mode as long as it lasts, and where it was hit", "bounces", null, async page => {
    const { run: { columns: [{ values: times }], pieces } } = await dataOf(page);
    const last = times.at(-1);
    const strips = card(page, "Contacts").locator(".strip");
    assert.equal(await strips.count(), 3); // two contacts and the resets
    const shares = await strips.nth(0).evaluate(strip => [...strip.querySelectorAll(".stretch")].map(part => part.getBoundingClientRect().width / strip.clientWidth));
    const modes = pieces.contacts[0].modes;
    shares.forEach((share, i) => near(share, ((modes[i + 1]?.t ?? last) - modes[i].t) / last, 0.01));
    assert.equal(shares.length, modes.length);
    const colours = await strips.nth(0).evaluate(strip => [...strip.querySelectorAll(".stretch")].map(part => getComputedStyle(part).backgroundColor));
    assert.equal(new Set(colours).size, 3);
    assert.equal(await strips.nth(0).locator(".hit").count(), pieces.impacts.length);
    assert.equal(await strips.nth(2).locator(".reset").count(), 1);
    assert.deepEqual(await card(page, "Contacts").locator(".strip-name").allTextContents(), ["floor", "wall <b> (3 changes more)", "resets"]);
});

behaviour("a click on a strip goes to that time", "bounces", null, async page => {
    const strip = card(page, "Contacts").locator(".strip").first();
    const { run: { columns: [{ values: times }] } } = await dataOf(page);
    const { width, height } = await strip.boundingBox();
    await strip.click({ position: { x: 0.75 * width, y: 0.5 * height } });
    near(await timeOf(page), 0.75 * times.at(-1), 0.01 * times.at(-1));
});

behaviour("a contact is seen in the animation where it is closed", "bounces", null, async page => {
    const { run: { pieces: { contacts: [{ modes }] } } } = await dataOf(page);
    const seen = async time => {
        await setTime(page, time);
        await frames(page, 2);
        return page.locator(".labels span", { hasText: "floor" }).isVisible();
    };
    assert.equal(await seen(0.5 * modes[1].t), false);
    assert.equal(await seen(modes[1].t + 0.1), true);
    assert.equal(await seen(modes[2].t + 0.1), true);
});

behaviour("a jump is a vertical line against time, and no part of a phase portrait", "bounces", null, async page => {
    const gaps = title => card(page, title).locator(".plot").evaluate(plot => plot.hamel.chart.data[1][1].filter(value => value === null).length);
    const { run: { columns: [{ values: times }] } } = await dataOf(page);
    assert.equal(await gaps("Velocities"), 0);
    assert.equal(await gaps("Phase portrait"), times.filter((t, i) => i > 0 && t === times[i - 1]).length);
});

behaviour("forces, gaps and slip of contacts have cards of their own", "bounces", null, async page => {
    for (const [title, curves] of [["Forces of contact", 2], ["Gaps", 1], ["Slip", 1]]) assert.equal(await card(page, title).locator(".legend button").count(), curves, title);
});

behaviour("between two frames an item goes on the straight line", "sleigh", null, async page => {
    const { scene } = await dataOf(page);
    await setTime(page, 0.25 * scene.times[10] + 0.75 * scene.times[11]);
    const position = await page.evaluate(() => document.getElementById("animation").hamel.positionOf(0));
    near(position[0], 0.25 * scene.tracks[0][10] + 0.75 * scene.tracks[0][11], 1e-12);
});

behaviour("the animation is drawn: a later time gives another picture", "disc", null, async page => {
    const picture = async time => {
        await setTime(page, time);
        return pixels(await saved(page, () => page.getByRole("button", { name: "PNG of the animation" }).click()));
    };
    const [first, second, again] = [await picture(1), await picture(5), await picture(1)];
    assert.equal(first.subarray(1, 4).toString(), "PNG");
    assert.ok(!first.equals(second));
    assert.ok(first.equals(again));
});

behaviour("each tab shows its equations and hides the others", "sleigh", null, async page => {
    const tabs = page.getByRole("tab");
    assert.equal(await tabs.count(), 10);
    for (const tab of await tabs.all()) {
        await tab.click();
        assert.equal(await page.getByRole("tabpanel").count(), 1);
        const heights = await page.getByRole("tabpanel").locator("math").evaluateAll(all => all.map(math => math.getBoundingClientRect().height));
        assert.ok(heights.length === 3 && heights.every(height => height > 5), String(heights));
    }
});

behaviour("arrows, Home and End move between the tabs", "sleigh", null, async page => {
    const selected = () => page.locator("[role=tab][aria-selected=true]").textContent();
    await page.getByRole("tab").first().focus();
    for (const [key, expected] of [["ArrowRight", "Voronec"], ["ArrowLeft", "Lagrange"], ["ArrowLeft", "Vakonomic"], ["Home", "Lagrange"], ["End", "Vakonomic"]]) {
        await page.keyboard.press(key);
        assert.equal(await selected(), expected);
        assert.equal(await page.evaluate(() => document.activeElement.textContent), expected);
    }
});

for (const [consent, refuses] of [["with", false], ["without", true]]) {
    behaviour(`LaTeX is copied ${consent} the clipboard's consent`, "sleigh", {}, async page => {
        await page.evaluate(refused => {
            navigator.clipboard.writeText = refused ? () => Promise.reject(new Error("not allowed")) : async text => (window.copied = text);
            document.addEventListener("copy", () => (window.copied = document.activeElement.value));
        }, refuses);
        const button = page.getByRole("tabpanel").locator("button.copy").first();
        await button.click();
        await page.waitForFunction(() => document.querySelector("[data-said]"));
        assert.equal(await button.textContent(), "Copied");
        assert.equal(await page.evaluate(() => window.copied), "m \\ddot{x} = -\\lambda \\sin\\theta");
    });
}

const NARROW = { width: 390, height: 844 };

/** How many pixels of a picture of the animation have a colour, which neither ground nor grid has. */
async function coloured(page) {
    const picture = await page.locator(".stage canvas").screenshot();
    return page.evaluate(async bytes => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += Math.max(...data.slice(i, i + 3)) - Math.min(...data.slice(i, i + 3)) > 60;
        return count;
    }, Array.from(picture));
}

behaviour("small things are seen at once on a small dark screen", "far", { viewport: NARROW, colorScheme: "dark" }, async page => {
    assert.ok(await coloured(page) > 60, `${await coloured(page)} pixels`); // half a circle with a radius of 5 and more
});

behaviour("a page made narrow shows what one opened narrow shows", "disc", { colorScheme: "dark" }, async page => {
    const places = on => on.locator(".labels span").evaluateAll(spans => spans.map(span => [span.hidden, span.style.transform]));
    const narrow = await open(browser, file("disc"), { viewport: NARROW, colorScheme: "dark" });
    await frames(page, 2);
    await page.setViewportSize(NARROW);
    await page.waitForFunction(() => document.querySelector(".stage canvas").clientWidth < 390);
    await frames(narrow, 2);
    assert.deepEqual(await places(page), await places(narrow));
    await narrow.close();
});

behaviour("an animation that changes its size is never empty", "disc", {}, async page => {
    const drawn = await page.evaluate(() => new Promise(resolve => {
        const canvas = document.querySelector(".stage canvas");
        let calls = 0;
        new ResizeObserver(() => { // behind that of the animation, before the next frame
            if (calls++ === 0) return document.querySelector(".stage").style.setProperty("height", "200px");
            const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
            copy.drawImage(canvas, 0, 0);
            resolve(copy.getImageData(0, 0, canvas.width, canvas.height).data.some(value => value !== 0));
        }).observe(document.querySelector(".stage"));
    }));
    assert.ok(drawn);
});

behaviour("the cards are those that the columns call for", "sleigh", null, async page => {
    assert.deepEqual(await page.locator("figure.card h3").allTextContents(), ["Coordinates", "Velocities", "Quasi-velocities", "Path in the plane",
        "Multipliers and reactions", "Energy", "Observables", "Relative errors of constants", "Phase portrait", "Any two columns"]);
});

behaviour("errors that are 0 make no card", "row", null, async page => {
    assert.equal(await card(page, "Relative errors of constants").count(), 0);
});

behaviour("dragging across a plot zooms into what was marked, a double click resets", "sleigh", null, async page => {
    const figure = card(page, "Coordinates");
    const whole = await boxOf(figure);
    assert.deepEqual(whole.x, [0, 10]);
    await drag(page, figure, [0.2, 0.5], [0.6, 0.5]);
    const zoomed = await boxOf(figure);
    near(zoomed.x[0], 2, 0.05);
    near(zoomed.x[1], 6, 0.05);
    near(zoomed.y[0], whole.y[0], 0.05);
    await figure.locator(".u-over").dblclick();
    assert.deepEqual(await boxOf(figure), whole);
});

behaviour("a plot zooms by keys and by Ctrl and wheel, a wheel alone scrolls", "sleigh", null, async page => {
    const figure = card(page, "Velocities");
    const length = async () => (await boxOf(figure)).x.reduce((low, high) => high - low);
    await figure.locator(".plot").focus();
    await page.keyboard.press("+");
    near(await length(), 8, 1e-9);
    await page.keyboard.press("Shift+ArrowRight");
    near((await boxOf(figure)).x[0], 1.8, 1e-9);
    await page.keyboard.press("0");
    near(await length(), 10, 1e-9);
    await figure.locator(".u-over").hover();
    await page.mouse.wheel(0, 50);
    near(await length(), 10, 1e-9);
    await figure.locator(".u-over").hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await page.waitForFunction(() => document.querySelectorAll(".plot")[1].hamel.zoomed);
    assert.ok(await length() < 9);
});

behaviour("a path has the same scale on both axes, zoomed or not", "sleigh", null, async page => {
    const figure = card(page, "Path in the plane");
    const ratio = async () => {
        const { x, y } = await boxOf(figure);
        const { width, height } = await figure.locator(".u-over").boundingBox();
        return (x[1] - x[0]) / width / ((y[1] - y[0]) / height);
    };
    near(await ratio(), 1, 0.01);
    const whole = await boxOf(figure);
    await drag(page, figure, [0.3, 0.2], [0.5, 0.8]);
    near(await ratio(), 1, 0.01);
    assert.ok((await boxOf(figure)).y[1] < whole.y[1]);
});

behaviour("the readout follows the clock, and the mouse where it is in a plot", "sleigh", null, async page => {
    const figure = card(page, "Coordinates");
    const { run } = await dataOf(page);
    await setTime(page, run.columns[0].values[80]);
    const value = () => figure.locator(".legend .value").first().textContent();
    assert.equal(Number((await value()).replace("\u2212", "-")), Number(run.columns[1].values[80].toPrecision(6)));
    const before = await value();
    const { width } = await figure.locator(".u-over").boundingBox();
    await figure.locator(".u-over").hover({ position: { x: 0.75 * width, y: 50 } });
    assert.notEqual(await value(), before);
    near(Number((await figure.locator(".legend .time").textContent()).replace("t = ", "")), 7.5, 0.05);
});

behaviour("time is one: the scrubber moves the marks in the plots, a click in a plot moves the animation", "sleigh", null, async page => {
    const place = () => card(page, "Energy").locator(".time-line").evaluate(line => new DOMMatrix(getComputedStyle(line).transform).e);
    const { width } = await card(page, "Energy").locator(".u-over").boundingBox();
    await page.getByRole("slider", { name: "Time" }).fill("250");
    near(await timeOf(page), 2.5, 1e-9);
    near(await place(), 0.25 * width, 1);
    const area = card(page, "Coordinates").locator(".u-over");
    await area.click({ position: { x: 0.8 * width, y: 40 } });
    near(await timeOf(page), 8, 0.2);
    near(await place(), (await timeOf(page)) / 10 * width, 1);
    await card(page, "Path in the plane").locator(".dot").evaluate(dot => dot.hidden && Promise.reject(new Error("no dot on the path")));
});

behaviour("errors stand on a logarithmic axis, zeros left out", "sleigh", null, async page => {
    const { y } = await boxOf(card(page, "Relative errors of constants"));
    const { run: { errors: [{ scale, values }] } } = await dataOf(page);
    const relative = values.filter(value => value > 0).map(value => value / scale);
    assert.ok(y[0] > 0 && y[0] <= Math.min(...relative) && y[0] * 10 > Math.min(...relative) / 1.01);
    assert.ok(y[1] >= Math.max(...relative));
});

/** What is written at the vertical axis of the plot of a column against time, and the ends of that axis. */
async function axisOf(page, name) {
    const figure = card(page, "Any two columns");
    await figure.getByLabel("Vertical").selectOption(name);
    await frames(page, 2);
    return figure.locator(".plot").evaluate(plot => ({ texts: plot.hamel.tickTexts("y"), note: plot.hamel.notes().y, range: plot.hamel.box().y }));
}

behaviour("labels of an axis are never alike, and what they have in common stands once", "extremes", null, async page => {
    const { run } = await dataOf(page);
    for (const { name } of run.columns.filter(({ name, kind }) => name === "q[60]" || ["time", "energy", "observable"].includes(kind))) {
        const { texts, note, range } = await axisOf(page, name);
        assert.ok(texts.length >= 2 && new Set(texts).size === texts.length, `${name}: ${texts}`);
        assert.ok(range.every(Number.isFinite) && range[0] < range[1], `${name}: ${range}`);
        assert.ok(texts.every(text => text.length <= 9) && !/NaN|Infinity|undefined/.test(texts + note), `${name}: ${texts} ${note}`);
    }
    const shifted = await axisOf(page, "shifted");
    assert.equal(shifted.note, "\u00d710\u207b\u2079 + 2.15793");
    assert.deepEqual(shifted.texts, ["\u22122", "0", "2"]);
    const large = await axisOf(page, "large");
    assert.equal(large.note, "+ 123456");
    assert.deepEqual(large.texts, ["\u22121.0", "\u22120.5", "0", "0.5", "1.0"]);
});

behaviour("what is constant is drawn as constant, and its error apart", "extremes", null, async page => {
    const height = async name => {
        const { range } = await axisOf(page, name);
        return range[1] - range[0];
    };
    for (const name of ["seven", "energy"]) assert.ok(await height(name) > 1, name);
    assert.equal(await height("zero"), 2);
    const { y } = await boxOf(card(page, "Relative errors of constants"));
    assert.ok(y[1] > 1e-10 && y[1] < 1e-8);
});

behaviour("any column can be set against any other", "sleigh", null, async page => {
    const figure = card(page, "Any two columns");
    await figure.getByLabel("Vertical").selectOption("y'");
    await figure.getByLabel("Horizontal").selectOption("theta");
    const { run } = await dataOf(page);
    const { x, y } = await boxOf(figure);
    const values = name => run.columns.find(column => column.name === name).values;
    assert.ok(x[0] < Math.min(...values("theta")) && x[1] > Math.max(...values("theta")) && x[1] < 1.1 * Math.max(...values("theta")));
    assert.ok(y[0] < Math.min(...values("y'")) && y[1] > Math.max(...values("y'")));
});

behaviour("a unit stands behind the name in the legend, as text", "sleigh", null, async page => {
    const names = title => card(page, title).locator(".legend button").allTextContents();
    const coordinates = await names("Coordinates");
    assert.match(coordinates[0], /^\s*x \[m\]/);
    assert.doesNotMatch(coordinates[1], /\[/);
    assert.match((await names("Observables"))[0], /speed \[<b>km\/h<\/b>\]/);
    assert.equal(await page.locator(".legend b").count(), 0);
});

behaviour("a name in the legend hides its curve", "sleigh", null, async page => {
    const figure = card(page, "Coordinates");
    const button = figure.locator(".legend button").first();
    await button.click();
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    assert.equal(await figure.locator(".dot").first().isVisible(), false);
    await button.click();
    assert.equal(await figure.locator(".dot").first().isVisible(), true);
});

behaviour("without a wish for less motion it plays by itself, and pauses out of sight", "sleigh", { reducedMotion: "no-preference" }, async page => {
    await page.waitForFunction(() => document.getElementById("animation").hamel.time() > 0.1);
    await page.locator("#proofs").scrollIntoViewIfNeeded();
    let then = await timeOf(page);
    for (let tries = 0; tries < 20; tries++) { // until the browser has noticed
        await frames(page, 5);
        const now = await timeOf(page);
        if (now === then) break;
        then = now;
    }
    await frames(page, 10);
    assert.equal(await timeOf(page), then);
    await page.locator("#animation").scrollIntoViewIfNeeded();
    await page.waitForFunction(before => document.getElementById("animation").hamel.time() !== before, then);
});

behaviour("who wants less motion starts it", "sleigh", { reducedMotion: "reduce" }, async page => {
    await frames(page, 10);
    assert.equal(await timeOf(page), 0);
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => document.getElementById("animation").hamel.time() > 0.1);
    await page.getByRole("button", { name: "Pause" }).click();
    const then = await timeOf(page);
    await frames(page, 10);
    assert.equal(await timeOf(page), then);
});

behaviour("keys work on the animation: space, arrows, Home, End, and Shift for the camera", "disc", null, async page => {
    const stage = page.locator(".stage");
    const label = () => page.locator(".labels .axis").first().evaluate(span => span.style.transform);
    await stage.focus();
    await page.keyboard.press("End");
    assert.equal(await timeOf(page), 12);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    near(await timeOf(page), 0.12, 1e-9);
    await frames(page, 3);
    const before = await label();
    await page.keyboard.press("Shift+ArrowRight");
    await page.waitForFunction(then => document.querySelector(".labels .axis").style.transform !== then, before);
    near(await timeOf(page), 0.12, 1e-9);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => document.getElementById("animation").hamel.playing()), true);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => document.getElementById("animation").hamel.playing()), false);
});

behaviour("everything that acts can be reached with Tab and shows where the focus is", "sleigh", {}, async page => {
    const reached = new Set();
    for (let presses = 0; presses < 200; presses++) {
        await page.keyboard.press("Tab");
        const { name, outlined } = await page.evaluate(() => {
            const focused = document.activeElement;
            const name = focused === document.body ? "" : focused.className || focused.textContent.trim() || focused.tagName;
            return { name, outlined: getComputedStyle(focused).outlineStyle !== "none" };
        });
        if (name === "") break; // past the end
        assert.ok(outlined, `${name} shows no focus`);
        reached.add(name);
    }
    for (const name of ["theme", "Motion", "stage", "play", "plot", "PNG", "CSV", "Lagrange", "copy"]) assert.ok(reached.has(name), `${name} is not reached`);
});

behaviour("CSV holds every column and every number", "hostile", null, async page => {
    const { run } = await dataOf(page);
    const download = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
    assert.equal(download.suggestedFilename(), "hostile.csv");
    const lines = (await pixels(download)).toString().trimEnd().split("\n");
    assert.equal(lines.length, run.count + 1);
    assert.equal(lines[0], 't,<img src=x onerror=alert(1)>,"a,""b""",theta,x\',y\',theta\',v,lambda_blade,energy,speed');
    for (const row of [0, 57, run.count - 1]) assert.deepEqual(lines[row + 1].split(",").map(Number), run.columns.map(column => column.values[row]));
});

behaviour("missing values are empty in CSV and gaps in plots", "pendulum", null, async page => {
    const download = await saved(page, () => page.getByRole("button", { name: "CSV" }).click());
    const line = (await pixels(download)).toString().split("\n")[121];
    assert.match(line, /,$/);
    await setTime(page, 12);
    assert.equal(await card(page, "Observables").locator(".legend .value").textContent(), "\u2013");
});

behaviour("JSON is the data of the page", "sleigh", null, async page => {
    const download = await saved(page, () => page.getByRole("button", { name: "JSON" }).click());
    assert.deepEqual(JSON.parse((await pixels(download)).toString()), await dataOf(page));
});

behaviour("each plot can be saved as PNG", "sleigh", null, async page => {
    const names = [];
    for (const figure of await page.locator("figure.card").all()) {
        const download = await saved(page, () => figure.getByRole("button", { name: "PNG" }).click());
        names.push(download.suggestedFilename());
        const bytes = await pixels(download);
        assert.equal(bytes.subarray(1, 4).toString(), "PNG");
        assert.ok(bytes.readUInt32BE(16) > 300 && bytes.readUInt32BE(20) > 250);
    }
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.includes("sleigh-coordinates.png") && names.includes("sleigh-phase-theta.png"), String(names));
});

behaviour("what looks like markup is text", "hostile", null, async page => {
    assert.equal(await page.locator("h1").textContent(), HOSTILE);
    assert.equal(await page.title(), HOSTILE);
    assert.equal(await page.locator("h1 b, .labels b, .legend b, .legend script, .legend [onclick], img").count(), 0);
    assert.equal(await page.locator(".labels .name").first().textContent(), "<b>sleigh</b></script>");
});

behaviour("the button exchanges light and dark, in canvases too", "sleigh", { colorScheme: "light" }, async page => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const picture = async () => pixels(await saved(page, () => card(page, "Energy").getByRole("button", { name: "PNG" }).click()));
    const [light, lightPicture] = [await background(), await picture()];
    await page.getByRole("button", { name: "Dark colours" }).click();
    assert.notEqual(await background(), light);
    assert.ok(!(await picture()).equals(lightPicture));
    await page.getByRole("button", { name: "Light colours" }).click();
    assert.equal(await background(), light);
});

behaviour("a model that was not run has neither plots nor player", "still", null, async page => {
    assert.equal(await page.locator(".card, .player, .stage").count(), 0);
    assert.equal(await page.getByRole("button", { name: "JSON" }).count(), 1);
});

behaviour("without a script every formalism is seen", "sleigh", { javaScriptEnabled: false }, async page => {
    const heights = await page.locator(".form").evaluateAll(forms => forms.map(form => form.getBoundingClientRect().height));
    assert.ok(heights.length === 10 && heights.every(height => height > 50));
});

behaviour("on paper every formalism is printed", "sleigh", {}, async page => {
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".form:visible").count(), 10);
    assert.equal(await page.locator(".player:visible, .copy:visible").count(), 0);
});

test("without WebGL the page says so, and the plots still move", async () => {
    const plain = await launch(["--disable-gpu", "--disable-3d-apis"]);
    try {
        const page = await open(plain, file("sleigh"));
        assert.match(await page.locator("#animation .notice").textContent(), /no WebGL/);
        await page.getByRole("slider", { name: "Time" }).fill("500");
        assert.equal(await card(page, "Coordinates").locator(".legend .time").textContent(), "t = 5");
        assert.deepEqual(page.complaints, []);
    } finally {
        await plain.close();
    }
});

const stabilityText = page => page.locator("#stability .verdict").textContent();
const setValue = (page, value) => page.evaluate(to => document.getElementById("stability").hamel.setValue(to), value);

behaviour("the slider of a parameter moves the eigenvalues and says what they mean", "speeds", null, async page => {
    const places = () => card(page, "Eigenvalues in the complex plane").locator(".dot").evaluateAll(dots => dots.map(dot => dot.style.transform));
    await setValue(page, 0.5);
    assert.match(await stabilityText(page), /^stable: the slowest disturbance halves in 2\.77/); // Re = (v - 1)/2, ln 2/(1/4)
    const before = await places();
    assert.equal(before.length, 2);
    await setValue(page, 2);
    assert.match(await stabilityText(page), /^unstable: a disturbance doubles in 1\.38/);
    assert.notDeepEqual(await places(), before);
    await page.locator("#stability input[type=range]").fill("0");
    near(await page.evaluate(() => document.getElementById("stability").hamel.value()), 0, 1e-12);
});

behaviour("the eigenvalues at the slider are those of the data", "speeds", null, async page => {
    await setValue(page, 0.5);
    const texts = await card(page, "Frequencies: imaginary parts").locator(".legend .value").allTextContents();
    near(Number(texts[0]), Math.sqrt(1 - 1 / 16), 1e-3);
    const lines = await card(page, "Eigenvalues in the complex plane").locator(".legend .time").textContent();
    assert.match(lines, /^v = 0\.5/);
});

behaviour("another parameter is chosen, and its name is no markup", "speeds", { viewport: { width: 900, height: 800 } }, async page => {
    await page.getByLabel("What is varied").selectOption("1");
    assert.equal(await page.locator("#stability .cards figure").count(), 3);
    assert.match(await page.locator("#stability .player .time").textContent(), /^k<i> = 1/);
    assert.match(await stabilityText(page), /^unstable/);
    await setValue(page, 3);
    assert.match(await stabilityText(page), /^on the edge/);
});
