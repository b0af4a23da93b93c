// Where a scene is seen from: flat ones from above without perspective, others from the side; both may be orbited.
import { OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const ANGLE = 26; // degrees, of the perspective
const MARGIN = 1.12;
const KEY_TURN = Math.PI / 24;
const KEY_ZOOM = 0.85;
const FROM_ABOVE = new Vector3(0, -1e-6, 1); // y points up on the screen
const FROM_THE_SIDE = new Vector3(0.5, -1, 0.45);

function corners({ low, high }) {
    return [0, 1, 2, 3, 4, 5, 6, 7].map(i => new Vector3(...[0, 1, 2].map(axis => ((i >> axis) & 1 ? high : low)[axis])));
}

/**
 * @param {{flat: boolean, low: number[], high: number[]}} scene
 * @param {number} size length of the scene
 * @param {HTMLElement} area that the mouse moves on
 */
export function createView(scene, size, area) {
    const camera = scene.flat ? new OrthographicCamera() : new PerspectiveCamera(ANGLE);
    camera.up.set(0, 0, 1);
    const controls = new OrbitControls(camera, area);
    const centre = new Vector3(...scene.low).add(new Vector3(...scene.high)).multiplyScalar(0.5);
    let aspect = 1;
    let moved = false; // by the reader
    controls.addEventListener("start", () => (moved = true));

    /** The axes of the screen when the eye is in the direction `back`, and the corners of the box in them, from the centre. */
    function lookAlong(back) {
        const right = new Vector3().crossVectors(camera.up, back).normalize();
        const up = new Vector3().crossVectors(back, right);
        const reaches = corners(scene).map(corner => corner.sub(centre)).map(corner => ({ x: corner.dot(right), y: corner.dot(up), z: corner.dot(back) }));
        return { right, up, reaches };
    }

    function shape() {
        if (scene.flat) {
            const { reaches } = lookAlong(FROM_ABOVE.clone().normalize());
            const half = MARGIN * Math.max(...reaches.map(({ x, y }) => Math.max(Math.abs(y), Math.abs(x) / aspect)), 0.05 * size);
            Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
        } else camera.aspect = aspect;
        camera.near = size / 100;
        camera.far = 40 * size;
        camera.updateProjectionMatrix();
    }

    /** How near the eye may be, and where it must look, for the box to be seen whole and in the middle: a few steps of an iteration. */
    function nearest(reaches) {
        const tangent = Math.tan((ANGLE * Math.PI) / 360);
        const aim = { x: 0, y: 0, distance: size };
        const middle = values => (Math.min(...values) + Math.max(...values)) / 2;
        for (let step = 0; step < 5; step++) {
            const needed = ({ x, y, z }) => z + MARGIN * Math.max(Math.abs(y - aim.y), Math.abs(x - aim.x) / aspect) / tangent;
            aim.distance = Math.max(...reaches.map(needed), size / 10);
            aim.x += aim.distance * middle(reaches.map(({ x, z }) => (x - aim.x) / (aim.distance - z)));
            aim.y += aim.distance * middle(reaches.map(({ y, z }) => (y - aim.y) / (aim.distance - z)));
        }
        return aim;
    }

    function home() {
        moved = false;
        const back = (scene.flat ? FROM_ABOVE : FROM_THE_SIDE).clone().normalize();
        const { right, up, reaches } = lookAlong(back);
        const aim = scene.flat ? { x: 0, y: 0, distance: 10 * size } : nearest(reaches);
        camera.zoom = 1;
        controls.target.copy(centre).addScaledVector(right, aim.x).addScaledVector(up, aim.y);
        camera.position.copy(controls.target).addScaledVector(back, aim.distance);
        shape();
        controls.update();
    }

    function turn(around, over) {
        moved = true;
        const offset = new Spherical().setFromVector3(camera.position.clone().sub(controls.target).applyAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2));
        offset.theta += around;
        offset.phi += over;
        offset.makeSafe();
        camera.position.setFromSpherical(offset).applyAxisAngle(new Vector3(1, 0, 0), Math.PI / 2).add(controls.target);
        controls.update();
    }

    function zoom(factor) {
        moved = true;
        if (scene.flat) {
            camera.zoom /= factor;
            camera.updateProjectionMatrix();
        } else camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
        controls.update();
        controls.dispatchEvent({ type: "change" });
    }

    area.style.touchAction = "pan-y"; // a finger may still scroll the page
    return {
        camera,
        controls,
        home,
        homeUnlessMoved: () => moved || home(),
        /** @returns {(at: Vector3) => number} the length that a pixel shows at a place, on a screen of this height */
        perPixel(height) {
            const whole = at => (scene.flat ? (camera.top - camera.bottom) / camera.zoom : 2 * Math.tan((ANGLE * Math.PI) / 360) * camera.position.distanceTo(at));
            return at => whole(at) / height;
        },
        setAspect(value) {
            aspect = value;
            shape();
        },
        /** Moves eye and target along. */
        follow(step) {
            camera.position.add(step);
            controls.target.add(step);
        },
        keys: {
            ArrowLeft: () => turn(-KEY_TURN, 0),
            ArrowRight: () => turn(KEY_TURN, 0),
            ArrowUp: () => turn(0, -KEY_TURN),
            ArrowDown: () => turn(0, KEY_TURN),
        },
        plainKeys: { "+": () => zoom(KEY_ZOOM), "=": () => zoom(KEY_ZOOM), "-": () => zoom(1 / KEY_ZOOM), "0": home },
    };
}
