// The animation: items of the scene drawn by three.js at the time of the clock.
import { DirectionalLight, HemisphereLight, Scene, WebGLRenderer } from "three";
import { createView } from "./camera.js";
import { element, toggle } from "./dom.js";
import { createFrames } from "./frames.js";
import { createGround } from "./ground.js";
import { createPart, longestArrow } from "./items.js";
import { createLabels } from "./labels.js";
import { readout } from "./number.js";
import { pngOf, sheet } from "./picture.js";
import { colour, CURVE_COLOURS, onTheme } from "./theme.js";

const KEYS = "Animation: space plays and pauses, arrows move in time, Shift and arrows turn the camera, + and - zoom, 0 resets the view";
const LONGEST_ARROW = 0.25; // of the scene

/** Things at the same place have the same colour: a point and its trail. */
function createColours() {
    const known = new Map();
    return place => {
        const key = JSON.stringify(place);
        if (!known.has(key)) known.set(key, known.size % CURVE_COLOURS);
        return "curve-" + known.get(key);
    };
}

/** @returns {WebGLRenderer|null} null where the browser has no WebGL */
function createRenderer() {
    const canvas = element("canvas", { "aria-hidden": "true" });
    const context = canvas.getContext("webgl2", { alpha: true, antialias: true, preserveDrawingBuffer: true });
    if (!context) return null;
    const renderer = new WebGLRenderer({ canvas, context });
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.debug.checkShaderErrors = false; // asking would wait for each
    return renderer;
}

function lights(camera) {
    const sky = new HemisphereLight(0xffffff, 0x8888a0, 2.2);
    sky.position.set(0, 0, 1);
    const lamp = new DirectionalLight(0xffffff, 1.6);
    lamp.position.set(-1, 1.5, 2);
    camera.add(lamp); // it shines from over the shoulder
    return [sky, camera];
}

function labelsOf(parts, ground) {
    const names = parts.filter(part => part.name).map(part => ({
        text: part.name,
        at: part.tip ?? part.anchor,
        seen: () => part.object.visible,
        class: part.tip ? "reaction" : "name",
    }));
    return [...ground.names.map(({ text, at }) => ({ text, at: () => at, class: "axis" })), ...names];
}

class Stage {
    constructor(host, scene, clock, renderer) {
        this.clock = clock;
        this.renderer = renderer;
        this.area = element("div", { class: "stage", tabindex: 0, role: "application", "aria-label": KEYS }, renderer.domElement);
        host.append(this.area);
        this.build(scene);
        this.listen();
        this.view.home();
        this.paint();
        this.resize();
    }

    build(scene) {
        const size = Math.hypot(...[0, 1, 2].map(axis => scene.high[axis] - scene.low[axis])) || 1;
        const origin = [0, 1, 2].map(axis => (scene.low[axis] + scene.high[axis]) / 2);
        this.frames = createFrames(scene);
        const longest = longestArrow(scene.items, this.frames);
        const look = { size, origin, arrowScale: longest > 0 ? LONGEST_ARROW * size / longest : 0, colourOf: createColours() };
        this.parts = scene.items.map(item => createPart(item, this.frames, look));
        this.ground = createGround(scene, size);
        this.view = createView(scene, size, this.renderer.domElement);
        this.followed = this.parts.find((part, index) => ["body", "point", "disk", "sphere", "box", "ellipsoid", "trail"].includes(scene.items[index].kind));
        this.world = new Scene();
        this.world.add(this.ground.object, ...this.parts.map(part => part.object), ...lights(this.view.camera));
        this.labels = createLabels(this.area, labelsOf(this.parts, this.ground));
        this.area.append(element("div", { class: "scale" }, "grid " + readout(this.ground.step)));
        this.update();
    }

    listen() {
        this.view.controls.addEventListener("change", () => this.request());
        this.view.controls.enableZoom = false; // until the animation has the focus, a wheel scrolls the page
        this.area.addEventListener("focusin", () => (this.view.controls.enableZoom = true));
        this.area.addEventListener("focusout", () => (this.view.controls.enableZoom = false));
        this.area.addEventListener("pointerdown", () => this.area.focus({ preventScroll: true }));
        this.area.addEventListener("keydown", event => {
            const action = this.view.plainKeys[event.key] ?? (event.shiftKey && this.view.keys[event.key]);
            if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            action();
        });
        this.clock.onChange(() => this.update());
        this.renderer.domElement.addEventListener("webglcontextrestored", () => this.request());
        new ResizeObserver(() => this.resize()).observe(this.area);
        onTheme(() => this.paint());
    }

    paint() {
        for (const [material, name] of [this.ground.tint, ...this.parts.flatMap(part => part.tints)]) material.color.set(colour(name));
        this.request();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.area;
        if (width === 0 || height === 0) return;
        this.renderer.setSize(width, height);
        this.view.setAspect(width / height);
        if (!this.follows) this.view.homeUnlessMoved();
        this.draw(); // at once: a canvas of another size is empty
    }

    update() {
        const before = this.follows && this.followed.anchor().clone();
        this.frames.setTime(this.clock.time());
        for (const part of this.parts) {
            part.object.visible = true;
            part.update();
            if (!part.anchor().toArray().every(Number.isFinite)) part.object.visible = false; // a gap in the data
        }
        if (before) this.view.follow(this.followed.anchor().clone().sub(before));
        this.request();
    }

    request() {
        if (this.requested) return;
        this.requested = true;
        requestAnimationFrame(() => this.draw());
    }

    draw() {
        this.requested = false;
        this.view.controls.update();
        const perPixel = this.view.perPixel(this.area.clientHeight);
        for (const part of this.parts) part.keepVisible?.(perPixel(part.anchor()));
        this.renderer.render(this.world, this.view.camera);
        this.labels.place(this.view.camera, this.area.clientWidth, this.area.clientHeight);
    }

    setFollowing(follows) {
        this.follows = follows;
        if (!follows) return;
        this.view.follow(this.followed.anchor().clone().sub(this.view.controls.target));
        this.request();
    }

    buttons() {
        const home = element("button", { type: "button", title: "The view of the beginning again" }, "Reset view");
        home.addEventListener("click", () => this.view.home());
        const named = toggle("Names", true, shown => this.labels.setVisible(shown));
        const following = toggle("Follow", false, follows => this.setFollowing(follows));
        return this.followed ? [home, following, named] : [home, named];
    }

    /** @returns {Promise<Blob>} */
    picture() {
        this.draw();
        const { clientWidth: width, clientHeight: height } = this.area;
        const { canvas, context } = sheet(width, height);
        context.drawImage(this.renderer.domElement, 0, 0, width, height); // right after it was drawn: later it may be empty
        this.labels.draw(context);
        return pngOf(canvas);
    }

    positionOf(index) {
        return this.parts[index].anchor().toArray();
    }
}

/**
 * @param {HTMLElement} host
 * @param {Object} scene see docs/page.md
 * @param {ReturnType<import("./clock.js").createClock>} clock
 * @returns {Stage|null} null where it cannot be shown: the page then says so
 */
export function startScene(host, scene, clock) {
    const renderer = createRenderer();
    if (renderer) return new Stage(host, scene, clock, renderer);
    host.append(element("p", { class: "notice" }, "This browser shows no WebGL, so there is no animation; the plots below move with the player all the same."));
    return null;
}
