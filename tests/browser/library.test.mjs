// Reports of models of the library, of every twenty-fourth or, with HAMEL_LONG set, of all, in a real browser: nothing complains, equations are seen, nothing sticks out, things are where the run has them.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { dataOf, launch, misplaced, open, overflowing } from "./browser.mjs";

const hamel = process.env.HAMEL;
const isThere = spawnSync(hamel, ["help", "report"]).status === 0;
const library = isThere ? JSON.parse(spawnSync(hamel, ["models", "--json"], { encoding: "utf8" }).stdout).models : [];
const models = library.filter((model, index) => process.env.HAMEL_LONG || index % 24 === 0);
const folder = mkdtempSync(join(tmpdir(), "hamel-library-"));
let browser;

before(async () => {
    if (isThere) browser = await launch();
});
after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

/** Equations of each panel that take no room on the page. */
function unseenEquations(page) {
    return page.evaluate(() => Array.from(document.querySelectorAll("[role=tab]")).flatMap(tab => {
        tab.click();
        const panel = document.getElementById(tab.getAttribute("aria-controls"));
        const open = Array.from(panel.querySelectorAll(".equation math")).filter(math => !math.closest("details:not([open])"));
        const sizes = open.map(math => math.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height));
        return sizes.length > 0 && sizes.every(size => size > 0) ? [] : [`${tab.textContent}: ${sizes}`];
    }));
}

test("hamel report is there", { skip: !isThere && "this hamel has no command `report`" }, () => assert.ok(library.length > 20));

async function check(name) {
    const file = join(folder, name + ".html");
    await promisify(execFile)(hamel, ["report", name, "-o", file]);
    const page = await open(browser, file, { viewport: { width: 375, height: 800 }, colorScheme: "dark" });
    try {
        assert.deepEqual(await overflowing(page), []);
        assert.ok(await page.locator("[role=tab]").count() > 0);
        assert.deepEqual(await unseenEquations(page), []);
        assert.deepEqual(await overflowing(page), []);
        const { run, scene } = await dataOf(page);
        assert.equal(await page.locator(".card").count() > 0, run !== null);
        if (scene) assert.deepEqual(await misplaced(page, scene), []);
        assert.deepEqual(page.complaints, []);
    } finally {
        await page.close();
    }
}

// While one page is looked at, the next is made.
describe("pages of the library", { concurrency: 2 }, () => {
    for (const { name } of models) test(`the page of ${name}`, () => check(name));
});
