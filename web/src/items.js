// What a scene is made of: for each kind of item the object that three.js draws, and how it follows time.
import {
    BoxGeometry, CircleGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group, Matrix4, Mesh, MeshLambertMaterial,
    SphereGeometry, TorusGeometry, Vector3,
} from "three";
import { changes } from "./frames.js";
import { modeColour } from "./modes.js";
import { createStroke } from "./stroke.js";

/**
 * @typedef {ReturnType<import("./frames.js").createFrames>} Frames
 * @typedef {{size: number, origin: number[], arrowScale: number, colourOf: (place: any) => string}} Look
 *     size: length of the scene; arrowScale: length of an arrow, a unit of its vector; colourOf: name of the colour of what is at a place
 * @typedef {{object: import("three").Object3D, tints: [import("three").Material, string][], update: () => void, anchor: () => Vector3,
 *            name?: string, tip?: () => Vector3, keepVisible?: (perPixel: number) => void}} Part
 *     keepVisible: makes it larger where it would be too small to be seen; perPixel: the length that a pixel shows there
 *     tints: which material takes which colour of the style sheet; anchor: where the item is; tip: where its name goes, when not there
 */

const POINT = 0.012; // radii, as parts of the scene
const ROD = 0.004;
const ARROW = 0.0035;
const THINNEST = 0.003;
const SMALLEST = 5; // px: half the length of a solid
const THIN = 1.3; // px: half the width of a rod
const MOST_ASPECT = 4; // of an ellipsoid, beyond which it gets no more segments
const UP = new Vector3(0, 1, 0); // the axis of three's cylinders and cones

function solid(geometry, colour, options = {}) {
    const material = new MeshLambertMaterial(options);
    return { mesh: new Mesh(geometry, material), tint: [material, colour] };
}

/** Rotation by rows; rows between two frames are made orthonormal again. */
function setRotation(object, rows) {
    const x = new Vector3(rows[0], rows[3], rows[6]).normalize();
    const y = new Vector3(rows[1], rows[4], rows[7]);
    y.addScaledVector(x, -x.dot(y)).normalize();
    object.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(x, y, new Vector3().crossVectors(x, y)));
}

/** Octants in turn light and dark, so that turning is seen. */
function checkered(geometry) {
    const faces = geometry.toNonIndexed();
    const position = faces.attributes.position;
    const colours = [];
    for (let i = 0; i < position.count; i += 3) {
        const middle = axis => [0, 1, 2].reduce((sum, corner) => sum + position.getComponent(i + corner, axis), 0);
        const light = middle(0) * middle(1) * middle(2) > 0 ? 1 : 0.72;
        for (let corner = 0; corner < 3; corner++) colours.push(light, light, light);
    }
    faces.setAttribute("color", new Float32BufferAttribute(colours, 3));
    return faces;
}

/** An object whose place is the place of the item. `sized`: its scale is its size, which is seen however small it is. */
function placed(object, tints, update, name, sized = false) {
    const part = { object, tints, update, name, anchor: () => object.position };
    if (!sized) return part;
    const size = object.scale.clone();
    part.update = () => {
        update();
        size.copy(object.scale);
    };
    part.keepVisible = perPixel => object.scale.copy(size).multiplyScalar(Math.max(1, (SMALLEST * perPixel) / Math.max(size.x, size.y, size.z)));
    return part;
}

/** @param {Frames} frames @param {Look} look @returns {Part} */
function point(item, frames, look) {
    const { mesh, tint } = solid(new SphereGeometry(1, 24, 16), look.colourOf(item.at));
    return placed(mesh, [tint], () => {
        mesh.position.fromArray(frames.vector(item.at));
        mesh.scale.setScalar(POINT * look.size);
    }, item.name, true);
}

function turning(geometry, item, size, frames, look) {
    const { mesh, tint } = solid(checkered(geometry), look.colourOf(item.at), { vertexColors: true });
    return placed(mesh, [tint], () => {
        mesh.position.fromArray(frames.vector(item.at));
        setRotation(mesh, frames.vector(item.rotation));
        mesh.scale.fromArray(frames.vector(size).map(length => Math.max(length, THINNEST * look.size)));
    }, item.name, true);
}

/** A sphere to be stretched by these half axes: the longer it gets, the more segments its ends need to look round. */
function roundSphere(halfAxes) {
    const aspect = Math.max(...halfAxes) / Math.min(...halfAxes);
    const quarter = Math.round(8 * (aspect < MOST_ASPECT ? aspect : MOST_ASPECT)); // whole octants, which are coloured apart
    return new SphereGeometry(1, 4 * quarter, 2 * Math.round(1.5 * quarter));
}

const body = (item, frames, look) => turning(roundSphere(frames.vector(item.size)), item, item.size, frames, look);
const ellipsoid = body;
const box = (item, frames, look) => turning(new BoxGeometry(1, 1, 1, 2, 2, 2), item, item.size, frames, look);

function sphere(item, frames, look) {
    const { mesh, tint } = solid(new SphereGeometry(1, 48, 32), look.colourOf(item.centre), { transparent: true, opacity: 0.55 });
    return placed(mesh, [tint], () => {
        mesh.position.fromArray(frames.vector(item.centre));
        mesh.scale.setScalar(Math.max(frames.number(item.radius), THINNEST * look.size));
    }, undefined, true);
}

function disk(item, frames, look) {
    const colour = look.colourOf(item.centre);
    const face = solid(new CircleGeometry(1, 64), colour, { side: DoubleSide, transparent: true, opacity: 0.35 });
    const rim = solid(new TorusGeometry(1, 0.025, 12, 96), colour);
    const object = new Group();
    object.add(face.mesh, rim.mesh);
    const axis = new Vector3(0, 0, 1); // of both, as three makes them
    return placed(object, [face.tint, rim.tint], () => {
        object.position.fromArray(frames.vector(item.centre));
        object.quaternion.setFromUnitVectors(axis, new Vector3(...frames.vector(item.normal)).normalize());
        object.scale.setScalar(Math.max(frames.number(item.radius), THINNEST * look.size));
    }, undefined, true);
}

/** A rod; it is where its middle is. */
function line(item, frames, look) {
    const { mesh, tint } = solid(new CylinderGeometry(1, 1, 1, 16), "rod");
    const keepVisible = perPixel => (mesh.scale.x = mesh.scale.z = Math.max(ROD * look.size, THIN * perPixel));
    return Object.assign(placed(mesh, [tint], () => {
        const from = new Vector3(...frames.vector(item.from));
        const along = new Vector3(...frames.vector(item.to)).sub(from);
        const length = along.length();
        mesh.visible = length > 0;
        mesh.position.copy(from).addScaledVector(along, 0.5);
        if (length > 0) mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
        mesh.scale.y = length;
    }), { keepVisible });
}

/** The way so far, strong, on the whole way, faint; it is where its end is. */
function trail(item, frames, look) {
    const count = frames.times.length;
    const colour = look.colourOf(item.at);
    const past = createStroke(count + 1, { colour, width: 2.5, origin: look.origin });
    const whole = createStroke(count, { colour, width: 1.6, opacity: 0.5, origin: look.origin });
    const object = new Group();
    object.add(whole.object, past.object);
    const points = frames.times.map((time, index) => frames.vectorInFrame(item.at, index));
    points.forEach((where, index) => {
        whole.setPoint(index, where);
        past.setPoint(index, where);
    });
    let end = 0; // the point of `past` that stands at the present instead of in its frame
    return {
        object,
        tints: [past.tint, whole.tint],
        update() {
            if (end < count) past.setPoint(end, points[end]);
            end = frames.index() + 1;
            past.setPoint(end, frames.vector(item.at));
            past.setShown(end + 1);
        },
        anchor: () => new Vector3(...past.point(end)),
    };
}

function curve(item, frames, look) {
    const stroke = createStroke(item.points.length, { colour: "rod", width: 2, origin: look.origin });
    const put = () => item.points.forEach((where, index) => stroke.setPoint(index, frames.vector(where)));
    put();
    return {
        object: stroke.object,
        tints: [stroke.tint],
        update: item.points.some(changes) ? put : () => {},
        anchor: () => new Vector3(...stroke.point(0)),
    };
}

function arrow(item, frames, look) {
    const shaft = solid(new CylinderGeometry(ARROW * look.size, ARROW * look.size, 1, 16).translate(0, 0.5, 0), "arrow");
    const head = solid(new ConeGeometry(3.2 * ARROW * look.size, 1, 24).translate(0, -0.5, 0), "arrow");
    const object = new Group();
    object.add(shaft.mesh, head.mesh);
    const tip = new Vector3();
    return {
        ...placed(object, [shaft.tint, head.tint], () => {
            const vector = new Vector3(...frames.vector(item.vector));
            const length = vector.length() * look.arrowScale;
            object.visible = length > 1e-6 * look.size;
            object.position.fromArray(frames.vector(item.at));
            tip.copy(object.position);
            if (!object.visible) return;
            vector.normalize();
            object.quaternion.setFromUnitVectors(UP, vector);
            const headLength = Math.min(11 * ARROW * look.size, 0.5 * length);
            shaft.mesh.scale.y = length - headLength;
            head.mesh.scale.y = headLength;
            head.mesh.position.y = length;
            tip.addScaledVector(vector, length);
        }, item.name),
        tip: () => tip,
        keepVisible: perPixel => (object.scale.x = object.scale.z = Math.max(1, (THIN * perPixel) / (ARROW * look.size))),
    };
}

/** A dot where a contact is closed, in the colour of its mode: 1 and -1 slide, 2 sticks, 0 is open and not seen. */
function contact(item, frames, look) {
    const dots = [[1, "sliding"], [-1, "sliding-"], [2, "sticking"]].map(([value, mode]) => ({ value, ...solid(new SphereGeometry(1, 24, 16), modeColour(mode)) }));
    const object = new Group();
    object.add(...dots.map(({ mesh }) => mesh));
    return placed(object, dots.map(({ tint }) => tint), () => {
        const [mode] = frames.vectorInFrame([item.mode], frames.index()); // between two frames there is no mode
        object.visible = mode !== 0;
        for (const { value, mesh } of dots) mesh.visible = value === mode;
        object.position.fromArray(frames.vector(item.at));
        object.scale.setScalar(POINT * look.size);
    }, item.name, true);
}

const KINDS = { point, body, line, disk, sphere, trail, box, ellipsoid, curve, arrow, contact };

/** @param {{kind: string}} item @param {Frames} frames @param {Look} look @returns {Part} */
export function createPart(item, frames, look) {
    return KINDS[item.kind](item, frames, look);
}

/** The longest of all arrows at all times; 0 when there is none. */
export function longestArrow(items, frames) {
    let longest = 0;
    for (const item of items) {
        if (item.kind !== "arrow") continue;
        frames.times.forEach((time, index) => {
            const length = Math.hypot(...frames.vectorInFrame(item.vector, index));
            if (length > longest) longest = length;
        });
    }
    return longest;
}
